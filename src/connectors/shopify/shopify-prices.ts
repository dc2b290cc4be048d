import type { Account, PriceOrder, PriceReading, SendOutcome, SentPrice } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { outcomesInOrder } from '#connectors/http/batch-outcomes.ts';
import { isUnreadable, type UnreadableRow, unreadableText } from '#connectors/passed-over.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { errorOutcome } from '#connectors/send-error.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { outsideLimits } from '#domain/limits/marketplace-limits.ts';
import type { Instant } from '#domain/units.ts';
import { saleLimits, saleReason, type VariantPrices } from './compare-at-price.ts';
import { NAME, type ShopifyCalls } from './shopify-calls.ts';
import { PRICES, UPDATE_PRICES } from './shopify-queries.ts';
import { PricesNow, PricesUpdated, type UserError } from './shopify-responses.ts';

/** Shopify accepts 2,048 of a product; fewer per call stay within the points of the smallest plan. */
const VARIANTS_A_CALL = 100;
export const READ_A_CALL = 100;

/**
 * Sends prices product by product, right after all of them were read: what is on sale, or was changed there, stops. The
 * response contains the price that buyers see from then on. The compare-at price is never sent.
 */
export async function sendPrices(
  calls: ShopifyCalls,
  account: Account,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<readonly SendOutcome[]> {
  const outcomes = new Map<number, SendOutcome>();
  const keep = (outcome: SendOutcome): void => void outcomes.set(outcome.listingId, outcome);
  const groups = byProduct(orders, keep);
  const keyed = [...groups.values()].flat();
  let stop = await unsellable(calls, account, keyed, keep, signal);
  for (const [product, group] of groups) {
    const going = group.filter(({ ref }) => !outcomes.has(ref.listingId));
    for (let at = 0; at < going.length; at += VARIANTS_A_CALL) {
      const some = going.slice(at, at + VARIANTS_A_CALL);
      if (stop === null) stop = await sendGroup(calls, account, product, some, keep, signal);
      else for (const { ref } of some) keep(stop(ref.listingId));
    }
  }
  return outcomesInOrder(NAME, orders, outcomes);
}

/** The outcome of every further order, when none can be sent. */
type Stop = (listingId: number) => SendOutcome;

/**
 * Reads what the shop has of the variants. Prices are plain numbers here, in the currency of the shop: that of the answer
 * counts.
 * @param keep receives the outcomes of those that are stopped
 */
async function unsellable(
  calls: ShopifyCalls,
  account: Account,
  keyed: readonly Keyed[],
  keep: (outcome: SendOutcome) => void,
  signal: AbortSignal,
): Promise<Stop | null> {
  try {
    for (let at = 0; at < keyed.length; at += READ_A_CALL) {
      const some = keyed.slice(at, at + READ_A_CALL);
      const readAt = calls.now();
      const ids = some.map(({ variant }) => variant);
      const { currency, variants } = await pricesOf(calls, account, ids, signal);
      if (currency !== 'USD') {
        // No refusal: a shop may sell in dollars again, and is asked again with the next price.
        const message = `The shop sells in ${currency.slice(0, 10)}; only prices in US dollars are sent.`;
        return (listingId) => ({ listingId, kind: 'stopped', message, found: { kind: 'not_repriceable' } });
      }
      for (const { order, variant } of some) {
        const found = variants.get(variant) ?? null;
        const stopped = found === null ? null : stoppedBy(found, order, account, readAt);
        if (stopped !== null) keep(stopped);
      }
    }
    return null;
  } catch (error) {
    return notSent(error);
  }
}

function stoppedBy(
  found: VariantPrices | UnreadableRow,
  order: PriceOrder,
  account: Account,
  readAt: Instant,
): SendOutcome | null {
  const { listingId } = order.ref;
  if (isUnreadable(found)) {
    // It may be on sale, or changed in the shop.
    return {
      listingId,
      kind: 'not_sent',
      message: unreadableText(NAME, 'variant', found),
      retryAfter: null,
      othersMayGo: true,
    };
  }
  const message = saleReason(found, account);
  if (message !== null) return { listingId, kind: 'stopped', message, found: { kind: 'not_repriceable' } };
  const limits = saleLimits(found, account);
  const outside = limits === null ? null : outsideLimits(order.price, limits, 'shopify');
  if (limits !== null && outside !== null) {
    return { listingId, kind: 'stopped', message: outside, found: { kind: 'outside_limits', limits } };
  }
  return found.price === null ? null : stoppedByPrice(NAME, order, found.price, readAt);
}

function notSent(error: unknown): Stop {
  if (!(error instanceof ConnectorError)) throw error;
  const { message, retryAfter } = error;
  return (listingId) => ({ listingId, kind: 'not_sent', message, retryAfter });
}

interface Keyed {
  readonly order: PriceOrder;
  readonly variant: string;
  readonly ref: PriceOrder['ref'];
}

function byProduct(
  orders: readonly PriceOrder[],
  keep: (outcome: SendOutcome) => void,
): ReadonlyMap<string, readonly Keyed[]> {
  const groups = new Map<string, Keyed[]>();
  const seen = new Set<string>();
  for (const order of orders) {
    const { ref } = order;
    const { listingId, keys, itemId } = ref;
    const { product, variant = itemId } = keys;
    if (product === undefined || variant === null) {
      const message = `Its ID at ${NAME} is unknown. Sync the listings of ${NAME} again.`;
      keep({ listingId, kind: 'rejected', message, code: null });
    } else if (seen.has(variant)) {
      const message = 'Another listing of the same variant was sent at the same time.';
      keep({ listingId, kind: 'not_sent', message, retryAfter: null });
    } else {
      seen.add(variant);
      groups.set(product, [...(groups.get(product) ?? []), { order, variant, ref }]);
    }
  }
  return groups;
}

/** @returns the outcome of all others, when it is useless to continue */
async function sendGroup(
  calls: ShopifyCalls,
  account: Account,
  product: string,
  group: readonly Keyed[],
  keep: (outcome: SendOutcome) => void,
  signal: AbortSignal,
): Promise<Stop | null> {
  const variants = group.map(({ variant, order }) => ({ id: variant, price: decimalFromCents(order.price) }));
  const call = {
    // The cost grows with the number of variants: the cost of large groups says nothing about small ones.
    operation: group.length > 10 ? 'updateMany' : 'updateFew',
    query: UPDATE_PRICES,
    variables: { product, variants },
    changes: { notAfter: Math.min(...group.map(({ order }) => order.notAfter)) as Instant },
  };
  try {
    const { data } = await calls.ask(account, call, PricesUpdated, 'receipt of prices', signal);
    const { productVariants = [], userErrors = [] } = data.productVariantsBulkUpdate ?? {};
    const shown = new Map(productVariants.map(({ id, price }) => [id, price]));
    group.forEach(({ ref: { listingId }, order, variant }, at) => {
      const error = userErrors.find((one) => concerns(one, at));
      const price = shown.get(variant);
      if (error !== undefined)
        keep(price === order.price ? inDoubt(listingId, error) : refused(listingId, error));
      else if (price !== undefined) keep({ listingId, kind: 'live', price });
    });
    return null;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    for (const { ref } of group) keep(errorOutcome(ref.listingId, error));
    const isForAll = ['key', 'permission', 'time'].includes(error.fault) || error.retryAfter !== null;
    return isForAll ? notSent(error) : null;
  }
}

/** `field` is like ["variants", "3", "price"]; without an index it is about the product, and so about all. */
function concerns({ field }: UserError, at: number): boolean {
  const index = field?.find((part) => /^\d+$/.test(part));
  return index === undefined || Number(index) === at;
}

/** Shopify reports an error and shows the price: only a reading can tell whether it is stored. */
function inDoubt(listingId: number, error: UserError): SendOutcome {
  const message = `${NAME} shows the price, and reports an error: ${reasonOf(error)}`;
  return { listingId, kind: 'unknown', message };
}

function refused(listingId: number, error: UserError): SendOutcome {
  return {
    listingId,
    kind: 'rejected',
    message: `${NAME} rejected the price: ${reasonOf(error)}`,
    code: error.code ?? 'none',
  };
}

function reasonOf({ message, code }: UserError): string {
  return message || code || 'no reason given.';
}

/** The current prices of variants. */
export async function readPrices(
  calls: ShopifyCalls,
  account: Account,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<readonly PriceReading[]> {
  const readings: PriceReading[] = [];
  for (let at = 0; at < sent.length; at += READ_A_CALL) {
    const some = sent.slice(at, at + READ_A_CALL);
    const numbers = some.map(({ ref }) => ref.keys.variant ?? ref.itemId);
    const ids = numbers.filter((number) => number !== null);
    const prices = ids.length === 0 ? null : await pricesOf(calls, account, ids, signal);
    some.forEach(({ ref: { listingId } }, index) => {
      const number = numbers[index] ?? null;
      const found = number === null ? undefined : prices?.variants.get(number);
      readings.push(readingOf(listingId, found, prices?.currency ?? ''));
    });
  }
  return readings;
}

interface ShopPrices {
  readonly currency: string;
  /** Null for a removed one. */
  readonly variants: ReadonlyMap<string, VariantPrices | UnreadableRow | null>;
}

async function pricesOf(
  calls: ShopifyCalls,
  account: Account,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ShopPrices> {
  const call = { operation: 'prices', query: PRICES, variables: { ids } };
  const { data } = await calls.ask(account, call, PricesNow, 'list of prices', signal);
  if (data.nodes.length !== ids.length) {
    throw new ConnectorError(
      'unreadable',
      `${NAME} answered with another number of prices than was asked for.`,
    );
  }
  const variants = ids.map((id, at): [string, VariantPrices | UnreadableRow | null] => {
    const node = data.nodes[at] ?? null;
    if (node !== null && !isUnreadable(node) && node.id !== id) {
      throw new ConnectorError('unreadable', `${NAME} answered with prices in another order.`);
    }
    return [id, node];
  });
  return { currency: data.shop.currencyCode, variants: new Map(variants) };
}

function readingOf(
  listingId: number,
  found: VariantPrices | UnreadableRow | null | undefined,
  currency: string,
): PriceReading {
  const unreadable = (message: string): PriceReading => ({ listingId, kind: 'unreadable', message });
  if (found === undefined) return unreadable(`Its number at ${NAME} is not known.`);
  if (found === null) return { listingId, kind: 'missing' };
  if (isUnreadable(found)) return unreadable(unreadableText(NAME, 'variant', found));
  const { price } = found;
  if (currency !== 'USD') return unreadable(`${NAME} shows a price in ${currency.slice(0, 10)}.`);
  if (price === null) return unreadable(`${NAME} shows no price for this variant.`);
  return { listingId, kind: 'price', price, source: 'item', refusal: null };
}

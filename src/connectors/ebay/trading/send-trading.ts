import type { Account, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import { isTradingRevisionLimit, tooManyRevisions } from '#connectors/ebay/revision-limit.ts';
import { sendEach } from '#connectors/http/send-each.ts';
import { errorOutcome } from '#connectors/send-error.ts';
import { escapeXml } from '#connectors/xml.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { instant } from '#domain/units.ts';
import { rejectedForGood, stoppedByItem } from './check-before-sending.ts';
import { isKeptForUrgent, keptOutcome } from './kept-for-urgent.ts';
import { outcomesOf } from './revise-outcomes.ts';
import type { SellerListings } from './seller-listings.ts';
import { callTrading, type TradingError } from './trading-call.ts';
import { readItem } from './trading-changes.ts';
import { itemIdOf, type TradingOrder, variationOf } from './trading-ref.ts';

/** Listings and variations that one call may revise. */
const AT_ONCE = 4;

/** "Inventory-based listing management is not currently supported by this tool." */
const IN_INVENTORY = '21919474';
const IN_INVENTORY_WORDS = /inventory-based listing/i;
/** SKU and item do not fit, or are named the wrong way. */
const WRONG_NAME = new Set(['21916635', '21916636']);
/** The listing ended, or is not the seller's. */
const ENDED = new Set(['17', '291', '21916750']);

/** A price whose listing turned out to be in the Inventory model. */
interface InInventory {
  readonly listingId: number;
  readonly kind: 'in_inventory';
  readonly message: string;
}
export type TradingOutcome = SendOutcome | InInventory;

interface Sender {
  readonly calls: EbayCalls;
  readonly book: SellerListings;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/**
 * Sends prices of listings outside of the Inventory model, four in a call. Stock is not named and so does not change.
 * Each is checked before, by what eBay said about its listing lately.
 */
export async function sendTrading(
  calls: EbayCalls,
  book: SellerListings,
  account: Account,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<readonly TradingOutcome[]> {
  const sender = { calls, book, account, signal };
  const outcomes: TradingOutcome[] = [];
  const mayGo: TradingOrder[] = [];
  for (const order of orders) {
    const checked = await check(sender, order);
    if ('kind' in checked) outcomes.push(checked);
    else mayGo.push(checked);
  }
  const handedOver: InInventory[] = [];
  const sent = await sendEach(
    chunksOf(mayGo),
    (chunk) => chunk.map(({ order }) => order.ref.listingId),
    async (chunk) => {
      if (!chunk.some(({ order }) => order.isUrgent) && isKeptForUrgent(calls, 'trading')) {
        return chunk.map(({ order }) => keptOutcome(calls, order.ref.listingId));
      }
      const results = await reviseSome(sender, chunk);
      handedOver.push(...results.filter((one) => one.kind === 'in_inventory'));
      return results.filter((one) => one.kind !== 'in_inventory');
    },
  );
  return [...outcomes, ...sent, ...handedOver];
}

/** @returns the outcome of an order that is not sent */
async function check(
  { calls, book, account, signal }: Sender,
  order: PriceOrder,
): Promise<TradingOrder | SendOutcome> {
  const itemId = itemIdOf(order.ref);
  if (itemId === null) {
    return rejectedForGood(order, 'eBay returned no number of this listing. Sync the listings again.');
  }
  if (!order.isUrgent) {
    const mayNeedItem = book.fresh(account, itemId) === null;
    const isKept =
      isKeptForUrgent(calls, 'trading') || (mayNeedItem && isKeptForUrgent(calls, 'trading_items'));
    if (isKept) return keptOutcome(calls, order.ref.listingId);
  }
  try {
    return (await stoppedByItem(calls, book, account, order, itemId, signal)) ?? { order, itemId };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    // The others may need no call of their own.
    return unlessOthers(errorOutcome(order.ref.listingId, error), error);
  }
}

function unlessOthers(outcome: SendOutcome, { fault, dayLimit }: ConnectorError): SendOutcome {
  const isOfOne = outcome.kind === 'not_sent' && fault === 'busy' && dayLimit === null;
  return isOfOne ? { ...outcome, othersMayGo: true } : outcome;
}

function chunksOf(orders: readonly TradingOrder[]): TradingOrder[][] {
  const chunks: TradingOrder[][] = [];
  for (let at = 0; at < orders.length; at += AT_ONCE) chunks.push(orders.slice(at, at + AT_ONCE));
  return chunks;
}

async function reviseSome(sender: Sender, chunk: readonly TradingOrder[]): Promise<TradingOutcome[]> {
  const { outcomes, refused, unsent } = await revise(sender, chunk, entryOf);
  const results: TradingOutcome[] = [...outcomes];
  for (const { order, error } of refused) results.push(await refusedOutcome(sender, order, error));
  // Nothing of the call was carried out, and eBay does not say because of which: each goes alone.
  for (const one of unsent) results.push(...(await reviseSome(sender, [one])));
  return results;
}

async function revise(
  { calls, account, signal }: Sender,
  chunk: readonly TradingOrder[],
  entry: (one: TradingOrder) => string,
) {
  const content = `<ErrorLanguage>en_US</ErrorLanguage><WarningLevel>High</WarningLevel>${chunk.map(entry).join('')}`;
  const notAfter = instant(Math.min(...chunk.map(({ order }) => order.notAfter)));
  const call = {
    name: 'ReviseInventoryStatus',
    operation: 'trading',
    content,
    changes: { notAfter },
  } as const;
  return outcomesOf(chunk, await callTrading(calls, account, call, signal));
}

/** By its number; a variation by its SKU, too. */
function entryOf({ order, itemId }: TradingOrder): string {
  const variation = variationOf(order.ref);
  const sku = variation === null ? '' : `<SKU>${escapeXml(variation)}</SKU>`;
  return `<InventoryStatus>${sku}<ItemID>${itemId}</ItemID>${priceOf(order)}</InventoryStatus>`;
}

/** By its SKU alone: the seller has eBay track the listing by it. */
function entryBySku({ order }: TradingOrder): string {
  return `<InventoryStatus><SKU>${escapeXml(order.ref.sku)}</SKU>${priceOf(order)}</InventoryStatus>`;
}

function priceOf({ price }: PriceOrder): string {
  return `<StartPrice currencyID="USD">${decimalFromCents(price)}</StartPrice>`;
}

async function refusedOutcome(
  sender: Sender,
  one: TradingOrder,
  error: TradingError,
): Promise<TradingOutcome> {
  const { listingId } = one.order.ref;
  const message = `${NAME} rejected the price. ${NAME} says: ${error.message}`;
  if (error.code === IN_INVENTORY || IN_INVENTORY_WORDS.test(error.message)) {
    return { listingId, kind: 'in_inventory', message };
  }
  if (isTradingRevisionLimit(error.message)) return tooManyRevisions(listingId, message);
  const rejected: SendOutcome = { listingId, kind: 'rejected', message, code: error.code };
  try {
    if (ENDED.has(error.code))
      return (await isThere(sender, one)) ? rejected : rejectedForGood(one.order, message);
    if (WRONG_NAME.has(error.code)) return await sendBySku(sender, one, rejected);
  } catch (failure) {
    if (!(failure instanceof ConnectorError)) throw failure;
  }
  return rejected;
}

async function isThere({ calls, book, account, signal }: Sender, { itemId }: TradingOrder): Promise<boolean> {
  return (await readItem(calls, book, account, itemId, signal))?.isActive === true;
}

/** Once: only a listing that eBay tracks by its SKU is named by that alone. */
async function sendBySku(sender: Sender, one: TradingOrder, rejected: SendOutcome): Promise<TradingOutcome> {
  const { calls, book, account, signal } = sender;
  const item = await readItem(calls, book, account, one.itemId, signal);
  if (item === null || !item.isActive) return rejectedForGood(one.order, 'The listing has ended on eBay.');
  if (!item.isTrackedBySku) return rejected;
  const { outcomes } = await revise(sender, [one], entryBySku);
  return outcomes[0] ?? rejected;
}

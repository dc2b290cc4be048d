import type {
  Account,
  ListingRef,
  PriceOrder,
  PriceReading,
  SendOutcome,
  SentPrice,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type FinerThanCents, isFiner } from '#connectors/dollars.ts';
import { outcomesInOrder } from '#connectors/http/batch-outcomes.ts';
import { sendEach } from '#connectors/http/send-each.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { readableOf } from '#connectors/passed-over.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { readEach, Shared } from '#connectors/read-each.ts';
import { isBusyStatus, notFound } from '#connectors/send-error.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { outsideLimits } from '#domain/limits/marketplace-limits.ts';
import { hours, type Instant, instant, isPrice, minutes } from '#domain/units.ts';
import { refusalCode } from './best-offer-refusals.ts';
import { readCallReset } from './call-reset.ts';
import { credentialsOf, type EbayCalls, NAME } from './ebay-calls.ts';
import { bestOf, isShown, offersOf } from './ebay-listings.ts';
import { offerLimits } from './ebay-price-limits.ts';
import { BulkAnswer, type BulkResponse, Offer } from './ebay-responses.ts';
import { placeOf } from './migrate-listings.ts';
import { NO_SUCH_OFFER } from './not-found.ts';
import { isRevisionLimit, tooManyRevisions } from './revision-limit.ts';
import { type SaleReads, stoppedBySale } from './trading/check-before-sending.ts';
import { readTradingPrice } from './trading/read-trading-price.ts';
import type { SellerListings } from './trading/seller-listings.ts';
import { sendTrading } from './trading/send-trading.ts';
import { readItem } from './trading/trading-changes.ts';
import type { TradingItem } from './trading/trading-item.ts';
import { itemIdOf, offerOf } from './trading/trading-ref.ts';
import { CURRENCY } from './trading/trading-rows.ts';

/** An offer takes about a second: this many at once use up the four calls a second of the budget. */
const CONCURRENT_READS = 4;
/** As the reads: an order is an offer that is read, and its price. */
const CONCURRENT_SENDS = 4;
/** Milliseconds that an order takes: with less left, its offer is not read in vain. */
const SENDING_TAKES = 3_000;

/** In place of eBay's code for a listing in the Inventory model without an offer. It may get one. */
const NO_OFFER = 'no_offer';

/** The order of a listing that is in the Inventory model no more. */
const ELSEWHERE = 'elsewhere';

/** Used up calls are tried again after this where eBay does not report when there are new ones. */
const UNKNOWN_RESET = hours(1);
/** And after this where it does not say whether they are used up. */
const UNKNOWN_BUSY = minutes(1);

/**
 * Sends prices: of listings in eBay's Inventory model by a call for each, since eBay takes one SKU per call, and of the
 * others through the Trading API. A listing that turns out to be in the other model is sent that way at once. Stock is
 * omitted and so does not change.
 */
export async function sendPrices(
  calls: EbayCalls,
  book: SellerListings,
  account: Account,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<readonly SendOutcome[]> {
  const sending: Sending = { calls, book, account, signal, resets: new Shared(), sales: new Shared() };
  const outcomes = new Map<number, SendOutcome>();
  const keep = (results: readonly SendOutcome[]) => {
    for (const outcome of results) outcomes.set(outcome.listingId, outcome);
  };
  const isElsewhere = new Set<PriceOrder>();
  const eachIn = (some: readonly PriceOrder[], send: (order: PriceOrder) => Promise<SendOutcome | null>) =>
    sendEach(
      some,
      ({ ref }) => [ref.listingId],
      async (order) => {
        const outcome = await send(order);
        return outcome === null ? [] : [outcome];
      },
      CONCURRENT_SENDS,
    ).then((outcomes) => outcomes.map(ofInventory));
  keep(
    await eachIn(orders.filter(isInInventory), async (order) => {
      const outcome = await sendOnce(sending, order);
      if (outcome !== ELSEWHERE) return outcome;
      isElsewhere.add(order);
      return null;
    }),
  );
  const elsewhere = orders.filter((order) => isElsewhere.has(order));
  const others = [...orders.filter((order) => !isInInventory(order)), ...elsewhere];
  const handedOver: PriceOrder[] = [];
  for (const outcome of await sendTrading(calls, book, account, others, signal)) {
    const order = others.find(({ ref }) => ref.listingId === outcome.listingId);
    if (outcome.kind !== 'in_inventory') keep([withPlace(outcome, order, elsewhere)]);
    else if (order !== undefined) handedOver.push(order);
  }
  keep(await eachIn(handedOver, (order) => sendHandedOver(sending, order)));
  return outcomesInOrder(NAME, orders, outcomes);
}

/** What the orders of one call share. */
interface Sending {
  readonly calls: EbayCalls;
  readonly book: SellerListings;
  readonly account: Account;
  readonly signal: AbortSignal;
  /** When calls to the Inventory API are available again: requested once, whatever number of orders was refused. */
  readonly resets: Shared<'inventory', Awaited<ReturnType<typeof readCallReset>>>;
  /** Listings that were read for their sales: variations share one. */
  readonly sales: SaleReads;
}

function isInInventory({ ref }: PriceOrder): boolean {
  return offerIdOf(ref) !== null;
}

/** A listing whose offer was removed and that took its price without one is outside of the Inventory model now. */
function withPlace(
  outcome: SendOutcome,
  order: PriceOrder | undefined,
  elsewhere: readonly PriceOrder[],
): SendOutcome {
  if (order === undefined || !elsewhere.includes(order) || outcome.kind !== 'live') return outcome;
  const { offerId: _, ...keys } = order.ref.keys;
  return { ...outcome, moved: { channel: 'trading', keys } };
}

/** Sends the price of a listing that was taken into the Inventory model since the last sync. */
async function sendHandedOver(sending: Sending, order: PriceOrder): Promise<SendOutcome> {
  const { calls, account, signal } = sending;
  const { listingId, sku } = order.ref;
  const { marketplaceId } = credentialsOf(account);
  const offers = readableOf(await offersOf(calls, account, sku, signal));
  const offer = bestOf(offers.filter((one) => one.marketplaceId === marketplaceId));
  const message =
    'eBay manages this listing in its Inventory model, and names no offer of it. Sync the listings again.';
  const unfound: SendOutcome = { listingId, kind: 'rejected', message, code: NO_OFFER };
  if (offer === null) return unfound;
  const moved = placeOf(order.ref, offer.offerId);
  const outcome = await sendOnce(sending, { ...order, ref: { ...order.ref, keys: moved.keys } });
  if (outcome !== ELSEWHERE) return { ...outcome, moved };
  // Its list still has the offer: one reading that does not find it proves nothing.
  return notFound(listingId, 'eBay lists an offer of this listing, and does not find it.');
}

/** @throws ConnectorError for errors that every further order would meet too */
async function sendOnce(sending: Sending, order: PriceOrder): Promise<SendOutcome | typeof ELSEWHERE> {
  const { calls, account, signal } = sending;
  if (calls.now() + SENDING_TAKES > order.notAfter) return tooLate(order);
  const closed = calls.inventoryClosed.get(credentialsOf(account).appId);
  if (closed !== undefined && calls.now() < closed.until) throw closedError(calls, closed, null);
  try {
    return await sendOne(sending, order);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const { fault, status, code, message } = error;
    if (fault === 'refused' && isRevisionLimit(code, message)) {
      return tooManyRevisions(order.ref.listingId, error.publicMessage);
    }
    if (fault === 'refused' && !error.isOfRead && code !== null && refusalCode(code, message) !== code) {
      const { listingId } = order.ref;
      return { listingId, kind: 'rejected', message: error.publicMessage, code: refusalCode(code, message) };
    }
    if (fault !== 'busy' || status !== 429) throw error;
    const reset = await sending.resets.of('inventory', () =>
      readCallReset(calls, account, 'inventory', signal),
    );
    if (reset === 'left') throw error;
    const isForDay = reset !== 'unanswered';
    const until =
      typeof reset === 'number' ? reset : instant(calls.now() + (isForDay ? UNKNOWN_RESET : UNKNOWN_BUSY));
    calls.inventoryClosed.set(credentialsOf(account).appId, { until, isForDay });
    throw closedError(calls, { until, isForDay }, error);
  }
}

/** Prices that go through the Trading API do not wait for the Inventory API. */
function closedError(
  calls: EbayCalls,
  { until, isForDay }: { readonly until: Instant; readonly isForDay: boolean },
  error: ConnectorError | null,
): ConnectorError {
  const sentence = error?.sentence ?? `${NAME} is rate limiting requests (429). Try again in a few minutes.`;
  return new ConnectorError('busy', sentence, {
    status: 429,
    code: error?.code ?? null,
    said: error?.said ?? null,
    ...(isForDay ? { dayLimit: { until, othersMayGo: true } } : { retryAfter: until - calls.now() }),
  });
}

/** The outcome of an order that was not sent because eBay's Inventory API is busy, which says nothing about other prices. */
function ofInventory(outcome: SendOutcome): SendOutcome {
  const isBusy = outcome.kind === 'not_sent' && outcome.why === undefined && (outcome.retryAfter ?? 0) > 0;
  return isBusy ? { ...outcome, othersMayGo: true } : outcome;
}

/** The order was not started, because its deadline is too near. */
function tooLate({ ref: { listingId } }: PriceOrder): SendOutcome {
  const message = `Price not sent to ${NAME}: it waited too long in the queue.`;
  return { listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}

async function sendOne(sending: Sending, order: PriceOrder): Promise<SendOutcome | typeof ELSEWHERE> {
  const { calls, account, signal } = sending;
  const { ref, price, notAfter } = order;
  const offerId = offerIdOf(ref) ?? '';
  const stopped = await stoppedByOffer(sending, order, offerId);
  if (stopped !== null) return stopped;
  const offer = { offerId, price: { value: decimalFromCents(price), currency: 'USD' } };
  const answer = await calls.asSeller(
    account,
    {
      method: 'POST',
      path: '/sell/inventory/v1/bulk_update_price_quantity',
      operation: 'prices',
      body: { type: 'application/json', text: JSON.stringify({ requests: [{ offers: [offer] }] }) },
      changes: { notAfter },
    },
    signal,
  );
  const { responses } = parseResponse(NAME, BulkAnswer, answer, 'answer to a price', true);
  const about = responses.filter((one) => one.offerId === offerId);
  return outcomeOf(ref.listingId, about);
}

/**
 * Reads the offer right before its price is sent.
 * @returns null where the price may go, also when there is no offer and eBay does not show the listing either
 */
async function stoppedByOffer(
  { calls, book, account, signal, sales }: Sending,
  order: PriceOrder,
  offerId: string,
): Promise<SendOutcome | typeof ELSEWHERE | null> {
  const readAt = calls.now();
  const offer = await readOffer(calls, account, offerId, signal);
  const itemId = itemIdOf(order.ref);
  if (offer === null) {
    const item = itemId === null ? null : await readItem(calls, book, account, itemId, signal);
    return item?.isActive === true && offerOf(order.ref, item) !== null ? ELSEWHERE : null;
  }
  const inSale =
    itemId === null ? null : await stoppedBySale({ calls, book, account, sales }, order, itemId, signal);
  if (inSale !== null) return inSale;
  const limits = offerLimits(offer, account);
  const message = limits === null ? null : outsideLimits(order.price, limits, 'ebay');
  if (limits !== null && message !== null) {
    const { listingId } = order.ref;
    return { listingId, kind: 'stopped', message, found: { kind: 'outside_limits', limits } };
  }
  const shown = offer.pricingSummary?.price ?? null;
  if (shown?.currency != null && shown.currency !== 'USD') {
    const { listingId } = order.ref;
    return { listingId, kind: 'stopped', message: CURRENCY, found: { kind: 'not_repriceable' } };
  }
  const amount = shown?.amount ?? null;
  if (isFiner(amount))
    return { ...notInCents(order.ref.listingId, amount), kind: 'not_sent', ...STOPS_ALONE };
  if (shown?.currency == null || !isPrice(amount)) return null;
  return stoppedByPrice(NAME, order, amount, readAt);
}

/** @returns null when eBay has no such offer */
async function readOffer(
  calls: EbayCalls,
  account: Account,
  offerId: string,
  signal: AbortSignal,
): Promise<Offer | null> {
  const path = `/sell/inventory/v1/offer/${offerId}`;
  const call = { method: 'GET', path, operation: 'inventory' } as const;
  const answer = await calls.asSeller(account, call, signal).catch((error: unknown) => {
    if (error instanceof ConnectorError && error.code === NO_SUCH_OFFER) return null;
    throw error;
  });
  if (answer === null) return null;
  const offer = parseResponse(NAME, Offer, answer, 'offer');
  if (offer.offerId !== offerId)
    throw new ConnectorError('unreadable', `${NAME} answered with another offer.`);
  return offer;
}

/** eBay's result for the offer. Warnings are not refusals. */
function outcomeOf(listingId: number, about: readonly BulkResponse[]): SendOutcome {
  const [one] = about;
  const problem = one?.errors?.[0];
  const said = problem?.longMessage ?? problem?.message ?? null;
  if (one !== undefined && about.length === 1) {
    if (isTaken(one)) return { listingId, kind: 'accepted', receipt: null };
    if (one.statusCode === 429) {
      const message = `${NAME} is rate limiting requests (429).`;
      return { listingId, kind: 'not_sent', message, retryAfter: null };
    }
    if (one.statusCode >= 400 && one.statusCode < 500 && !isNotOfPrice(one.statusCode, problem)) {
      const message = said ?? `${NAME} rejected the price (${one.statusCode}).`;
      const code = String(problem?.errorId ?? one.statusCode);
      if (isRevisionLimit(code, words(problem))) return tooManyRevisions(listingId, message);
      return { listingId, kind: 'rejected', message, code: refusalCode(code, words(problem)) };
    }
  }
  const theirs = said === null ? '' : ` ${NAME} says: ${said}`;
  return { listingId, kind: 'unknown', message: `${NAME} did not report a result for the price.${theirs}` };
}

function words(problem: NonNullable<BulkResponse['errors']>[number] | undefined): string {
  return `${problem?.longMessage ?? ''} ${problem?.message ?? ''}`;
}

/** Any other status is none of complete success: https://developer.ebay.com/api-docs/sell/inventory/types/slr:PriceQuantityResponse */
function isTaken({ statusCode, errors }: BulkResponse): boolean {
  return statusCode === 200 && (errors?.length ?? 0) === 0;
}

/** Categories of eBay's own errors; the others are about what was sent, or about the seller. */
const OWN_ERRORS: ReadonlySet<string> = new Set(['APPLICATION', 'SYSTEM']);

/** Whether eBay was busy with the item, or failed: that says nothing about the price. */
function isNotOfPrice(
  statusCode: number,
  problem: NonNullable<BulkResponse['errors']>[number] | undefined,
): boolean {
  return isBusyStatus(statusCode) || OWN_ERRORS.has(problem?.category ?? '');
}

/** What buyers see of each offer now, and of each listing outside of the Inventory model. */
export async function readPrices(
  calls: EbayCalls,
  book: SellerListings,
  account: Account,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<readonly PriceReading[]> {
  // Variations share one.
  const items = new Shared<string, TradingItem | null>();
  return readEach(sent, CONCURRENT_READS, ({ ref }) => {
    const itemId = itemIdOf(ref);
    return offerIdOf(ref) !== null || itemId === null
      ? readOne(calls, account, ref, signal)
      : readTradingPrice(calls, book, account, { ref, itemId, items }, signal);
  });
}

async function readOne(
  calls: EbayCalls,
  account: Account,
  ref: ListingRef,
  signal: AbortSignal,
): Promise<PriceReading> {
  const { listingId } = ref;
  const offerId = offerIdOf(ref);
  if (offerId === null) {
    return {
      listingId,
      kind: 'unreadable',
      message: 'eBay gave no offer for this listing that could be read.',
    };
  }
  const offer = await readOffer(calls, account, offerId, signal);
  if (offer === null) return { listingId, kind: 'missing' };
  if (offer.listing?.listingOnHold === true) {
    return { listingId, kind: 'unreadable', message: `${NAME} holds the listing back for now.` };
  }
  if (!isShown(offer)) return { listingId, kind: 'missing' };
  const price = offer.pricingSummary?.price ?? null;
  const amount = price?.amount ?? null;
  if (isFiner(amount)) {
    return { ...notInCents(listingId, amount), kind: 'unreadable' };
  }
  if (price?.currency === 'USD' && isPrice(amount)) {
    return { listingId, kind: 'price', price: amount, source: 'item', refusal: null };
  }
  return { listingId, kind: 'unreadable', message: `${NAME} shows no price in US dollars for the offer.` };
}

function offerIdOf({ keys }: ListingRef): string | null {
  const { offerId } = keys;
  return offerId !== undefined && /^[\w-]{1,100}$/.test(offerId) ? offerId : null;
}

const STOPS_ALONE = { retryAfter: null, othersMayGo: true } as const;

function notInCents(listingId: number, { finer }: FinerThanCents): { listingId: number; message: string } {
  return { listingId, message: `${NAME} shows a price that is not in whole cents: ${finer.slice(0, 20)}.` };
}

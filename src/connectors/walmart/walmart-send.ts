import type { Account, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { oneOrderPerSku, outcomesInOrder, unknownOutcome } from '#connectors/http/batch-outcomes.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { errorOutcome, notFound } from '#connectors/send-error.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';
import { codeOfFeed, foundRefusal, isItemNotFound, isTooMany } from './found-refusal.ts';
import type { PricesSetElsewhere } from './price-set-elsewhere.ts';
import type { SinglePrices } from './single-prices.ts';
import { credentialsOf, jsonBody, NAME, problemsIn, sentenceOf, type WalmartCalls } from './walmart-calls.ts';
import { FeedReceipt, PriceAnswer } from './walmart-responses.ts';

/** Up to this many prices that are not urgent are sent one by one, more than that as one feed. */
export const MAX_SINGLE_SENDS = 10;
/** Single calls that are reserved for urgent prices. */
const KEPT_FOR_URGENT = 5;
/** Feeds that are reserved for urgent prices, beyond their single calls. */
const FEEDS_KEPT_FOR_URGENT = 1;
/** Milliseconds until the next single call is available: 80 per hour. */
const SINGLE_AGAIN = 45_000;
/** Milliseconds before the deadline that are reserved for the feed. */
const FEED_TAKES = 8_000;
/** Walmart asks not to look for results sooner: https://developer.walmart.com/api/us/mp/price#operation/priceBulkUploads */
const FEED_SHOWN_AFTER = 300_000;
/** Walmart has ended single calls: its feeds remain. */
const ENDED = 'ended';
/** Default version of the head of price feeds; a setting of the account overrides it. */
const FEED_VERSION = '2.0.20240126-12_25_52-api';

/**
 * Urgent prices are sent one by one and confirmed within minutes, and so are a few others while single calls are
 * available. Many, or those beyond the quota of single calls, are sent as a feed. What Walmart's repricer or a promotion
 * sets now is stopped before.
 */
export async function sendPrices(
  calls: WalmartCalls,
  checks: PricesSetElsewhere,
  singles: SinglePrices,
  account: Account,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<readonly SendOutcome[]> {
  const outcomes = new Map<number, SendOutcome>();
  let haveEnded = await singles.haveEnded(account);
  const toSend = oneOrderPerSku(orders, outcomes);
  const urgent = toSend.filter(({ isUrgent }) => isUrgent);
  const others = toSend.filter(({ isUrgent }) => !isUrgent);
  const until = Math.max(...orders.map(({ notAfter }) => notAfter)) - FEED_TAKES;
  const sendSingly = async (some: readonly PriceOrder[], kept: number): Promise<readonly PriceOrder[]> => {
    for (const [at, order] of some.entries()) {
      const isInTime = calls.now() <= until || others.length === 0;
      const mayGo = !haveEnded && calls.left('price') > kept && isInTime;
      const outcome = mayGo ? await sendOne(calls, checks, account, order, signal) : null;
      if (outcome === ENDED) {
        haveEnded = true;
        await singles.noteEnd(account);
      }
      if (outcome === null || outcome === ENDED) return some.slice(at);
      outcomes.set(order.ref.listingId, outcome);
    }
    return [];
  };
  const urgentLeft = await sendSingly(urgent, 0);
  const isFew = urgentLeft.length === 0 && others.length <= MAX_SINGLE_SENDS;
  const othersLeft = isFew ? await sendSingly(others, KEPT_FOR_URGENT) : others;
  const rest = [...urgentLeft, ...othersLeft];
  const alone = { most: 2 * MAX_SINGLE_SENDS, until };
  // The last feed is for urgent prices: others wait for the one after it.
  const wait = urgentLeft.length > 0 ? 0 : calls.waitFor('feed', FEEDS_KEPT_FOR_URGENT + 1);
  if (wait > 0) {
    // For a few the next single call is sooner.
    const again = isFew && !haveEnded ? Math.min(wait, SINGLE_AGAIN) : wait;
    for (const { ref } of rest) outcomes.set(ref.listingId, waitsForFeed(ref.listingId, again));
    return outcomesInOrder(NAME, orders, outcomes);
  }
  const unstopped = await checks.stopSome(account, rest, alone, outcomes, signal);
  if (unstopped.length > 0) await sendFeed(calls, account, unstopped, outcomes, signal);
  return outcomesInOrder(NAME, orders, outcomes);
}

/** @returns null when the quota of single calls is used up, or their address does not answer: feeds remain */
async function sendOne(
  calls: WalmartCalls,
  checks: PricesSetElsewhere,
  account: Account,
  order: PriceOrder,
  signal: AbortSignal,
): Promise<SendOutcome | typeof ENDED | null> {
  const {
    ref: { listingId, sku },
    price,
    notAfter,
  } = order;
  const stopped = await checks.stopOne(account, order, signal);
  if (stopped !== null) return stopped;
  const money = `{"currency":"USD","amount":${decimalFromCents(price)}}`;
  const text = `{"sku":${JSON.stringify(sku)},"pricing":[{"currentPriceType":"BASE","currentPrice":${money}}]}`;
  try {
    const call = { method: 'PUT', path: '/v3/price', operation: 'price', body: jsonBody(text) } as const;
    const answer = await calls.ask(account, { ...call, changes: { notAfter } }, signal);
    const refused = refusedIn(listingId, answer.body);
    if (refused !== null) return unlessNotFound(refused);
    const of = parseResponse(NAME, PriceAnswer, answer, 'receipt of a price', true);
    if (of.trim() !== sku)
      return { listingId, kind: 'unknown', message: `${NAME} answered for another SKU.` };
    return { listingId, kind: 'accepted', receipt: null };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.fault === 'busy' && !error.mayHaveActed) return null;
    if (error.status === 410 || error.code === 'URI_NOT_FOUND') return ENDED;
    // Without an error of Walmart's it is of the address, or of something in between: the feed is another one.
    if (error.status === 404 && error.code === null) return null;
    const outcome = errorOutcome(listingId, error);
    if (outcome.kind !== 'rejected') return outcome;
    return unlessNotFound(refusalOf(listingId, outcome.message, outcome.code));
  }
}

/** An item that Walmart does not find once is looked for again. Of a feed its answer says nothing about one item. */
function unlessNotFound(outcome: SendOutcome): SendOutcome {
  const isNotFound = outcome.kind === 'rejected' && isItemNotFound(outcome.code);
  return isNotFound ? notFound(outcome.listingId, outcome.message) : outcome;
}

async function sendFeed(
  calls: WalmartCalls,
  account: Account,
  orders: readonly PriceOrder[],
  outcomes: Map<number, SendOutcome>,
  signal: AbortSignal,
): Promise<void> {
  const keep = (outcomeOf: (listingId: number) => SendOutcome): void => {
    for (const { ref } of orders) outcomes.set(ref.listingId, outcomeOf(ref.listingId));
  };
  try {
    const call = {
      ...({ method: 'POST', path: '/v3/feeds?feedType=PRICE_AND_PROMOTION', operation: 'feed' } as const),
      body: jsonBody(feedText(orders, credentialsOf(account).feedVersion ?? FEED_VERSION)),
      // The feed is sent as a whole: when the first of its orders is too old, all wait for the next one.
      changes: { notAfter: Math.min(...orders.map(({ notAfter }) => notAfter)) as Instant },
    };
    const answer = await calls.ask(account, call, signal);
    if (problemsIn(answer.body).length > 0) {
      return keep((listingId) =>
        refusedAsWhole(refusedIn(listingId, answer.body) ?? unknownOutcome(NAME, listingId)),
      );
    }
    const { feedId } = parseResponse(NAME, FeedReceipt, answer, 'receipt of a feed', true);
    keep((listingId) => ({ listingId, kind: 'accepted', receipt: feedId, shownAfter: FEED_SHOWN_AFTER }));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    for (const order of orders) outcomes.set(order.ref.listingId, outcomeWithoutFeed(order, error));
  }
}

function waitsForFeed(listingId: number, retryAfter: number): SendOutcome {
  const message = `${NAME} takes no further price file right now. Pricewright retries automatically.`;
  return { listingId, kind: 'not_sent', message, retryAfter, othersMayGo: true };
}

function refusedAsWhole(outcome: SendOutcome): SendOutcome {
  return outcome.kind === 'rejected' ? { ...outcome, code: codeOfFeed(outcome.code) } : outcome;
}

/** Without feed quota, single calls are available sooner: for urgent prices, and for the next ones. */
function outcomeWithoutFeed(
  { ref: { listingId }, isUrgent }: PriceOrder,
  error: ConnectorError,
): SendOutcome {
  const outcome = refusedAsWhole(errorOutcome(listingId, error));
  if (outcome.kind !== 'not_sent' || (error.fault !== 'busy' && error.fault !== 'late')) return outcome;
  const wait = outcome.retryAfter ?? 0;
  return { ...outcome, retryAfter: isUrgent ? Math.min(wait, SINGLE_AGAIN) : wait, othersMayGo: true };
}

function feedText(orders: readonly PriceOrder[], version: string): string {
  const head = JSON.stringify({ businessUnit: 'WALMART_US', version, locale: 'en' });
  const items = orders.map(
    ({ ref: { sku }, price }) =>
      `{"Promo&Discount":{"sku":${JSON.stringify(sku)},"price":${decimalFromCents(price)}}}`,
  );
  return `{"MPItemFeedHeader":${head},"MPItem":[${items.join(',')}]}`;
}

/** Errors inside a 200 response; null when there are none. */
function refusedIn(listingId: number, body: unknown): SendOutcome | null {
  const problem = problemsIn(body)[0];
  if (problem === undefined) return null;
  const message = `${NAME} rejected the price: ${sentenceOf(problem)}`;
  const { code } = problem;
  if (isTooMany(code)) {
    return { listingId, kind: 'not_sent', message, retryAfter: null };
  }
  // An internal error of Walmart says nothing about the price, nor whether it was applied.
  if (problem.category === 'SYSTEM') return { listingId, kind: 'unknown', message };
  return refusalOf(listingId, message, code);
}

function refusalOf(listingId: number, message: string, code: string | null): SendOutcome {
  const refusal = foundRefusal(message, code);
  return refusal.kind === 'rejected'
    ? { listingId, ...refusal }
    : { listingId, ...refusal, retryAfter: null };
}

import type { Account, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { oneOrderPerSku, outcomesInOrder, unknownOutcome } from '#connectors/http/batch-outcomes.ts';
import { readAs } from '#connectors/read-as.ts';
import { troubleOutcome } from '#connectors/send-trouble.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';
import { FeedReceipt, PriceAnswer } from './walmart-answers.ts';
import { credentialsOf, jsonBody, NAME, problemsIn, sentenceOf, type WalmartCalls } from './walmart-calls.ts';

/** More than that go out as one feed: single calls are few, and the urgent ones need them. */
const MOST_SINGLE = 10;
/** The version of the head of price feeds; a setting of the account names another. */
const FEED_VERSION = '2.0.20240126-12_25_52-api';

/** Few prices go one by one and are live in minutes; many, or those that the single calls do not suffice for, as a feed. */
export async function sendPrices(
  calls: WalmartCalls,
  account: Account,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<readonly SendOutcome[]> {
  const outcomes = new Map<number, SendOutcome>();
  const toSend = oneOrderPerSku(orders, outcomes);
  let sent = 0;
  if (toSend.length <= MOST_SINGLE) {
    for (const order of toSend) {
      const outcome = await sendOne(calls, account, order, signal);
      if (outcome === null) break;
      outcomes.set(order.ref.listingId, outcome);
      sent += 1;
    }
  }
  const rest = toSend.slice(sent);
  if (rest.length > 0) await sendFeed(calls, account, rest, outcomes, signal);
  return outcomesInOrder(NAME, orders, outcomes);
}

/** @returns null when single calls are used up for now */
async function sendOne(
  calls: WalmartCalls,
  account: Account,
  { ref: { listingId, sku }, price, notAfter }: PriceOrder,
  signal: AbortSignal,
): Promise<SendOutcome | null> {
  const money = `{"currency":"USD","amount":${decimalFromCents(price)}}`;
  const text = `{"sku":${JSON.stringify(sku)},"pricing":[{"currentPriceType":"BASE","currentPrice":${money}}]}`;
  try {
    const call = { method: 'PUT', path: '/v3/price', operation: 'price', body: jsonBody(text) } as const;
    const answer = await calls.ask(account, { ...call, changes: { notAfter } }, signal);
    const refused = refusedIn(listingId, answer.body);
    if (refused !== null) return refused;
    const of = readAs(NAME, PriceAnswer, answer, 'receipt of a price', true);
    if (of.trim() !== sku)
      return { listingId, kind: 'unknown', message: `${NAME} answered for another SKU.` };
    return { listingId, kind: 'accepted', receipt: null };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.fault === 'busy' && !error.mayHaveActed) return null;
    return troubleOutcome(listingId, error);
  }
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
      // The feed goes as a whole: when the first of its orders is too old, all wait for the next one.
      changes: { notAfter: Math.min(...orders.map(({ notAfter }) => notAfter)) as Instant },
    };
    const answer = await calls.ask(account, call, signal);
    if (problemsIn(answer.body).length > 0) {
      return keep((listingId) => refusedIn(listingId, answer.body) ?? unknownOutcome(NAME, listingId));
    }
    const { feedId } = readAs(NAME, FeedReceipt, answer, 'receipt of a feed', true);
    keep((listingId) => ({ listingId, kind: 'accepted', receipt: feedId }));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    keep((listingId) => troubleOutcome(listingId, error));
  }
}

function feedText(orders: readonly PriceOrder[], version: string): string {
  const head = JSON.stringify({ businessUnit: 'WALMART_US', version, locale: 'en' });
  const items = orders.map(
    ({ ref: { sku }, price }) =>
      `{"Promo&Discount":{"sku":${JSON.stringify(sku)},"price":${decimalFromCents(price)}}}`,
  );
  return `{"MPItemFeedHeader":${head},"MPItem":[${items.join(',')}]}`;
}

/** Problems inside an answer of 200; null when there are none. */
function refusedIn(listingId: number, body: unknown): SendOutcome | null {
  const problem = problemsIn(body)[0];
  if (problem === undefined) return null;
  const message = `${NAME} refused the price: ${sentenceOf(problem).slice(0, 300)}`;
  const { code } = problem;
  if (code?.startsWith('REQUEST_THRESHOLD_VIOLATED')) {
    return { listingId, kind: 'not_sent', message, retryAfter: null };
  }
  // Trouble of Walmart's own says nothing about the price, nor whether it was taken.
  if (problem.category === 'SYSTEM') return { listingId, kind: 'unknown', message };
  return { listingId, kind: 'rejected', message, code };
}

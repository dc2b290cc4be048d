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
import { sendEach } from '#connectors/http/send-each.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { outsideLimits } from '#domain/marketplace-limits.ts';
import { isPrice } from '#domain/units.ts';
import { readInventoryReset } from './call-limits.ts';
import { type EbayCalls, NAME } from './ebay-calls.ts';
import { isShown } from './ebay-listings.ts';
import { BulkAnswer, type BulkResponse, Offer } from './ebay-responses.ts';
import { offerLimits } from './offer-limits.ts';
import { isRevisionLimit, tooManyRevisions } from './passing-refusal.ts';

/** eBay's code for an offer that no longer exists. */
const NO_SUCH_OFFER = '25713';

/**
 * Sends each price by a call of its own: eBay takes one SKU per call. The stock quantity is omitted and so does not
 * change.
 */
export function sendPrices(
  calls: EbayCalls,
  account: Account,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<readonly SendOutcome[]> {
  return sendEach(
    orders,
    ({ ref }) => [ref.listingId],
    async (order) => [await sendOnce(calls, account, order, signal)],
  );
}

/** @throws ConnectorError for errors that every further order would meet too */
async function sendOnce(
  calls: EbayCalls,
  account: Account,
  order: PriceOrder,
  signal: AbortSignal,
): Promise<SendOutcome> {
  try {
    return await sendOne(calls, account, order, signal);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const { fault, status, code, message } = error;
    if (fault === 'refused' && isRevisionLimit(code, message)) {
      return tooManyRevisions(order.ref.listingId, error.tellable);
    }
    if (fault !== 'busy' || status !== 429) throw error;
    const until = await readInventoryReset(calls, account, signal);
    if (until === 'left') throw error;
    throw new ConnectorError('busy', error.sentence, { status, code, said: error.said, dayLimit: { until } });
  }
}

async function sendOne(
  calls: EbayCalls,
  account: Account,
  order: PriceOrder,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { ref, price, notAfter } = order;
  const offerId = offerIdOf(ref);
  if (offerId === null) {
    const message = 'eBay returned no offer for this listing that can be priced. Sync the listings again.';
    return { listingId: ref.listingId, kind: 'rejected', message, code: null };
  }
  const stopped = await stoppedByOffer(calls, account, order, offerId, signal);
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

/** Reads the offer right before its price is sent. @returns null where the price may go, also when there is no offer */
async function stoppedByOffer(
  calls: EbayCalls,
  account: Account,
  order: PriceOrder,
  offerId: string,
  signal: AbortSignal,
): Promise<SendOutcome | null> {
  const readAt = calls.now();
  const offer = await readOffer(calls, account, offerId, signal);
  if (offer === null) return null;
  const limits = offerLimits(offer, account);
  const message = limits === null ? null : outsideLimits(order.price, limits, 'ebay');
  if (limits !== null && message !== null) {
    const { listingId } = order.ref;
    return { listingId, kind: 'stopped', message, found: { kind: 'outside_limits', limits } };
  }
  const shown = offer.pricingSummary?.price ?? null;
  const amount = shown?.amount ?? null;
  if (isFiner(amount))
    return { ...notInCents(order.ref.listingId, amount), kind: 'not_sent', ...STOPS_ALONE };
  if (shown?.currency !== 'USD' || !isPrice(amount)) return null;
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
  const call = { method: 'GET', path, operation: 'inventory', alsoAnswers: [404] } as const;
  const answer = await calls.asSeller(account, call, signal);
  if (answer.status === 404) return null;
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
    if (one.statusCode >= 400 && one.statusCode < 500) {
      const message = said ?? `${NAME} rejected the price (${one.statusCode}).`;
      const code = String(problem?.errorId ?? one.statusCode);
      if (isRevisionLimit(code, words(problem))) return tooManyRevisions(listingId, message);
      return { listingId, kind: 'rejected', message, code };
    }
  }
  const theirs = said === null ? '' : ` ${NAME} says: ${said}`;
  return { listingId, kind: 'unknown', message: `${NAME} did not report a result for the price.${theirs}` };
}

function words(problem: NonNullable<BulkResponse['errors']>[number] | undefined): string {
  return `${problem?.longMessage ?? ''} ${problem?.message ?? ''}`;
}

function isTaken({ statusCode, errors }: BulkResponse): boolean {
  return statusCode >= 200 && statusCode < 300 && (errors?.length ?? 0) === 0;
}

/** What buyers see of each offer now. */
export async function readPrices(
  calls: EbayCalls,
  account: Account,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<readonly PriceReading[]> {
  const readings: PriceReading[] = [];
  for (const { ref } of sent) readings.push(await readOne(calls, account, ref, signal));
  return readings;
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
  try {
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
    return { listingId, kind: 'unreadable', message: `${NAME} names no price in US dollars for the offer.` };
  } catch (error) {
    return readFailure(listingId, error);
  }
}

/** An error of this offer affects only this offer; any other ends the read. */
function readFailure(listingId: number, error: unknown): PriceReading {
  if (!(error instanceof ConnectorError)) throw error;
  if (error.code === NO_SUCH_OFFER) return { listingId, kind: 'missing' };
  if (error.fault !== 'refused' && error.fault !== 'unreadable') throw error;
  return { listingId, kind: 'unreadable', message: error.message };
}

function offerIdOf({ keys }: ListingRef): string | null {
  const { offerId } = keys;
  return offerId !== undefined && /^[\w-]{1,100}$/.test(offerId) ? offerId : null;
}

const STOPS_ALONE = { retryAfter: null, othersMayGo: true } as const;

function notInCents(listingId: number, { finer }: FinerThanCents): { listingId: number; message: string } {
  return { listingId, message: `${NAME} names a price that is not in whole cents: ${finer.slice(0, 20)}.` };
}

import type { Account, PriceOrder, PriceReading, SendOutcome, SentPrice } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { FinerThanCents, ReportedPrice } from '#connectors/dollars.ts';
import { oneOrderPerSku, outcomesInOrder } from '#connectors/http/batch-outcomes.ts';
import { tooLate } from '#connectors/http/call-error.ts';
import { isUnreadable, type UnreadableRow, unreadableRow, unreadableText } from '#connectors/passed-over.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { errorOutcome, notFound } from '#connectors/send-error.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';
import { credentialsOf, type MichaelsCalls, NAME } from './michaels-calls.ts';
import { Prices } from './michaels-responses.ts';
import type { RefusedTogether } from './refused-together.ts';

export const SENT_A_CALL = 50;
export const READ_A_CALL = 100;

/** Michaels' code for a SKU that it does not know. */
const NOT_FOUND = 'MCU_API_LISTING_NOT_FOUND';

const BUSY = `Rate limit of ${NAME} reached. Pricewright retries automatically.`;

/** So many suspected SKUs are narrowed down before others go in a call of 50, which may be refused as well. */
const MOST_SUSPECTED = 2 * SENT_A_CALL;

/** Error codes that refuse a whole batch because of one SKU; the SKU is found by halving. */
const ONE_OF_THEM = new Set([NOT_FOUND, 'MCU_API_BAD_REQUEST', '400', '404']);

const READ_ONLY: Omit<Extract<SendOutcome, { kind: 'rejected' }>, 'listingId'> = {
  kind: 'rejected',
  code: null,
  message: `${NAME} is read-only. Turn on sending prices in Settings.`,
};

/**
 * Sends prices, 50 per call, right after those of Michaels were read. In read-only mode every one of them is refused here.
 * @param refused what was refused together; where the time ends before the wrong one is found, later calls go on from it
 */
export async function sendPrices(
  calls: MichaelsCalls,
  account: Account,
  orders: readonly PriceOrder[],
  refused: RefusedTogether,
  signal: AbortSignal,
): Promise<readonly SendOutcome[]> {
  if (account.credentials.allowWrites?.trim().toLowerCase() !== 'yes') {
    return orders.map(({ ref: { listingId } }) => ({ ...READ_ONLY, listingId }));
  }
  const outcomes = new Map<number, SendOutcome>();
  let waiting = oneOrderPerSku(orders, outcomes);
  let wasSuspected = true;
  while (waiting.length > 0) {
    const { unit, isSuspected } = nextUnit(waiting, refused, wasSuspected);
    wasSuspected = isSuspected;
    await sendUnit(calls, account, unit, { outcomes, refused, signal });
    waiting = waiting.filter(({ ref }) => !outcomes.has(ref.listingId));
  }
  return outcomesInOrder(NAME, orders, outcomes);
}

/**
 * What goes in the next call: by turns what is not suspected, 50 at most, and half of what was refused together. Neither
 * waits for the other; with many suspected the calls are theirs, so that they do not become ever more.
 */
function nextUnit(
  waiting: readonly PriceOrder[],
  refused: RefusedTogether,
  wasSuspected: boolean,
): { readonly unit: readonly PriceOrder[]; readonly isSuspected: boolean } {
  const suspected = new Set(refused.firstOf(waiting.map(({ ref }) => ref.sku)));
  const clear = waiting.filter(({ ref }) => !refused.has(ref.sku)).slice(0, SENT_A_CALL);
  const isClearNext = suspected.size === 0 || (wasSuspected && refused.size <= MOST_SUSPECTED);
  if (clear.length > 0 && isClearNext) return { unit: clear, isSuspected: false };
  const group = waiting.filter(({ ref }) => suspected.has(ref.sku));
  return { unit: group.slice(0, Math.ceil(group.length / 2)), isSuspected: true };
}

interface Sending {
  readonly outcomes: Map<number, SendOutcome>;
  readonly refused: RefusedTogether;
  readonly signal: AbortSignal;
}

/** Where Michaels refuses them because of one of them they get no outcome, and that is remembered. */
async function sendUnit(
  calls: MichaelsCalls,
  account: Account,
  unit: readonly PriceOrder[],
  { outcomes, refused, signal }: Sending,
): Promise<void> {
  let going = unit;
  const isTooLate = (): boolean => {
    const outcomeOf = outOfTime(calls, going, refused);
    if (outcomeOf !== null) for (const { ref } of going) outcomes.set(ref.listingId, outcomeOf(ref));
    return outcomeOf !== null;
  };
  // Past their deadline nothing is requested for them either; and the readings take their time.
  if (isTooLate()) return;
  try {
    going = await stopSome(calls, account, unit, outcomes, signal);
    if (going.length === 0 || isTooLate()) return;
    await publish(calls, account, going, signal);
    for (const { listingId } of going.map(({ ref }) => ref)) {
      outcomes.set(listingId, { listingId, kind: 'accepted', receipt: null });
    }
    refused.passed(going.map(({ ref }) => ref.sku));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (isAboutOne(error)) refused.refused(going.map(({ ref }) => ref.sku));
    if (isAboutOne(error) && going.length > 1) return;
    for (const { ref } of going) outcomes.set(ref.listingId, failedOutcome(ref, error));
  }
}

/**
 * The outcome of prices whose call could not be made in time: it would use up the next one all the same. Null where it can
 * be. Michaels is paused for it, unless calls went to finding a wrong price.
 */
function outOfTime(
  calls: MichaelsCalls,
  batch: readonly PriceOrder[],
  refused: RefusedTogether,
): ((ref: PriceOrder['ref']) => SendOutcome) | null {
  const left = deadlineOf(batch) - calls.now();
  const retryAfter = calls.waitToPublish();
  if (retryAfter <= left) return null;
  if (refused.size > 0) return inNextTurn;
  const error = left < 0 ? tooLate(NAME) : new ConnectorError('busy', BUSY, { retryAfter });
  return (ref) => failedOutcome(ref, error);
}

function inNextTurn({ listingId }: PriceOrder['ref']): SendOutcome {
  const message = `${NAME} refused several prices together because of one of them. Pricewright sends them in smaller calls.`;
  return { listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}

/** The orders that may go. @param outcomes receives those of the others */
async function stopSome(
  calls: MichaelsCalls,
  account: Account,
  batch: readonly PriceOrder[],
  outcomes: Map<number, SendOutcome>,
  signal: AbortSignal,
): Promise<readonly PriceOrder[]> {
  const readAt = calls.now();
  const prices = new Map<string, ReportedPrice | UnreadableRow>();
  await readBatch(
    calls,
    account,
    batch.map(({ ref }) => ref.sku),
    prices,
    signal,
  );
  return batch.filter((order) => {
    const { listingId, sku } = order.ref;
    const shown = prices.get(sku);
    // Michaels omits SKUs it does not know from its response.
    const stopped: SendOutcome | null =
      shown === undefined
        ? notFound(listingId, unknownSku(sku))
        : shown === null
          ? null
          : typeof shown === 'number'
            ? stoppedByPrice(NAME, order, shown, readAt)
            : {
                listingId,
                kind: 'not_sent',
                message: oddText(shown),
                retryAfter: null,
                othersMayGo: true,
              };
    if (stopped !== null) outcomes.set(listingId, stopped);
    return stopped === null;
  });
}

/** One answer that does not find a SKU proves nothing, also where another one has just found it. */
function failedOutcome({ listingId, sku }: PriceOrder['ref'], error: ConnectorError): SendOutcome {
  return isNotFound(error) ? notFound(listingId, unknownSku(sku)) : errorOutcome(listingId, error);
}

function unknownSku(sku: string): string {
  return `${NAME} does not know the SKU ${sku}.`;
}

async function publish(
  calls: MichaelsCalls,
  account: Account,
  batch: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<void> {
  const rows = batch.map(
    ({ ref: { sku }, price }) =>
      `{"sellerSkuNumber":${JSON.stringify(sku)},"price":${decimalFromCents(price)}}`,
  );
  const call = {
    ...({
      method: 'POST',
      path: '/listing/price/publish-by-seller-sku-number',
      operation: 'publish',
    } as const),
    body: { type: 'application/json', text: `[${rows.join(',')}]` },
    changes: { notAfter: deadlineOf(batch) },
  };
  await calls.ask(account, call, signal);
}

function deadlineOf(batch: readonly PriceOrder[]): Instant {
  return Math.min(...batch.map(({ notAfter }) => notAfter)) as Instant;
}

function halves<Item>(batch: readonly Item[]): readonly (readonly Item[])[] {
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)];
}

/** A 404 without a code is about the address, and so about all. */
function isAboutOne({ fault, code }: ConnectorError): boolean {
  return fault === 'refused' && ONE_OF_THEM.has(code ?? '');
}

function isNotFound(error: ConnectorError): boolean {
  return isAboutOne(error) && error.code === NOT_FOUND;
}

/** The prices that Michaels has now. */
export async function readPrices(
  calls: MichaelsCalls,
  account: Account,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<readonly PriceReading[]> {
  credentialsOf(account);
  const prices = new Map<string, ReportedPrice | UnreadableRow>();
  const skus = [...new Set(sent.map(({ ref }) => ref.sku))];
  for (let at = 0; at < skus.length; at += READ_A_CALL) {
    await readFound(calls, account, skus.slice(at, at + READ_A_CALL), prices, signal);
  }
  return sent.map(({ ref: { listingId, sku } }): PriceReading => {
    const price = prices.get(sku);
    const unreadable = (message: string): PriceReading => ({ listingId, kind: 'unreadable', message });
    // Michaels omits SKUs it does not know from its response.
    if (price === undefined) return { listingId, kind: 'missing' };
    if (price === null) return unreadable(`${NAME} shows no price for this SKU.`);
    if (typeof price === 'number') return { listingId, kind: 'price', price, source: 'item', refusal: null };
    return unreadable(oddText(price));
  });
}

function oddText(reported: FinerThanCents | UnreadableRow): string {
  return 'finer' in reported
    ? `${NAME} shows a price that is not in whole cents: ${reported.finer.slice(0, 20)}.`
    : unreadableText(NAME, 'SKU', reported);
}

/** Reads those that Michaels finds: one that it does not find must not cost the others their readings. */
async function readFound(
  calls: MichaelsCalls,
  account: Account,
  skus: readonly string[],
  prices: Map<string, ReportedPrice | UnreadableRow>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await readBatch(calls, account, skus, prices, signal);
  } catch (error) {
    if (!(error instanceof ConnectorError) || !isNotFound(error)) throw error;
    if (skus.length > 1)
      for (const half of halves(skus)) await readFound(calls, account, half, prices, signal);
  }
}

async function readBatch(
  calls: MichaelsCalls,
  account: Account,
  sellerSkuNumbers: readonly string[],
  prices: Map<string, ReportedPrice | UnreadableRow>,
  signal: AbortSignal,
): Promise<void> {
  const call = {
    ...({ method: 'POST', path: '/listing/price/seller-sku-number/batch-get', operation: 'prices' } as const),
    body: { type: 'application/json', text: JSON.stringify({ sellerSkuNumbers }) },
  };
  const { data } = await calls.read(account, call, Prices, 'list of prices', signal);
  for (const row of data) {
    const sku = (isUnreadable(row) ? row.what : row.sellerSkuNumber).trim();
    const reported = isUnreadable(row) ? row : row.price;
    const isTwice = prices.has(sku) && JSON.stringify(prices.get(sku)) !== JSON.stringify(reported);
    prices.set(sku, isTwice ? unreadableRow(sku, 'price', 'two different prices') : reported);
  }
}

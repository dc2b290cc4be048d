import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { isSerializationFailure } from '#db/error-code.ts';
import { notify } from '#db/listen.ts';
import { isLeaseHeld, type Lease, shareLease } from '#db/queries/background/leases.ts';
import { lockListings } from '#db/queries/catalog/listing-acts.ts';
import {
  markDue,
  markSent,
  type OpenIntent,
  readQueued,
  readSendable,
  settle,
} from '#db/queries/marketplaces/send-queue.ts';
import { readEngineSwitches, type Switches, shareEngineSwitches } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { reasonNotToSend } from '#domain/last-check.ts';
import { type Instant, instant, type Millis } from '#domain/units.ts';
import { LONGEST_CALL } from '#usecases/background/held-lease.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { INTENT_TTL } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { refOf } from './listing-ref.ts';
import { waitedForSince } from './read-times.ts';
import { recordOutcomes, requeueUnsent } from './record-outcomes.ts';
import type { MarketplaceSender } from './sending-deps.ts';

/**
 * Prices per call where the marketplace does not take a file of them: few, so that a halt has little to wait for and a
 * large change does not wait behind many small ones.
 */
const AT_ONCE = 20;
/** Prices that are looked at in one transaction at most. */
const MOST_AT_ONCE = 2_000;
/** A call that did not go out by then does not go out at all: a process may have slept in front of it. */
const SEND_WITHIN = 20_000;
/** Between two looks at whether a call under way may go on. */
const WATCH_EVERY = 1_000 as Millis;
/** A marketplace that took nothing and did not say when to come again. */
const REST = 15_000;

/** Prices that are marked as sent, and when. */
export interface SentBatch {
  readonly intents: readonly OpenIntent[];
  readonly at: Instant;
}

/**
 * Sends the next few prices of a marketplace, the urgent ones and the largest change of money first. Each is checked again by the facts of
 * this moment and marked as sent, for good, before the call begins.
 * @returns how many prices were looked at
 */
export async function sendNext(desk: MarketplaceSender, connection: Connection): Promise<number> {
  const { deps, duty } = desk;
  if (rests(desk)) return 0;
  const lease = await duty.holdForCall();
  if (lease === null) return 0;
  const { looked, batch } = await takeBatch(desk, lease, connection);
  if (batch.intents.length === 0) return looked;
  const obstacle = await whyNotNow(desk, lease, batch);
  if (obstacle !== null) {
    await requeueUnsent(deps, batch, obstacle);
    return 0;
  }
  const outcomes = await call(desk, lease, connection, batch);
  const wait = await recordOutcomes(deps, batch, outcomes);
  if (wait !== null) desk.rest = { since: deps.now(), lasts: Math.max(wait, REST) };
  return looked;
}

/** A clock that was set back ends the rest. */
function rests({ deps, rest }: MarketplaceSender): boolean {
  const since = rest === null ? -1 : deps.now() - rest.since;
  return rest !== null && since >= 0 && since < rest.lasts;
}

interface TakenBatch {
  /** How many were looked at; those that were not taken are over. */
  readonly looked: number;
  readonly batch: SentBatch;
}

/** Checks and marks, in one transaction: what is marked was legal, ours to send and allowed at its commit. */
async function takeBatch(desk: MarketplaceSender, lease: Lease, connection: Connection): Promise<TakenBatch> {
  const at = desk.deps.now();
  const nothing = { looked: 0, batch: { intents: [], at } };
  try {
    return (await transact(desk.deps.db, (tx) => takeInside(tx, desk, lease, connection, at))) ?? nothing;
  } catch (error) {
    // Somebody is moving the switches at this moment: they go first.
    if (isSerializationFailure(error)) return nothing;
    throw error;
  }
}

async function takeInside(
  tx: Db,
  { deps, marketplace }: MarketplaceSender,
  lease: Lease,
  { connector }: Connection,
  at: Instant,
): Promise<TakenBatch | null> {
  if (!(await shareLease(tx, lease))) return null;
  const switches = await shareEngineSwitches(tx);
  if (switches.release !== deps.release) return null;
  const halt = haltOf(switches);
  const waiting = await readSendable(tx, marketplace, MOST_AT_ONCE, at, waitedForSince(at), halt);
  if (waiting.length === 0) return null;
  const urgent = waiting.filter(({ isUrgent }) => isUrgent).length;
  const most = connector.pricesAtOnce?.(waiting.length, urgent) ?? AT_ONCE;
  const ids = waiting.slice(0, most).map(({ id }) => id);
  await lockListings(tx, ids);
  const queued = inOrderOf(ids, await readQueued(tx, ids));
  const shop = await loadPricingContext(tx, at);
  const cases = new Map((await loadPricingInputs(tx, shop, ids)).map((one) => [one.listing.id, one]));
  const intents: OpenIntent[] = [];
  const overtaken: number[] = [];
  for (const intent of queued) {
    const pricingCase = cases.get(intent.listingId);
    const reason = whyNot(intent, pricingCase, halt);
    if (reason === null) {
      intents.push(intent);
      continue;
    }
    await settle(tx, [intent.id], ['queued'], 'expired', reason, at);
    const priceNow = pricingCase?.listing.currentPrice ?? intent.fromPrice;
    if (priceNow !== intent.fromPrice) overtaken.push(intent.listingId);
  }
  // The engine took these for being on their way, and nothing else tells it that they are not.
  await markDue(tx, overtaken);
  const intentIds = intents.map(({ id }) => id);
  const marked = await markSent(tx, intentIds, at);
  await notify(tx, 'pricewright_listings', ids);
  return { looked: queued.length, batch: { intents: intents.filter(({ id }) => marked.has(id)), at } };
}

/** The first ones go first, also inside a call: there may be no time for the last. */
function inOrderOf(ids: readonly number[], intents: readonly OpenIntent[]): OpenIntent[] {
  const byListing = new Map(intents.map((intent) => [intent.listingId, intent]));
  return ids.flatMap((id) => byListing.get(id) ?? []);
}

function whyNot(
  intent: OpenIntent,
  pricingCase: PricingInput | undefined,
  halt: Instant | null,
): string | null {
  if (pricingCase === undefined) return 'The listing was deleted before the price was sent.';
  return reasonNotToSend(
    { ...intent, isRules: intent.source === 'rule', isPastHalt: isPast(intent, halt) },
    pricingCase,
    INTENT_TTL,
  );
}

/**
 * The last look, right before the call: the process may have slept since the commit, another one may have taken over, or
 * somebody halted everything.
 */
async function whyNotNow(
  { deps, duty }: MarketplaceSender,
  lease: Lease,
  { intents, at }: SentBatch,
): Promise<string | null> {
  if (isStopped(intents, await readEngineSwitches(deps.db))) return 'Not sent: repricing was halted.';
  const isOurs = await isLeaseHeld(deps.db, lease);
  const since = deps.now() - at;
  const isInTime = isOurs && since >= 0 && since < SEND_WITHIN && duty.isHeldFor(timeLeft(at, deps.now()));
  return isInTime ? null : 'The price was not sent in time.';
}

/** Milliseconds until a call with prices that were marked at that moment is given up. */
function timeLeft(at: Instant, now: Instant): Millis {
  return (LONGEST_CALL - Math.min(Math.max(0, now - at), SEND_WITHIN)) as Millis;
}

/** The one call that changes a price. Whatever goes wrong here leaves a price that may have arrived. */
async function call(
  desk: MarketplaceSender,
  lease: Lease,
  { connector, account }: Connection,
  { intents, at }: SentBatch,
): Promise<readonly SendOutcome[]> {
  const { deps } = desk;
  const orders = intents.map((intent): PriceOrder => {
    const { price, sequence, idempotencyKey, isUrgent, expiresAt } = intent;
    const notAfter = instant(Math.min(at + SEND_WITHIN, expiresAt));
    return { ref: refOf(intent), price, sequence, idempotencyKey, isUrgent, notAfter };
  });
  const watch = watchCall(desk, lease, intents);
  try {
    const signal = AbortSignal.any([watch.signal, AbortSignal.timeout(timeLeft(at, deps.now()))]);
    return await connector.sendPrices(account, orders, signal);
  } catch (error) {
    deps.onFault(error);
    return [];
  } finally {
    watch.end();
  }
}

/**
 * A halt ends a call that is under way, and so does another process that took over, or may have without our hearing of it:
 * what it has not begun to send then does not leave.
 */
function watchCall(
  { deps: { db, onFault, watchEvery = WATCH_EVERY }, duty }: MarketplaceSender,
  lease: Lease,
  intents: readonly OpenIntent[],
): { readonly signal: AbortSignal; end(): void } {
  const watch = new AbortController();
  const end = (why: string): void => watch.abort(new Error(why));
  const look = async (): Promise<void> => {
    if (isStopped(intents, await readEngineSwitches(db))) end('Repricing was halted.');
    else if (!(await isLeaseHeld(db, lease))) end('Another process sends now.');
  };
  const timer = setInterval(() => {
    if (!duty.isHeldFor(0 as Millis)) return end('The lease was lost with its session.');
    look().catch((error: unknown) => {
      onFault(error);
      end('The database does not say who sends.');
    });
  }, watchEvery);
  return { signal: watch.signal, end: () => clearInterval(timer) };
}

/** The halt in force, by its moment. */
function haltOf({ halted, changedAt }: Switches): Instant | null {
  return halted ? changedAt : null;
}

function isPast({ pastHalt }: OpenIntent, halt: Instant | null): boolean {
  return halt !== null && pastHalt === halt;
}

/** Whether a halt is in force that somebody did not confirm to pass with each of these. */
function isStopped(intents: readonly OpenIntent[], switches: Switches): boolean {
  const halt = haltOf(switches);
  return halt !== null && !intents.every((intent) => isPast(intent, halt));
}

import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { withTimeLimit } from '#connectors/time-limit.ts';
import type { Db } from '#db/client.ts';
import { isSerializationFailure } from '#db/error-code.ts';
import { notify } from '#db/listen.ts';
import { isLeaseHeld, type Lease, shareLease } from '#db/queries/background/leases.ts';
import { lockListings } from '#db/queries/catalog/listing-writes.ts';
import { recordWrittenBusiness } from '#db/queries/marketplaces/sending/business-gaps.ts';
import type { OpenIntent } from '#db/queries/marketplaces/sending/queued-prices.ts';
import {
  countQueued,
  readQueued,
  readSendable,
  readStoppedSending,
} from '#db/queries/marketplaces/sending/queued-prices.ts';
import { countRevisions, readDailyLimit } from '#db/queries/marketplaces/sending/send-pauses.ts';
import { markSent } from '#db/queries/marketplaces/sending/sent-prices.ts';
import { settle } from '#db/queries/marketplaces/sending/unsent-prices.ts';
import { readRecentPrices } from '#db/queries/marketplaces/sync/recent-prices.ts';
import { readSuspects, type StoredSuspect } from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import { readEngineSwitches, type Switches, shareEngineSwitches } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { ignoredPrices } from '#domain/readings/assess-reading.ts';
import { ownRecentPrices, type RecentPrices } from '#domain/readings/own-recent-prices.ts';
import { unitPrices } from '#domain/sending/business-prices.ts';
import { reasonNotToSend } from '#domain/sending/last-check.ts';
import { REVISION_LIMITS, revisionDayStart } from '#domain/sending/revision-limits.ts';
import { type Instant, instant, type Millis } from '#domain/units.ts';
import { LONGEST_CALL } from '#usecases/background/lease.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { INTENT_TTL, REPAIR_TTL } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { type FollowedPrices, followedPrices } from './business-prices-to-send.ts';
import { refOf } from './listing-ref.ts';
import {
  type DayRevisions,
  isBeyondPlan,
  pauseForBusinessPrices,
  pauseQueued,
  pauseUntilNextDay,
} from './passing-refusals.ts';
import { waitedForSince } from './read-back-schedule.ts';
import { recordOutcomes, requeueUnsent } from './record-outcomes.ts';
import type { MarketplaceSender } from './sending-deps.ts';
import { wholePriceGroups } from './whole-price-groups.ts';

/**
 * Prices per call where the marketplace accepts no price file. Few, so that a halt takes effect soon and a large change
 * does not wait behind many small ones.
 */
const SEND_BATCH_SIZE = 20;
/** Largest number of prices checked in one transaction: those of Walmart's largest feed. */
const MAX_CHECKED_AT_ONCE = 5_000;
/** Milliseconds after marking within which the call has to start; later it is not made, since the process may have slept. */
const SEND_DEADLINE = 20_000;
/** Milliseconds between two checks of whether a call in progress may continue. */
const WATCH_INTERVAL = 1_000 as Millis;
/** Milliseconds without calls after a marketplace accepted nothing and set no retry time. */
const DEFAULT_PAUSE = 15_000;

/** Prices that were marked as sent, and when. */
export interface SentBatch {
  readonly intents: readonly OpenIntent[];
  readonly at: Instant;
}

/**
 * Sends the next few prices of a marketplace: urgent ones first, then the largest change in dollars. Each is checked again
 * with current facts and committed as sent before the call starts.
 * @returns how many prices were checked
 */
export async function sendNext(sender: MarketplaceSender, connection: Connection): Promise<number> {
  const { deps, heldLease } = sender;
  if (isPaused(sender)) return 0;
  const isPrepared = await prepare(sender, connection);
  const lease = await heldLease.acquireForCall();
  if (lease === null) return 0;
  const limitedUntil = await readDailyLimit(deps.db, sender.marketplace, deps.now());
  if (limitedUntil !== null) {
    await pauseQueued(deps, sender.marketplace, limitedUntil);
    return 0;
  }
  const { checked, batch, ...known } = await checkAndMark(sender, lease, connection, isPrepared);
  // Reading on is work too.
  if (batch.intents.length === 0) return isPrepared ? checked : Math.max(1, checked);
  const obstacle = await reasonToRequeue(sender, lease, batch);
  if (obstacle !== null) {
    await requeueUnsent(deps, batch, obstacle);
    return 0;
  }
  const outcomes = await call(sender, lease, connection, batch, known);
  const { finalRefusals } = connection.connector;
  const wait = await recordOutcomes(deps, batch, outcomes, {
    marketplace: sender.marketplace,
    finalRefusals,
  });
  if (wait !== null) sender.pause = { since: deps.now(), duration: Math.max(wait, DEFAULT_PAUSE) };
  return checked;
}

/** Reads what the waiting prices are checked against. @returns whether others than urgent ones may go */
async function prepare(
  { deps, marketplace }: MarketplaceSender,
  { connector, account }: Connection,
): Promise<boolean> {
  if (connector.prepareToSend === undefined) return true;
  const waiting = await countQueued(deps.db, marketplace);
  return waiting === 0 || connector.prepareToSend(account, waiting, AbortSignal.timeout(LONGEST_CALL));
}

/** A clock that was set back ends the pause. */
function isPaused({ deps, pause }: MarketplaceSender): boolean {
  const since = pause === null ? -1 : deps.now() - pause.since;
  return pause !== null && since >= 0 && since < pause.duration;
}

interface CheckedBatch {
  /** How many were checked; those not in the batch have expired. */
  readonly checked: number;
  readonly batch: SentBatch;
  /** The recent prices of its listings. */
  readonly recent: ReadonlyMap<number, RecentPrices>;
  /** What was shown of them and is not in force. */
  readonly suspects: ReadonlyMap<number, readonly StoredSuspect[]>;
  /** The business prices that go with its prices, by listing. */
  readonly followed: ReadonlyMap<number, FollowedPrices>;
}

/** Checks and marks in one transaction: at its commit each marked price was allowed and this process held the lease. */
async function checkAndMark(
  sender: MarketplaceSender,
  lease: Lease,
  connection: Connection,
  isPrepared: boolean,
): Promise<CheckedBatch> {
  const at = sender.deps.now();
  const known = { recent: new Map(), suspects: new Map(), followed: new Map() };
  const nothing = { checked: 0, batch: { intents: [], at }, ...known };
  try {
    return (
      (await transact(sender.deps.db, (tx) =>
        checkAndMarkInside(tx, sender, lease, connection, isPrepared, at),
      )) ?? nothing
    );
  } catch (error) {
    // The repricing state is being changed in another transaction, which goes first.
    if (isSerializationFailure(error)) return nothing;
    throw error;
  }
}

async function checkAndMarkInside(
  tx: Db,
  { deps, marketplace }: MarketplaceSender,
  lease: Lease,
  { connector }: Connection,
  isPrepared: boolean,
  at: Instant,
): Promise<CheckedBatch | null> {
  if (!(await shareLease(tx, lease))) return null;
  const switches = await shareEngineSwitches(tx);
  if (switches.release !== deps.release) return null;
  const halt = haltOf(switches);
  const sendable = await readSendable(tx, marketplace, MAX_CHECKED_AT_ONCE, at, waitedForSince(at), halt);
  const urgent = sendable.filter(({ isUrgent }) => isUrgent).length;
  // Urgent ones come first.
  const waiting = isPrepared ? sendable : sendable.slice(0, urgent);
  if (waiting.length === 0) return null;
  const limit = connector.pricesAtOnce?.(waiting.length, urgent) ?? SEND_BATCH_SIZE;
  const ids = wholePriceGroups(waiting, limit).map(({ id }) => id);
  if (ids.length === 0) return null;
  await lockListings(tx, ids);
  const stopped = await readStoppedSending(tx, ids, at);
  const queued = wholePriceGroups(
    inOrderOf(ids, await readQueued(tx, ids)).filter(
      ({ isUrgent, listingId }) => isUrgent || !stopped.has(listingId),
    ),
  );
  const context = await loadPricingContext(tx, at);
  const inputs = new Map((await loadPricingInputs(tx, context, ids)).map((one) => [one.listing.id, one]));
  const revisions = await readDayRevisions(tx, marketplace, ids, at);
  const intents: OpenIntent[] = [];
  const beyondPlan: OpenIntent[] = [];
  const superseded: number[] = [];
  const { followed: plans, tooLow } = await followedPrices(tx, marketplace, queued, inputs);
  const businessStays: OpenIntent[] = [];
  const whyNot = reasonsToDrop(queued, inputs, plans, halt);
  const later = new Set(
    queued.flatMap((intent) =>
      revisions !== null && isBeyondPlan(intent, revisions) ? [orderOf(intent)] : [],
    ),
  );
  for (const intent of queued) {
    const reason = whyNot.get(orderOf(intent));
    if (reason === undefined) {
      if (tooLow.has(intent.listingId)) businessStays.push(intent);
      else (later.has(orderOf(intent)) ? beyondPlan : intents).push(intent);
      continue;
    }
    await settle(tx, [intent.id], ['queued'], 'expired', reason, at);
    const input = inputs.get(intent.listingId);
    const priceNow = input?.listing.currentPrice ?? intent.fromPrice;
    if (priceNow !== intent.fromPrice) superseded.push(intent.listingId);
  }
  await pauseUntilNextDay(tx, marketplace, beyondPlan, at);
  await pauseForBusinessPrices(tx, marketplace, businessStays, tooLow, at);
  // The engine treats these as in progress, and nothing else makes it reprice them.
  await markDue(tx, superseded);
  const intentIds = intents.map(({ id }) => id);
  const recent = await readRecentPrices(tx, ids, at);
  const suspects = await readSuspects(tx, ids);
  const marked = await markSent(tx, intentIds, at);
  await notify(tx, 'pricewright_listings', ids);
  const batch = { intents: wholePriceGroups(intents.filter(({ id }) => marked.has(id))), at };
  const sent = new Set(batch.intents.map(({ listingId }) => listingId));
  const followed = new Map([...plans].filter(([id]) => sent.has(id)));
  await recordWrittenBusiness(tx, followed);
  return { checked: queued.length, batch, recent, suspects, followed };
}

/** How often these listings were changed today, where the marketplace limits it; null where it does not. */
async function readDayRevisions(
  tx: Db,
  marketplace: Marketplace,
  ids: readonly number[],
  now: Instant,
): Promise<DayRevisions | null> {
  const limits = REVISION_LIMITS[marketplace];
  if (limits === undefined) return null;
  return { limits, counts: await countRevisions(tx, ids, revisionDayStart(now)) };
}

/** Keeps the order also within a call: the time may run out before the last one. */
function inOrderOf(ids: readonly number[], intents: readonly OpenIntent[]): OpenIntent[] {
  const byListing = new Map(intents.map((intent) => [intent.listingId, intent]));
  return ids.flatMap((id) => byListing.get(id) ?? []);
}

/** The price that an intent is part of. */
function orderOf({ id, groupOrder }: OpenIntent): string {
  return groupOrder ?? String(id);
}

/** Why prices are not sent, by {@link orderOf}: a price group is not, when one of its members must not. */
function reasonsToDrop(
  queued: readonly OpenIntent[],
  inputs: ReadonlyMap<number, PricingInput>,
  plans: CheckedBatch['followed'],
  halt: Instant | null,
): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const intent of queued) {
    const { listingId } = intent;
    const reason = reasonToDrop(intent, inputs.get(listingId), plans.get(listingId), halt);
    if (reason !== null && !reasons.has(orderOf(intent))) {
      const isShared = (intent.groupSize ?? 1) > 1;
      reasons.set(orderOf(intent), isShared ? `${intent.sku}, which shares the price: ${reason}` : reason);
    }
  }
  return reasons;
}

function reasonToDrop(
  intent: OpenIntent,
  input: PricingInput | undefined,
  followed: FollowedPrices | undefined,
  halt: Instant | null,
): string | null {
  if (input === undefined) return 'The listing was deleted before the price was sent.';
  return reasonNotToSend(
    {
      ...intent,
      createdAt: intent.pausedUntil ?? intent.createdAt,
      isAutomatic: intent.source === 'rule' || intent.source === 'repair',
      isRepair: intent.source === 'repair',
      isPastHalt: isPast(intent, halt),
      business: followed === undefined ? [] : unitPrices(followed, intent.price),
    },
    input,
    intent.source === 'repair' ? REPAIR_TTL : INTENT_TTL,
  );
}

/**
 * The last check, right before the call: since the commit the process may have slept, another process may have acquired
 * the lease, or repricing may have been halted.
 */
async function reasonToRequeue(
  { deps, heldLease }: MarketplaceSender,
  lease: Lease,
  { intents, at }: SentBatch,
): Promise<string | null> {
  if (isStopped(intents, await readEngineSwitches(deps.db))) return 'Not sent: repricing was halted.';
  const isOurs = await isLeaseHeld(deps.db, lease);
  const since = deps.now() - at;
  const isInTime =
    isOurs && since >= 0 && since < SEND_DEADLINE && heldLease.isValidFor(timeLeft(at, deps.now()));
  return isInTime ? null : 'The price was not sent in time.';
}

/** Milliseconds until a call with prices marked at that time is aborted. */
function timeLeft(at: Instant, now: Instant): Millis {
  return (LONGEST_CALL - Math.min(Math.max(0, now - at), SEND_DEADLINE)) as Millis;
}

/** The only call that changes prices. After any error here the price may have arrived. */
async function call(
  sender: MarketplaceSender,
  lease: Lease,
  { connector, account }: Connection,
  { intents, at }: SentBatch,
  { recent, suspects, followed }: Pick<CheckedBatch, 'recent' | 'suspects' | 'followed'>,
): Promise<readonly SendOutcome[]> {
  const { deps } = sender;
  const orders = intents.map((intent): PriceOrder => {
    const own = recent.get(intent.listingId);
    const ownPrices = own === undefined ? [] : [...ownRecentPrices(own, at).keys()];
    const { price, currentPrice, pastReason, groupKey, sequence, idempotencyKey, isUrgent, expiresAt } =
      intent;
    const notAfter = instant(Math.min(at + SEND_DEADLINE, expiresAt));
    const business = followed.get(intent.listingId) ?? null;
    const ignored = ignoredPrices(suspects.get(intent.listingId) ?? [], at);
    const known = { price, currentPrice, ownPrices, ignoredPrices: ignored, pastReason, groupKey, business };
    return { ref: refOf(intent), ...known, sequence, idempotencyKey, isUrgent, notAfter };
  });
  const watch = watchCall(sender, lease, intents);
  try {
    return await withTimeLimit(timeLeft(at, deps.now()), [watch.signal], (signal) =>
      connector.sendPrices(account, orders, signal),
    );
  } catch (error) {
    deps.onUnexpectedError(error);
    return [];
  } finally {
    watch.end();
  }
}

/**
 * Aborts a call in progress when repricing is halted, or when this process lost the lease or does not know whether it still
 * holds it. What has not been sent by then is not sent.
 */
function watchCall(
  { deps: { db, onUnexpectedError, watchInterval = WATCH_INTERVAL }, heldLease }: MarketplaceSender,
  lease: Lease,
  intents: readonly OpenIntent[],
): { readonly signal: AbortSignal; end(): void } {
  const watch = new AbortController();
  const end = (why: string): void => watch.abort(new Error(why));
  const check = async (): Promise<void> => {
    if (isStopped(intents, await readEngineSwitches(db))) end('Repricing was halted.');
    else if (!(await isLeaseHeld(db, lease))) end('Another process sends now.');
  };
  const timer = setInterval(() => {
    if (!heldLease.isValidFor(0 as Millis)) return end('The lease was lost with its session.');
    check().catch((error: unknown) => {
      onUnexpectedError(error);
      end('The database does not say who sends.');
    });
  }, watchInterval);
  return { signal: watch.signal, end: () => clearInterval(timer) };
}

/** When the current halt started; null when repricing is not halted. */
function haltOf({ halted, changedAt }: Switches): Instant | null {
  return halted ? changedAt : null;
}

function isPast({ pastHalt }: OpenIntent, halt: Instant | null): boolean {
  return halt !== null && pastHalt === halt;
}

/** Whether repricing is halted and at least one of these prices was not confirmed by a user despite this halt. */
function isStopped(intents: readonly OpenIntent[], switches: Switches): boolean {
  const halt = haltOf(switches);
  return halt !== null && !intents.every((intent) => isPast(intent, halt));
}

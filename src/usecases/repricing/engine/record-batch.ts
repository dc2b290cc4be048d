import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { countAtSamePrice, readPastShares } from '#db/queries/repricing/breaker-past.ts';
import { clearDue, listingsOf, readOutdated, type ToDecide } from '#db/queries/repricing/due-listings.ts';
import { readEngineSwitches, type Switches, shareEngineSwitches } from '#db/queries/repricing/engine.ts';
import {
  addBatch,
  endRun,
  insertRun,
  lockRunningRun,
  type RunRow,
  savePlan,
} from '#db/queries/repricing/runs.ts';
import { transactOnce } from '#db/transact.ts';
import type { RunShares, RunTally } from '#domain/decision/run-tally.ts';
import { type BreakerLimits, circuitBreakerReason, PAST_RUNS } from '#domain/limits/circuit-breaker.ts';
import type { Instant } from '#domain/units.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { type DecidedCase, recordDecisions } from '#usecases/repricing/pricing/record-decisions.ts';
import { checkPlan, hourStart, minComparable } from './check-circuit-breaker.ts';
import type { EngineDeps } from './engine-deps.ts';
import { withWholeGroups } from './page-with-price-groups.ts';
import { reviewOfPlan } from './review-of-plan.ts';
import { addToPlan, RunPlan, storedPlanOf } from './run-plan.ts';
import { isSameSet } from './same-set.ts';
import type { ActiveRun } from './stop-run.ts';

/**
 * How a batch ended. `recorded`: committed. `ended`: the run was ended in another transaction. `halted` and `tripped`:
 * rolled back, with the reason. `untouched`: all its listings are being edited now. `moved`: rolled back because the
 * repricing state changed, or the facts of these listings, whose price would have changed; decide the others again.
 */
export type BatchEnd =
  | { readonly kind: 'recorded' | 'ended' | 'untouched' }
  | { readonly kind: 'moved'; readonly outdated: readonly number[] }
  | { readonly kind: 'halted' | 'tripped'; readonly reason: string };

/** Thrown to roll the batch back, with how it ended. */
class BatchRollback extends Error {
  override readonly name = 'BatchRollback';
  readonly end: BatchEnd;
  constructor(end: BatchEnd) {
    super('The batch is rolled back.');
    this.end = end;
  }
}

/**
 * One batch of a run in one transaction: decided from current facts, recorded, counted, its due marks cleared. Interrupted
 * at any point it leaves nothing, and the next engine decides it again.
 * @param skipped listings for a later run: their facts are changing now, and they stay due
 * @throws a serialization failure when a price changed after it was read: decide the batch again
 */
export async function recordBatch(
  deps: EngineDeps,
  run: ActiveRun,
  skipped: ReadonlySet<number>,
): Promise<BatchEnd> {
  try {
    return await transactOnce(deps.db, (tx) => batch(tx, deps, run, skipped));
  } catch (error) {
    if (error instanceof BatchRollback) return error.end;
    throw error;
  }
}

async function batch(
  tx: Db,
  deps: EngineDeps,
  active: ActiveRun,
  skipped: ReadonlySet<number>,
): Promise<BatchEnd> {
  const { batchSize } = deps;
  const now = deps.now();
  const run = await openInside(tx, active);
  if (run === null) return { kind: 'ended' };
  const switches = await readEngineSwitches(tx);
  if (active.id !== null && isHaltedSince(switches, run.startedAt)) {
    return { kind: 'halted', reason: haltMessage(switches) };
  }
  // Due marks are read before the facts: a listing that changes after this gets a new mark and stays due.
  const after = run.sweptTo ?? 0;
  // One more than a batch can hold, to recognize the last batch even when it is full.
  const ahead = await listingsOf(run.trigger)(tx, after, batchSize + skipped.size + 1);
  const left = ahead.filter(({ id }) => !skipped.has(id));
  const page = left.slice(0, batchSize);
  const toDecide = await withWholeGroups(tx, page, after, skipped);
  const { decided, tally, limits } = await decideBatch(tx, deps, { run, after, toDecide, switches, now });
  await recordDecisions(tx, run.id, decided, now);
  await checkSoFar(tx, run, tally, limits);
  await closeBatch(tx, run, page, tally, left.length <= batchSize, now);
  const cleared = await clearDue(tx, toDecide);
  if (cleared === 0 && active.id === null) throw new BatchRollback({ kind: 'untouched' });
  await notifyChanged(tx, decided);
  await rejectOutdated(tx, toDecide, decided);
  // Last, and locked until the commit.
  if (!isSameState(switches, await shareEngineSwitches(tx)))
    throw new BatchRollback({ kind: 'moved', outdated: [] });
  return { kind: 'recorded' };
}

/** A batch of a run, read in its transaction. */
interface Batch {
  readonly run: RunRow;
  readonly after: number;
  readonly toDecide: readonly ToDecide[];
  readonly switches: Switches;
  readonly now: Instant;
}

/** Decisions of a batch; of a planned batch only those that have to be recorded. */
interface DecidedBatch {
  readonly decided: readonly DecidedCase[];
  readonly tally: RunTally;
  readonly limits: BreakerLimits;
}

/** Decides a batch, or reuses its plan where that is still valid. A batch without a plan passes the circuit breaker alone. */
async function decideBatch(tx: Db, { planned }: EngineDeps, batch: Batch): Promise<DecidedBatch> {
  const { run, after, toDecide, switches, now } = batch;
  const context = await loadPricingContext(tx, now);
  const reused = run.plan === null ? null : planned.take(run.id, after, toDecide, context.facts);
  const limits = context.facts.breaker;
  if (reused !== null) return { decided: reused.toRecord, tally: reused.tally, limits };
  const ids = toDecide.map(({ id }) => id);
  const decided = await decideListings(tx, context, ids);
  const plan = new RunPlan(context.facts);
  const since = hourStart(switches, now);
  await addToPlan(tx, plan, decided, since);
  if (run.plan === null) await checkSingleBatch(tx, run, plan, switches, since, now);
  return { decided, tally: plan.tally, limits };
}

/** A run of one batch is inserted in the batch's transaction, so that it is never visible half done. */
async function openInside(tx: Db, { id, trigger, planned, startedAt }: ActiveRun): Promise<RunRow | null> {
  if (id !== null) return lockRunningRun(tx, id);
  return insertRun(tx, { trigger, planned, startedAt, state: 'running' });
}

/** Whether repricing was halted after a run started. A run started during a halt continues: it only recommends. */
export function isHaltedSince({ halted, changedAt }: Switches, startedAt: Instant): boolean {
  return halted && changedAt > startedAt;
}

/** "Halted by Ann: costs are wrong" */
export function haltMessage({ changedBy, reason }: Switches): string {
  return `Halted by ${changedBy ?? 'a user'}${reason === null ? '.' : `: ${reason}`}`;
}

async function checkSingleBatch(
  tx: Db,
  run: RunRow,
  plan: RunPlan,
  switches: Switches,
  since: Instant,
  now: Instant,
): Promise<void> {
  const isWhole = plan.tally.changed > 0 && run.sweptTo === null;
  const review = isWhole ? await reviewOfPlan(tx, switches, plan.token(), now) : null;
  const reason = await checkPlan(tx, plan, review, since, run.id, now);
  if (reason !== null) throw new BatchRollback({ kind: 'tripped', reason });
  if (review !== null) await savePlan(tx, run.id, storedPlanOf(plan.tally, true));
}

/** Facts change during a long run: where its totals exceed its plan, the circuit breaker checks it again. */
async function checkSoFar(tx: Db, run: RunRow, tally: RunTally, limits: BreakerLimits): Promise<void> {
  const { plan } = run;
  if (plan === null) return;
  const sum = (
    name:
      | 'changed'
      | 'mayChange'
      | 'competitive'
      | 'dropped'
      | 'rose'
      | 'movedUnread'
      | 'atMarginFloor'
      | 'newlyBlocked',
  ): number => run[name] + tally[name];
  const planned = { rose: 0, movedUnread: 0, ...plan };
  const isBeyond = (
    ['changed', 'dropped', 'rose', 'movedUnread', 'atMarginFloor', 'newlyBlocked'] as const
  ).some((name) => sum(name) > planned[name]);
  if (!isBeyond) return;
  const soFar: RunShares = {
    mayChange: Math.max(plan.mayChange, sum('mayChange')),
    competitive: Math.max(plan.competitive, sum('competitive')),
    // What the plan contained was reviewed or passed; only what exceeds it is checked.
    dropped: sum('dropped') > plan.dropped ? sum('dropped') : 0,
    rose: sum('rose') > planned.rose ? sum('rose') : 0,
    movedUnread: sum('movedUnread') > planned.movedUnread ? sum('movedUnread') : 0,
    movedUnreadOf: Math.max(plan.competitive, sum('competitive')),
    atMarginFloor: sum('atMarginFloor') > plan.atMarginFloor ? sum('atMarginFloor') : 0,
    newlyBlocked: sum('newlyBlocked') > plan.newlyBlocked ? sum('newlyBlocked') : 0,
    atSamePrice: beyond(await countAtSamePrice(tx, run.id), plan.atSamePrice),
  };
  const reason = circuitBreakerReason(
    soFar,
    null,
    await readPastShares(tx, run.id, minComparable(soFar), PAST_RUNS),
    limits,
  );
  if (reason !== null) throw new BatchRollback({ kind: 'tripped', reason });
}

const beyond = (count: number, planned: number): number => (count > planned ? count : 0);

async function closeBatch(
  tx: Db,
  run: RunRow,
  page: readonly ToDecide[],
  tally: RunTally,
  isLast: boolean,
  now: Instant,
): Promise<void> {
  const isOnly = isLast && run.sweptTo === null;
  const atSamePrice =
    isLast && !isOnly ? await countAtSamePrice(tx, run.id) : Math.max(run.atSamePrice, tally.atSamePrice);
  await addBatch(tx, run.id, tally, atSamePrice, page.at(-1)?.id ?? run.sweptTo ?? 0);
  if (isLast) await endRun(tx, run.id, 'done', null, now);
}

/** No price may be recorded on facts that changed after they were read, such as a cost, a hold or a rule. */
async function rejectOutdated(
  tx: Db,
  toDecide: readonly ToDecide[],
  decided: readonly DecidedCase[],
): Promise<void> {
  const changed = new Set(
    decided.flatMap(({ decision, pricingInput }) =>
      decision.kind === 'change' ? [pricingInput.listing.id] : [],
    ),
  );
  const outdated = await readOutdated(
    tx,
    toDecide.filter(({ id }) => changed.has(id)),
  );
  if (outdated.length > 0) throw new BatchRollback({ kind: 'moved', outdated });
}

/** Notifies of listings whose row on a screen has changed. */
async function notifyChanged(tx: Db, decided: readonly DecidedCase[]): Promise<void> {
  const ids = decided.flatMap(({ decision, pricingInput: { listing } }) => {
    const recommended = decision.kind === 'recommend' ? decision.price : null;
    const isNews =
      decision.kind === 'change' ||
      listing.recommendedPrice !== recommended ||
      listing.metrics?.outcome !== decision.kind;
    return isNews ? [listing.id] : [];
  });
  if (ids.length > 0) await notify(tx, 'pricewright_listings', ids);
  await notify(tx, 'pricewright_engine', []);
}

function isSameState(a: Switches, b: Switches): boolean {
  return (
    a.halted === b.halted &&
    a.changedAt === b.changedAt &&
    isSameSet(a.live, b.live) &&
    isSameSet(a.connected, b.connected)
  );
}

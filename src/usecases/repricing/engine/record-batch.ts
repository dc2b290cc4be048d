import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { countAtSamePrice, readPastShares } from '#db/queries/repricing/breaker-past.ts';
import { clearDue, readOutdated, type ToDecide } from '#db/queries/repricing/due.ts';
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
import { type BreakerLimits, circuitBreakerReason, PAST_RUNS } from '#domain/circuit-breaker.ts';
import type { RunShares, RunTally } from '#domain/run-tally.ts';
import type { Instant } from '#domain/units.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { type DecidedCase, recordDecisions } from '#usecases/repricing/pricing/record-decisions.ts';
import type { EngineDeps } from './engine-deps.ts';
import {
  addToPlan,
  checkCircuitBreaker,
  hourStart,
  leastComparable,
  listingsOf,
  RunPlan,
} from './run-plan.ts';
import { isSameSet } from './same-set.ts';
import type { ActiveRun } from './stop-run.ts';
import { storedPlanOf } from './stored-plan.ts';

/**
 * How a batch ended. `recorded`: committed. `gone`: somebody else ended the run. `halted` and `tripped`: nothing of
 * it is recorded, and why. `untouched`: every listing of it is being edited at this moment. `moved`: nothing is
 * recorded, because a switch was moved, or the facts of these listings, whose price would have changed: decide the
 * others anew.
 */
export type BatchEnd =
  | { readonly kind: 'recorded' | 'gone' | 'untouched' }
  | { readonly kind: 'moved'; readonly outdated: readonly number[] }
  | { readonly kind: 'halted' | 'tripped'; readonly reason: string };

/** Rolls the batch back and says how it ended. */
class BatchUndone extends Error {
  override readonly name = 'BatchUndone';
  readonly end: BatchEnd;
  constructor(end: BatchEnd) {
    super('The batch is rolled back.');
    this.end = end;
  }
}

/**
 * One batch of a run, all in one transaction: decided from fresh facts, recorded, counted, its due marks cleared.
 * Cut off anywhere it leaves nothing, and whoever goes on decides it again.
 * @param leaveOut listings for a later run: their facts are moving right now, and they are due
 * @throws a database error of `isOvertaken` when a price moved meanwhile: decide the batch anew
 */
export async function recordBatch(
  deps: EngineDeps,
  run: ActiveRun,
  leaveOut: ReadonlySet<number>,
): Promise<BatchEnd> {
  try {
    return await transactOnce(deps.db, (tx) => batch(tx, deps, run, leaveOut));
  } catch (error) {
    if (error instanceof BatchUndone) return error.end;
    throw error;
  }
}

async function batch(
  tx: Db,
  deps: EngineDeps,
  underWay: ActiveRun,
  leaveOut: ReadonlySet<number>,
): Promise<BatchEnd> {
  const { batchSize } = deps;
  const now = deps.now();
  const run = await openInside(tx, underWay);
  if (run === null) return { kind: 'gone' };
  const switches = await readEngineSwitches(tx);
  if (underWay.id !== null && isHaltedSince(switches, run.startedAt)) {
    return { kind: 'halted', reason: haltMessage(switches) };
  }
  // Marks are read before the facts: whatever changes from here on has another mark and stays due.
  const after = run.sweptTo ?? 0;
  // One more than there can be at most: it tells the last batch, which may be full.
  const ahead = await listingsOf(run.trigger)(tx, after, batchSize + leaveOut.size + 1);
  const left = ahead.filter(({ id }) => !leaveOut.has(id));
  const toDecide = left.slice(0, batchSize);
  const { decided, tally, limits } = await decideBatch(tx, deps, { run, after, toDecide, switches, now });
  await recordDecisions(tx, run.id, decided, now);
  await judgeSoFar(tx, run, tally, limits);
  await closeBatch(tx, run, toDecide, tally, left.length <= batchSize, now);
  const cleared = await clearDue(tx, toDecide);
  if (cleared === 0 && underWay.id === null) throw new BatchUndone({ kind: 'untouched' });
  await tell(tx, decided);
  await refuseOutdated(tx, toDecide, decided);
  // At the very end, and held until the commit.
  if (!isSameState(switches, await shareEngineSwitches(tx)))
    throw new BatchUndone({ kind: 'moved', outdated: [] });
  return { kind: 'recorded' };
}

/** A batch of a run, read inside its transaction. */
interface Batch {
  readonly run: RunRow;
  readonly after: number;
  readonly toDecide: readonly ToDecide[];
  readonly switches: Switches;
  readonly now: Instant;
}

/** What a batch comes to; of a planned one only what is worth recording. */
interface DecidedBatch {
  readonly decided: readonly DecidedCase[];
  readonly tally: RunTally;
  readonly limits: BreakerLimits;
}

/** Decides a batch, unless its plan has done so and still holds. One that no plan was made for is judged as its own. */
async function decideBatch(tx: Db, { planned }: EngineDeps, batch: Batch): Promise<DecidedBatch> {
  const { run, after, toDecide, switches, now } = batch;
  const shop = await loadPricingContext(tx, now);
  const kept = run.plan === null ? null : planned.take(run.id, after, toDecide, shop.facts);
  const limits = shop.facts.breaker;
  if (kept !== null) return { decided: kept.news, tally: kept.tally, limits };
  const ids = toDecide.map(({ id }) => id);
  const decided = await decideListings(tx, shop, ids);
  const plan = new RunPlan(shop.facts);
  const since = hourStart(switches, now);
  await addToPlan(tx, plan, decided, since);
  if (run.plan === null) await judgeAlone(tx, run, plan, switches, since, now);
  return { decided, tally: plan.tally, limits };
}

/** A run of one batch is opened inside it: nobody ever sees it half done. */
async function openInside(tx: Db, { id, trigger, planned, startedAt }: ActiveRun): Promise<RunRow | null> {
  if (id !== null) return lockRunningRun(tx, id);
  return insertRun(tx, { trigger, planned, startedAt, state: 'running' });
}

/** Whether somebody halted everything after a run began. One that began under a halt goes on: it only recommends. */
export function isHaltedSince({ halted, changedAt }: Switches, startedAt: Instant): boolean {
  return halted && changedAt > startedAt;
}

/** "Halted by Ann: costs are wrong" */
export function haltMessage({ changedBy, reason }: Switches): string {
  return `Halted by ${changedBy ?? 'a user'}${reason === null ? '.' : `: ${reason}`}`;
}

async function judgeAlone(
  tx: Db,
  run: RunRow,
  plan: RunPlan,
  { reviewedPlan }: Switches,
  since: Instant,
  now: Instant,
): Promise<void> {
  if (plan.tally.changed > 0 && run.sweptTo === null && plan.token() === reviewedPlan) {
    return savePlan(tx, run.id, storedPlanOf(plan.tally, true));
  }
  const reason = await checkCircuitBreaker(tx, plan, since, run.id, now);
  if (reason !== null) throw new BatchUndone({ kind: 'tripped', reason });
}

/** Facts move while a long run goes on: where it leaves its plan, the breaker looks at it again. */
async function judgeSoFar(tx: Db, run: RunRow, tally: RunTally, limits: BreakerLimits): Promise<void> {
  const { plan } = run;
  if (plan === null) return;
  const sum = (
    name: 'changed' | 'mayChange' | 'competitive' | 'dropped' | 'atMarginFloor' | 'newlyBlocked',
  ): number => run[name] + tally[name];
  const isBeyond = (['changed', 'dropped', 'atMarginFloor', 'newlyBlocked'] as const).some(
    (name) => sum(name) > plan[name],
  );
  if (!isBeyond) return;
  const soFar: RunShares = {
    mayChange: Math.max(plan.mayChange, sum('mayChange')),
    competitive: Math.max(plan.competitive, sum('competitive')),
    // What was looked at, or passed, may come again; only what goes beyond it is weighed.
    dropped: sum('dropped') > plan.dropped ? sum('dropped') : 0,
    atMarginFloor: sum('atMarginFloor') > plan.atMarginFloor ? sum('atMarginFloor') : 0,
    newlyBlocked: sum('newlyBlocked') > plan.newlyBlocked ? sum('newlyBlocked') : 0,
    atSamePrice: beyond(await countAtSamePrice(tx, run.id), plan.atSamePrice),
  };
  const reason = circuitBreakerReason(
    soFar,
    null,
    await readPastShares(tx, run.id, leastComparable(soFar), PAST_RUNS),
    limits,
  );
  if (reason !== null) throw new BatchUndone({ kind: 'tripped', reason });
}

const beyond = (count: number, planned: number): number => (count > planned ? count : 0);

async function closeBatch(
  tx: Db,
  run: RunRow,
  decided: readonly ToDecide[],
  tally: RunTally,
  isLast: boolean,
  now: Instant,
): Promise<void> {
  const isOnly = isLast && run.sweptTo === null;
  const atSamePrice =
    isLast && !isOnly ? await countAtSamePrice(tx, run.id) : Math.max(run.atSamePrice, tally.atSamePrice);
  await addBatch(tx, run.id, tally, atSamePrice, decided.at(-1)?.id ?? run.sweptTo ?? 0);
  if (isLast) await endRun(tx, run.id, 'done', null, now);
}

/** No price goes out on facts that have changed since they were read: a cost, a hold, a rule. */
async function refuseOutdated(
  tx: Db,
  toDecide: readonly ToDecide[],
  decided: readonly DecidedCase[],
): Promise<void> {
  const changed = new Set(
    decided.flatMap(({ decision, pricingCase }) =>
      decision.kind === 'change' ? [pricingCase.listing.id] : [],
    ),
  );
  const outdated = await readOutdated(
    tx,
    toDecide.filter(({ id }) => changed.has(id)),
  );
  if (outdated.length > 0) throw new BatchUndone({ kind: 'moved', outdated });
}

/** Ids of listings whose row on a screen looks different now. */
async function tell(tx: Db, decided: readonly DecidedCase[]): Promise<void> {
  const ids = decided.flatMap(({ decision, pricingCase: { listing } }) => {
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

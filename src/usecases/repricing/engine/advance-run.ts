import { isConnectionFailure, isSerializationFailure } from '#db/error-code.ts';
import { notify } from '#db/listen.ts';
import { readEngineSwitches, type Switches } from '#db/queries/repricing/engine.ts';
import { type RunRow, savePlan } from '#db/queries/repricing/runs.ts';
import { type Instant, minutes } from '#domain/units.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { checkPlan, hourStart } from './check-circuit-breaker.ts';
import type { EngineDeps } from './engine-deps.ts';
import { type BatchEnd, haltMessage, isHaltedSince, recordBatch } from './record-batch.ts';
import { reviewOfPlan } from './review-of-plan.ts';
import { listingsOf } from './run-listings.ts';
import { makePlan, type PlanScope, storedPlanOf } from './run-plan.ts';
import { type ActiveRun, stopRun, tripBreaker } from './stop-run.ts';

/** Tries per step to decide a batch while other transactions change its facts. */
const MAX_ATTEMPTS = 5;
/** Failing listings skipped in one step before the whole run counts as failed. */
const MAX_FAILING_LISTINGS = 5;
const SKIP_DURATION = minutes(10);

/**
 * The next step of a run: its plan, when it needs one, or a batch.
 * @throws any error. After a connection failure the run can be continued; any other error marks it as failed, with the
 *   reason
 */
export async function advanceRun(deps: EngineDeps, run: RunRow | ActiveRun): Promise<'worked' | 'idle'> {
  try {
    if (run.id !== null && 'plan' in run && run.plan === null) {
      const switches = await readEngineSwitches(deps.db);
      if (await needsPlan(deps, run, switches)) return await planRun(deps, run, switches);
    }
    return await nextBatch(deps, run);
  } catch (error) {
    if (isConnectionFailure(error)) throw error;
    const reason = `Internal error: ${innermostMessage(error)}`;
    await stopRun(deps.db, run, 'failed', reason, deps.now());
    throw error;
  }
}

/** The message of the innermost cause: the database's own, not the failed statement. */
function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : innermostMessage(error.cause);
}

/** A run that may change prices and takes more than one batch is planned before anything is recorded. */
async function needsPlan({ db, batchSize }: EngineDeps, run: RunRow, switches: Switches): Promise<boolean> {
  if (switches.halted || switches.live.size === 0) return false;
  const ahead = await listingsOf(run.trigger)(db, run.sweptTo ?? 0, batchSize + 1);
  return ahead.length > batchSize;
}

async function planRun(deps: EngineDeps, run: RunRow, switches: Switches): Promise<'worked'> {
  const { db, now, isStopping, planned } = deps;
  const at = now();
  const since = hourStart(switches, at);
  // A halt, or the stop of the process, takes effect within a page; the next process plans again.
  const goOn = async () => !isStopping() && !isHaltedSince(await readEngineSwitches(db), run.startedAt);
  const context = await loadPricingContext(db, at);
  const read = listingsOf(run.trigger);
  const { dropDepth } = context.facts.breaker;
  planned.start(run.id, context.facts);
  const onPage: PlanScope['onPage'] = (after, page, decided) => planned.add(after, page, decided, dropDepth);
  const plan = await makePlan({ ...deps, context, read, after: run.sweptTo ?? 0, since, onPage }, goOn);
  if (plan === null) {
    const after = await readEngineSwitches(db);
    if (isHaltedSince(after, run.startedAt)) await stopRun(db, run, 'stopped', haltMessage(after), now());
    return 'worked';
  }
  const review = run.sweptTo === null ? await reviewOfPlan(db, switches, plan.token(), at) : null;
  const reason = await checkPlan(db, plan, review, since, run.id, at);
  if (reason === null) await savePlan(db, run.id, storedPlanOf(plan.tally, review !== null));
  else await tripBreaker(db, run, reason, now());
  await notify(db, 'pricewright_engine', []);
  return 'worked';
}

/** The next batch; listings that cannot be recorded because of an internal error are found and skipped. */
async function nextBatch(deps: EngineDeps, run: ActiveRun): Promise<'worked' | 'idle'> {
  const skipped = new Set(listSkipped(deps));
  let batchSize = deps.batchSize;
  for (let failingCount = 0; ; ) {
    try {
      return await tryBatch({ ...deps, batchSize }, run, skipped);
    } catch (error) {
      // When many listings fail, the cause is not in a single one.
      if (isConnectionFailure(error) || failingCount === MAX_FAILING_LISTINGS) throw error;
      if (batchSize > 1) {
        batchSize = Math.max(1, Math.floor(batchSize / 4));
        continue;
      }
      // In a batch of one, the first listing that is not skipped is the failing one.
      const failing = await firstAhead(deps, run, skipped);
      if (failing === null) throw error;
      skipListing(deps, failing, error);
      skipped.add(failing);
      failingCount++;
      batchSize = deps.batchSize;
    }
  }
}

/** A clock that was set back ends the skipping. */
function listSkipped({ skippedUntil, now }: EngineDeps): Iterable<number> {
  const at = now();
  for (const [id, until] of skippedUntil)
    if (until <= at || until > at + SKIP_DURATION) skippedUntil.delete(id);
  return skippedUntil.keys();
}

function skipListing({ skippedUntil, now, onUnexpectedError }: EngineDeps, id: number, error: unknown): void {
  skippedUntil.set(id, (now() + SKIP_DURATION) as Instant);
  onUnexpectedError(
    new Error(`Listing ${id} could not be saved. It is skipped for 10 minutes.`, { cause: error }),
  );
}

async function firstAhead(
  { db }: EngineDeps,
  run: ActiveRun,
  skipped: ReadonlySet<number>,
): Promise<number | null> {
  const after = 'sweptTo' in run && typeof run.sweptTo === 'number' ? run.sweptTo : 0;
  const ahead = await listingsOf(run.trigger)(db, after, skipped.size + 1);
  return ahead.find(({ id }) => !skipped.has(id))?.id ?? null;
}

async function tryBatch(deps: EngineDeps, run: ActiveRun, skipped: Set<number>): Promise<'worked' | 'idle'> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const end = await attemptBatch(deps, run, skipped);
    if (end.kind === 'moved') {
      for (const id of end.outdated) skipped.add(id);
      continue;
    }
    if (end.kind === 'halted') await stopRun(deps.db, run, 'stopped', end.reason, deps.now());
    if (end.kind === 'tripped') await tripBreaker(deps.db, run, end.reason, deps.now());
    return end.kind === 'untouched' ? 'idle' : 'worked';
  }
  // Other transactions keep changing what the batch needs; the next step tries again.
  return 'idle';
}

async function attemptBatch(
  deps: EngineDeps,
  run: ActiveRun,
  skipped: ReadonlySet<number>,
): Promise<BatchEnd> {
  try {
    return await recordBatch(deps, run, skipped);
  } catch (error) {
    if (isSerializationFailure(error)) return { kind: 'moved', outdated: [] };
    throw error;
  }
}

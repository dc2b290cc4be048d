import type { EngineLock } from '#db/engine-lock.ts';
import { isConnectionFailure, isSerializationFailure } from '#db/error-code.ts';
import { notify } from '#db/listen.ts';
import { takeDayStocks } from '#db/queries/repricing/day-stocks.ts';
import { countDue, countLive, listingsOf } from '#db/queries/repricing/due-listings.ts';
import { readEngineSwitches, readSchedule, type Switches } from '#db/queries/repricing/engine.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import {
  findOpenRun,
  insertRun,
  lastFullRunAt,
  type RunRow,
  savePlan,
  startRun,
} from '#db/queries/repricing/runs.ts';
import { shopTime } from '#domain/time/local-time.ts';
import { type Instant, minutes } from '#domain/units.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { checkPlan, hourStart } from './check-circuit-breaker.ts';
import { BATCH_SIZE, type EngineDeps } from './engine-deps.ts';
import { handleUpgrade } from './handle-upgrade.ts';
import type { Heartbeat } from './heartbeat.ts';
import { PlannedPages } from './planned-pages.ts';
import { type BatchEnd, haltMessage, isHaltedSince, recordBatch } from './record-batch.ts';
import { reviewOfPlan } from './review-of-plan.ts';
import { makePlan, type PlanScope, storedPlanOf } from './run-plan.ts';
import { type ActiveRun, stopRun, tripBreaker } from './stop-run.ts';

/** Milliseconds between two steps when idle. */
const IDLE_WAIT = 1_000;
/** Tries per step to decide a batch while other transactions change its facts. */
const MAX_ATTEMPTS = 5;
/** Failing listings skipped in one step before the whole run counts as failed. */
const MAX_FAILING_LISTINGS = 5;
const SKIP_DURATION = minutes(10);

/** Dependencies of the engine loop. */
export interface EngineLoopDeps extends Pick<EngineDeps, 'now' | 'onRun'> {
  readonly openLock: () => Promise<EngineLock>;
  /** Version and schema of this program. */
  readonly release: string;
  readonly heartbeat: Pick<Heartbeat, 'beat' | 'keep'>;
  readonly onError: (error: unknown) => void;
}

/** Runs the engine, or waits for the engine lock. After any error it opens a new connection. */
export class EngineLoop implements LoopTask {
  readonly idleWait = IDLE_WAIT;
  readonly #deps: EngineLoopDeps;
  #lock: EngineLock | null = null;
  /** Kept between the steps while this process holds the lock. */
  #step: EngineDeps | null = null;

  constructor(deps: EngineLoopDeps) {
    this.#deps = deps;
  }

  async turn({ stopping }: LoopHost): Promise<'worked' | 'idle'> {
    this.#lock ??= await this.#deps.openLock();
    if (!(await this.#lock.tryAcquire())) return 'idle';
    this.#step ??= await this.#startEngine(this.#lock, stopping);
    await this.#deps.heartbeat.keep(this.#lock.db);
    return engineStep(this.#step);
  }

  async onError(error: unknown): Promise<void> {
    this.#deps.onError(error);
    // No state of a failed transaction is carried over.
    await this.release().catch(() => undefined);
  }

  /** A broken connection is closed already. */
  async release(): Promise<void> {
    const lock = this.#lock;
    this.#lock = null;
    this.#step = null;
    await lock?.close();
  }

  async #startEngine({ db }: EngineLock, stopping: AbortSignal): Promise<EngineDeps> {
    const { now, release, heartbeat, onError, onRun } = this.#deps;
    await heartbeat.beat(db);
    await handleUpgrade({ db, now }, release);
    return {
      db,
      now,
      batchSize: BATCH_SIZE,
      isStopping: () => stopping.aborted,
      skippedUntil: new Map(),
      planned: new PlannedPages(),
      onUnexpectedError: onError,
      ...(onRun === undefined ? {} : { onRun }),
    };
  }
}

/**
 * Does one step of the engine's work, a batch or a plan. Order: a run in progress, a queued run, due listings, the full
 * check. Call it again immediately after "worked". One caller at a time per database, see src/db/engine-lock.ts.
 */
export async function engineStep(deps: EngineDeps): Promise<'worked' | 'idle'> {
  const { db, now, batchSize } = deps;
  const open = await findOpenRun(db);
  if (open !== null) deps.onRun?.(open);
  if (open?.state === 'running') return advanceRun(deps, open);
  if (open !== null) {
    await startRun(db, open.id, await countLive(db), now());
    await notify(db, 'pricewright_engine', []);
    return 'worked';
  }
  // A never-ending stream of changes must not delay the full check forever.
  if (await isFullCheckDue(deps, 2)) return startFullCheck(deps);
  const due = await countDue(db, batchSize + 1);
  if (due > batchSize) {
    const planned = await countDue(db, Number.MAX_SAFE_INTEGER);
    await insertRun(db, { trigger: 'data_change', state: 'running', startedAt: now(), planned });
    await notify(db, 'pricewright_engine', []);
    return 'worked';
  }
  if (due > 0) {
    const run = { id: null, trigger: 'data_change', planned: due, startedAt: now() } as const;
    deps.onRun?.(run);
    return advanceRun(deps, run);
  }
  return (await isFullCheckDue(deps, 1)) ? startFullCheck(deps) : 'idle';
}

async function isFullCheckDue({ db, now }: EngineDeps, intervals: number): Promise<boolean> {
  const last = await lastFullRunAt(db, now());
  // Before the first full check, listings are due anyway.
  if (last === null) return intervals === 1 && (await countLive(db)) > 0;
  const { checkInterval } = await readSchedule(db);
  return now() >= ((last + minutes(checkInterval * intervals)) as Instant);
}

async function startFullCheck({ db, now }: EngineDeps): Promise<'worked'> {
  const { timeZone } = await readSettings(db);
  const at = now();
  await takeDayStocks(db, shopTime(at, timeZone).day, at);
  await insertRun(db, {
    trigger: 'full_check',
    state: 'running',
    startedAt: now(),
    planned: await countLive(db),
  });
  await notify(db, 'pricewright_engine', []);
  return 'worked';
}

/**
 * The next step of a run: its plan, when it needs one, or a batch.
 * @throws any error. After a connection failure the run can be continued; any other error marks it as failed, with the
 *   reason
 */
async function advanceRun(deps: EngineDeps, run: RunRow | ActiveRun): Promise<'worked' | 'idle'> {
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

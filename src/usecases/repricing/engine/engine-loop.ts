import type { EngineLock } from '#db/engine-lock.ts';
import { notify } from '#db/listen.ts';
import { takeDayStocks } from '#db/queries/repricing/day-stocks.ts';
import { countDue, countLive } from '#db/queries/repricing/due-listings.ts';
import { readSchedule } from '#db/queries/repricing/engine.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { findOpenRun, insertRun, lastFullRunAt, startRun } from '#db/queries/repricing/runs.ts';
import { shopTime } from '#domain/time/local-time.ts';
import { type Instant, minutes } from '#domain/units.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import { advanceRun } from './advance-run.ts';
import { BATCH_SIZE, type EngineDeps } from './engine-deps.ts';
import { handleUpgrade } from './handle-upgrade.ts';
import type { Heartbeat } from './heartbeat.ts';
import { PlannedPages } from './planned-pages.ts';

/** Milliseconds between two steps when idle. */
const IDLE_WAIT = 1_000;

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

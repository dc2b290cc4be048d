import type { EngineLock } from '#db/engine-lock.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import { BATCH_SIZE, type EngineDeps } from './engine-deps.ts';
import { engineStep } from './engine-step.ts';
import { handleUpgrade } from './handle-upgrade.ts';
import type { Heartbeat } from './heartbeat.ts';
import { PlannedPages } from './planned-pages.ts';

/** Milliseconds between two steps when idle. */
const IDLE_WAIT = 1_000;

/** Dependencies of the engine loop. */
export interface EngineLoopDeps extends Pick<EngineDeps, 'now'> {
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
    const { now, release, heartbeat, onError } = this.#deps;
    await heartbeat.beat(db);
    await handleUpgrade({ db, now }, release);
    return {
      db,
      now,
      batchSize: BATCH_SIZE,
      isStopping: () => stopping.aborted,
      skippedUntil: new Map(),
      planned: new PlannedPages(),
      onFault: onError,
    };
  }
}

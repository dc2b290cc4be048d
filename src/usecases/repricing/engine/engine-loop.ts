import type { EngineLock } from '#db/engine-lock.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import { BATCH_SIZE, type EngineDeps } from './engine-deps.ts';
import { engineStep } from './engine-step.ts';
import { handleUpgrade } from './handle-upgrade.ts';
import type { Heartbeat } from './heartbeat.ts';
import { PlannedPages } from './planned-pages.ts';

/** Milliseconds. */
const IDLE_WAIT = 1_000;

/** What the engine needs from outside. */
export interface EngineLoopDeps extends Pick<EngineDeps, 'now'> {
  readonly openLock: () => Promise<EngineLock>;
  /** Version and schema of this program. */
  readonly release: string;
  readonly heartbeat: Pick<Heartbeat, 'beat' | 'keep'>;
  readonly onError: (error: unknown) => void;
}

/** Is the engine, or waits to become it. After any error it works on a new connection. */
export class EngineLoop implements LoopTask {
  readonly idleWait = IDLE_WAIT;
  readonly #deps: EngineLoopDeps;
  #lock: EngineLock | null = null;
  /** What the engine keeps between its steps, once it is the engine. */
  #step: EngineDeps | null = null;

  constructor(deps: EngineLoopDeps) {
    this.#deps = deps;
  }

  async turn({ stopping }: LoopHost): Promise<'worked' | 'idle'> {
    this.#lock ??= await this.#deps.openLock();
    if (!(await this.#lock.tryAcquire())) return 'idle';
    this.#step ??= await this.#begin(this.#lock, stopping);
    await this.#deps.heartbeat.keep(this.#lock.db);
    return engineStep(this.#step);
  }

  async onError(error: unknown): Promise<void> {
    this.#deps.onError(error);
    // Nothing of a broken transaction is carried over.
    await this.release().catch(() => undefined);
  }

  /** A connection that broke is closed already. */
  async release(): Promise<void> {
    const lock = this.#lock;
    this.#lock = null;
    this.#step = null;
    await lock?.close();
  }

  async #begin({ db }: EngineLock, stopping: AbortSignal): Promise<EngineDeps> {
    const { now, release, heartbeat, onError } = this.#deps;
    await heartbeat.beat(db);
    await handleUpgrade({ db, now }, release);
    return {
      db,
      now,
      batchSize: BATCH_SIZE,
      isStopping: () => stopping.aborted,
      aside: new Map(),
      planned: new PlannedPages(),
      onFault: onError,
    };
  }
}

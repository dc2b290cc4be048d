import type { EngineLock } from '#db/engine-lock.ts';
import { BATCH_SIZE, type EngineDeps } from './engine-deps.ts';
import { engineStep } from './engine-step.ts';
import { handleUpgrade } from './handle-upgrade.ts';
import type { Heartbeat } from './heartbeat.ts';
import { PlannedPages } from './planned-pages.ts';

/** Milliseconds between two looks at the database when nothing wakes the engine. */
const IDLE_WAIT = 1_000;
const LONGEST_WAIT = 60_000;

/** What the loop needs from outside. */
export interface LoopDeps extends Pick<EngineDeps, 'now' | 'isStopping'> {
  readonly openSeat: () => Promise<EngineLock>;
  readonly release: string;
  readonly heartbeat: Pick<Heartbeat, 'beat' | 'keep'>;
  /** Resolves after so many milliseconds, or earlier when there may be work or the process wants to end. */
  readonly wait: (most: number) => Promise<void>;
  /** Nobody may be woken from a wait after trouble: it would be no wait. */
  readonly rest: (time: number) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Is the engine, or waits to become it, until the process wants to end. Trouble is told and tried again after waits
 * that grow to a minute; a lost connection is replaced.
 */
export async function runEngineLoop(deps: LoopDeps): Promise<void> {
  let seat: EngineLock | null = null;
  let failures = 0;
  while (!deps.isStopping()) {
    try {
      seat ??= await deps.openSeat();
      await whileSeated(deps, seat, () => {
        failures = 0;
      });
    } catch (error) {
      failures++;
      deps.onTrouble(error);
      // A new connection after any trouble: nothing of a broken transaction is carried over.
      await leave(seat);
      seat = null;
      await deps.rest(Math.min(IDLE_WAIT * 2 ** (failures - 1), LONGEST_WAIT));
    }
  }
  await leave(seat);
}

async function whileSeated(deps: LoopDeps, seat: EngineLock, onProgress: () => void): Promise<void> {
  while (!deps.isStopping() && !(await seat.tryAcquire())) await deps.wait(IDLE_WAIT);
  if (deps.isStopping()) return;
  const step: EngineDeps = {
    ...deps,
    db: seat.db,
    batchSize: BATCH_SIZE,
    aside: new Map(),
    planned: new PlannedPages(),
    onFault: deps.onTrouble,
  };
  await deps.heartbeat.beat(seat.db);
  await handleUpgrade(step, deps.release);
  while (!deps.isStopping() && (await seat.tryAcquire())) {
    await deps.heartbeat.keep(seat.db);
    const outcome = await engineStep(step);
    onProgress();
    if (outcome === 'idle') await deps.wait(IDLE_WAIT);
  }
}

async function leave(seat: EngineLock | null): Promise<void> {
  // A connection that broke is closed already.
  await seat?.close().catch(() => undefined);
}

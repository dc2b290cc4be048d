import { runEngineLoop } from '#usecases/repricing/engine/engine-loop.ts';
import { createWakeSignal } from '#usecases/repricing/engine/wake-signal.ts';

/** What the engine is started with. */
export type EngineStart = Pick<
  Parameters<typeof runEngineLoop>[0],
  'openSeat' | 'now' | 'release' | 'heartbeat' | 'onTrouble'
>;

/** The engine of this process: at work, or ready to take over from another process. */
export interface RunningEngine {
  /** There may be something to do: looked at now instead of within a second. */
  wake(): void;
  /** Ends it after the batch under way. */
  stop(): Promise<void>;
}

/** Starts the engine. It never fails: trouble is told and tried again. */
export function startEngine(start: EngineStart): RunningEngine {
  const waker = createWakeSignal();
  const ending = createWakeSignal();
  let isStopping = false;
  const loop = runEngineLoop({
    ...start,
    isStopping: () => isStopping,
    wait: (most) => waker.wait(most),
    rest: (time) => ending.wait(time),
  });
  return {
    wake: () => waker.wake(),
    stop: async () => {
      isStopping = true;
      waker.wake();
      ending.wake();
      await loop;
    },
  };
}

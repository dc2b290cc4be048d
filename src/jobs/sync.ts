import { type ReadingLoopDeps, runReadingLoop } from '#usecases/marketplaces/sync/sync-loop.ts';
import { createWakeSignal } from '#usecases/repricing/engine/wake-signal.ts';

/** What reading is started with. */
type ReadingStart = Pick<
  ReadingLoopDeps,
  'db' | 'now' | 'connections' | 'owner' | 'session' | 'onTrouble'
> & {
  readonly marketplaces: readonly Parameters<typeof runReadingLoop>[1][];
};

/** The reading of this process: at work, or standing by while another process does it. */
export interface RunningReading {
  /** Something may be due: looked at now instead of within seconds. */
  wake(): void;
  /** Ends it; what was read until then stays. */
  stop(): Promise<void>;
}

/** Starts a loop for each marketplace: one that hangs delays no other. It never fails: trouble is told and tried again. */
export function startSync(start: ReadingStart): RunningReading {
  const stopping = new AbortController();
  const loops = start.marketplaces.map((marketplace) => {
    const waker = createWakeSignal();
    const done = runReadingLoop(
      {
        ...start,
        isStopping: () => stopping.signal.aborted,
        stopping: stopping.signal,
        wait: (most) => waker.wait(most),
      },
      marketplace,
    );
    return { waker, done };
  });
  const wake = (): void => {
    for (const { waker } of loops) waker.wake();
  };
  return {
    wake,
    stop: async () => {
      stopping.abort();
      wake();
      await Promise.all(loops.map(({ done }) => done));
    },
  };
}

import type { MarketplaceSender, SendingDeps } from '#usecases/marketplaces/sending/sending-deps.ts';
import { runSendingLoop } from '#usecases/marketplaces/sending/sending-loop.ts';
import { createWakeSignal } from '#usecases/repricing/engine/wake-signal.ts';

/** What sending is started with. */
interface SendingStart extends SendingDeps {
  readonly marketplaces: readonly MarketplaceSender['marketplace'][];
  readonly onTrouble: (error: unknown, marketplace: MarketplaceSender['marketplace']) => void;
}

/** The sending of this process: at work, or standing by while another process does it. */
export interface RunningSending {
  /** There may be something to do: looked at now instead of within a second. */
  wake(): void;
  /** Ends it after the calls under way. */
  stop(): Promise<void>;
}

/** Starts a loop for each marketplace: one that hangs delays no other. It never fails: trouble is told and tried again. */
export function startSending(start: SendingStart): RunningSending {
  let isStopping = false;
  const loops = start.marketplaces.map((marketplace) => {
    const waker = createWakeSignal();
    const ending = createWakeSignal();
    const done = runSendingLoop(
      {
        ...start,
        isStopping: () => isStopping,
        wait: (most) => waker.wait(most),
        rest: (time) => ending.wait(time),
        onTrouble: (error) => start.onTrouble(error, marketplace),
      },
      marketplace,
    );
    return { waker, ending, done };
  });
  return {
    wake: () => {
      for (const { waker } of loops) waker.wake();
    },
    stop: async () => {
      isStopping = true;
      for (const { waker, ending } of loops) {
        waker.wake();
        ending.wake();
      }
      await Promise.all(loops.map(({ done }) => done));
    },
  };
}

import {
  type OfferListeningDeps,
  runOfferListening,
} from '#usecases/marketplaces/webhooks/listen-for-offers.ts';
import { createWakeSignal } from '#usecases/repricing/engine/wake-signal.ts';

/** The taking of messages by this process: at work, or standing by while another process does it. */
export interface RunningListening {
  /** Ends it; what was taken is kept, what was not comes again. */
  stop(): Promise<void>;
}

/**
 * Starts to take messages about changed offers. It never fails: trouble is told and tried again.
 * @param longestWait in milliseconds, between two looks at anything; tests look more often than needed
 */
export function startOfferNotifications(
  start: Omit<OfferListeningDeps, 'isStopping' | 'stopping' | 'wait'>,
  longestWait = Number.POSITIVE_INFINITY,
): RunningListening {
  const stopping = new AbortController();
  const waker = createWakeSignal();
  const done = runOfferListening({
    ...start,
    isStopping: () => stopping.signal.aborted,
    stopping: stopping.signal,
    wait: (most) => waker.wait(Math.min(most, longestWait)),
  });
  return {
    stop: async () => {
      stopping.abort();
      waker.wake();
      await done;
    },
  };
}

import {
  runSubscribing,
  type SubscribingDeps,
} from '#usecases/marketplaces/webhooks/maintain-subscriptions.ts';
import type { EventDeps } from '#usecases/marketplaces/webhooks/receive-event.ts';
import { createWakeSignal } from '#usecases/repricing/engine/wake-signal.ts';

/** What it is started with. */
type SubscribingStart = Omit<SubscribingDeps, 'isStopping' | 'stopping' | 'wait'> &
  Pick<EventDeps, 'webhooks'>;

/** The keeping of subscriptions by this process: at work, or standing by while another process does it. */
export interface RunningSubscribing {
  /** Ends it; the subscriptions stay. */
  stop(): Promise<void>;
}

/**
 * Starts a loop for each marketplace that sends events. It never fails: trouble is told and tried again.
 * @param longestWait in milliseconds, between two looks at anything; tests look more often than needed
 */
export function startWebhookSubscriptions(
  { webhooks, ...start }: SubscribingStart,
  longestWait = Number.POSITIVE_INFINITY,
): RunningSubscribing {
  const stopping = new AbortController();
  const loops = Object.entries(webhooks).map(([name, hooks]) => {
    const waker = createWakeSignal();
    const done = runSubscribing(
      {
        ...start,
        isStopping: () => stopping.signal.aborted,
        stopping: stopping.signal,
        wait: (most) => waker.wait(Math.min(most, longestWait)),
      },
      name as keyof typeof webhooks,
      hooks,
    );
    return { waker, done };
  });
  return {
    stop: async () => {
      stopping.abort();
      for (const { waker } of loops) waker.wake();
      await Promise.all(loops.map(({ done }) => done));
    },
  };
}

import type { Marketplace } from '#domain/marketplaces.ts';
import type { SendingDeps } from './sending-deps.ts';
import { createSender, sendTick } from './sending-pass.ts';

/** Milliseconds between two looks when nothing wakes the sender. */
const IDLE_WAIT = 750;
const LONGEST_WAIT = 60_000;

export interface SendingLoopDeps extends SendingDeps {
  readonly isStopping: () => boolean;
  /** Resolves after so many milliseconds, or earlier when there may be work or the process wants to end. */
  readonly wait: (most: number) => Promise<void>;
  /** Nobody may be woken from a wait after trouble: it would be no wait. */
  readonly rest: (time: number) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Sends the prices of one marketplace until the process wants to end. Trouble is told and tried again after waits that
 * grow to a minute.
 */
export async function runSendingLoop(deps: SendingLoopDeps, marketplace: Marketplace): Promise<void> {
  const desk = createSender(deps, marketplace);
  let failures = 0;
  while (!deps.isStopping()) {
    try {
      const outcome = await sendTick(desk);
      failures = 0;
      if (outcome === 'idle') await deps.wait(IDLE_WAIT);
    } catch (error) {
      failures++;
      deps.onTrouble(error);
      await deps.rest(Math.min(IDLE_WAIT * 2 ** (failures - 1), LONGEST_WAIT));
    }
  }
  // Another process need not wait for its end.
  await desk.duty.end().catch(() => undefined);
}

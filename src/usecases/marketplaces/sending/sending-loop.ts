import type { Marketplace } from '#domain/marketplaces.ts';
import type { LoopTask } from '#usecases/background/supervised-loop.ts';
import type { SendingDeps } from './sending-deps.ts';
import { createSender, sendTick } from './sending-pass.ts';

/** Milliseconds between two steps when idle. */
const IDLE_WAIT = 750;

export interface SendingLoopDeps extends SendingDeps {
  readonly onError: (error: unknown, marketplace: Marketplace) => void;
}

/** Sends the prices of one marketplace. */
export function sendingLoop(deps: SendingLoopDeps, marketplace: Marketplace): LoopTask {
  const sender = createSender(deps, marketplace);
  return {
    idleWait: IDLE_WAIT,
    turn: () => sendTick(sender),
    onError: (error) => deps.onError(error, marketplace),
    release: () => sender.heldLease.end(),
  };
}

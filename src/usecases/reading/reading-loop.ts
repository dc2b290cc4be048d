import type { Marketplace } from '#domain/marketplaces.ts';
import { type Connections, isReachable } from '#usecases/connections/connections.ts';
import { Duty } from '#usecases/duties/duty.ts';
import { readMarketplace } from './read-marketplace.ts';
import type { ReadingDeps } from './reading-deps.ts';
import { readingDuty } from './reading-duty.ts';

/** Milliseconds between two looks at what is due. */
const IDLE_WAIT = 5_000;
const LONGEST_WAIT = 60_000;
/** A round that takes longer is broken off; what it read stays, and the next round goes on. Milliseconds. */
const LONGEST_ROUND = 30 * 60_000;
/** How often the duty is asked for again while a round goes on. */
const HOLD_EVERY = 30_000;

export interface ReadingLoopDeps extends ReadingDeps {
  readonly connections: Connections;
  /** Names this process, and no other one. */
  readonly owner: string;
  readonly isStopping: () => boolean;
  /** Aborted when the process wants to end. */
  readonly stopping: AbortSignal;
  /** Resolves after so many milliseconds, or earlier when somebody asks for a look or the process wants to end. */
  readonly wait: (most: number) => Promise<void>;
  readonly onTrouble: (error: unknown, marketplace: Marketplace) => void;
}

/**
 * Reads one marketplace whenever something of it is due, until the process wants to end. One process does it at a time;
 * trouble is told and tried again after waits that grow to a minute.
 */
export async function runReadingLoop(deps: ReadingLoopDeps, marketplace: Marketplace): Promise<void> {
  const duty = new Duty(deps, readingDuty(marketplace));
  let failures = 0;
  while (!deps.isStopping()) {
    let wait = IDLE_WAIT;
    try {
      await round(deps, marketplace, duty);
      failures = 0;
    } catch (error) {
      failures++;
      deps.onTrouble(error, marketplace);
      wait = Math.min(IDLE_WAIT * 2 ** (failures - 1), LONGEST_WAIT);
    }
    if (!deps.isStopping()) await deps.wait(wait);
  }
  await duty.end().catch(() => undefined);
}

async function round(deps: ReadingLoopDeps, marketplace: Marketplace, duty: Duty): Promise<void> {
  const state = await deps.connections.stateOf(marketplace);
  if (!isReachable(state) || (await duty.hold()) === null) return;
  const lost = new AbortController();
  // Reading twice harms nobody, but it spends the budget twice: a process that lost its turn stops.
  const timer = setInterval(() => {
    duty.hold().then(
      (lease) => lease === null && lost.abort(),
      () => lost.abort(),
    );
  }, HOLD_EVERY);
  try {
    const signal = AbortSignal.any([deps.stopping, lost.signal, AbortSignal.timeout(LONGEST_ROUND)]);
    await readMarketplace(deps, { connection: state.connection, signal });
  } finally {
    clearInterval(timer);
  }
}

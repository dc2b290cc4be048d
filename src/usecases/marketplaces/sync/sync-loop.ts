import type { Marketplace } from '#domain/marketplaces.ts';
import type { SyncKind } from '#domain/sync-kinds.ts';
import { hours, type Instant } from '#domain/units.ts';
import { HeldLease, type LeaseDeps } from '#usecases/background/held-lease.ts';
import {
  type Connection,
  type Connections,
  isReachable,
} from '#usecases/marketplaces/connections/connections.ts';
import { type DueRead, findDueReads, runSync } from './run-sync.ts';
import type { ReadingDeps } from './sync-deps.ts';
import { syncLease } from './sync-lease.ts';

/** Milliseconds between two looks at what is due. The duty is asked for again at each. */
const IDLE_WAIT = 5_000;
const LONGEST_WAIT = 60_000;
/**
 * A reading that takes longer is broken off; what it read stays, and the next one goes on. Longer than the slowest report
 * that a marketplace is given time for.
 */
const LONGEST_READING = hours(2);
/** A kind that failed here, and not there, is left alone for so long. Milliseconds. */
const AFTER_OWN_FAULT = 60_000;

export interface ReadingLoopDeps extends ReadingDeps, LeaseDeps {
  readonly connections: Connections;
  readonly isStopping: () => boolean;
  /** Aborted when the process wants to end. */
  readonly stopping: AbortSignal;
  /** Resolves after so many milliseconds, or earlier when somebody asks for a look or the process wants to end. */
  readonly wait: (most: number) => Promise<void>;
  readonly onTrouble: (error: unknown, marketplace: Marketplace) => void;
}

/**
 * Reads one marketplace whenever something of it is due, until the process wants to end. Its kinds are read side by side:
 * a slow report keeps nothing waiting. One process has all of them, so that they share one budget; whoever loses the duty
 * stops reading. Trouble is told and tried again after waits that grow to a minute.
 */
export async function runReadingLoop(deps: ReadingLoopDeps, marketplace: Marketplace): Promise<void> {
  const duty = new HeldLease(deps, syncLease(marketplace));
  const kinds = new KindsUnderWay(deps, marketplace);
  let failures = 0;
  while (!deps.isStopping()) {
    let wait = IDLE_WAIT;
    try {
      await look(deps, marketplace, duty, kinds);
      failures = 0;
    } catch (error) {
      failures++;
      deps.onTrouble(error, marketplace);
      wait = Math.min(IDLE_WAIT * 2 ** (failures - 1), LONGEST_WAIT);
      // Reading twice harms nobody, but it spends the budget twice: without the duty nobody goes on.
      if (!duty.isHeldFor(hours(0))) kinds.stop();
    }
    if (!deps.isStopping()) await deps.wait(wait);
  }
  await kinds.ended();
  await duty.end().catch(() => undefined);
}

/** One look at what is due: it is begun, and not waited for. */
async function look(
  deps: ReadingLoopDeps,
  marketplace: Marketplace,
  duty: HeldLease,
  kinds: KindsUnderWay,
): Promise<void> {
  const state = await deps.connections.stateOf(marketplace);
  if (!isReachable(state) || (await duty.hold()) === null) return kinds.stop();
  for (const due of await findDueReads(deps, marketplace)) kinds.begin(state.connection, due);
}

/** The kinds of one marketplace that this process reads at the moment. */
class KindsUnderWay {
  readonly #deps: ReadingLoopDeps;
  readonly #marketplace: Marketplace;
  readonly #underWay = new Map<SyncKind, Promise<void>>();
  readonly #restsUntil = new Map<SyncKind, Instant>();
  /** Ends the readings that were begun with it. */
  #turn = new AbortController();

  constructor(deps: ReadingLoopDeps, marketplace: Marketplace) {
    this.#deps = deps;
    this.#marketplace = marketplace;
  }

  /** Begins to read a kind, unless it is being read already or rests after a fault of ours. */
  begin(connection: Connection, due: DueRead): void {
    const { what } = due;
    if (this.#underWay.has(what) || this.#rests(what)) return;
    const limits = [this.#deps.stopping, this.#turn.signal, AbortSignal.timeout(LONGEST_READING)];
    const reading = { connection, signal: AbortSignal.any(limits) };
    const done = runSync(this.#deps, reading, due)
      .catch((error: unknown) => {
        this.#restsUntil.set(what, (this.#deps.now() + AFTER_OWN_FAULT) as Instant);
        this.#deps.onTrouble(error, this.#marketplace);
      })
      .finally(() => this.#underWay.delete(what));
    this.#underWay.set(what, done);
  }

  /** Breaks off whatever is being read. */
  stop(): void {
    if (this.#underWay.size === 0) return;
    this.#turn.abort();
    this.#turn = new AbortController();
  }

  /** Resolves when nothing is being read any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  /** A clock that was set back ends the rest. */
  #rests(what: SyncKind): boolean {
    const until = this.#restsUntil.get(what);
    const left = until === undefined ? 0 : until - this.#deps.now();
    return left > 0 && left <= AFTER_OWN_FAULT;
  }
}

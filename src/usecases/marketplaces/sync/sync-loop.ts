import type { Marketplace } from '#domain/marketplaces.ts';
import type { SyncKind } from '#domain/sync-kinds.ts';
import { hours, type Instant } from '#domain/units.ts';
import { HeldLease, type LeaseDeps } from '#usecases/background/held-lease.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import {
  type Connection,
  type Connections,
  isReachable,
} from '#usecases/marketplaces/connections/connections.ts';
import { type DueSync, findDueSyncs, runSync } from './run-sync.ts';
import type { ReadingDeps } from './sync-deps.ts';
import { syncLease } from './sync-lease.ts';

/** Milliseconds between two looks at what is due. The lease is renewed at each. */
const IDLE_WAIT = 5_000;
/**
 * A reading that takes longer is broken off; what it read stays, and the next one goes on. Longer than the slowest report
 * that a marketplace is given time for.
 */
const LONGEST_READING = hours(2);
/** A kind that failed here, and not there, is left alone for so long. Milliseconds. */
const AFTER_OWN_FAULT = 60_000;

export interface ReadingLoopDeps extends ReadingDeps, LeaseDeps {
  readonly connections: Connections;
  readonly onError: (error: unknown, marketplace: Marketplace) => void;
}

/**
 * Reads one marketplace whenever something of it is due. Its kinds are read next to each other: a slow report keeps
 * nothing waiting. One process has all of them, so that they share one budget; one that loses the lease stops reading.
 */
export class SyncLoop implements LoopTask {
  readonly idleWait = IDLE_WAIT;
  readonly #deps: ReadingLoopDeps;
  readonly #marketplace: Marketplace;
  readonly #lease: HeldLease;
  readonly #kinds: KindsUnderWay;

  constructor(deps: ReadingLoopDeps, marketplace: Marketplace) {
    this.#deps = deps;
    this.#marketplace = marketplace;
    this.#lease = new HeldLease(deps, syncLease(marketplace));
    this.#kinds = new KindsUnderWay(deps, marketplace);
  }

  /** Looks at what is due: it is started, and not waited for. */
  async turn({ stopping }: LoopHost): Promise<'idle'> {
    const state = await this.#deps.connections.stateOf(this.#marketplace);
    if (!isReachable(state) || (await this.#lease.hold()) === null) this.#kinds.stop();
    else {
      const dues = await findDueSyncs(this.#deps, this.#marketplace);
      for (const due of dues) this.#kinds.begin(state.connection, due, stopping);
    }
    return 'idle';
  }

  onError(error: unknown): void {
    this.#deps.onError(error, this.#marketplace);
    // Reading twice harms nobody, but it spends the budget twice: without the lease nothing goes on.
    if (!this.#lease.isHeldFor(hours(0))) this.#kinds.stop();
  }

  async release(): Promise<void> {
    await this.#kinds.ended();
    await this.#lease.end();
  }
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
  begin(connection: Connection, due: DueSync, stopping: AbortSignal): void {
    const { what } = due;
    if (this.#underWay.has(what) || this.#rests(what)) return;
    const limits = [stopping, this.#turn.signal, AbortSignal.timeout(LONGEST_READING)];
    const reading = { connection, signal: AbortSignal.any(limits) };
    const done = runSync(this.#deps, reading, due)
      .catch((error: unknown) => {
        this.#restsUntil.set(what, (this.#deps.now() + AFTER_OWN_FAULT) as Instant);
        this.#deps.onError(error, this.#marketplace);
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

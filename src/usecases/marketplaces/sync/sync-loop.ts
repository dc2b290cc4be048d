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
import type { SyncDeps } from './sync-deps.ts';
import { syncLease } from './sync-lease.ts';

/** Milliseconds between two checks of what is due. Each renews the lease. */
const IDLE_WAIT = 5_000;
/**
 * A longer sync is aborted; what it stored stays, and the next one continues. Longer than the timeout of the slowest
 * marketplace report.
 */
const MAX_SYNC_DURATION = hours(2);
/** Milliseconds that a kind pauses after an unexpected error of our own. */
const INTERNAL_ERROR_PAUSE = 60_000;

export interface SyncLoopDeps extends SyncDeps, LeaseDeps {
  readonly connections: Connections;
  readonly onError: (error: unknown, marketplace: Marketplace) => void;
}

/**
 * Syncs one marketplace whenever a kind is due. Kinds run in parallel, so that a slow report delays no other. One process
 * runs all of them, so that they share one rate budget; a process that loses the lease stops.
 */
export class SyncLoop implements LoopTask {
  readonly idleWait = IDLE_WAIT;
  readonly #deps: SyncLoopDeps;
  readonly #marketplace: Marketplace;
  readonly #lease: HeldLease;
  readonly #active: ActiveSyncs;

  constructor(deps: SyncLoopDeps, marketplace: Marketplace) {
    this.#deps = deps;
    this.#marketplace = marketplace;
    this.#lease = new HeldLease(deps, syncLease(marketplace));
    this.#active = new ActiveSyncs(deps, marketplace);
  }

  /** Starts the due syncs without waiting for them. */
  async turn({ stopping }: LoopHost): Promise<'idle'> {
    const state = await this.#deps.connections.stateOf(this.#marketplace);
    if (!isReachable(state) || (await this.#lease.hold()) === null) this.#active.stop();
    else {
      const dues = await findDueSyncs(this.#deps, this.#marketplace);
      for (const due of dues) this.#active.start(state.connection, due, stopping);
    }
    return 'idle';
  }

  onError(error: unknown): void {
    this.#deps.onError(error, this.#marketplace);
    // Syncing in two processes would spend the rate budget twice, so without the lease everything stops.
    if (!this.#lease.isHeldFor(hours(0))) this.#active.stop();
  }

  async release(): Promise<void> {
    await this.#active.ended();
    await this.#lease.end();
  }
}

/** The syncs of one marketplace that run in this process. */
class ActiveSyncs {
  readonly #deps: SyncLoopDeps;
  readonly #marketplace: Marketplace;
  readonly #running = new Map<SyncKind, Promise<void>>();
  readonly #pausedUntil = new Map<SyncKind, Instant>();
  /** Aborts the syncs that were started with it. */
  #turn = new AbortController();

  constructor(deps: SyncLoopDeps, marketplace: Marketplace) {
    this.#deps = deps;
    this.#marketplace = marketplace;
  }

  /** Starts the sync of a kind, unless it is running or paused after an error of our own. */
  start(connection: Connection, due: DueSync, stopping: AbortSignal): void {
    const { kind } = due;
    if (this.#running.has(kind) || this.#isPaused(kind)) return;
    const limits = [stopping, this.#turn.signal, AbortSignal.timeout(MAX_SYNC_DURATION)];
    const source = { connection, signal: AbortSignal.any(limits) };
    const done = runSync(this.#deps, source, due)
      .catch((error: unknown) => {
        this.#pausedUntil.set(kind, (this.#deps.now() + INTERNAL_ERROR_PAUSE) as Instant);
        this.#deps.onError(error, this.#marketplace);
      })
      .finally(() => this.#running.delete(kind));
    this.#running.set(kind, done);
  }

  /** Aborts all running syncs. */
  stop(): void {
    if (this.#running.size === 0) return;
    this.#turn.abort();
    this.#turn = new AbortController();
  }

  /** Resolves when no sync is running. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** A clock that was set back ends the pause. */
  #isPaused(kind: SyncKind): boolean {
    const until = this.#pausedUntil.get(kind);
    const left = until === undefined ? 0 : until - this.#deps.now();
    return left > 0 && left <= INTERNAL_ERROR_PAUSE;
  }
}

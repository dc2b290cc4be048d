import { ConnectorError } from '#connectors/connector-error.ts';
import { withTimeLimit } from '#connectors/time-limit.ts';
import { notify } from '#db/listen.ts';
import { listSyncRequests } from '#db/queries/marketplaces/connections/received-events.ts';
import {
  findSync,
  finishSync,
  listFullSyncRequests,
  listSyncs,
  startSync,
  writePassedOver,
} from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { readSchedule } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { PartialCatalog } from '#domain/readings/catalog-total.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { HeldLease, type LeaseDeps } from '#usecases/background/lease.ts';
import { syncLease } from '#usecases/background/lease-names.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import {
  type Connection,
  type Connections,
  isReachable,
} from '#usecases/marketplaces/connections/connections.ts';
import { SYNC_FAILED } from '#usecases/sync-errors.ts';
import { dueSyncs, requestBy, syncInterval } from './due-syncs.ts';
import { keepAuthorization } from './keep-authorization.ts';
import { firstReadingOf } from './money-windows.ts';
import { syncCatalog } from './sync-catalog.ts';
import { syncCompetitorOffers } from './sync-competitor-offers.ts';
import { PassedOverList, type SyncDeps, type SyncRun, type SyncSource } from './sync-deps.ts';
import { syncFeaturedPrices } from './sync-featured-prices.ts';
import { syncFees } from './sync-fees.ts';
import { syncFigures } from './sync-figures.ts';
import { isMissingRight, syncMoney } from './sync-money.ts';
import { syncSales } from './sync-sales.ts';
import { unfinishedProblem, unfinishedSince } from './unfinished-syncs.ts';

/** Milliseconds between two checks of what is due. Each renews the lease. */
const IDLE_WAIT = 5_000;
/**
 * A longer sync is aborted; what it stored stays, and the next one continues. Longer than the timeout of the slowest
 * marketplace report.
 */
const MAX_SYNC_DURATION = hours(2);
/** How often it is looked whether the authorization of a marketplace that is switched off has to be used. */
const AUTHORIZATION_EVERY = hours(1);
/** Milliseconds that a kind pauses after an unexpected error of our own. */
const INTERNAL_ERROR_PAUSE = 60_000;

export interface SyncLoopDeps extends SyncDeps, LeaseDeps {
  readonly connections: Connections;
  readonly onError: (error: unknown, marketplace: Marketplace) => void;
  /** Runs around a sync, for traces; returns and throws what `work` does. */
  readonly around?: (marketplace: Marketplace, kind: SyncKind, work: () => Promise<void>) => Promise<void>;
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
  #authorizationSeenAt: Instant | null = null;

  constructor(deps: SyncLoopDeps, marketplace: Marketplace) {
    this.#deps = deps;
    this.#marketplace = marketplace;
    this.#lease = new HeldLease(deps, syncLease(marketplace));
    this.#active = new ActiveSyncs(deps, marketplace);
  }

  /** Starts the due syncs without waiting for them. */
  async turn({ stopping }: LoopHost): Promise<'idle'> {
    const state = await this.#deps.connections.stateOf(this.#marketplace);
    if (state.kind === 'paused') await this.#keepAuthorization(stopping);
    if (!isReachable(state) || (await this.#lease.acquire()) === null) this.#active.stop();
    else {
      // One that ends while the due ones are read would be found due once more, by rows from before its end.
      const running = this.#active.kinds();
      const dues = await findDueSyncs(this.#deps, this.#marketplace);
      for (const due of dues) {
        if (!running.has(due.kind)) this.#active.start(state.connection, due, stopping);
      }
    }
    return 'idle';
  }

  /** Once an hour at most. */
  async #keepAuthorization(stopping: AbortSignal): Promise<void> {
    const now = this.#deps.now();
    const since = this.#authorizationSeenAt === null ? AUTHORIZATION_EVERY : now - this.#authorizationSeenAt;
    if (since >= 0 && since < AUTHORIZATION_EVERY) return;
    this.#authorizationSeenAt = now;
    const unused = await this.#deps.connections.unusedOf?.(this.#marketplace);
    if (unused == null || (await this.#lease.acquire()) === null) return;
    await keepAuthorization(unused, now, stopping);
  }

  onError(error: unknown): void {
    this.#deps.onError(error, this.#marketplace);
    // Syncing in two processes would spend the rate budget twice, so without the lease everything stops.
    if (!this.#lease.isValidFor(hours(0))) this.#active.stop();
  }

  async release(): Promise<void> {
    await this.#active.ended();
    await this.#lease.release();
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

  /** Of the syncs that run now. */
  kinds(): ReadonlySet<SyncKind> {
    return new Set(this.#running.keys());
  }

  /** Starts the sync of a kind, unless it is running or paused after an error of our own. */
  start(connection: Connection, due: DueSync, stopping: AbortSignal): void {
    const { kind } = due;
    if (this.#running.has(kind) || this.#isPaused(kind)) return;
    const { around = (_marketplace, _kind, work) => work() } = this.#deps;
    const sync = (signal: AbortSignal) => runSync(this.#deps, { connection, signal }, due);
    const done = withTimeLimit(MAX_SYNC_DURATION, [stopping, this.#turn.signal], (signal) =>
      around(this.#marketplace, kind, () => sync(signal)),
    )
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

/** Overlap of two sales syncs: orders change after they are placed, and some are reported late. */
const SALES_OVERLAP = hours(48);

/** A kind whose sync is due, and what determines how recent its data has to be. */
export interface DueSync {
  readonly kind: SyncKind;
  /** Minutes. */
  readonly checkInterval: number;
  /** When a user last requested a full sync; null for a request in the future, too. */
  readonly requestedAt: Instant | null;
}

/** Due syncs of a marketplace by the database; the caller skips those it is running already. */
export async function findDueSyncs({ db, now }: SyncDeps, marketplace: Marketplace): Promise<DueSync[]> {
  const rows = (await listSyncs(db)).filter((row) => row.marketplace === marketplace);
  const { checkInterval } = await readSchedule(db);
  const requests = await listFullSyncRequests(db);
  const changedAt = await listSyncRequests(db, marketplace);
  const at = now();
  const requestedAt = requestBy(requests.get(marketplace), at);
  const due = dueSyncs(rows, checkInterval, requestedAt, at, changedAt);
  return due.map((kind) => ({ kind, checkInterval, requestedAt }));
}

/** Outcome of a sync. */
interface SyncResult {
  readonly counts: object;
  /** What the user has to know about a complete sync; null when nothing. */
  readonly problem: string | null;
  readonly notes?: readonly string[];
  readonly partial?: PartialCatalog | null;
}

/**
 * Syncs one kind from a marketplace and records the outcome in `marketplace_syncs`, with the counts so far when the rate
 * budget was used up. Errors of the marketplace are recorded; unexpected errors are recorded and thrown.
 */
export async function runSync(deps: SyncDeps, source: SyncSource, due: DueSync): Promise<void> {
  const { db, now } = deps;
  const { marketplace } = source.connection;
  const { kind } = due;
  const startedAt = now();
  const before = await findSync(db, marketplace, kind);
  await startSync(db, marketplace, kind, startedAt);
  await notify(db, 'pricewright_engine', []);
  let soFar: object = {};
  const run: SyncRun = { ...source, passedOver: new PassedOverList() };
  const end = async ({ counts, problem, notes = [], partial }: SyncResult, isWhole: boolean) => {
    const ended = { startedAt, endedAt: now(), counts: { ...counts }, problem, notes, partial, isWhole };
    await transact(db, async (tx) => {
      await finishSync(tx, marketplace, kind, ended);
      await writePassedOver(tx, marketplace, kind, run.passedOver.rows);
    });
    await notify(db, 'pricewright_engine', []);
  };
  try {
    const times = {
      ...due,
      startedAt,
      succeededAt: before?.succeededAt ?? null,
      partial: before?.partial ?? null,
    };
    const onProgress = (counts: object): void => {
      soFar = counts;
    };
    await end(await syncKind(deps, run, times, onProgress), true);
  } catch (error) {
    if (!(error instanceof ConnectorError)) {
      await end({ counts: {}, problem: SYNC_FAILED }, false).catch(() => undefined);
      throw error;
    }
    // The rate budget is used up, or we are stopping: no action is needed, and the next sync continues, unless for too long.
    const isInterrupted = error.fault === 'busy' || source.signal.aborted;
    const since = isInterrupted ? unfinishedSince(before?.counts ?? null, startedAt) : null;
    const kept = since ?? before?.counts?.unfinishedSince;
    const counts = { ...(isInterrupted && soFar), ...(kept !== undefined && { unfinishedSince: kept }) };
    const tooLong = since === null ? null : unfinishedProblem(marketplace, kind, since, now());
    await end({ counts, problem: isInterrupted ? tooLong : error.message }, false);
  }
}

interface SyncTimes extends DueSync {
  readonly startedAt: Instant;
  /** When the last successful sync of this kind started. */
  readonly succeededAt: Instant | null;
  /** How the last catalog compared with its total. */
  readonly partial: PartialCatalog | null;
}

async function syncKind(
  deps: SyncDeps,
  source: SyncRun,
  times: SyncTimes,
  onProgress: (counts: object) => void,
): Promise<SyncResult> {
  const { kind, startedAt } = times;
  switch (kind) {
    case 'listings':
      return syncCatalog(deps, source, startedAt, times.partial);
    case 'offers':
      return withoutProblem(await syncCompetitorOffers(deps, source, staleBefore(times), onProgress));
    case 'sales':
      return withoutProblem(await syncSales(deps, source, salesSince(times, source.connection.marketplace)));
    case 'figures':
      return withoutProblem(await syncFigures(deps, source, staleBefore(times), onProgress));
    case 'fees':
      return withoutProblem(await syncFees(deps, source, feesStaleBefore(times), onProgress));
    case 'money':
      return syncMoneyIfAllowed(deps, source, times, onProgress);
    case 'featured_prices':
      return withoutProblem(await syncFeaturedPrices(deps, source, startedAt, times.requestedAt, onProgress));
  }
}

/** Without the right to read money everything else goes on: this sync is complete, and says how to grant it. */
async function syncMoneyIfAllowed(
  deps: SyncDeps,
  source: SyncRun,
  times: SyncTimes,
  onProgress: (counts: object) => void,
): Promise<SyncResult> {
  try {
    return withoutProblem(await syncMoney(deps, source, times, onProgress));
  } catch (error) {
    if (!isMissingRight(error)) throw error;
    return { counts: { withoutRight: 1 }, problem: error.message };
  }
}

function withoutProblem(counts: object): SyncResult {
  return { counts, problem: null };
}

/** Listings read after this are recent enough: within half the sync interval, unless a user requested a full sync. */
function staleBefore({ kind, startedAt, checkInterval, requestedAt }: SyncTimes): Instant {
  return Math.max(
    startedAt - syncInterval(kind, checkInterval) / 2,
    Math.min(requestedAt ?? 0, startedAt),
  ) as Instant;
}

/** A fee is requested again after this time, and daily where the missing one blocks the listing. */
const FEE_AGE = hours(24 * 7);
const BLOCKED_FEE_AGE = hours(24);

function feesStaleBefore({ startedAt, requestedAt }: SyncTimes) {
  const requested = Math.min(requestedAt ?? 0, startedAt);
  return {
    syncedBefore: Math.max(startedAt - FEE_AGE, requested) as Instant,
    blockedBefore: Math.max(startedAt - BLOCKED_FEE_AGE, requested) as Instant,
  };
}

function salesSince({ startedAt, succeededAt }: SyncTimes, marketplace: Marketplace): Instant {
  // By a clock that was ahead it is unknown until when they were read.
  const isKnown = succeededAt !== null && succeededAt <= startedAt;
  return instant(isKnown ? succeededAt - SALES_OVERLAP : startedAt - firstReadingOf(marketplace));
}

import { ConnectorError } from '#connectors/connector-error.ts';
import { notify } from '#db/listen.ts';
import {
  findSync,
  finishSync,
  listFullSyncRequests,
  listSyncs,
  startSync,
} from '#db/queries/marketplaces/marketplace-syncs.ts';
import { listSyncRequests } from '#db/queries/marketplaces/webhook-events.ts';
import { readSchedule } from '#db/queries/repricing/engine.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { SyncKind } from '#domain/sync-kinds.ts';
import { hours, type Instant } from '#domain/units.ts';
import { OWN_FAULT } from '#usecases/own-fault.ts';
import { dueSyncs, syncInterval } from './due-syncs.ts';
import { syncCatalog } from './sync-catalog.ts';
import { syncCompetitorOffers } from './sync-competitor-offers.ts';
import type { SyncDeps, SyncSource } from './sync-deps.ts';
import { syncFees } from './sync-fees.ts';
import { syncFigures } from './sync-figures.ts';
import { syncSales } from './sync-sales.ts';

/** Period of the first sales sync. */
const FIRST_SALES_PERIOD = hours(24 * 30);
/** Overlap of two sales syncs: orders change after they are placed, and some are reported late. */
const SALES_OVERLAP = hours(48);

/** A kind whose sync is due, and what determines how recent its data has to be. */
export interface DueSync {
  readonly kind: SyncKind;
  /** Minutes. */
  readonly checkInterval: number;
  /** When a user last requested a full sync. */
  readonly requestedAt: Instant | null;
}

/** Due syncs of a marketplace by the database; the caller skips those it is running already. */
export async function findDueSyncs({ db, now }: SyncDeps, marketplace: Marketplace): Promise<DueSync[]> {
  const rows = (await listSyncs(db)).filter((row) => row.marketplace === marketplace);
  const { checkInterval } = await readSchedule(db);
  const requestedAt = (await listFullSyncRequests(db)).get(marketplace) ?? null;
  const changedAt = await listSyncRequests(db, marketplace);
  const due = dueSyncs(rows, checkInterval, requestedAt, now(), changedAt);
  return due.map((kind) => ({ kind, checkInterval, requestedAt }));
}

/** Outcome of a sync. */
interface SyncResult {
  readonly counts: object;
  /** What the user has to know about a complete sync; null when nothing. */
  readonly problem: string | null;
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
  const end = async ({ counts, problem }: SyncResult, isWhole: boolean) => {
    const ended = { startedAt, endedAt: now(), counts: { ...counts }, problem, isWhole };
    await finishSync(db, marketplace, kind, ended);
    await notify(db, 'pricewright_engine', []);
  };
  try {
    const times = { ...due, startedAt, succeededAt: before?.succeededAt ?? null };
    const onProgress = (counts: object): void => {
      soFar = counts;
    };
    await end(await syncKind(deps, source, times, onProgress), true);
  } catch (error) {
    if (!(error instanceof ConnectorError)) {
      await end({ counts: {}, problem: OWN_FAULT }, false).catch(() => undefined);
      throw error;
    }
    // The rate budget is used up, or we are stopping: no action is needed, and the next sync continues.
    const isInterrupted = error.fault === 'busy' || source.signal.aborted;
    await end({ counts: isInterrupted ? soFar : {}, problem: isInterrupted ? null : error.message }, false);
  }
}

interface SyncTimes extends DueSync {
  readonly startedAt: Instant;
  /** When the last successful sync of this kind started. */
  readonly succeededAt: Instant | null;
}

async function syncKind(
  deps: SyncDeps,
  source: SyncSource,
  times: SyncTimes,
  onProgress: (counts: object) => void,
): Promise<SyncResult> {
  const { kind, startedAt } = times;
  switch (kind) {
    case 'listings':
      return syncCatalog(deps, source, startedAt);
    case 'offers':
      return withoutProblem(await syncCompetitorOffers(deps, source, staleBefore(times), onProgress));
    case 'sales':
      return withoutProblem(await syncSales(deps, source, salesSince(times)));
    case 'figures':
      return withoutProblem(await syncFigures(deps, source, staleBefore(times), onProgress));
    case 'fees':
      return withoutProblem(await syncFees(deps, source, staleBefore(times), onProgress));
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

function salesSince({ startedAt, succeededAt }: SyncTimes): Instant {
  return (succeededAt === null ? startedAt - FIRST_SALES_PERIOD : succeededAt - SALES_OVERLAP) as Instant;
}

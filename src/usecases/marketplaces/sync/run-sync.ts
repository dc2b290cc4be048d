import { ConnectorError } from '#connectors/connector-error.ts';
import { notify } from '#db/listen.ts';
import {
  beginRead,
  endRead,
  findRead,
  listReadRequests,
  listReads,
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
import type { ReadingDeps, ReadingOf } from './sync-deps.ts';
import { syncFees } from './sync-fees.ts';
import { syncFigures } from './sync-figures.ts';
import { syncSales } from './sync-sales.ts';

/** Sales of this time are read the first time. */
const FIRST_SALES = hours(24 * 30);
/** Orders change for a while after they are made, and some are told late. */
const SALES_AGAIN = hours(48);

/** A kind whose turn it is, and how fresh what is read has to be. */
export interface DueSync {
  readonly what: SyncKind;
  /** Minutes. */
  readonly checkInterval: number;
  /** When somebody last asked for a whole reading. */
  readonly askedAt: Instant | null;
}

/** What of a marketplace is to be read now, by what the database says; the caller knows what it reads already. */
export async function findDueSyncs({ db, now }: ReadingDeps, marketplace: Marketplace): Promise<DueSync[]> {
  const rows = (await listReads(db)).filter((row) => row.marketplace === marketplace);
  const { checkInterval } = await readSchedule(db);
  const askedAt = (await listReadRequests(db)).get(marketplace) ?? null;
  const changedAt = await listSyncRequests(db, marketplace);
  const due = dueSyncs(rows, checkInterval, askedAt, now(), changedAt);
  return due.map((what) => ({ what, checkInterval, askedAt }));
}

/** What came of a reading. */
interface Result {
  readonly counts: object;
  /** What people have to know of a reading that was whole; null when nothing is. */
  readonly problem: string | null;
}

/**
 * Reads one kind from a marketplace and writes into `marketplace_syncs` how it went: also what a used-up budget left for
 * the next time. Trouble with the marketplace is written down; trouble of our own is thrown as well.
 */
export async function runSync(deps: ReadingDeps, reading: ReadingOf, due: DueSync): Promise<void> {
  const { db, now } = deps;
  const { marketplace } = reading.connection;
  const { what } = due;
  const startedAt = now();
  const before = await findRead(db, marketplace, what);
  await beginRead(db, marketplace, what, startedAt);
  await notify(db, 'pricewright_engine', []);
  let soFar: object = {};
  const end = async ({ counts, problem }: Result, isWhole: boolean) => {
    const ended = { startedAt, endedAt: now(), counts: { ...counts }, problem, isWhole };
    await endRead(db, marketplace, what, ended);
    await notify(db, 'pricewright_engine', []);
  };
  try {
    const times = { ...due, startedAt, succeededAt: before?.succeededAt ?? null };
    const onProgress = (counts: object): void => {
      soFar = counts;
    };
    await end(await read(deps, reading, times, onProgress), true);
  } catch (error) {
    if (!(error instanceof ConnectorError)) {
      await end({ counts: {}, problem: OWN_FAULT }, false).catch(() => undefined);
      throw error;
    }
    // Its budget is used up, or we stop: nobody has to do anything, and the next time goes on.
    const isNobodysFault = error.fault === 'busy' || reading.signal.aborted;
    await end({ counts: isNobodysFault ? soFar : {}, problem: isNobodysFault ? null : error.message }, false);
  }
}

interface Times extends DueSync {
  readonly startedAt: Instant;
  /** When the last reading of this kind that succeeded began. */
  readonly succeededAt: Instant | null;
}

async function read(
  deps: ReadingDeps,
  reading: ReadingOf,
  times: Times,
  onProgress: (counts: object) => void,
): Promise<Result> {
  const { what, startedAt } = times;
  switch (what) {
    case 'listings':
      return syncCatalog(deps, reading, startedAt);
    case 'offers':
      return withoutProblem(await syncCompetitorOffers(deps, reading, staleBefore(times), onProgress));
    case 'sales':
      return withoutProblem(await syncSales(deps, reading, salesSince(times)));
    case 'figures':
      return withoutProblem(await syncFigures(deps, reading, staleBefore(times), onProgress));
    case 'fees':
      return withoutProblem(await syncFees(deps, reading, staleBefore(times), onProgress));
  }
}

function withoutProblem(counts: object): Result {
  return { counts, problem: null };
}

/** Listings that were read since then are fresh enough: for half the time between two readings, unless somebody asks. */
function staleBefore({ what, startedAt, checkInterval, askedAt }: Times): Instant {
  return Math.max(
    startedAt - syncInterval(what, checkInterval) / 2,
    Math.min(askedAt ?? 0, startedAt),
  ) as Instant;
}

function salesSince({ startedAt, succeededAt }: Times): Instant {
  return (succeededAt === null ? startedAt - FIRST_SALES : succeededAt - SALES_AGAIN) as Instant;
}

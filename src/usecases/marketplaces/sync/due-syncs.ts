import type { SyncRow } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { SYNC_KINDS, type SyncKind } from '#domain/connections/sync-kinds.ts';
import { hoursUntilRetry } from '#domain/readings/catalog-total.ts';
import { hours, type Instant, type Millis } from '#domain/units.ts';

const MINUTE = 60_000 as Millis;

/** Shortest time from the start of a failed sync to the next try. */
const RETRY_DELAY = (5 * MINUTE) as Millis;

/**
 * Time from one sync of a kind to the next.
 * @param checkInterval minutes, of the settings
 */
export function syncInterval(kind: SyncKind, checkInterval: number): Millis {
  const interval = checkInterval * MINUTE;
  // Fees often: a new listing is requested soon, all others only once a week.
  const often = {
    listings: hours(1),
    offers: 0,
    sales: 15 * MINUTE,
    figures: hours(24),
    fees: 15 * MINUTE,
    money: hours(1),
    featured_prices: 15 * MINUTE,
  }[kind];
  return Math.max(interval, often) as Millis;
}

/** Shortest time between two syncs of a kind that events make due: a busy store receives events all the time. */
const MIN_INTERVAL_AFTER_EVENT: Readonly<Record<SyncKind, Millis>> = {
  listings: (10 * MINUTE) as Millis,
  offers: MINUTE,
  sales: MINUTE,
  figures: hours(24),
  fees: (15 * MINUTE) as Millis,
  money: hours(1),
  featured_prices: (15 * MINUTE) as Millis,
};

/** A request for a full sync; null for one in the future: by a clock that was ahead, everything would be read until then. */
export function requestBy(requestedAt: Instant | null | undefined, now: Instant): Instant | null {
  return requestedAt == null || requestedAt > now ? null : requestedAt;
}

/**
 * Kinds whose sync is due. No kind waits for another, except for the first catalog sync: the others need its listings. A
 * kind that is being synced already may be included.
 * @param requestedAt when a user last requested a full sync, see {@link requestBy}
 * @param changedAt when the marketplace last sent an event about a kind
 */
export function dueSyncs(
  rows: readonly SyncRow[],
  checkInterval: number,
  requestedAt: Instant | null,
  now: Instant,
  changedAt: ReadonlyMap<SyncKind, Instant> = new Map(),
): SyncKind[] {
  return SYNC_KINDS.filter((kind) => {
    if (kind !== 'listings' && !wasCatalogSynced(rows)) return false;
    const row = rows.find((each) => each.kind === kind);
    if (row === undefined) return true;
    if (requestedAt !== null && row.startedAt < requestedAt) return true;
    // Without an end, its process died. An aborted sync has an end, but did not succeed.
    const isWhole = row.endedAt !== null && row.succeededAt === row.startedAt;
    const changed = changedAt.get(kind);
    const isOld = changed !== undefined && changed >= row.startedAt && changed <= now;
    const usual = syncInterval(kind, checkInterval);
    const retry = hoursUntilRetry(row.partial);
    const next = retry === null ? usual : hours(retry);
    const wait = isWhole ? (isOld ? Math.min(MIN_INTERVAL_AFTER_EVENT[kind], next) : next) : RETRY_DELAY;
    // A clock that was set back must not delay the sync.
    return now >= row.startedAt + wait || now < row.startedAt;
  });
}

/** Whether a catalog sync has ended before, successfully or not: a failing one must not block the other kinds. */
function wasCatalogSynced(rows: readonly SyncRow[]): boolean {
  const row = rows.find(({ kind }) => kind === 'listings');
  return row !== undefined && (row.endedAt !== null || row.succeededAt !== null);
}

import type { ReadRow } from '#db/queries/marketplaces/marketplace-syncs.ts';
import { SYNC_KINDS, type SyncKind } from '#domain/sync-kinds.ts';
import { hours, type Instant, type Millis } from '#domain/units.ts';

const MINUTE = 60_000 as Millis;

/** How long after a reading that failed the next try comes at the earliest. */
const AFTER_TROUBLE = (5 * MINUTE) as Millis;

/**
 * How often each kind is read.
 * @param checkInterval minutes, of the settings
 */
export function syncInterval(what: SyncKind, checkInterval: number): Millis {
  const interval = checkInterval * MINUTE;
  const often = { listings: hours(1), offers: 0, sales: 15 * MINUTE, figures: hours(24), fees: hours(24) }[
    what
  ];
  return Math.max(interval, often) as Millis;
}

/**
 * How soon a kind is read again at the earliest when the marketplace says that something changed: whoever sells a lot is
 * told so all the time.
 */
const SOONEST: Readonly<Record<SyncKind, Millis>> = {
  listings: (10 * MINUTE) as Millis,
  offers: MINUTE,
  sales: MINUTE,
  figures: hours(24),
  fees: hours(24),
};

/**
 * What is to be read now, each kind for itself: none waits for a slow one, but for the very first catalogue, since the
 * others go by the listings that it brings. What is being read already may be among them.
 * @param askedAt when somebody last asked for a whole reading
 * @param changedAt when the marketplace itself last said that something of a kind has changed
 */
export function dueSyncs(
  rows: readonly ReadRow[],
  checkInterval: number,
  askedAt: Instant | null,
  now: Instant,
  changedAt: ReadonlyMap<SyncKind, Instant> = new Map(),
): SyncKind[] {
  return SYNC_KINDS.filter((what) => {
    if (what !== 'listings' && !wasCatalogueRead(rows)) return false;
    const row = rows.find((each) => each.kind === what);
    if (row === undefined) return true;
    // A request from a clock that was ahead of this one would be answered again and again until that moment.
    if (askedAt !== null && askedAt <= now && row.startedAt < askedAt) return true;
    // Without an end its process died with it; one that was broken off has an end and no success.
    const isWhole = row.endedAt !== null && row.succeededAt === row.startedAt;
    const isOld = (changedAt.get(what) ?? Number.NEGATIVE_INFINITY) >= row.startedAt;
    const usual = syncInterval(what, checkInterval);
    const wait = isWhole ? (isOld ? Math.min(SOONEST[what], usual) : usual) : AFTER_TROUBLE;
    // A clock that was put back by more than that must not hold it up.
    return now >= row.startedAt + wait || now < row.startedAt;
  });
}

/** Whether the catalogue was read before, well or not: one that fails keeps the others from nothing. */
function wasCatalogueRead(rows: readonly ReadRow[]): boolean {
  const row = rows.find(({ kind }) => kind === 'listings');
  return row !== undefined && (row.endedAt !== null || row.succeededAt !== null);
}

import type { ReadRow } from '#db/queries/marketplace-reads.ts';
import { READS, type Read } from '#domain/readings.ts';
import { hours, type Instant, type Millis } from '#domain/units.ts';

const MINUTE = 60_000 as Millis;

/** How long after a reading that failed the next try comes at the earliest. */
const AFTER_TROUBLE = (5 * MINUTE) as Millis;

/**
 * How often each kind is read.
 * @param checkInterval minutes, of the settings
 */
export function rhythm(what: Read, checkInterval: number): Millis {
  const interval = checkInterval * MINUTE;
  const often = { listings: hours(1), offers: 0, sales: 15 * MINUTE, figures: hours(24), fees: hours(24) }[
    what
  ];
  return Math.max(interval, often) as Millis;
}

/**
 * What is to be read now, in the order it is read: the catalogue first, since the others go by it. Asked while nothing of
 * the marketplace is being read.
 * @param askedAt when somebody last asked for a whole reading
 */
export function dueReads(
  rows: readonly ReadRow[],
  checkInterval: number,
  askedAt: Instant | null,
  now: Instant,
): Read[] {
  return READS.filter((what) => {
    const row = rows.find((each) => each.what === what);
    if (row === undefined) return true;
    // A request from a clock that was ahead of this one would be answered again and again until that moment.
    if (askedAt !== null && askedAt <= now && row.beganAt < askedAt) return true;
    // Without an end its process died with it; one that was broken off has an end and no success.
    const isWhole = row.endedAt !== null && row.succeededAt === row.beganAt;
    const wait = isWhole ? rhythm(what, checkInterval) : AFTER_TROUBLE;
    // A clock that was put back by more than that must not hold it up.
    return now >= row.beganAt + wait || now < row.beganAt;
  });
}

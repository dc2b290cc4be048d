import type { Db } from '#db/client.ts';
import { type ThinnedPage, thinOutOffers } from '#db/queries/marketplaces/offer-retention.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

const DAY = hours(24);
/** Every change of what rivals ask, with the offers themselves. */
const RAW_KEPT = 30 * DAY;
/** One row for each hour in which something changed; one for each day after that. */
const HOURS_KEPT = 90 * DAY;
/** Listings per statement: each is a short transaction of its own, and a reading never waits long. */
const PAGE = 500;

/** How many rows were put together to fewer. */
export interface ThinnedOffers {
  readonly records: number;
  readonly hours: number;
}

/**
 * Thins out what was seen of rivals. What explains a price is stored with that price, and stays. Safe to repeat and to
 * break off.
 */
export async function thinOutOldOffers(db: Db, now: Instant, page = PAGE): Promise<ThinnedOffers> {
  const thin = async (grain: 'hour' | 'day', kept: number): Promise<number> => {
    let [rows, after] = [0, 0];
    for (;;) {
      const done: ThinnedPage = await thinOutOffers(db, grain, instant(now - kept), after, page);
      rows += done.rows;
      if (done.last === null) return rows;
      if (!done.isMore) after = done.last;
    }
  };
  return { records: await thin('hour', RAW_KEPT), hours: await thin('day', HOURS_KEPT) };
}

import type { Db } from '#db/client.ts';
import { type ThinnedPage, thinOutOffers } from '#db/queries/marketplaces/offers/thin-out-offers.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

const DAY = hours(24);
/** For this long every change of competitor offers is kept, with the offers themselves. */
const RAW_RETENTION = 30 * DAY;
/** For this long one row per hour with changes is kept; after it one per day. */
const HOURLY_RETENTION = 90 * DAY;
/** Listings per statement, each a short transaction, so that a sync never waits long. */
const PAGE_SIZE = 500;

/** How many rows were merged. */
export interface ThinnedOffers {
  readonly records: number;
  readonly hours: number;
}

/**
 * Thins out the history of competitor offers. What explains a price is stored with that price and stays. Safe to repeat
 * and to interrupt.
 */
export async function thinOutOldOffers(db: Db, now: Instant, page = PAGE_SIZE): Promise<ThinnedOffers> {
  const thin = async (grain: 'hour' | 'day', kept: number): Promise<number> => {
    let [rows, after] = [0, 0];
    for (;;) {
      const done: ThinnedPage = await thinOutOffers(db, grain, instant(now - kept), after, page);
      rows += done.rows;
      if (done.last === null) return rows;
      if (!done.isMore) after = done.last;
    }
  };
  return { records: await thin('hour', RAW_RETENTION), hours: await thin('day', HOURLY_RETENTION) };
}

import type { Db } from '#db/client.ts';
import { changeDayZone, rebuildProfitDays } from '#db/queries/catalog/profit-days.ts';
import { matchLateListings } from '#db/queries/marketplaces/sync/late-listings.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import type { LoopTask } from '#usecases/background/supervised-loop.ts';
import { computeDueSales } from './compute-sales.ts';

/** Milliseconds between two looks for due sales. */
const IDLE_WAIT = 1_000;
/** Days of listings per transaction. */
const MAX_DAYS = 1_000;

export interface SalesLoopDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly onError: (error: unknown) => void;
}

/**
 * Calculates what sales earned, and the sums of their days, whenever sales were recorded or what they are calculated from
 * has changed, and gives days the time zone of the shop once nothing else is due; first, what was sold and booked finds the listings that were added since. Several processes share the work: each takes what no other has locked.
 */
export function salesLoop({ db, now, onError }: SalesLoopDeps): LoopTask {
  return {
    idleWait: IDLE_WAIT,
    turn: async () => {
      const hasMatched = await transact(db, (tx) => matchLateListings(tx, now()));
      const hasComputed = await transact(db, (tx) => computeDueSales(tx, now()));
      const hasSummed = await transact(db, (tx) => rebuildProfitDays(tx, MAX_DAYS));
      if (hasMatched || hasComputed || hasSummed) return 'worked';
      return (await transact(db, changeDayZone)) ? 'worked' : 'idle';
    },
    onError,
    release: async () => undefined,
  };
}

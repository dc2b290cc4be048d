import type { Db } from '#db/client.ts';
import {
  deleteEmptyRuns,
  deleteOldIntents,
  deleteOldItems,
  type ItemCursor,
} from '#db/queries/background/purge.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** Decisions, and runs that left nothing else. */
const KEPT = hours(90 * 24);
/** Runs of what was due that changed and said nothing: there may be thousands a day. */
const EMPTY_DUE_KEPT = hours(7 * 24);
/** Prices that were on their way; what became of them is shown for a week. */
const INTENTS_KEPT = hours(30 * 24);
/** Rows per statement: each is a short transaction of its own, and the engine never waits long. */
const BATCH = 1_000;

/** How many rows were deleted. */
export interface PurgedRuns {
  readonly items: number;
  readonly runs: number;
}

/** Clears away old decisions and prices that were on their way, then runs that nothing tells of any more. Safe to repeat and to break off. */
export async function purgeRuns(db: Db, now: Instant, batch = BATCH): Promise<PurgedRuns> {
  const before = instant(now - KEPT);
  let items = 0;
  let cursor: ItemCursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof deleteOldItems>> = await deleteOldItems(db, before, cursor, batch);
    items += page.deleted;
    cursor = page.next;
  } while (cursor !== null);
  for (let deleted = batch; deleted === batch; ) {
    deleted = await deleteOldIntents(db, instant(now - INTENTS_KEPT), batch);
  }
  let runs = 0;
  for (let deleted = batch; deleted === batch; runs += deleted) {
    deleted = await deleteEmptyRuns(db, before, instant(now - EMPTY_DUE_KEPT), batch);
  }
  return { items, runs };
}

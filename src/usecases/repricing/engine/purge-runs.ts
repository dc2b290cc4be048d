import type { Db } from '#db/client.ts';
import {
  deleteEmptyRuns,
  deleteOldIntents,
  deleteOldItems,
  type ItemCursor,
} from '#db/queries/background/purge.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** For decisions, and for runs that have none left. */
const RETENTION = hours(90 * 24);
/** For runs over due listings without any effect; there may be thousands a day. */
const EMPTY_RUN_RETENTION = hours(7 * 24);
/** For settled price intents; their outcome is shown for a week. */
const INTENT_RETENTION = hours(30 * 24);
/** Rows per statement, each a short transaction, so that the engine never waits long. */
const BATCH_SIZE = 1_000;

/** How many rows were deleted. */
export interface PurgedRuns {
  readonly items: number;
  readonly runs: number;
}

/** Deletes old decisions and settled price intents, then runs without content. Safe to repeat and to interrupt. */
export async function purgeRuns(db: Db, now: Instant, batch = BATCH_SIZE): Promise<PurgedRuns> {
  const before = instant(now - RETENTION);
  let items = 0;
  let cursor: ItemCursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof deleteOldItems>> = await deleteOldItems(db, before, cursor, batch);
    items += page.deleted;
    cursor = page.next;
  } while (cursor !== null);
  for (let deleted = batch; deleted === batch; ) {
    deleted = await deleteOldIntents(db, instant(now - INTENT_RETENTION), batch);
  }
  let runs = 0;
  for (let deleted = batch; deleted === batch; runs += deleted) {
    deleted = await deleteEmptyRuns(db, before, instant(now - EMPTY_RUN_RETENTION), batch);
  }
  return { items, runs };
}

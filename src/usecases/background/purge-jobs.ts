import type { Db } from '#db/client.ts';
import { deleteEndedJobs } from '#db/queries/background/purge.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

const KEPT = hours(30 * 24);
/** Their work may name a million listings: a few at a time. */
const BATCH = 100;

/** Deletes jobs 30 days after they ended. @returns how many */
export async function purgeJobs(db: Db, now: Instant, batch = BATCH): Promise<number> {
  let count = 0;
  for (let deleted = batch; deleted === batch; count += deleted) {
    deleted = await deleteEndedJobs(db, instant(now - KEPT), batch);
  }
  return count;
}

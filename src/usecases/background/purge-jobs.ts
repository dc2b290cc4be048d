import type { Db } from '#db/client.ts';
import { deleteEndedJobs } from '#db/queries/background/purge.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

const RETENTION = hours(30 * 24);
/** A job may name a million listings: delete a few at a time. */
const BATCH = 100;

/** Deletes jobs 30 days after they ended. @returns how many */
export async function purgeJobs(db: Db, now: Instant, batch = BATCH): Promise<number> {
  let count = 0;
  for (let deleted = batch; deleted === batch; count += deleted) {
    deleted = await deleteEndedJobs(db, instant(now - RETENTION), batch);
  }
  return count;
}

import type { Db } from '#db/client.ts';
import { deleteOldFeeFacts, deleteOldFeeJumps } from '#db/queries/background/purge.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** A year and a month: the answers of last year's season can still be compared. */
const RETENTION = hours(400 * 24);
const BATCH = 1_000;

/** Deletes answers about fees after 400 days, except for the newest to each question, and how they changed. @returns how many answers */
export async function purgeFeeFacts(db: Db, now: Instant, batch = BATCH): Promise<number> {
  await deleteOldFeeJumps(db, instant(now - RETENTION));
  let count = 0;
  for (let deleted = batch; deleted === batch; count += deleted) {
    deleted = await deleteOldFeeFacts(db, instant(now - RETENTION), batch);
  }
  return count;
}

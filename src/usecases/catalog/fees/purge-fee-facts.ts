import type { Db } from '#db/client.ts';
import { deleteOldCharges, deleteOldFeeFacts, deleteOldFeeJumps } from '#db/queries/background/purge.ts';
import { CHARGES_KEPT } from '#db/queries/marketplaces/money/fee-facts.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** A year and a month: the answers of last year's season can still be compared. */
const RETENTION = hours(400 * 24);
const BATCH = 1_000;

/**
 * Deletes answers about fees after 400 days, except for the newest to each question, and how they changed; what was charged for
 * fulfilling units of sales after 180 days, except for the newest of each listing.
 * @returns how many answers and charges
 */
export async function purgeFeeFacts(db: Db, now: Instant, batch = BATCH): Promise<number> {
  await deleteOldFeeJumps(db, instant(now - RETENTION));
  const answers = await inBatches(batch, (max) => deleteOldFeeFacts(db, instant(now - RETENTION), max));
  return answers + (await inBatches(batch, (max) => deleteOldCharges(db, instant(now - CHARGES_KEPT), max)));
}

async function inBatches(batch: number, deleteSome: (max: number) => Promise<number>): Promise<number> {
  let count = 0;
  for (let deleted = batch; deleted === batch; count += deleted) deleted = await deleteSome(batch);
  return count;
}

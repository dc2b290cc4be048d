import type { Db } from '#db/client.ts';
import { deleteOldUnlistedSales } from '#db/queries/marketplaces/sync/marketplace-figures.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** As long as reported fees: a listing that is added later than that needs no sale so old. */
const RETENTION = hours(400 * 24);

/** Deletes order lines of items that never became a listing, 400 days after the sale. */
export async function purgeUnlistedSales(db: Db, now: Instant): Promise<void> {
  await deleteOldUnlistedSales(db, instant(now - RETENTION));
}

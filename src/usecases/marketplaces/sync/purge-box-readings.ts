import type { Db } from '#db/client.ts';
import { deleteOldBoxReadings } from '#db/queries/marketplaces/sync/marketplace-figures.ts';
import { BOX_WINDOW } from '#db/queries/repricing/line-signals.ts';
import { type Instant, instant } from '#domain/units.ts';

/** Deletes readings of the buy box that no line of a rule can ask about, of all listings, read again or not. */
export async function purgeBoxReadings(db: Db, now: Instant): Promise<void> {
  await deleteOldBoxReadings(db, instant(now - BOX_WINDOW));
}

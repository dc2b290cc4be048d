import type { Db } from '#db/client.ts';
import { type ChosenListings, eachListing } from '#db/queries/listing-export-rows.ts';
import type { Instant } from '#domain/units.ts';
import { listingExportHeader, listingExportLine } from '#files/listing-export.ts';

/**
 * Writes the listings of a filter as a file that imports again unchanged, in the order of the list, all of one moment.
 * @param write takes the next piece when it resolves
 */
export async function exportListings(
  db: Db,
  chosen: ChosenListings,
  now: Instant,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(listingExportHeader());
  await eachListing(db, chosen, now, (rows) => write(rows.map(listingExportLine).join('')));
}

import type { Db } from '#db/client.ts';
import {
  type ChosenListings,
  eachListedListing,
  eachListing,
} from '#db/queries/catalog/listing-export-rows.ts';
import type { Instant } from '#domain/units.ts';
import type { ListingListColumn } from '#domain/written/listing-column-ids.ts';
import { listingExportHeader, listingExportLine } from '#files/listing-export.ts';
import { listingListHeader, listingListLine } from '#files/listing-list-export.ts';

/** Which listings, and the columns of the list; without columns, a file that imports again unchanged. */
export type ExportedListings = ChosenListings & {
  readonly columns?: readonly ListingListColumn[] | undefined;
};

/**
 * Writes the listings of a filter as a file, in the order of the list, from one snapshot.
 * @param write resolves when it can receive the next chunk
 */
export async function exportListings(
  db: Db,
  { columns, ...chosen }: ExportedListings,
  now: Instant,
  write: (text: string) => Promise<void>,
): Promise<void> {
  if (columns !== undefined) {
    await write(listingListHeader(columns));
    await eachListedListing(db, chosen, now, (rows) =>
      write(rows.map((row) => listingListLine(row, columns)).join('')),
    );
    return;
  }
  await write(listingExportHeader());
  await eachListing(db, chosen, now, (rows) => write(rows.map(listingExportLine).join('')));
}

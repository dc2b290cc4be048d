import type { ListingRow } from '#contract/listings.ts';
import { readListing } from '#db/queries/catalog/listing-rows.ts';
import { listingNotFound } from '#usecases/catalog/listings/find-listing.ts';
import type { AppDeps } from './app-deps.ts';

/**
 * The current listing: the response of every action on one.
 * @throws AppError not_found
 */
export async function listingRow({ db, now }: AppDeps, id: string): Promise<ListingRow> {
  const row = await readListing(db, id, now());
  if (row === null) throw listingNotFound(Number(id));
  return row;
}

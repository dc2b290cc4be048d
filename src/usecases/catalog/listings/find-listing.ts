import type { Db } from '#db/client.ts';
import { type ListingRecord, lockListings } from '#db/queries/catalog/listing-writes.ts';
import { findListing } from '#db/queries/repricing/explanations.ts';
import { readGroupMembers } from '#db/queries/repricing/price-groups.ts';
import { AppError } from '#usecases/app-error.ts';

/** Finds a listing that is not deleted. @throws AppError not_found, which says when it was removed */
export async function findLiveListing(db: Db, id: number): Promise<ListingRecord> {
  const listing = await findListing(db, id);
  if (listing === null) throw listingNotFound(id);
  if (listing.deletedAt === null) return listing;
  const day = new Date(listing.deletedAt).toISOString().slice(0, 10);
  throw new AppError('not_found', `This listing was removed on ${day}: ${listing.sku}.`);
}

/**
 * Locks a listing and those that share its price, so that it cannot change while another one is checked.
 * @throws AppError not_found
 */
export async function lockListing(tx: Db, id: number): Promise<ListingRecord> {
  const ids = new Set([id, ...(await readGroupMembers(tx, [id]))]);
  const listing = (await lockListings(tx, [...ids])).find((one) => one.id === id);
  if (listing === undefined) throw listingNotFound(id);
  return listing;
}

export function listingNotFound(id: number): AppError {
  return new AppError('not_found', `There is no listing ${id}. It may have been deleted.`);
}

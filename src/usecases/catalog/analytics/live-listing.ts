import type { Db } from '#db/client.ts';
import type { ListingRecord } from '#db/queries/catalog/listing-acts.ts';
import { findListing } from '#db/queries/repricing/explanations.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { listingNotFound } from '#usecases/repricing/prices/priced-listing.ts';

export interface AnalyticsDeps {
  readonly db: Db;
  readonly now: () => Instant;
}

/** Finds a listing that is not deleted. @throws AppError not_found, which says when it was removed */
export async function findLiveListing(db: Db, id: number): Promise<ListingRecord> {
  const listing = await findListing(db, id);
  if (listing === null) throw listingNotFound(id);
  if (listing.deletedAt === null) return listing;
  const day = new Date(listing.deletedAt).toISOString().slice(0, 10);
  throw new AppError('not_found', `This listing was removed on ${day}: ${listing.sku}.`);
}

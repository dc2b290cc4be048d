import type { ListingAnalytics } from '#contract/listing-analytics.ts';
import { findAnalytics, listBuyBoxDays } from '#db/queries/catalog/listing-analytics.ts';
import { findSync } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { shareWindowOf } from '#domain/competition/buy-box.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import { hours } from '#domain/units.ts';
import { findLiveListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { staleAfter } from './freshness.ts';

const DAYS = 30;

/**
 * Reviews, rank and buy box of a listing, as its marketplace last reported them.
 * @returns null when it never reported any
 * @throws AppError not_found
 */
export async function listingAnalytics(
  { db, now }: ListingDeps,
  listingId: number,
): Promise<ListingAnalytics> {
  const { marketplace } = await findLiveListing(db, listingId);
  const found = await findAnalytics(db, listingId);
  if (found === null) return null;
  const stale = await staleAfter(db, await findSync(db, marketplace, 'figures'));
  const { id, reviewCount, averageRating, salesRank, salesRankCategory, buyBoxPercentage } = found;
  const lastUpdated = new Date(found.lastUpdated).toISOString();
  const after = new Date(now() - hours(24 * DAYS)).toISOString().slice(0, 10);
  return {
    id: String(id),
    listingId: String(listingId),
    reviewCount,
    averageRating,
    salesRank,
    salesRankCategory,
    buyBoxPercentage: buyBoxPercentage === null ? null : decimalFromBps(buyBoxPercentage),
    buyBoxWindow: shareWindowOf(marketplace),
    lastUpdated,
    staleAt: stale(lastUpdated),
    days: await listBuyBoxDays(db, listingId, after),
  };
}

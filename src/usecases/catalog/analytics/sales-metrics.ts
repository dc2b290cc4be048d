import type { AnalyticsRange, SalesMetrics } from '#contract/listing-analytics.ts';
import { findSalesFetchedAt, sumSales } from '#db/queries/catalog/sales-metrics.ts';
import { findSync } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import type { Instant } from '#domain/units.ts';
import { findLiveListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { windowOf } from './analytics-window.ts';
import { staleAfter } from './freshness.ts';

/**
 * What a listing sold in the last days.
 * @throws AppError not_found
 */
export async function salesMetrics(
  { db, now }: ListingDeps,
  listingId: number,
  range: AnalyticsRange,
): Promise<SalesMetrics> {
  const { marketplace } = await findLiveListing(db, listingId);
  const { from, to } = windowOf(now(), range);
  const read = await findSync(db, marketplace, 'sales');
  const lastUpdated = later(await findSalesFetchedAt(db, listingId), read?.succeededAt ?? null);
  const stale = await staleAfter(db, read);
  return {
    ...(await sumSales(db, listingId, from, to)),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    lastUpdated,
    staleAt: lastUpdated === null ? null : stale(lastUpdated),
  };
}

/** A sync without sales keeps the figures current. */
function later(recordedAt: string | null, readAt: Instant | null): string | null {
  if (readAt === null || (recordedAt !== null && Date.parse(recordedAt) > readAt)) return recordedAt;
  return new Date(readAt).toISOString();
}

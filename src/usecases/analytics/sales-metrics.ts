import type { AnalyticsRange, SalesMetrics } from '#contract/listing-analytics.ts';
import { findSalesFetchedAt, sumSales } from '#db/queries/sales-metrics.ts';
import { windowOf } from './analytics-window.ts';
import { staleAfter } from './freshness.ts';
import { type AnalyticsDeps, findLiveListing } from './live-listing.ts';

/**
 * What a listing sold in the last days.
 * @throws AppError not_found
 */
export async function salesMetrics(
  { db, now }: AnalyticsDeps,
  listingId: number,
  range: AnalyticsRange,
): Promise<SalesMetrics> {
  await findLiveListing(db, listingId);
  const { from, to } = windowOf(now(), range);
  const lastUpdated = await findSalesFetchedAt(db, listingId);
  const stale = await staleAfter(db);
  return {
    ...(await sumSales(db, listingId, from, to)),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    lastUpdated,
    staleAt: lastUpdated === null ? null : stale(lastUpdated),
  };
}

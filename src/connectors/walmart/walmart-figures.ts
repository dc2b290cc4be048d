import type { Account, ListingFigures, ListingRef, UnavailableListing } from '#connectors/connector.ts';
import { readableOf } from '#connectors/passed-over.ts';
import { SideCalls } from '#connectors/side-calls.ts';
import { bps } from '#domain/units.ts';
import type { WalmartCalls } from './walmart-calls.ts';
import { insightsFor, Wanted } from './walmart-offers.ts';
import { catalogPages } from './walmart-pages.ts';
import type { CatalogRow, Insight } from './walmart-responses.ts';

/** Reviews from the catalog, the share of the buy box and the rank from the insights. */
export async function* readFigures(
  calls: WalmartCalls,
  account: Account,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly (ListingFigures | UnavailableListing)[]> {
  const reviews = await reviewsOf(calls, account, refs, signal);
  const wanted = new Wanted(refs);
  for await (const { rows } of insightsFor(calls, account, refs, signal)) {
    const figures = wanted.take(
      rows,
      ({ listingId, sku }, row): ListingFigures => figuresOf(listingId, reviews.get(sku), row),
    );
    if (figures.length > 0) yield figures;
  }
  const left = wanted.left().map(({ listingId, sku }): ListingFigures | UnavailableListing => {
    const row = reviews.get(sku);
    if (row !== undefined) return figuresOf(listingId, row, undefined);
    return { kind: 'unread', listingId, why: 'Walmart returned no data for this SKU.' };
  });
  if (left.length > 0) yield left;
}

async function reviewsOf(
  calls: WalmartCalls,
  account: Account,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): Promise<Map<string, CatalogRow>> {
  const skus = new Set(refs.map(({ sku }) => sku));
  const reviews = new Map<string, CatalogRow>();
  // Without the reviews the figures of the insights are still good.
  const side = new SideCalls(signal);
  for await (const rows of side.pages('the catalog search', catalogPages(calls, account, signal))) {
    for (const row of readableOf(rows)) {
      const sku = row.sku?.trim() ?? '';
      if (skus.has(sku)) reviews.set(sku, row);
    }
    if (reviews.size === skus.size) break;
  }
  return reviews;
}

function figuresOf(
  listingId: number,
  row: CatalogRow | undefined,
  insight: Insight | undefined,
): ListingFigures {
  const { num_reviews = null, customerRating = null } = row ?? {};
  const { buyBoxWinRate = null, salesRank = null } = insight ?? {};
  const share = buyBoxWinRate === null ? null : within(buyBoxWinRate * 100, 10_000);
  const isRated = customerRating !== null && customerRating > 0;
  return {
    kind: 'figures',
    listingId,
    reviewCount: within(num_reviews, 1_000_000_000),
    averageRating: isRated ? within(customerRating * 100, 500) : null,
    salesRank: salesRank === 0 ? null : within(salesRank, 1_000_000_000),
    salesRankCategory: null,
    buyBoxShare: share === null ? null : bps(share),
  };
}

/** A figure that cannot be is none. */
function within(figure: number | null, most: number): number | null {
  const whole = figure === null ? null : Math.round(figure);
  return whole !== null && whole <= most ? whole : null;
}

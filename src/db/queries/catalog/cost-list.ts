import { and, asc, count, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { skus } from '#db/schema/catalog.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import type { Cents } from '#domain/units.ts';

const COLUMNS = {
  listingId: listings.id,
  marketplace: listings.marketplace,
  fulfillmentType: listings.fulfillmentType,
  sku: listings.sku,
  title: listings.title,
  productCost: listingMetrics.productCost,
  shippingCost: listingMetrics.shippingCost,
  fulfillmentCost: listingMetrics.fulfillmentCost,
  packagingCost: listingMetrics.packagingCost,
  miscCost: listingMetrics.miscCost,
  totalCost: listingMetrics.totalCost,
  gaps: listingMetrics.missingFacts,
  version: listings.version,
  bundleUnconfirmed: listings.bundleUnconfirmed,
  ownShippingCost: listings.shippingCost,
  ownFulfillmentCost: listings.fulfillmentCost,
  fulfillmentCostIsEstimate: listings.fulfillmentCostIsEstimate,
  isBundle: sql<boolean>`EXISTS (SELECT FROM bundle_components b WHERE b.listing_sku = ${listings.sku})`,
  skuId: skus.id,
  skuVersion: skus.version,
  skuProductCost: skus.productCost,
  skuPackagingCost: skus.packagingCost,
  skuMiscCost: skus.miscCost,
};

type Listing = typeof listings.$inferSelect;
type Metrics = typeof listingMetrics.$inferSelect;
type CostPart =
  | 'productCost'
  | 'shippingCost'
  | 'fulfillmentCost'
  | 'packagingCost'
  | 'miscCost'
  | 'totalCost';

/**
 * A listing with its cost parts, which are null with `gaps` before the first decision; and the stored costs of it and
 * its SKU.
 */
export type CostListRow = Pick<
  Listing,
  | 'marketplace'
  | 'fulfillmentType'
  | 'sku'
  | 'title'
  | 'version'
  | 'bundleUnconfirmed'
  | 'fulfillmentCostIsEstimate'
> &
  Pick<Metrics, CostPart> & {
    readonly listingId: number;
    readonly gaps: string[] | null;
    readonly ownShippingCost: Cents | null;
    readonly ownFulfillmentCost: Cents | null;
    readonly isBundle: boolean;
    readonly skuId: number | null;
    readonly skuVersion: number | null;
    readonly skuProductCost: Cents | null;
    readonly skuPackagingCost: Cents | null;
    readonly skuMiscCost: Cents | null;
  };

/** The five cost parts of listings by SKU, as of their last decision. */
export async function listCosts(
  db: Db,
  search: string,
  limit: number,
  offset: number,
): Promise<CostListRow[]> {
  return db
    .select(COLUMNS)
    .from(listings)
    .leftJoin(listingMetrics, eq(listingMetrics.listingId, listings.id))
    .leftJoin(skus, and(eq(skus.sku, listings.sku), isNull(skus.deletedAt)))
    .where(matching(search))
    .orderBy(asc(listings.sku), asc(listings.id))
    .limit(limit)
    .offset(offset);
}

/** How many listings a search finds; the empty search finds all. */
export async function countCosts(db: Db, search: string): Promise<number> {
  const [row] = await db.select({ total: count() }).from(listings).where(matching(search));
  return row?.total ?? 0;
}

function matching(search: string): SQL | undefined {
  const living = isNull(listings.deletedAt);
  if (search === '') return living;
  // In a search "50%" means the percent sign, not a wildcard.
  const part = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return and(living, or(sql`${listings.sku} ilike ${part}`, sql`${listings.title} ilike ${part}`));
}

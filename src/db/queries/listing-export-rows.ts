import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { ListingFilter } from './listing-filter.ts';
import { type ListingOrder, orderBy } from './listing-order.ts';
import { searchedConditions } from './listing-search.ts';
import { eachBatch } from './row-batches.ts';

/** The columns of a listings file. */
export type ListingFileRow = {
  readonly sku: string;
  readonly title: string;
  readonly currentPrice: string;
  readonly fulfillmentType: FulfillmentType;
  readonly marketplace: Marketplace;
  readonly marketplaceItemId: string | null;
  readonly imageUrl: string | null;
  readonly minPrice: string | null;
  readonly maxPrice: string | null;
  readonly shippingCost: string | null;
  readonly shippingCharge: string;
  readonly fulfillmentCost: string | null;
  readonly feeCategory: string | null;
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly autoRepricingEnabled: boolean;
  readonly rule: string | null;
};

export interface ChosenListings extends ListingFilter {
  readonly sort: ListingOrder;
  /** Of what the filter shows only these. */
  readonly ids?: readonly string[] | undefined;
}

/** Hands over the listings of a filter in its order, batch by batch. */
export async function eachListing(
  db: Db,
  { sort, ids, ...filter }: ChosenListings,
  now: Instant,
  onRows: (rows: ListingFileRow[]) => Promise<void>,
): Promise<void> {
  const chosen = ids === undefined ? sql`true` : sql`k.listing_id = ANY(${sql.param(ids)}::bigint[])`;
  await eachBatch<ListingFileRow>(
    db,
    async (snapshot) => sql`
      SELECT l.sku, l.title, l.current_price AS "currentPrice", l.fulfillment_type AS "fulfillmentType", l.marketplace,
        l.marketplace_item_id AS "marketplaceItemId", l.image_url AS "imageUrl", l.min_price AS "minPrice",
        l.max_price AS "maxPrice", l.shipping_cost AS "shippingCost", l.shipping_charge AS "shippingCharge",
        l.fulfillment_cost AS "fulfillmentCost", l.fee_category AS "feeCategory", l.brand, l.supplier,
        l.auto_repricing_enabled AS "autoRepricingEnabled", r.name AS rule
      FROM listing_keys k JOIN listings l ON l.id = k.listing_id LEFT JOIN repricing_rules r ON r.id = l.rule_id
      WHERE ${(await searchedConditions(snapshot, filter, now)).count} AND ${chosen}
      ORDER BY ${orderBy(sort)}`,
    onRows,
  );
}

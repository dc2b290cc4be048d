import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { eachBatch } from '#db/row-batches.ts';
import { isoText } from '#db/sql-values.ts';
import type { ListingChannel } from '#domain/connections/listing-channel.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { ListingFilter } from './listing-filter.ts';
import { allSoldIn30Days, LISTING_MONEY, SOLD, soldIn30Days } from './listing-money.ts';
import { isBySales, type ListingOrder, orderBy } from './listing-order.ts';
import { searchedConditions } from './listing-search.ts';

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
  /** Null where the marketplace reported it: imported again, it would count as entered. */
  readonly fulfillmentCost: string | null;
  readonly feeCategory: string | null;
  readonly feeRate: string | null;
  readonly adShare: string | null;
  readonly returnShare: string | null;
  readonly mapPrice: string | null;
  readonly mapFrom: string | null;
  readonly mapUntil: string | null;
  readonly stock: number | null;
  readonly stockAgeDays: number | null;
  readonly stockAt: string | null;
  readonly externalPrice: string | null;
  readonly externalPriceAt: string | null;
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly autoRepricingEnabled: boolean;
  readonly rule: string | null;
};

export interface ChosenListings extends ListingFilter {
  readonly sort: ListingOrder;
  /** Only these of the filter's listings. */
  readonly ids?: readonly string[] | undefined;
}

/** A listing with the columns of the list. */
export type ListedListingRow = {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly title: string;
  readonly currentPrice: string;
  readonly amazonWalmartPrice: string | null;
  readonly thirdPartyFbaWfsPrice: string | null;
  readonly thirdPartyFbmPrice: string | null;
  readonly totalCost: string | null;
  readonly margin: string | null;
  readonly marginFloor: string | null;
  readonly profit: string | null;
  readonly feeRate: string | null;
  readonly soldUnits: number;
  readonly soldProfit: string | null;
  readonly fulfillmentType: FulfillmentType;
  readonly channel: ListingChannel | null;
  readonly autoRepricingEnabled: boolean;
  readonly rule: string | null;
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly tags: string[];
};

/** The rows `k` of a filter in its order. */
async function chosenRows(
  snapshot: Db,
  { sort, ids, ...filter }: ChosenListings,
  now: Instant,
): Promise<SQL> {
  const chosen = ids === undefined ? sql`true` : sql`k.listing_id = ANY(${sql.param(ids)}::bigint[])`;
  const sold = isBySales(sort) ? allSoldIn30Days(now) : sql``;
  return sql`${sold} WHERE ${(await searchedConditions(snapshot, filter, now)).count} AND ${chosen} ORDER BY ${orderBy(sort)}`;
}

/** Passes on the listings of a filter with the list's columns, in its order, batch by batch. */
export async function eachListedListing(
  db: Db,
  chosen: ChosenListings,
  now: Instant,
  onRows: (rows: ListedListingRow[]) => Promise<void>,
): Promise<void> {
  await eachBatch<ListedListingRow>(
    db,
    async (snapshot) => sql`
      SELECT l.marketplace, l.sku, l.title, l.current_price AS "currentPrice",
        m.amazon_walmart_price AS "amazonWalmartPrice", m.third_party_fba_wfs_price AS "thirdPartyFbaWfsPrice",
        m.third_party_fbm_price AS "thirdPartyFbmPrice", m.total_cost AS "totalCost", m.margin, m.margin_floor AS "marginFloor", ${LISTING_MONEY}, ${SOLD},
        l.fulfillment_type AS "fulfillmentType", w.channel, l.auto_repricing_enabled AS "autoRepricingEnabled", r.name AS rule,
        coalesce(l.brand, s.brand) AS brand, coalesce(l.supplier, s.supplier) AS supplier, coalesce(s.tags, '{}') AS tags
      FROM listing_keys k JOIN listings l ON l.id = k.listing_id
      LEFT JOIN listing_metrics m ON m.listing_id = l.id
      LEFT JOIN marketplace_listings w ON w.listing_id = l.id
      LEFT JOIN skus s ON s.sku = l.sku AND s.deleted_at IS NULL
      LEFT JOIN repricing_rules r ON r.id = m.rule_id
      ${soldIn30Days(now)}
      ${await chosenRows(snapshot, chosen, now)}`,
    onRows,
  );
}

/** Passes on the listings of a filter in its order, batch by batch. */
export async function eachListing(
  db: Db,
  chosen: ChosenListings,
  now: Instant,
  onRows: (rows: ListingFileRow[]) => Promise<void>,
): Promise<void> {
  await eachBatch<ListingFileRow>(
    db,
    async (snapshot) => sql`
      SELECT l.sku, l.title, l.current_price AS "currentPrice", l.fulfillment_type AS "fulfillmentType", l.marketplace,
        l.marketplace_item_id AS "marketplaceItemId", l.image_url AS "imageUrl", l.min_price AS "minPrice",
        l.max_price AS "maxPrice", l.shipping_cost AS "shippingCost", l.shipping_charge AS "shippingCharge",
        CASE WHEN NOT l.fulfillment_cost_is_estimate THEN l.fulfillment_cost END AS "fulfillmentCost", l.fee_category AS "feeCategory",
        l.fee_rate AS "feeRate", l.ad_share AS "adShare", l.return_share AS "returnShare", l.brand, l.supplier,
        l.map_price AS "mapPrice", l.map_from::text AS "mapFrom", l.map_until::text AS "mapUntil", l.stock,
        l.stock_age_days AS "stockAgeDays", ${isoText(sql`least(l.stock_at, l.stock_age_at)`)} AS "stockAt",
        l.external_price AS "externalPrice", ${isoText(sql`l.external_price_at`)} AS "externalPriceAt",
        l.auto_repricing_enabled AS "autoRepricingEnabled", r.name AS rule
      FROM listing_keys k JOIN listings l ON l.id = k.listing_id LEFT JOIN repricing_rules r ON r.id = l.rule_id
      ${await chosenRows(snapshot, chosen, now)}`,
    onRows,
  );
}

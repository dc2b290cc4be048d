import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { IS_BUNDLE_CODE } from '#db/queries/catalog/bundle-codes.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant, Ounces } from '#domain/units.ts';

// What a batch of decisions reads around its listings: parts, offers, other channels, the past.

export interface ComponentRow extends Record<string, unknown> {
  readonly listingSku: string;
  readonly sku: string;
  readonly quantity: number;
  /** The SKU was deleted: its cost is unknown. */
  readonly isDeleted: boolean;
  readonly isBundle: boolean;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  readonly packagingCost: Cents;
  readonly miscCost: Cents;
}

/** Components of the bundles among these codes. */
export async function readComponents(db: Db, skus: readonly string[]): Promise<ComponentRow[]> {
  const { rows } = await db.execute<ComponentRow>(sql`
    SELECT b.listing_sku AS "listingSku", s.sku, b.quantity, s.deleted_at IS NOT NULL AS "isDeleted",
      ${IS_BUNDLE_CODE} AS "isBundle", ${cents('s.product_cost')} AS "productCost",
      s.weight_oz AS weight, ${cents('s.packaging_cost')} AS "packagingCost", ${cents('s.misc_cost')} AS "miscCost"
    FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
    WHERE b.listing_sku = ANY(${sql.param(skus)}::text[]) ORDER BY b.id`);
  return rows;
}

export interface OfferRow extends Record<string, unknown> {
  /** The listing whose decision may use it. */
  readonly listingId: number;
  /** Channel it was offered on; null for the listing's own marketplace. */
  readonly channel: Marketplace | null;
  readonly sellerName: string | null;
  readonly sellerKey: string | null;
  readonly isMarketplace: boolean;
  readonly price: Cents;
  readonly shipping: Cents;
  readonly fulfillmentType: FulfillmentType | null;
  readonly isFeatured: boolean;
  readonly isOurs: boolean;
  readonly seenAt: Instant | null;
  readonly rating: Bps | null;
  readonly ratingCount: number | null;
  readonly handlingDays: number | null;
}

const OFFER = sql`o.seller_name AS "sellerName", o.seller_key AS "sellerKey", o.is_marketplace AS "isMarketplace",
  ${cents('o.price')} AS price, ${cents('o.shipping')} AS shipping, o.fulfillment_type AS "fulfillmentType",
  o.is_featured AS "isFeatured", o.is_ours AS "isOurs", ${millis('o.seen_at')} AS "seenAt",
  ${cents('o.rating')} AS rating, o.rating_count AS "ratingCount", o.handling_days AS "handlingDays"`;

/** The offers stored for these listings, in the order they were stored. */
export async function readOffers(db: Db, ids: readonly number[]): Promise<OfferRow[]> {
  const { rows } = await db.execute<OfferRow>(sql`
    SELECT o.listing_id::float8 AS "listingId", NULL AS channel, ${OFFER} FROM competitor_offers o
    WHERE o.listing_id = ANY(${sql.param(ids)}::bigint[]) ORDER BY o.listing_id, o.id`);
  return rows;
}

/** The offers for the same SKU on other channels: only for listings whose rule uses them. */
export async function readOtherChannelOffers(db: Db, ids: readonly number[]): Promise<OfferRow[]> {
  const { rows } = await db.execute<OfferRow>(sql`
    SELECT mine.id::float8 AS "listingId", l.marketplace AS channel, ${OFFER}
    FROM listings mine
    JOIN listings l ON l.sku = mine.sku AND l.id <> mine.id AND l.deleted_at IS NULL
    JOIN competitor_offers o ON o.listing_id = l.id
    WHERE mine.id = ANY(${sql.param(ids)}::bigint[]) ORDER BY mine.id, l.id, o.id`);
  return rows;
}

export interface SiblingRow extends Record<string, unknown> {
  readonly sku: string;
  readonly marketplace: Marketplace;
  readonly price: Cents;
  readonly shippingCharge: Cents;
}

/** Prices of all our live listings of these SKUs, on every channel. */
export async function readSiblings(db: Db, skus: readonly string[]): Promise<SiblingRow[]> {
  const { rows } = await db.execute<SiblingRow>(sql`
    SELECT sku, marketplace, ${cents('current_price')} AS price, ${cents('shipping_charge')} AS "shippingCharge"
    FROM listings WHERE sku = ANY(${sql.param(skus)}::text[]) AND deleted_at IS NULL ORDER BY id`);
  return rows;
}

export interface RecentMove extends Record<string, unknown> {
  readonly listingId: number;
  readonly oldPrice: Cents | null;
  readonly newPrice: Cents;
  readonly source: string;
  readonly at: Instant;
  /** The seller that the price was matched against. */
  readonly against: string | null;
}

/** No listing changes more often in a day; without a limit a long ledger would be read to its start. */
const MAX_CHANGES = 200;

/** Changes of these prices after a time, the oldest first. */
export async function readRecentMoves(db: Db, ids: readonly number[], since: Instant): Promise<RecentMove[]> {
  const { rows } = await db.execute<RecentMove>(sql`
    SELECT wanted.id::float8 AS "listingId", ${cents('h.old_price')} AS "oldPrice", ${cents('h.new_price')} AS "newPrice",
      h.source, ${millis('h.timestamp')} AS at, h.facts ->> 'against' AS against
    FROM unnest(${sql.param(ids)}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM price_history h WHERE h.listing_id = wanted.id
      ORDER BY h.id DESC LIMIT ${MAX_CHANGES}) h
    WHERE h.timestamp > ${timestamptz(since)}
    ORDER BY h.listing_id, h.id`);
  return rows;
}

/** Units sold of these listings, ever. */
export async function readUnitsSold(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ listingId: number; units: number }>(sql`
    SELECT listing_id::float8 AS "listingId", sum(quantity_sold)::float8 AS units FROM sales_history
    WHERE listing_id = ANY(${sql.param(ids)}::bigint[]) GROUP BY listing_id`);
  return new Map(rows.map(({ listingId, units }) => [listingId, units]));
}

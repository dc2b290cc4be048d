import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import type { Instant } from '#domain/units.ts';
import { rowsTable, type TextRow } from './import-rows.ts';

const TYPES = {
  listingId: 'bigint',
  seller: 'text',
  sellerKey: 'text',
  isMarketplace: 'boolean',
  price: 'numeric',
  shipping: 'numeric',
  fulfillmentType: 'text',
  isFeatured: 'boolean',
  seenAt: 'timestamptz',
  rating: 'numeric',
  ratingCount: 'integer',
  handlingDays: 'integer',
} as const;

/** The listings with these keys, "walmart\nA-1" to id. */
export async function findListingIds(db: Db, keys: readonly TextRow[]): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ id: string; key: string }>(sql`
    SELECT l.id::text, l.marketplace || E'\\n' || l.sku AS key
    FROM ${rowsTable('k', { marketplace: 'text', sku: 'text' }, keys)}
    JOIN listings l ON l.marketplace = k.marketplace AND l.sku = k.sku AND l.deleted_at IS NULL`);
  return new Map(rows.map(({ id, key }) => [key, id]));
}

/** The stored offers of these listings, every value as text. */
export async function findOffers(db: Db, listingIds: readonly string[]): Promise<TextRow[]> {
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    SELECT listing_id::text AS "listingId", seller_name AS seller, seller_key AS "sellerKey",
      is_marketplace::text AS "isMarketplace", price::text, shipping::text, fulfillment_type AS "fulfillmentType",
      is_featured::text AS "isFeatured", to_char(seen_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt",
      rating::text, rating_count::text AS "ratingCount", handling_days::text AS "handlingDays"
    FROM competitor_offers WHERE listing_id = ANY(${sql.param(listingIds)}::text[]::bigint[]) ORDER BY id`);
  return rows;
}

/** Replaces all offers of these listings, and records each new set with its aggregates. */
export async function replaceOffers(
  db: Db,
  sets: ReadonlyMap<string, readonly RecordedOffer[]>,
  offers: readonly TextRow[],
  at: Instant,
): Promise<void> {
  if (sets.size === 0) return;
  const ids = sql`${sql.param([...sets.keys()])}::text[]::bigint[]`;
  const when = sql`${new Date(at).toISOString()}::timestamptz`;
  await db.execute(sql`DELETE FROM competitor_offers WHERE listing_id = ANY(${ids})`);
  await db.execute(sql`
    INSERT INTO competitor_offers (listing_id, seller_name, seller_key, is_marketplace, price, shipping,
      fulfillment_type, is_featured, seen_at, rating, rating_count, handling_days)
    SELECT "listingId", seller, "sellerKey", "isMarketplace", price, shipping, "fulfillmentType", "isFeatured",
      "seenAt", rating, "ratingCount", "handlingDays" FROM ${rowsTable('r', TYPES, offers)}`);
  const recorded = [...sets].map(([listingId, set]) => ({ listingId, offers: JSON.stringify(set) }));
  await db.execute(sql`
    INSERT INTO offer_sets (listing_id, recorded_at, offers) SELECT "listingId", ${when}, offers
    FROM ${rowsTable('r', { listingId: 'bigint', offers: 'jsonb' }, recorded)}`);
  await db.execute(sql`
    INSERT INTO competitor_prices (listing_id, marketplace, amazon_direct_price, walmart_direct_price,
      third_party_min_price, third_party_max_price, third_party_avg_price, third_party_seller_count, buy_box_price,
      buy_box_seller, timestamp)
    SELECT l.id, l.marketplace, min(o.landed) FILTER (WHERE o.is_marketplace AND l.marketplace = 'amazon'),
      min(o.landed) FILTER (WHERE o.is_marketplace AND l.marketplace = 'walmart'),
      min(o.landed) FILTER (WHERE o.is_third), max(o.landed) FILTER (WHERE o.is_third),
      round(avg(o.landed) FILTER (WHERE o.is_third), 2), count(DISTINCT o.seller_key) FILTER (WHERE o.is_third),
      min(o.landed) FILTER (WHERE o.is_featured), min(o.seller_name) FILTER (WHERE o.is_featured), ${when}
    FROM listings l JOIN LATERAL (
      SELECT c.*, least(c.price + c.shipping, 99999999.99) AS landed,
        NOT c.is_marketplace AND NOT c.is_ours AND s.id IS NULL AS is_third
      FROM competitor_offers c
      LEFT JOIN own_sellers s ON s.marketplace = l.marketplace AND s.seller_key = c.seller_key
      WHERE c.listing_id = l.id) o ON true
    WHERE l.id = ANY(${ids}) GROUP BY l.id`);
}

import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import type { Instant } from '#domain/units.ts';
import { recordOfferSets } from './offer-aggregates.ts';
import { findUnchanged, markSeenAgain, OFFER_TYPES } from './same-offers.ts';

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
      seller_hash AS "sellerHash", is_marketplace::text AS "isMarketplace", price::text, shipping::text, fulfillment_type AS "fulfillmentType",
      is_featured::text AS "isFeatured", to_char(seen_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt",
      rating::text, rating_count::text AS "ratingCount", handling_days::text AS "handlingDays"
    FROM competitor_offers WHERE listing_id = ANY(${sql.param(listingIds)}::text[]::bigint[]) ORDER BY id`);
  return rows;
}

/**
 * Replaces all offers of these listings, and records each new set with its aggregates. If only times differ, only the
 * times are updated, and the listing does not become due.
 */
export async function replaceOffers(
  db: Db,
  sets: ReadonlyMap<string, readonly RecordedOffer[]>,
  offers: readonly TextRow[],
  at: Instant,
): Promise<void> {
  if (sets.size === 0) return;
  const same = await findUnchanged(db, [...sets.keys()], offers, at);
  const isSame = ({ listingId }: TextRow): boolean => same.has(listingId ?? '');
  await markSeenAgain(db, [...same], offers.filter(isSame), at);
  const changed = [...sets].filter(([listingId]) => !same.has(listingId));
  if (changed.length === 0) return;
  const ids = sql`${sql.param(changed.map(([listingId]) => listingId))}::text[]::bigint[]`;
  const rows = offers.filter((offer) => !isSame(offer));
  await db.execute(sql`DELETE FROM competitor_offers WHERE listing_id = ANY(${ids})`);
  await db.execute(sql`
    INSERT INTO competitor_offers (listing_id, seller_name, seller_key, seller_hash, is_marketplace, price, shipping,
      fulfillment_type, is_featured, is_ours, seen_at, rating, rating_count, handling_days)
    SELECT "listingId", seller, "sellerKey", "sellerHash", "isMarketplace", price, shipping, "fulfillmentType", "isFeatured",
      coalesce("isOurs", false), "seenAt", rating, "ratingCount", "handlingDays" FROM ${rowsTable('r', OFFER_TYPES, rows)}`);
  await recordOfferSets(
    db,
    changed.map(([listingId, set]) => ({ listingId, at, offers: set })),
  );
}

/** Locks listings whose offers are replaced, until the end of the transaction. */
export async function lockOffers(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`
    SELECT FROM marketplace_listings WHERE listing_id = ANY(${sql.param(ids)}::bigint[])
    ORDER BY listing_id FOR NO KEY UPDATE`);
}

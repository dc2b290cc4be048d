import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

/** Columns of an incoming offer. */
export const OFFER_TYPES = {
  listingId: 'bigint',
  seller: 'text',
  sellerKey: 'text',
  sellerHash: 'text',
  isMarketplace: 'boolean',
  price: 'numeric',
  shipping: 'numeric',
  fulfillmentType: 'text',
  isFeatured: 'boolean',
  isOurs: 'boolean',
  seenAt: 'timestamptz',
  rating: 'numeric',
  ratingCount: 'integer',
  handlingDays: 'integer',
} as const;

/** All of an offer except its time, as one value to compare and join by. */
const INCOMING = sql`jsonb_build_array(seller, "sellerKey", "sellerHash", "isMarketplace", price::numeric(10, 2),
  shipping::numeric(10, 2), "fulfillmentType", "isFeatured", coalesce("isOurs", false), rating::numeric(5, 2),
  "ratingCount", "handlingDays")`;
const STORED = sql`jsonb_build_array(seller_name, seller_key, seller_hash, is_marketplace, price, shipping, fulfillment_type,
  is_featured, is_ours, rating, rating_count, handling_days)`;

/** The newest record of offers for each of these listings, when it was last seen, and the maximum offer age there. */
function lastRecords(ids: SQL): SQL {
  return sql`SELECT l.id AS listing_id, p.id AS record, p.at, m.age FROM listings l
    JOIN (SELECT marketplace, max_offer_age(marketplace) AS age FROM marketplace_modes) m ON m.marketplace = l.marketplace
    CROSS JOIN LATERAL (
      SELECT id, coalesce(last_seen_at, timestamp) AS at FROM competitor_prices
      WHERE listing_id = l.id AND marketplace = l.marketplace
      ORDER BY timestamp DESC NULLS LAST, id DESC LIMIT 1) p
    WHERE l.id = ANY(${ids})`;
}

/**
 * Which of these listings have exactly the stored offers, in any order, seen recently enough that none expired in
 * between. A set that is seen again after a gap is recorded as new: the gap has to show, and an expired offer counts
 * again.
 * @param listingIds listings whose offers were synced; one without offers has none now
 * @returns IDs of `listingIds`
 */
export async function findUnchanged(
  db: Db,
  listingIds: readonly string[],
  offers: readonly TextRow[],
  at: Instant,
): Promise<ReadonlySet<string>> {
  const ids = sql`${sql.param(listingIds)}::text[]::bigint[]`;
  const { rows } = await db.execute<{ id: string }>(sql`
    WITH incoming AS (
      SELECT "listingId" AS listing_id, ${INCOMING} AS offer FROM ${rowsTable('r', OFFER_TYPES, offers)}),
    stored AS (SELECT listing_id, ${STORED} AS offer FROM competitor_offers WHERE listing_id = ANY(${ids})),
    differing AS (
      (SELECT * FROM incoming EXCEPT ALL SELECT * FROM stored)
      UNION ALL (SELECT * FROM stored EXCEPT ALL SELECT * FROM incoming))
    SELECT listing_id::text AS id FROM (${lastRecords(ids)}) last
    WHERE at BETWEEN ${iso(at)} - age AND ${iso(at)}
      AND NOT EXISTS (SELECT FROM differing d WHERE d.listing_id = last.listing_id)`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Records that unchanged offers were seen again. A listing becomes due only if an offer may have another status than at
 * its last decision: one that was too old or in the future in between, or is so now.
 * @param listingIds listings whose offers equal the stored ones, see {@link findUnchanged}
 */
export async function markSeenAgain(
  db: Db,
  listingIds: readonly string[],
  offers: readonly TextRow[],
  at: Instant,
): Promise<void> {
  if (listingIds.length === 0) return;
  const ids = sql`${sql.param(listingIds)}::text[]::bigint[]`;
  const counts = (seen: SQL, from: SQL, to: SQL) =>
    sql`coalesce(${seen} <= ${from} AND ${to} - ${seen} <= age, false)`;
  await db.execute(sql`
    WITH last AS (${lastRecords(ids)}),
    kept AS (
      SELECT id, listing_id, seen_at, offer, row_number() OVER (PARTITION BY listing_id, offer ORDER BY seen_at, id) AS place
      FROM (SELECT *, ${STORED} AS offer FROM competitor_offers WHERE listing_id = ANY(${ids})) s),
    incoming AS (
      SELECT listing_id, seen_at, offer, row_number() OVER (PARTITION BY listing_id, offer ORDER BY seen_at) AS place
      FROM (SELECT "listingId" AS listing_id, "seenAt" AS seen_at, ${INCOMING} AS offer
        FROM ${rowsTable('r', OFFER_TYPES, offers)}) i),
    moved AS (
      UPDATE competitor_offers o SET seen_at = i.seen_at
      FROM kept k JOIN incoming i USING (listing_id, offer, place)
      WHERE o.id = k.id AND k.seen_at IS DISTINCT FROM i.seen_at
      RETURNING o.listing_id, k.seen_at AS before, i.seen_at AS now),
    seen AS (
      UPDATE competitor_prices p SET last_seen_at = ${iso(at)} FROM last WHERE p.id = last.record)
    SELECT mark_offers_due(array_agg(DISTINCT m.listing_id)) FROM moved m JOIN last USING (listing_id)
    WHERE NOT (${counts(sql`m.before`, sql`last.at`, iso(at))} AND ${counts(sql`m.now`, iso(at), iso(at))})`);
}

function iso(at: Instant): SQL {
  return timestamptz(at);
}

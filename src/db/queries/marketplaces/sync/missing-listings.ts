import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/*
 * Which listings a complete catalog sync contained, and which it did not. A sync is identified by its start time,
 * which is never compared with other times: clocks are set back.
 */

/**
 * Records that a sync contained these listings.
 * @param named SKUs; where the marketplace reported none, its number of the item
 * @returns those of them that were missing
 */
export async function markSeen(
  tx: Db,
  marketplace: Marketplace,
  named: readonly string[],
  startedAt: Instant,
): Promise<number[]> {
  if (named.length === 0) return [];
  const { rows } = await tx.execute<{ id: number; wasMissing: boolean }>(sql`
    UPDATE marketplace_listings m SET seen_in = ${timestamptz(startedAt)}, unseen_since = NULL
    FROM (SELECT l.id, l.missing_since FROM listings l JOIN marketplace_listings known ON known.listing_id = l.id
      WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL
        AND (l.sku = ANY(${sql.param(named)}::text[]) OR l.marketplace_item_id = ANY(${sql.param(named)}::text[]))
      ORDER BY l.id FOR NO KEY UPDATE) named
    WHERE m.listing_id = named.id
    RETURNING named.id::float8 AS id, named.missing_since IS NOT NULL AS "wasMissing"`);
  return rows.flatMap(({ id, wasMissing }) => (wasMissing ? [id] : []));
}

/** A listing with the identifiers for calls to its marketplace, and its price in cents. */
export interface UnseenListing extends Record<string, unknown> {
  readonly listingId: number;
  readonly sku: string;
  readonly itemId: string | null;
  readonly fulfillmentType: FulfillmentType;
  readonly keys: Readonly<Record<string, string>>;
  readonly price: Cents;
}

/** Listings that a sync did not contain, and that are not missing yet. @param startedAt identifies the sync */
export async function listUnseen(
  db: Db,
  marketplace: Marketplace,
  startedAt: Instant,
): Promise<UnseenListing[]> {
  const { rows } = await db.execute<UnseenListing>(sql`
    SELECT l.id::float8 AS "listingId", l.sku, l.fulfillment_type AS "fulfillmentType",
      l.marketplace_item_id AS "itemId", m.keys, ${cents('coalesce(l.current_price, 0)')} AS price
    FROM listings l JOIN marketplace_listings m ON m.listing_id = l.id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND l.missing_since IS NULL
      AND m.seen_in IS DISTINCT FROM ${timestamptz(startedAt)}
    ORDER BY l.id`);
  return rows;
}

/** Records that the marketplace showed these listings when they were requested alone. */
export async function markSeenAlone(tx: Db, ids: readonly number[], startedAt: Instant): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    UPDATE marketplace_listings SET seen_in = ${timestamptz(startedAt)}, unseen_since = NULL
    WHERE listing_id = ANY(${sql.param(ids)}::bigint[])`);
}

/** Marks these listings as missing since a sync. @param startedAt identifies the sync */
export async function markMissingAlone(
  tx: Db,
  ids: readonly number[],
  startedAt: Instant,
): Promise<MissingListing[]> {
  if (ids.length === 0) return [];
  const { rows } = await tx.execute<MissingListing>(sql`
    UPDATE listings l SET missing_since = ${timestamptz(startedAt)}
    FROM (SELECT id FROM listings WHERE id = ANY(${sql.param(ids)}::bigint[]) AND deleted_at IS NULL
        AND missing_since IS NULL ORDER BY id FOR NO KEY UPDATE) known
    WHERE l.id = known.id
    RETURNING l.id::float8 AS id, round(date_part('epoch', l.missing_since) * 1000) AS "missingSince"`);
  return rows;
}

/** Comparison of a complete sync with earlier ones. */
export interface CatalogPresence extends Record<string, unknown> {
  /** Live listings that an earlier sync contained, and that are not missing. */
  readonly known: number;
  /** Those of them that this one did not contain. */
  readonly missing: number;
  /** Live listings that no sync ever contained: they came by file, or are not on the marketplace. */
  readonly neverFound: number;
}

/** @param startedAt identifies the sync */
export async function countPresence(
  db: Db,
  marketplace: Marketplace,
  startedAt: Instant,
): Promise<CatalogPresence> {
  const { rows } = await db.execute<CatalogPresence>(sql`
    SELECT count(*) FILTER (WHERE m.listing_id IS NOT NULL AND l.missing_since IS NULL)::int AS known,
      count(*) FILTER (WHERE m.listing_id IS NOT NULL AND l.missing_since IS NULL
        AND m.seen_in IS DISTINCT FROM ${timestamptz(startedAt)})::int AS missing,
      count(*) FILTER (WHERE m.listing_id IS NULL)::int AS "neverFound"
    FROM listings l LEFT JOIN marketplace_listings m ON m.listing_id = l.id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL`);
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate answered no row.');
  return row;
}

/** A missing listing, since the start of the first sync without it. */
export interface MissingListing extends Record<string, unknown> {
  readonly id: number;
  readonly missingSince: Instant;
}

/**
 * Evaluates a complete sync: listings that an earlier one lacked too are missing, others lack from this one on.
 * @param startedAt identifies the sync
 */
export async function markMissing(
  tx: Db,
  marketplace: Marketplace,
  startedAt: Instant,
): Promise<MissingListing[]> {
  const { rows } = await tx.execute<MissingListing>(sql`
    UPDATE listings l SET missing_since = missed.unseen_since
    FROM (SELECT o.id, m.unseen_since FROM listings o JOIN marketplace_listings m ON m.listing_id = o.id
      WHERE o.marketplace = ${marketplace} AND o.deleted_at IS NULL AND o.missing_since IS NULL
        AND m.seen_in IS DISTINCT FROM ${timestamptz(startedAt)} AND m.unseen_since IS NOT NULL
      ORDER BY o.id FOR NO KEY UPDATE OF o) missed
    WHERE l.id = missed.id
    RETURNING l.id::float8 AS id, round(date_part('epoch', l.missing_since) * 1000) AS "missingSince"`);
  await tx.execute(sql`
    UPDATE marketplace_listings m SET unseen_since = ${timestamptz(startedAt)}
    FROM (SELECT k.listing_id FROM marketplace_listings k JOIN listings l ON l.id = k.listing_id
      WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL
        AND k.seen_in IS DISTINCT FROM ${timestamptz(startedAt)} AND k.unseen_since IS NULL
      ORDER BY k.listing_id FOR NO KEY UPDATE OF k) missed
    WHERE m.listing_id = missed.listing_id`);
  return rows;
}

/** Missing listings were found again. */
export async function markFound(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    UPDATE listings SET missing_since = NULL WHERE id = ANY(${sql.param(ids)}::bigint[]) AND missing_since IS NOT NULL`);
}

import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { ToDecide } from './due-listings.ts';

/** The live listings that have one price with any of these, themselves included, by ID; none for those without a group. */
export async function readGroupMembers(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT DISTINCT mate.id::float8 AS id FROM listings l
    JOIN listings mate ON mate.marketplace = l.marketplace AND mate.group_key = l.group_key AND mate.deleted_at IS NULL
    WHERE l.id = ANY(${sql.param(ids)}::bigint[]) AND l.group_key IS NOT NULL AND l.deleted_at IS NULL
    ORDER BY 1`);
  return rows.map(({ id }) => id);
}

/** A member of a price group, to be decided with the others. */
export interface MemberToDecide extends ToDecide {
  /** The lowest ID of its group. */
  readonly first: number;
}

/** All live members of the price groups of these listings, by ID, read as the listings of a batch are. */
export async function readMembersToDecide(db: Db, ids: readonly number[]): Promise<MemberToDecide[]> {
  const { rows } = await db.execute<MemberToDecide>(sql`
    SELECT DISTINCT ON (mate.id) mate.id::float8 AS id, d.mark::text AS mark, mate.xmin::text AS row,
      mate.group_key AS "groupKey",
      (SELECT min(first.id) FROM listings first WHERE first.marketplace = mate.marketplace
        AND first.group_key = mate.group_key AND first.deleted_at IS NULL)::float8 AS first
    FROM listings l
    JOIN listings mate ON mate.marketplace = l.marketplace AND mate.group_key = l.group_key AND mate.deleted_at IS NULL
    LEFT JOIN due_listings d ON d.listing_id = mate.id
    WHERE l.id = ANY(${sql.param(ids)}::bigint[]) AND l.group_key IS NOT NULL AND l.deleted_at IS NULL
    ORDER BY mate.id`);
  return rows;
}

/** The other live members of the price groups of these listings, each with the listing that it shares its price with. */
export async function readMembersOf(
  db: Db,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly from: number }[]> {
  const { rows } = await db.execute<{ id: number; from: number }>(sql`
    SELECT mate.id::float8 AS id, l.id::float8 AS "from" FROM listings l
    JOIN listings mate ON mate.marketplace = l.marketplace AND mate.group_key = l.group_key AND mate.deleted_at IS NULL
    WHERE l.id = ANY(${sql.param(ids)}::bigint[]) AND l.group_key IS NOT NULL AND l.deleted_at IS NULL AND mate.id <> l.id
    ORDER BY l.id, mate.id`);
  return rows;
}

/** SKUs of the other live listings that share the price of listing `l`, as an array. */
export const SKUS_WITH_SAME_PRICE: SQL = sql`CASE WHEN l.group_key IS NULL THEN '{}' ELSE ARRAY(
  SELECT mate.sku FROM listings mate WHERE mate.marketplace = l.marketplace AND mate.group_key = l.group_key
    AND mate.deleted_at IS NULL AND mate.id <> l.id ORDER BY mate.sku COLLATE "C") END`;

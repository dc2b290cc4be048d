import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/*
 * The listings that have to be decided again. Triggers mark them as their facts change: `mark_due` in the migrations, newest in
 * 0136_price_groups.sql. What is here reads and clears the marks, and sets those that follow from no changed row.
 */

/** A listing to decide: read before its facts, so that later changes get another mark. */
export interface ToDecide extends Record<string, unknown> {
  readonly id: number;
  /** Null when it is not due. */
  readonly mark: string | null;
  /** Changes with every write to the listing's own row. */
  readonly row: string;
  /** Not null for a member of a price group, which is decided with the others. */
  readonly groupKey: string | null;
}

/** Due listings after a cursor, by ID; deleted ones too, so that their marks are cleared. */
async function readDue(db: Db, after: number, max: number): Promise<ToDecide[]> {
  // By the primary key, listing by listing: statistics of this table are always outdated.
  const { rows } = await db.execute<ToDecide>(sql`
    SELECT d.listing_id::float8 AS id, d.mark::text AS mark, l.row, l."groupKey" FROM
      (SELECT listing_id, mark FROM due_listings WHERE listing_id > ${after} ORDER BY listing_id LIMIT ${max}) d
    CROSS JOIN LATERAL (SELECT xmin::text AS row, CASE WHEN deleted_at IS NULL THEN group_key END AS "groupKey" FROM listings WHERE id = d.listing_id LIMIT 1) l
    ORDER BY d.listing_id`);
  return rows;
}

/** Live listings after a cursor, by ID. */
export async function readLive(db: Db, after: number, max: number): Promise<ToDecide[]> {
  const { rows } = await db.execute<ToDecide>(sql`
    SELECT l.id::float8 AS id, d.mark::text AS mark, l.row, l."groupKey" FROM
      (SELECT id, xmin::text AS row, group_key AS "groupKey" FROM listings WHERE deleted_at IS NULL AND id > ${after} ORDER BY id LIMIT ${max}) l
    LEFT JOIN due_listings d ON d.listing_id = l.id ORDER BY l.id`);
  return rows;
}

/**
 * Clears the marks that were read. A renewed one stays, and so does one that another transaction is renewing now:
 * waiting for it could deadlock.
 * @returns how many were cleared
 */
export async function clearDue(tx: Db, decided: readonly ToDecide[]): Promise<number> {
  const due = decided.filter(({ mark }) => mark !== null);
  if (due.length === 0) return 0;
  // By the primary key, mark by mark: statistics of this table are always outdated.
  const { rowCount } = await tx.execute(sql`
    WITH mine AS MATERIALIZED (
      SELECT due.listing_id
      FROM unnest(${sql.param(due.map(({ id }) => id))}::bigint[], ${sql.param(due.map(({ mark }) => mark))}::bigint[])
        AS decided (id, mark)
      CROSS JOIN LATERAL (SELECT d.listing_id FROM due_listings d
        WHERE d.listing_id = decided.id AND d.mark = decided.mark FOR UPDATE SKIP LOCKED) due)
    DELETE FROM due_listings USING mine WHERE due_listings.listing_id = mine.listing_id`);
  return rowCount ?? 0;
}

/** Listings whose mark differs from the one read: their facts have changed since. */
export async function readOutdated(tx: Db, decided: readonly ToDecide[]): Promise<number[]> {
  if (decided.length === 0) return [];
  const { rows } = await tx.execute<{ id: number }>(sql`
    SELECT decided.id::float8 AS id
    FROM unnest(${sql.param(decided.map(({ id }) => id))}::bigint[], ${sql.param(decided.map(({ mark }) => mark))}::bigint[])
      AS decided (id, mark)
    CROSS JOIN LATERAL (SELECT FROM due_listings d
      WHERE d.listing_id = decided.id AND d.mark IS DISTINCT FROM decided.mark OFFSET 0) renewed`);
  return rows.map(({ id }) => id);
}

/** Marks listings as due, by what happened to their prices in sending. */
export async function markDue(tx: Db, listingIds: readonly number[]): Promise<void> {
  if (listingIds.length === 0) return;
  await tx.execute(sql`SELECT mark_due(${sql.param(listingIds)}::bigint[], 'sending')`);
}

/** Number of due listings, counted up to a limit. */
export async function countDue(db: Db, max: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (SELECT FROM due_listings LIMIT ${max}) due`,
  );
  return rows[0]?.count ?? 0;
}

/** Every listing that is not deleted. */
export async function countLive(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM listings WHERE deleted_at IS NULL`,
  );
  return rows[0]?.count ?? 0;
}

/** Reads listings after a cursor. */
export type ReadListings = (db: Db, after: number, limit: number) => Promise<ToDecide[]>;

/** The listings that a run of this trigger covers. */
export function listingsOf(trigger: string): ReadListings {
  return trigger === 'data_change' ? readDue : readLive;
}

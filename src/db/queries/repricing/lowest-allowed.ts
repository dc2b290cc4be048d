import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents } from '#db/sql-values.ts';
import type { Cents } from '#domain/units.ts';

/** A listing and its lowest allowed price. */
export interface LowestAllowed extends Record<string, unknown> {
  readonly id: number;
  readonly lowestAllowed: Cents;
}

/** The last mark that was checked; set until the end of the transaction, and empty afterwards in its connection. */
const PASSED = sql`coalesce(nullif(current_setting('pricewright.floors_passed', true), ''), '0')::bigint`;

/** A listing that this transaction has changed; null when no lowest allowed price is stored. */
export interface TouchedListing extends Record<string, unknown> {
  readonly id: number;
  readonly lowestAllowed: Cents | null;
  /** Where it was before small steps lowered it; null for none. */
  readonly fellFrom: Cents | null;
}

/**
 * Listings whose inputs this transaction has changed, with their lowest allowed price before. Listings of marketplaces
 * that are not live, and those without a stored price, are omitted, unless this transaction switched theirs to live.
 * Every change of inputs marks its listings as due, so the marks of this transaction identify them.
 * Those before the last {@link passTouched} are not read again.
 */
export async function readTouchedLowest(tx: Db): Promise<TouchedListing[]> {
  const { rows } = await tx.execute<TouchedListing>(sql`
    SELECT d.listing_id::float8 AS id,
      ${cents('CASE WHEN m.listing_id IS NULL THEN d.lowest_allowed ELSE m.lowest_allowed END')} AS "lowestAllowed",
      ${cents('f.lowest_allowed')} AS "fellFrom"
    FROM due_listings d JOIN listings l ON l.id = d.listing_id JOIN marketplace_modes e ON e.marketplace = l.marketplace
      LEFT JOIN listing_metrics m ON m.listing_id = d.listing_id LEFT JOIN small_floor_falls f ON f.listing_id = d.listing_id
    WHERE d.xmin = pg_current_xact_id_if_assigned()::xid AND d.mark > ${PASSED} AND l.deleted_at IS NULL AND e.mode = 'live'
      AND (e.xmin = d.xmin OR CASE WHEN m.listing_id IS NULL THEN d.lowest_allowed ELSE m.lowest_allowed END IS NOT NULL)
    ORDER BY d.listing_id`);
  return rows;
}

/**
 * The margin floors of listings as last decided, live or deleted ones; while one is unknown, its last known lowest
 * allowed price. Listings that never had one are omitted.
 */
export async function readKnownFloors(tx: Db, ids: readonly number[]): Promise<LowestAllowed[]> {
  const { rows } = await tx.execute<LowestAllowed>(sql`
    SELECT m.listing_id::float8 AS id, ${cents('coalesce(m.margin_floor, m.lowest_allowed)')} AS "lowestAllowed"
    FROM listing_metrics m
    WHERE m.listing_id = ANY(${sql.param([...ids])}::bigint[])
      AND coalesce(m.margin_floor, m.lowest_allowed) IS NOT NULL`);
  return rows;
}

/** Records that the marks so far are checked: an action with a check of its own is not checked twice. */
export async function passTouched(tx: Db): Promise<void> {
  await tx.execute(sql`
    SELECT set_config('pricewright.floors_passed', max(mark)::text, true) FROM due_listings
    WHERE xmin = pg_current_xact_id_if_assigned()::xid`);
}

/** Stores lowest allowed prices for comparison with the next change; for listings that this transaction marked. */
export async function writeLowest(tx: Db, changed: readonly LowestAllowed[]): Promise<void> {
  if (changed.length === 0) return;
  await tx.execute(sql`
    WITH c AS MATERIALIZED (
      SELECT id, amount / 100.0 AS price FROM unnest(${sql.param(changed.map(({ id }) => id))}::bigint[],
        ${sql.param(changed.map(({ lowestAllowed }) => lowestAllowed))}::bigint[]) c (id, amount)),
    decided AS (UPDATE listing_metrics SET lowest_allowed = c.price FROM c WHERE listing_id = c.id RETURNING listing_id)
    UPDATE due_listings d SET lowest_allowed = c.price FROM c
    WHERE d.listing_id = c.id AND NOT EXISTS (SELECT FROM decided WHERE decided.listing_id = c.id)`);
}

/** Where small steps lowered a lowest allowed price from; null to forget it. */
export interface SmallFall {
  readonly id: number;
  readonly from: Cents | null;
}

/** Stores where small steps began, or forgets it. */
export async function writeSmallFalls(tx: Db, falls: readonly SmallFall[]): Promise<void> {
  const begun = falls.flatMap(({ id, from }) => (from === null ? [] : [{ id, from }]));
  const ended = falls.flatMap(({ id, from }) => (from === null ? [id] : []));
  if (begun.length > 0) {
    await tx.execute(sql`
      INSERT INTO small_floor_falls (listing_id, lowest_allowed)
      SELECT id, amount / 100.0 FROM unnest(${sql.param(begun.map(({ id }) => id))}::bigint[],
        ${sql.param(begun.map(({ from }) => from))}::bigint[]) f (id, amount)
      ON CONFLICT (listing_id) DO UPDATE SET lowest_allowed = excluded.lowest_allowed`);
  }
  if (ended.length > 0) {
    await tx.execute(
      sql`DELETE FROM small_floor_falls WHERE listing_id = ANY(${sql.param(ended)}::bigint[])`,
    );
  }
}

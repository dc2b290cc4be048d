import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import type { RunShares } from '#domain/decision/run-tally.ts';
import type { HourShares } from '#domain/limits/circuit-breaker.ts';
import { type Bps, type Cents, type Instant, WHOLE } from '#domain/units.ts';

/**
 * The last runs that a new one can be compared with, see `isComparable` of the domain.
 * @param minListings runs that could change fewer listings are omitted
 */
export async function readPastShares(
  db: Db,
  before: number | null,
  minListings: number,
  most: number,
): Promise<RunShares[]> {
  const { rows } = await db.execute<{ [Name in keyof RunShares]: number }>(sql`
    SELECT may_change AS "mayChange", competitive, dropped, rose, moved_unread AS "movedUnread",
      competitive AS "movedUnreadOf", at_margin_floor AS "atMarginFloor", newly_blocked AS "newlyBlocked",
      at_same_price AS "atSamePrice"
    FROM repricing_runs
    WHERE trigger IN ('data_change', 'full_check', 'manual') AND state = 'done' AND may_change >= ${minListings}
      AND (${before}::bigint IS NULL OR id < ${before}::bigint)
    ORDER BY id DESC LIMIT ${most}`);
  return rows;
}

/** Prices in progress: a drop counts when it is decided, not when buyers see it. */
const IN_PROGRESS = sql`state IN ('queued', 'sent', 'accepted', 'unknown') AND source = 'rule'`;

/**
 * What repricing did since a time, without runs that a user had reviewed.
 * @param price changes to this one price are counted; null counts none
 * @param dropDepth a price lower by this share or more counts as dropped, one higher by it as risen
 */
export async function readSince(
  db: Db,
  since: Instant,
  price: Cents | null,
  dropDepth: Bps,
): Promise<Omit<HourShares, 'mayChange'>> {
  const { rows } = await db.execute<{ [Name in keyof Omit<HourShares, 'mayChange'>]: number }>(sql`
    WITH runs AS (
      SELECT id, at_margin_floor, newly_blocked, moved_unread FROM repricing_runs
      WHERE trigger IN ('data_change', 'full_check', 'manual') AND started_at > ${timestamptz(since)}
        AND coalesce(NOT (plan ->> 'isReviewed')::boolean, true)),
    moves AS (
      SELECT listing_id, 1 AS part, id, old_price, new_price FROM price_history
      WHERE run_id IN (SELECT id FROM runs) AND source = 'rule'
      UNION ALL
      SELECT listing_id, 2, id, from_price, price FROM price_intents
      WHERE run_id IN (SELECT id FROM runs) AND ${IN_PROGRESS}),
    moved AS (
      SELECT listing_id, (array_agg(old_price ORDER BY part, id))[1] AS first,
        (array_agg(new_price ORDER BY part DESC, id DESC))[1] AS last
      FROM moves GROUP BY listing_id)
    SELECT (SELECT count(*)::int FROM moved WHERE last * ${WHOLE} <= first * ${WHOLE - dropDepth}::int) AS dropped,
      (SELECT count(*)::int FROM moved WHERE last * ${WHOLE} >= first * ${WHOLE + dropDepth}::int) AS rose,
      (SELECT coalesce(sum(moved_unread), 0)::int FROM runs) AS "movedUnread",
      (SELECT count(*)::int FROM moved WHERE last = ${price}::bigint / 100.0) AS "atSamePrice",
      (SELECT coalesce(sum(at_margin_floor), 0)::int FROM runs) AS "atMarginFloor",
      (SELECT coalesce(sum(newly_blocked), 0)::int FROM runs) AS "newlyBlocked"`);
  const [row] = rows;
  if (row === undefined) throw new Error('A statement without FROM answered no row.');
  return row;
}

/** The price that each of these listings had at a time, for those that repricing has changed since. */
export async function readPricesAt(
  db: Db,
  ids: readonly number[],
  since: Instant,
): Promise<ReadonlyMap<number, Cents>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<{ id: number; price: number }>(sql`
    SELECT DISTINCT ON (h.listing_id) h.listing_id::float8 AS id, ${cents('h.old_price')} AS price
    FROM price_history h JOIN repricing_runs r ON r.id = h.run_id
    WHERE h.listing_id = ANY (${sql.param(ids)}::bigint[]) AND h.timestamp > ${timestamptz(since)}
      AND h.source = 'rule' AND coalesce(NOT (r.plan ->> 'isReviewed')::boolean, true)
    ORDER BY h.listing_id, h.id`);
  return new Map(rows.map(({ id, price }) => [id, price as Cents]));
}

/** Listings whose switches allow automatic changes, whatever their rules require. */
export async function countFree(db: Db, now: Instant): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM listings l
    JOIN marketplace_modes e ON e.marketplace = l.marketplace AND e.mode = 'live'
    WHERE l.deleted_at IS NULL AND l.auto_repricing_enabled
      AND (l.held_by IS NULL OR l.held_until <= ${timestamptz(now)})`);
  return rows[0]?.count ?? 0;
}

/** Number of changes in a run that set the most frequent price. */
export async function countAtSamePrice(db: Db, runId: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(DISTINCT coalesce(l.marketplace || ' ' || l.group_key, l.id::text))::int AS count FROM (
      SELECT listing_id, new_price AS price FROM price_history WHERE run_id = ${runId} AND source = 'rule'
      UNION ALL SELECT listing_id, price FROM price_intents WHERE run_id = ${runId} AND ${IN_PROGRESS}) AS changed
    JOIN listings l ON l.id = changed.listing_id
    GROUP BY changed.price ORDER BY 1 DESC LIMIT 1`);
  return rows[0]?.count ?? 0;
}

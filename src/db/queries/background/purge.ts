import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

/** Runs that the circuit breaker may still compare a new one with; see PAST_RUNS of the domain. */
const COMPARED = 100;

/**
 * Deletes runs that left nothing: no price, no decision, nothing under way, no run that undoes them. Runs of what was due
 * go early, since there may be one every second; the newest of those that the breaker compares stay whatever their age.
 * @param before runs of every kind that started earlier
 * @param dueBefore runs of what was due that started earlier and came to their end
 * @param most rows at a time
 * @returns how many were deleted
 */
export async function deleteEmptyRuns(
  db: Db,
  before: Instant,
  dueBefore: Instant,
  most: number,
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM repricing_runs WHERE id IN (
      SELECT r.id FROM repricing_runs r
      WHERE r.state NOT IN ('queued', 'running') AND r.changed = 0
        AND (r.started_at < ${timestamptz(before)}
          OR (r.trigger = 'data_change' AND r.state = 'done' AND r.started_at < ${timestamptz(dueBefore)}))
        AND NOT EXISTS (SELECT FROM run_items i WHERE i.run_id = r.id)
        AND NOT EXISTS (SELECT FROM price_history h WHERE h.run_id = r.id)
        AND NOT EXISTS (SELECT FROM price_intents p WHERE p.run_id = r.id)
        AND NOT EXISTS (SELECT FROM repricing_runs u WHERE u.undoes_run_id = r.id)
        AND r.id NOT IN (SELECT id FROM repricing_runs
          WHERE trigger IN ('data_change', 'full_check', 'manual') AND state = 'done' AND may_change > 0
          ORDER BY id DESC LIMIT ${COMPARED})
      ORDER BY r.started_at LIMIT ${most})`);
  return rowCount ?? 0;
}

/**
 * Deletes prices that were on their way once: what became a price stands in the ledger. The newest of a listing stays, so
 * that its numbers go on, and so does a refusal that still keeps a price from being asked.
 * @returns how many were deleted
 */
export async function deleteOldIntents(db: Db, before: Instant, most: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM price_intents WHERE id IN (
      SELECT i.id FROM price_intents i
      WHERE i.settled_at < ${timestamptz(before)} AND EXISTS (SELECT FROM price_intents newer
        WHERE newer.listing_id = i.listing_id AND newer.sequence > i.sequence)
        AND NOT (i.is_refusal_active AND EXISTS (SELECT FROM listings l
          WHERE l.id = i.listing_id AND l.current_price = i.from_price))
      ORDER BY i.settled_at LIMIT ${most})`);
  return rowCount ?? 0;
}

/** Where a walk over old decisions stands. */
export interface ItemCursor extends Record<string, unknown> {
  readonly at: string;
  readonly runId: string;
  readonly listingId: string;
}

/**
 * Deletes a page of old decisions. One that is still a listing's last stays, however old: a repeated one writes no new
 * item, and somebody may ask why.
 * @param after where the page before ended; null begins
 * @returns how many were deleted, and where the next page begins; null at the end
 */
export async function deleteOldItems(
  db: Db,
  before: Instant,
  after: ItemCursor | null,
  most: number,
): Promise<{ readonly deleted: number; readonly next: ItemCursor | null }> {
  const behind =
    after === null
      ? sql`true`
      : sql`(at, run_id, listing_id) > (${after.at}::timestamptz, ${after.runId}::bigint, ${after.listingId}::bigint)`;
  const { rows } = await db.execute<ItemCursor & { looked: number; deleted: number }>(sql`
    WITH page AS MATERIALIZED (
      SELECT at, run_id, listing_id FROM run_items WHERE at < ${timestamptz(before)} AND ${behind}
      ORDER BY at, run_id, listing_id LIMIT ${most}),
    gone AS (
      DELETE FROM run_items i USING page p
      WHERE i.run_id = p.run_id AND i.listing_id = p.listing_id AND NOT EXISTS (
        SELECT FROM listing_metrics m WHERE m.listing_id = p.listing_id AND m.run_id = p.run_id)
      RETURNING 1)
    SELECT at::text, run_id::text AS "runId", listing_id::text AS "listingId",
      (SELECT count(*)::int FROM page) AS looked, (SELECT count(*)::int FROM gone) AS deleted
    FROM page ORDER BY page.at DESC, page.run_id DESC, page.listing_id DESC LIMIT 1`);
  const [last] = rows;
  if (last === undefined) return { deleted: 0, next: null };
  const { deleted, looked, ...next } = last;
  return { deleted, next: looked < most ? null : next };
}

/** Deletes jobs that ended before a moment. @returns how many, `most` at a time */
export async function deleteEndedJobs(db: Db, before: Instant, most: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM jobs WHERE id IN (
      SELECT id FROM jobs
      WHERE state NOT IN ('queued', 'running') AND coalesce(ended_at, created_at) < ${timestamptz(before)}
      ORDER BY id LIMIT ${most})`);
  return rowCount ?? 0;
}

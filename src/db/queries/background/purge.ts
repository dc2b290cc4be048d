import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

/** Number of runs that the circuit breaker may compare a new one with; see PAST_RUNS of the domain. */
const COMPARED_RUNS = 100;

/**
 * Deletes runs without effects: no price, no decision, nothing in progress, no run that undoes them. Runs for due
 * listings go early, since there may be one every second; the newest of those that the circuit breaker compares always
 * stay.
 * @param before runs of every kind that started earlier
 * @param dueBefore runs for due listings that started earlier and have ended
 * @param max rows at a time
 * @returns how many were deleted
 */
export async function deleteEmptyRuns(
  db: Db,
  before: Instant,
  dueBefore: Instant,
  max: number,
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
          ORDER BY id DESC LIMIT ${COMPARED_RUNS})
      ORDER BY r.started_at LIMIT ${max})`);
  return rowCount ?? 0;
}

/**
 * Deletes ended price intents: a confirmed one is in the ledger. The newest of a listing stays, so that its sequence
 * continues, and so does a rejection that still prevents a price from being sent.
 * @returns how many were deleted
 */
export async function deleteOldIntents(db: Db, before: Instant, max: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM price_intents WHERE id IN (
      SELECT i.id FROM price_intents i
      WHERE i.settled_at < ${timestamptz(before)} AND EXISTS (SELECT FROM price_intents newer
        WHERE newer.listing_id = i.listing_id AND newer.sequence > i.sequence)
        AND NOT (i.is_refusal_active AND EXISTS (SELECT FROM listings l
          WHERE l.id = i.listing_id AND l.current_price = i.from_price))
      ORDER BY i.settled_at LIMIT ${max})`);
  return rowCount ?? 0;
}

/** Position in the pages of old decisions. */
export interface ItemCursor extends Record<string, unknown> {
  readonly at: string;
  readonly runId: string;
  readonly listingId: string;
}

/**
 * Deletes a page of old decisions. The last one of a listing stays at any age: a repeated one writes no new item, and a
 * user may want its explanation.
 * @param after where the page before ended; null starts
 * @returns how many were deleted, and where the next page starts; null at the end
 */
export async function deleteOldItems(
  db: Db,
  before: Instant,
  after: ItemCursor | null,
  max: number,
): Promise<{ readonly deleted: number; readonly next: ItemCursor | null }> {
  const behind =
    after === null
      ? sql`true`
      : sql`(at, run_id, listing_id) > (${after.at}::timestamptz, ${after.runId}::bigint, ${after.listingId}::bigint)`;
  const { rows } = await db.execute<ItemCursor & { checked: number; deleted: number }>(sql`
    WITH page AS MATERIALIZED (
      SELECT at, run_id, listing_id FROM run_items WHERE at < ${timestamptz(before)} AND ${behind}
      ORDER BY at, run_id, listing_id LIMIT ${max}),
    removed AS (
      DELETE FROM run_items i USING page p
      WHERE i.run_id = p.run_id AND i.listing_id = p.listing_id AND NOT EXISTS (
        SELECT FROM listing_metrics m WHERE m.listing_id = p.listing_id AND m.run_id = p.run_id)
      RETURNING 1)
    SELECT at::text, run_id::text AS "runId", listing_id::text AS "listingId",
      (SELECT count(*)::int FROM page) AS checked, (SELECT count(*)::int FROM removed) AS deleted
    FROM page ORDER BY page.at DESC, page.run_id DESC, page.listing_id DESC LIMIT 1`);
  const [last] = rows;
  if (last === undefined) return { deleted: 0, next: null };
  const { deleted, checked, ...next } = last;
  return { deleted, next: checked < max ? null : next };
}

/** Deletes jobs that ended before a moment. @returns how many, `max` at a time */
export async function deleteEndedJobs(db: Db, before: Instant, max: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM jobs WHERE id IN (
      SELECT id FROM jobs
      WHERE state NOT IN ('queued', 'running') AND coalesce(ended_at, created_at) < ${timestamptz(before)}
      ORDER BY id LIMIT ${max})`);
  return rowCount ?? 0;
}

/**
 * Deletes old answers about fees. The newest to each question stays at any age, used or not, and so does the newest that an
 * administrator accepted or rejected: later answers are compared with it.
 * @returns how many were deleted
 */
export async function deleteOldFeeFacts(db: Db, before: Instant, max: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM fee_facts WHERE id IN (
      SELECT f.id FROM fee_facts f
      WHERE f.told_at < ${timestamptz(before)} AND EXISTS (SELECT FROM fee_facts newer
        WHERE newer.listing_id = f.listing_id AND newer.kind = f.kind AND newer.told_at > f.told_at
          AND newer.source = f.source AND newer.fulfillment_type = f.fulfillment_type
          AND newer.asked_price = f.asked_price AND newer.asked_shipping = f.asked_shipping
          AND newer.name IS NOT DISTINCT FROM f.name
          AND (newer.refused_because IS NULL) = (f.refused_because IS NULL)
          AND (f.accepted_at IS NULL OR newer.accepted_at IS NOT NULL)
          AND (f.refused_because IS DISTINCT FROM 'rejected' OR newer.refused_because = 'rejected'))
      ORDER BY f.told_at LIMIT ${max})`);
  return rowCount ?? 0;
}

/**
 * Deletes old charges of fulfillment, at whatever price they were: the newest used one of a listing stays, and so does what an
 * administrator accepted or rejected.
 * @returns how many were deleted
 */
export async function deleteOldCharges(db: Db, before: Instant, max: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM fee_facts WHERE id IN (
      SELECT f.id FROM fee_facts f
      WHERE f.told_at < ${timestamptz(before)} AND f.kind = 'fulfillment' AND f.source = 'settled' AND f.refused_because IS NULL
        AND f.accepted_at IS NULL AND EXISTS (SELECT FROM fee_facts newer
          WHERE newer.listing_id = f.listing_id AND newer.kind = 'fulfillment' AND newer.source = 'settled'
            AND newer.refused_because IS NULL AND newer.told_at > f.told_at)
      ORDER BY f.told_at LIMIT ${max})`);
  return rowCount ?? 0;
}

/** Deletes what was kept of fees that changed. */
export async function deleteOldFeeJumps(db: Db, before: Instant): Promise<void> {
  await db.execute(sql`DELETE FROM fee_jumps WHERE told_at < ${timestamptz(before)}`);
}

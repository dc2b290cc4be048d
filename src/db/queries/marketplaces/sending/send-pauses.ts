import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import { millis, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { SendPause, SendPauseReason } from '#domain/sending/send-pause.ts';
import type { Cents, Instant, Millis } from '#domain/units.ts';

/** A listing that gets no price for a while, with the price that was not sent. */
export interface PausedListing extends SendPause {
  readonly listingId: number;
  readonly marketplace: Marketplace;
  readonly price: Cents;
  readonly fromPrice: Cents;
  /** Used up calls of a day that other listings do not need: they are sent to. */
  readonly othersMayGo: boolean;
  /** Refusals for this reason in a row. */
  readonly times: number;
}

/** Pauses listings, instead of any earlier pause of theirs. Lock the listings first. */
export async function pauseListings(tx: Db, pauses: readonly PausedListing[]): Promise<void> {
  for (const { listingId, marketplace, why, until, allowsRepairs, othersMayGo, ...pause } of pauses) {
    const { price, fromPrice, times } = pause;
    await tx.execute(sql`
      INSERT INTO send_pauses (listing_id, marketplace, why, until, allows_repairs, others_may_go, price, from_price, times)
      VALUES (${listingId}, ${marketplace}, ${why}, ${timestamptz(until)}, ${allowsRepairs}, ${othersMayGo},
        ${price} / 100.0, ${fromPrice} / 100.0, ${times})
      ON CONFLICT (listing_id) DO UPDATE SET why = excluded.why, until = excluded.until,
        allows_repairs = excluded.allows_repairs, others_may_go = excluded.others_may_go, price = excluded.price, from_price = excluded.from_price,
        times = excluded.times, resume_at = NULL, ended_at = NULL`);
  }
}

/** The last pause of a listing. */
export interface LastPause extends Record<string, unknown> {
  readonly listingId: number;
  readonly why: SendPauseReason;
  /** How often in a row the listing was refused for this reason. */
  readonly times: number;
  readonly until: Instant;
}

/** The last pauses of these listings, ended or not. */
export async function readLastPauses(
  tx: Db,
  listingIds: readonly number[],
): Promise<ReadonlyMap<number, LastPause>> {
  const { rows } = await tx.execute<LastPause>(sql`
    SELECT listing_id::float8 AS "listingId", why, times, ${millis('until')} AS until FROM send_pauses
    WHERE listing_id = ANY(${sql.param(listingIds)}::bigint[])`);
  return new Map(rows.map((row) => [row.listingId, row]));
}

export type ActivePause = SendPause & { readonly listingId: number } & Record<string, unknown>;

/** Pauses of these listings that have not ended. */
export async function readActivePauses(db: Db, listingIds: readonly number[]): Promise<ActivePause[]> {
  const { rows } = await db.execute<ActivePause>(sql`
    SELECT listing_id::float8 AS "listingId", why, allows_repairs AS "allowsRepairs",
      ${millis('coalesce(resume_at, until)')} AS until
    FROM send_pauses WHERE ended_at IS NULL AND listing_id = ANY(${sql.param(listingIds)}::bigint[])`);
  return rows;
}

/** What a price that the marketplace took ends: pauses that are over, and those for the listing's own sake. */
const overOnceTaken = (listingIds: readonly number[], now: Instant): SQL =>
  sql`listing_id = ANY(${sql.param(listingIds)}::bigint[])
    AND (until <= ${timestamptz(now)} OR why IN ('unclear', 'too_new', 'not_told', 'business_price', 'not_found'))`;

/** A price was accepted, and buyers do not see it yet: refusals in a row are still counted. */
export async function endPauses(tx: Db, listingIds: readonly number[], now: Instant): Promise<void> {
  await tx.execute(sql`
    UPDATE send_pauses SET ended_at = ${timestamptz(now)}
    WHERE ended_at IS NULL AND ${overOnceTaken(listingIds, now)}`);
}

/** Buyers see a price: refusals before it are no longer counted. */
export async function forgetPauses(tx: Db, listingIds: readonly number[], now: Instant): Promise<void> {
  await tx.execute(sql`DELETE FROM send_pauses WHERE ${overOnceTaken(listingIds, now)}`);
}

/** The marketplace shows these listings: that it did not find them before no longer counts. */
export async function forgetNotFound(tx: Db, listingIds: readonly number[]): Promise<void> {
  await tx.execute(sql`
    DELETE FROM send_pauses WHERE why = 'not_found' AND listing_id = ANY(${sql.param(listingIds)}::bigint[])`);
}

/** Until when a marketplace takes no calls at all; null when it does. */
export async function readDailyLimit(
  db: Db,
  marketplace: Marketplace,
  now: Instant,
): Promise<Instant | null> {
  const { rows } = await db.execute<{ until: Instant | null }>(sql`
    SELECT ${millis('max(until)')} AS until FROM send_pauses
    WHERE marketplace = ${marketplace} AND why = 'daily_limit' AND NOT others_may_go AND ended_at IS NULL AND until > ${timestamptz(now)}`);
  return rows[0]?.until ?? null;
}

/** Whether a pause of the marketplace has to be ended now. */
export async function isPauseDue(db: Db, marketplace: Marketplace, now: Instant): Promise<boolean> {
  const { rows } = await db.execute<{ isAny: boolean }>(sql`
    SELECT EXISTS (SELECT FROM send_pauses WHERE marketplace = ${marketplace} AND ended_at IS NULL
      AND until <= ${timestamptz(now)} AND (resume_at IS NULL OR resume_at <= ${timestamptz(now)})) AS "isAny"`);
  return rows[0]?.isAny ?? false;
}

/**
 * Decides listings again whose pause is over: first prices below the margin floor, then the largest change of money,
 * one after the other within a time.
 * @param step from one listing to the next, at most
 * @param within for all of them
 */
export async function resumePaused(
  tx: Db,
  marketplace: Marketplace,
  { step, within }: { readonly step: Millis; readonly within: Millis },
  now: Instant,
): Promise<void> {
  await tx.execute(sql`
    UPDATE send_pauses p SET resume_at = ${timestamptz(now)}
      + make_interval(secs => (w.place * least(${step}::float8, ${within}::float8 / w.of)) / 1000)
    FROM (SELECT s.listing_id, count(*) OVER () AS of, row_number() OVER (
          ORDER BY coalesce(l.current_price < m.margin_floor, false) DESC, abs(s.price - s.from_price) DESC, s.listing_id) - 1 AS place
      FROM send_pauses s JOIN listings l ON l.id = s.listing_id LEFT JOIN listing_metrics m ON m.listing_id = s.listing_id
      WHERE s.marketplace = ${marketplace} AND s.ended_at IS NULL AND s.resume_at IS NULL
        AND s.until <= ${timestamptz(now)}) w
    WHERE p.listing_id = w.listing_id`);
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE send_pauses SET ended_at = ${timestamptz(now)}
    WHERE marketplace = ${marketplace} AND ended_at IS NULL AND resume_at <= ${timestamptz(now)}
    RETURNING listing_id::float8 AS id`);
  await markDue(
    tx,
    rows.map(({ id }) => id),
  );
}

/**
 * How often each of these listings was revised on a day: by prices that were sent, and by raises of its Best Offer limit.
 * Those that were not are not among them.
 * @param dayStart of the marketplace's day
 */
export async function countRevisions(
  tx: Db,
  listingIds: readonly number[],
  dayStart: Instant,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await tx.execute<{ id: number; count: number }>(sql`
    SELECT listing_id::float8 AS id, sum(count)::int AS count FROM (
      SELECT listing_id, count(*) AS count FROM price_intents
      WHERE listing_id = ANY(${sql.param(listingIds)}::bigint[]) AND sent_at >= ${timestamptz(dayStart)}
        AND NOT is_refusal_active
      GROUP BY listing_id
      UNION ALL
      SELECT listing_id, raises_today FROM marketplace_listings
      WHERE listing_id = ANY(${sql.param(listingIds)}::bigint[]) AND raises_day >= ${timestamptz(dayStart)}
    ) revisions GROUP BY listing_id`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** The listings of a marketplace that are paused now, and until when the first of them is. */
export interface PausedCount extends Record<string, unknown> {
  readonly marketplace: Marketplace;
  readonly why: SendPauseReason;
  readonly count: number;
  /** The SKU where it is one listing alone. */
  readonly sku: string | null;
  readonly until: Instant;
}

/** Pauses in force by marketplace and reason, the most listings first. */
export async function listPausedCounts(db: Db, now: Instant): Promise<PausedCount[]> {
  const { rows } = await db.execute<PausedCount>(sql`
    SELECT p.marketplace, p.why, count(*)::int AS count, CASE WHEN count(*) = 1 THEN min(l.sku) END AS sku,
      ${millis('min(coalesce(p.resume_at, p.until))')} AS until
    FROM send_pauses p JOIN listings l ON l.id = p.listing_id AND l.deleted_at IS NULL
    WHERE p.ended_at IS NULL AND coalesce(p.resume_at, p.until) > ${timestamptz(now)}
    GROUP BY p.marketplace, p.why ORDER BY p.marketplace, count(*) DESC, p.why`);
  return rows;
}

import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable } from '#db/queries/catalog/import-rows.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { FeeDecision } from '#domain/fees/fee-fact.ts';
import {
  type FeeJump,
  type FeePartName,
  type FoundJump,
  type ReportedFees,
  SMALLEST_JUMP,
} from '#domain/fees/fee-jump.ts';
import { priceBandsOf } from '#domain/fees/warehouse-fee.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';

/** The marketplaces of which fees are doubted, and since when. */
export async function readDoubtedFees(
  db: Db,
): Promise<{ readonly marketplace: Marketplace; readonly since: Instant }[]> {
  const { rows } = await db.execute<{ marketplace: Marketplace; since: Instant }>(sql`
    SELECT marketplace, ${millis('since')} AS since FROM fee_breakers WHERE decided_at IS NULL ORDER BY marketplace`);
  return rows;
}

const JUMP_TYPES = {
  listingId: 'bigint',
  since: 'timestamptz',
  part: 'text',
  before: 'numeric',
  told: 'numeric',
  feeBefore: 'numeric',
  feeReported: 'numeric',
} as const;

/** A jump of a part of a listing's fees. */
export interface ListingJump extends FoundJump {
  readonly listingId: number;
  readonly part: FeePartName;
}

/** Keeps jumps that were read at a moment. */
export async function addFeeJumps(tx: Db, jumps: readonly ListingJump[], readAt: Instant): Promise<void> {
  const rows = jumps.map(({ listingId, since, part, before, told, fees }) => ({
    listingId: String(listingId),
    since: new Date(since).toISOString(),
    part,
    before: decimalFromBps(before),
    told: decimalFromBps(told),
    feeBefore: fees === undefined ? null : decimalFromCents(fees.before),
    feeReported: fees === undefined ? null : decimalFromCents(fees.reported),
  }));
  await tx.execute(sql`
    INSERT INTO fee_jumps (listing_id, told_at, part, read_at, before_rate, told_rate, fee_before, fee_reported)
    SELECT "listingId", since, part, ${timestamptz(readAt)}, before, told, "feeBefore", "feeReported" FROM ${rowsTable('j', JUMP_TYPES, rows)}
    ON CONFLICT DO NOTHING`);
}

/** What is read within this long is one reading, however many calls and syncs it took. */
const READING = hours(24);
/** An accepted change of rates is no jump for this long: it is reported for the other listings in the days after. */
const ACCEPTED_FOR = hours(30 * 24);

/**
 * What a marketplace reported in the reading that ends now, since the last decision about it; jumps between two rates that an
 * administrator accepted do not count, and neither do those of fulfillment fees in the direction that was accepted: each size
 * has other amounts.
 */
export async function countFeeJumps(
  tx: Db,
  marketplace: Marketplace,
  now: Instant,
): Promise<ReportedFees & { readonly since: Instant | null }> {
  const start = sql`greatest(${timestamptz(instant(now - READING))},
    (SELECT max(decided_at) FROM fee_breakers WHERE marketplace = ${marketplace}))`;
  const { rows } = await tx.execute<{ jumped: number; since: Instant | null }>(sql`
    SELECT count(DISTINCT j.listing_id)::int AS jumped, ${millis('min(j.told_at)')} AS since
    FROM fee_jumps j JOIN listings l ON l.id = j.listing_id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND j.read_at > ${start}
      AND NOT EXISTS (SELECT FROM fee_breakers b JOIN fee_jumps a ON a.told_at BETWEEN b.since AND b.decided_at
        JOIN listings al ON al.id = a.listing_id AND al.marketplace = b.marketplace
        WHERE b.marketplace = ${marketplace} AND b.decision = 'adopt'
          AND b.decided_at > ${timestamptz(instant(now - ACCEPTED_FOR))}
          AND a.part = j.part AND CASE WHEN j.part = 'fulfillment'
            THEN sign(a.told_rate - a.before_rate) = sign(j.told_rate - j.before_rate)
            ELSE (a.before_rate, a.told_rate) = (j.before_rate, j.told_rate) END)`);
  const { jumped = 0, since = null } = rows[0] ?? {};
  // Of sales what was reported since the first jump: they were read at once, however old.
  const from = since === null ? start : sql`least(${timestamptz(since)} - interval '1 ms', ${start})`;
  const { rows: others } = await tx.execute<{ told: number; listings: number }>(sql`
    SELECT (SELECT count(DISTINCT f.listing_id)::int FROM fee_facts f JOIN listings l ON l.id = f.listing_id
        WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND f.kind = 'commission'
          AND f.refused_because IS NULL AND f.told_at > ${from}) AS told,
      (SELECT count(*)::int FROM listings WHERE marketplace = ${marketplace} AND deleted_at IS NULL) AS listings`);
  const { told = 0, listings = 0 } = others[0] ?? {};
  return { jumped, told, listings, since };
}

/** Doubts what the marketplace reported since a moment. Marks its listings as due, by a trigger. */
export async function openFeeBreaker(
  tx: Db,
  marketplace: Marketplace,
  since: Instant,
  now: Instant,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO fee_breakers (marketplace, since, opened_at)
    VALUES (${marketplace}, ${timestamptz(since)}, ${timestamptz(now)})
    ON CONFLICT (marketplace) WHERE decided_at IS NULL DO NOTHING`);
}

/** Doubts also what was reported before: of one reading what was reported first may be read last. */
export async function widenFeeBreaker(tx: Db, marketplace: Marketplace, since: Instant): Promise<void> {
  await tx.execute(sql`
    UPDATE fee_breakers SET since = ${timestamptz(since)}
    WHERE marketplace = ${marketplace} AND decided_at IS NULL AND since > ${timestamptz(since)}`);
}

/** Between which rates the fees of how many listings jumped. */
interface JumpPair extends FeeJump {
  readonly listings: number;
}

/** A listing whose fee jumped, by its newest jump. */
interface JumpedListing extends FeeJump {
  readonly id: number;
  readonly sku: string;
  readonly title: string;
  readonly currentPrice: Cents;
}

/** Fees that an administrator has to decide about. */
export interface OpenFeeBreaker extends Record<string, unknown> {
  readonly id: number;
  readonly marketplace: Marketplace;
  readonly since: Instant;
  readonly listings: number;
  /** Of them, those whose price was changed automatically between their jump and the opening. */
  readonly repriced: number;
  /** The pairs of the most listings first. */
  readonly pairs: readonly JumpPair[];
  /** The largest jumps first. */
  readonly shown: readonly JumpedListing[];
}

/** @param limit pairs and listings of each at most */
export async function listOpenFeeBreakers(db: Db, limit: number): Promise<OpenFeeBreaker[]> {
  const { rows } = await db.execute<OpenFeeBreaker>(sql`
    SELECT b.id::float8 AS id, b.marketplace, ${millis('b.since')} AS since, j.* FROM fee_breakers b
    CROSS JOIN LATERAL (
      WITH jumped AS (
        SELECT DISTINCT ON (j.listing_id) j.listing_id, j.told_at, ${cents('j.before_rate')} AS before,
          ${cents('j.told_rate')} AS told, l.sku, l.title, ${cents('l.current_price')} AS price
        FROM fee_jumps j JOIN listings l ON l.id = j.listing_id
        WHERE l.marketplace = b.marketplace AND l.deleted_at IS NULL AND j.told_at >= b.since
        ORDER BY j.listing_id, j.told_at DESC, abs(j.told_rate - j.before_rate) DESC)
      SELECT count(*)::int AS listings,
        (count(*) FILTER (WHERE EXISTS (SELECT FROM price_history h WHERE h.listing_id = jumped.listing_id
          AND h.timestamp > jumped.told_at AND h.timestamp <= b.opened_at AND h.source = 'rule')))::int AS repriced,
        (SELECT coalesce(json_agg(p), '[]') FROM (SELECT before, told, count(*)::int AS listings FROM jumped
          GROUP BY before, told ORDER BY listings DESC, before, told LIMIT ${limit}) p) AS pairs,
        (SELECT coalesce(json_agg(s), '[]') FROM (SELECT listing_id AS id, sku, title, price AS "currentPrice", before, told
          FROM jumped ORDER BY abs(told - before) DESC, sku, id LIMIT ${limit}) s) AS shown
      FROM jumped) j
    WHERE b.decided_at IS NULL ORDER BY b.marketplace`);
  return rows;
}

/** What is decided about. */
export interface DecidedBreaker extends Record<string, unknown> {
  readonly marketplace: Marketplace;
  readonly since: Instant;
}

/** Ends the doubt. @returns null where it was decided before */
export async function closeFeeBreaker(
  tx: Db,
  id: number,
  { decision, by, now }: { readonly decision: FeeDecision; readonly by: string; readonly now: Instant },
): Promise<DecidedBreaker | null> {
  const { rows } = await tx.execute<DecidedBreaker>(sql`
    UPDATE fee_breakers SET decision = ${decision}, decided_by = ${by}, decided_at = ${timestamptz(now)}
    WHERE id = ${id} AND decided_at IS NULL RETURNING marketplace, ${millis('since')} AS since`);
  return rows[0] ?? null;
}

/** Listings whose fee jumped in what is decided about. */
export async function countJumped(tx: Db, { marketplace, since }: DecidedBreaker): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    SELECT count(DISTINCT j.listing_id)::int AS count FROM fee_jumps j JOIN listings l ON l.id = j.listing_id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND j.told_at >= ${timestamptz(since)}`);
  return rows[0]?.count ?? 0;
}

/**
 * All fees of the answer of a fact but fulfillment, as a share of the revenue in percent; null where they were taken on a total with
 * sales tax, whose share is another one for every sale.
 */
const RATE_OF_ANSWER = sql`(SELECT CASE WHEN max(a.fee_base) IS NULL
    THEN 100 * sum(a.amount) / (f.asked_price + f.asked_shipping) END
  FROM fee_facts a WHERE a.listing_id = f.listing_id AND a.told_at = f.told_at AND a.source = f.source
    AND (a.asked_price, a.asked_shipping) = (f.asked_price, f.asked_shipping) AND a.kind <> 'fulfillment'
    AND a.refused_because IS NULL)`;
/** Rates of jumps are rounded. */
const ROUNDING = sql`0.05`;

/** The place of the band of a price among those in which a marketplace has fulfillment fees of their own. */
function bandOf(marketplace: Marketplace, price: SQL): SQL {
  const edges = priceBandsOf(marketplace).map(({ from }) => decimalFromCents(from));
  return sql`width_bucket(${price}, ${sql.param(edges)}::numeric[])`;
}

/**
 * The facts of a reading that jumped, and those after them that say the same: further from the fee before than a jump is at least,
 * in its direction, and of fulfillment in its price band. Everything else that was reported of these listings, and of others, is as it was.
 */
function jumpedFacts({ marketplace, since }: DecidedBreaker): SQL {
  const points = sql`${SMALLEST_JUMP}::numeric / 100`;
  return sql`SELECT f.id FROM fee_jumps j JOIN listings l ON l.id = j.listing_id
    JOIN fee_facts f ON f.listing_id = j.listing_id AND f.told_at >= j.told_at
      AND (f.kind = 'fulfillment') = (j.part = 'fulfillment')
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND j.told_at >= ${timestamptz(since)}
      AND f.refused_because IS NULL AND f.accepted_at IS NULL
      AND CASE WHEN j.part = 'commission'
          THEN coalesce((${RATE_OF_ANSWER} - j.before_rate) * sign(j.told_rate - j.before_rate) > ${points} - ${ROUNDING}, true)
        -- One of an earlier release does not say what the fee was.
        ELSE j.fee_before IS NULL OR ((f.amount - j.fee_before) * sign(j.fee_reported - j.fee_before)
            > ${points} / 100 * f.asked_price
          AND coalesce((SELECT bool_or(${bandOf(marketplace, sql`s.asked_price`)} = ${bandOf(marketplace, sql`f.asked_price`)})
            FROM fee_facts s WHERE s.listing_id = j.listing_id AND s.kind = 'fulfillment'
              AND s.told_at >= j.told_at AND s.amount = j.fee_reported), true)) END`;
}

/** Accepts what jumped, so that it counts at once. @returns the IDs of their listings */
export async function acceptJumps(tx: Db, breaker: DecidedBreaker, now: Instant): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE fee_facts SET accepted_at = ${timestamptz(now)} WHERE id IN (${jumpedFacts(breaker)})
    RETURNING listing_id::float8 AS id`);
  return [...new Set(rows.map(({ id }) => id))];
}

/** A listing with charges in a reading that is decided about. */
export interface ChargedListing extends Record<string, unknown> {
  readonly id: number;
  /** Its fulfillment fee jumped. */
  readonly hasJumped: boolean;
}

/** The listings with charges of fulfillment in a reading, jump or not, that no one accepted. */
export async function listCharged(
  tx: Db,
  { marketplace, since }: DecidedBreaker,
): Promise<readonly ChargedListing[]> {
  const { rows } = await tx.execute<ChargedListing>(sql`
    SELECT l.id::float8 AS id, EXISTS (SELECT FROM fee_jumps j WHERE j.listing_id = l.id AND j.part = 'fulfillment'
      AND j.told_at >= ${timestamptz(since)}) AS "hasJumped"
    FROM listings l WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL
      AND EXISTS (SELECT FROM fee_facts f WHERE f.listing_id = l.id AND f.kind = 'fulfillment' AND f.source = 'settled'
        AND f.refused_because IS NULL AND f.accepted_at IS NULL AND f.told_at >= ${timestamptz(since)})
    ORDER BY l.id`);
  return rows;
}

/**
 * Rejects what jumped, unless it was accepted; of fulfillment only answers, since charges are found otherwise.
 * @returns the IDs of their listings
 */
export async function rejectJumps(tx: Db, breaker: DecidedBreaker): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE fee_facts SET refused_because = 'rejected' WHERE id IN (${jumpedFacts(breaker)})
      AND NOT (kind = 'fulfillment' AND source = 'settled')
    RETURNING listing_id::float8 AS id`);
  return [...new Set(rows.map(({ id }) => id))];
}

/** Requests the fees of these listings again, first in the next sync. */
export async function requestFeesAgain(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`
    UPDATE marketplace_listings SET fees_read_at = NULL WHERE listing_id = ANY(${sql.param([...ids])}::bigint[])`);
}

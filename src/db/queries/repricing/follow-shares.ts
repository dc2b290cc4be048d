import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { countedCharge } from '#db/queries/catalog/counted-charge.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import { JUDGED_WITHIN, LEAST_RISE, OCCASIONS_OF } from '#domain/competition/follow-share.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, type Instant, WHOLE } from '#domain/units.ts';

/** What was worked out last of a listing. */
export interface FollowShareRow extends Record<string, unknown> {
  readonly listingId: number;
  /** Null: fewer than three occasions. */
  readonly share: Bps | null;
  /** Of what decides which offers count. */
  readonly countedHash: string;
  readonly knownAt: Instant;
}

/** What is kept of these listings, by listing. */
export async function readFollowShares(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FollowShareRow>> {
  const { rows } = await db.execute<FollowShareRow>(sql`
    SELECT listing_id::float8 AS "listingId", ${cents('share')} AS share, counted_hash AS "countedHash",
      ${millis('known_at')} AS "knownAt"
    FROM follow_shares WHERE listing_id = ANY(${sql.param(ids)}::bigint[])`);
  return new Map(rows.map((row) => [row.listingId, row]));
}

/** A rule that asks whether competitors follow, on one marketplace. */
export interface AskingRule {
  readonly ruleId: number;
  readonly marketplace: Marketplace;
  readonly countedHash: string;
}

/** A listing of which nothing recent is kept, with the rule that priced it last. */
export interface UncountedListing extends Record<string, unknown> {
  readonly id: number;
  readonly ruleId: number;
  readonly marketplace: Marketplace;
}

/**
 * Live listings that these rules priced last and whose share is not kept, is of other offers, or was not computed after
 * `since`; the longest known first.
 */
export async function readUncounted(
  db: Db,
  asking: readonly AskingRule[],
  { since, now, max }: { readonly since: Instant; readonly now: Instant; readonly max: number },
): Promise<UncountedListing[]> {
  const column = (of: (rule: AskingRule) => unknown) => sql.param(asking.map(of));
  const { rows } = await db.execute<UncountedListing>(sql`
    SELECT l.id::float8 AS id, m.rule_id::float8 AS "ruleId", l.marketplace
    FROM unnest(${column(({ ruleId }) => ruleId)}::bigint[], ${column(({ marketplace }) => marketplace)}::text[],
      ${column(({ countedHash }) => countedHash)}::text[]) AS asking (rule_id, marketplace, hash)
    JOIN listing_metrics m ON m.rule_id = asking.rule_id
    JOIN listings l ON l.id = m.listing_id AND l.marketplace = asking.marketplace AND l.deleted_at IS NULL
    LEFT JOIN follow_shares f ON f.listing_id = l.id
    WHERE f.listing_id IS NULL OR f.counted_hash <> asking.hash OR f.known_at <= ${timestamptz(since)}
      OR f.known_at > ${timestamptz(now)}
    ORDER BY f.known_at NULLS FIRST, l.id LIMIT ${max}`);
  return rows;
}

/** Marks listings whose share has changed, so that they are decided again. */
export async function writeFollowShares(tx: Db, rows: readonly FollowShareRow[]): Promise<void> {
  if (rows.length === 0) return;
  const kept = await readFollowShares(
    tx,
    rows.map(({ listingId }) => listingId),
  );
  const changed = rows.filter(({ listingId, share, countedHash }) => {
    const before = kept.get(listingId);
    // What other offers said is unknown to the rule, like what was never counted.
    return share !== (before?.countedHash === countedHash ? before.share : null);
  });
  const column = (of: (row: FollowShareRow) => unknown) => sql.param(rows.map(of));
  await tx.execute(sql`
    INSERT INTO follow_shares AS f (listing_id, share, counted_hash, known_at)
    SELECT id, share / 100.0, hash, to_timestamp(at / 1000.0)
    FROM unnest(${column(({ listingId }) => listingId)}::bigint[], ${column(({ share }) => share)}::integer[],
      ${column(({ countedHash }) => countedHash)}::text[], ${column(({ knownAt }) => knownAt)}::bigint[])
      AS known (id, share, hash, at)
    ORDER BY id
    ON CONFLICT (listing_id) DO UPDATE SET share = excluded.share, counted_hash = excluded.counted_hash,
      known_at = excluded.known_at`);
  if (changed.length === 0) return;
  await tx.execute(
    sql`SELECT mark_due(${sql.param(changed.map(({ listingId }) => listingId))}::bigint[], 'offers')`,
  );
}

/** A rise of a listing's landed price, with the shipping charge of today: an earlier one is not recorded. */
export interface RiseRow extends Record<string, unknown> {
  readonly listingId: number;
  readonly at: Instant;
  readonly from: Cents;
  readonly to: Cents;
  /** When the price had come down again by more than half of the rise; null while it has not. */
  readonly downAt: Instant | null;
}

/** More steps up in 30 days do not count: the last 20 occasions count, and each can have several. */
const MOST_RISES = 200;

/** The rises of these listings that can be occasions, the oldest first. A price counts from when buyers see it. */
export async function readRises(db: Db, ids: readonly number[], now: Instant): Promise<RiseRow[]> {
  const { rows } = await db.execute<RiseRow>(sql`
    SELECT l.id::float8 AS "listingId", ${millis('h.timestamp')} AS at,
      ${cents('(h.old_price + l.charge)')} AS from, ${cents('(h.new_price + l.charge)')} AS to,
      ${millis('down.timestamp')} AS "downAt"
    FROM unnest(${sql.param(ids)}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT o.id, ${sql.raw(countedCharge('o'))} AS charge FROM listings o WHERE o.id = wanted.id LIMIT 1) l
    CROSS JOIN LATERAL (
      SELECT id, timestamp, old_price, new_price FROM price_history
      WHERE listing_id = l.id AND timestamp > ${timestamptz(now - OCCASIONS_OF)} AND timestamp <= ${timestamptz(now)}
        AND (new_price - old_price) * ${WHOLE} >= (old_price + l.charge) * ${LEAST_RISE}
      ORDER BY timestamp DESC, id DESC LIMIT ${MOST_RISES}) h
    LEFT JOIN LATERAL (
      SELECT timestamp FROM price_history
      WHERE listing_id = l.id AND timestamp > h.timestamp AND timestamp <= ${timestamptz(now)}
        AND new_price * 2 < h.old_price + h.new_price
      ORDER BY timestamp LIMIT 1) down ON true
    ORDER BY l.id, h.timestamp, h.id`);
  return rows;
}

/** A recorded set of offers. */
export interface OfferSetRow extends Record<string, unknown> {
  readonly listingId: number;
  readonly at: Instant;
  /** When the same offers were last reported again. */
  readonly seenAt: Instant;
  readonly offers: readonly RecordedOffer[];
}

/** The sets of offers that were valid when these prices rose, and until what came later says nothing about it. */
export async function readSetsAround(
  db: Db,
  rises: readonly Pick<RiseRow, 'listingId' | 'at'>[],
): Promise<OfferSetRow[]> {
  if (rises.length === 0) return [];
  const { rows } = await db.execute<OfferSetRow>(sql`
    WITH rises AS MATERIALIZED (
      SELECT listing_id, array_agg(at ORDER BY at) AS ats
      FROM (SELECT listing_id, to_timestamp(at / 1000.0) AS at
        FROM unnest(${sql.param(rises.map(({ listingId }) => listingId))}::bigint[],
          ${sql.param(rises.map(({ at }) => at))}::bigint[]) AS r (listing_id, at)) rise
      GROUP BY listing_id)
    SELECT s.listing_id::float8 AS "listingId", ${millis('s.recorded_at')} AS at,
      coalesce(${millis('seen.at')}, ${millis('s.recorded_at')}) AS "seenAt", s.offers
    FROM rises
    CROSS JOIN LATERAL (
      SELECT id, listing_id, recorded_at, offers, lead(recorded_at) OVER (ORDER BY recorded_at, id) AS next_at
      FROM offer_sets WHERE listing_id = rises.listing_id) s
    CROSS JOIN LATERAL (SELECT marketplace FROM listings WHERE id = s.listing_id LIMIT 1) l
    LEFT JOIN LATERAL (
      SELECT last_seen_at AS at FROM competitor_prices p
      WHERE p.listing_id = s.listing_id AND p.marketplace = l.marketplace AND p.timestamp = s.recorded_at
      ORDER BY p.id DESC LIMIT 1) seen ON true
    WHERE EXISTS (SELECT FROM unnest(rises.ats) AS r (at)
      WHERE s.recorded_at <= r.at + ${JUDGED_WITHIN} * interval '1 millisecond'
        AND (s.next_at IS NULL OR s.next_at > r.at))
    ORDER BY s.listing_id, s.recorded_at, s.id`);
  return rows;
}

/** What decides which of its offers a listing's own are, at any time of the last 30 days. */
export interface CountedListing extends Record<string, unknown> {
  readonly listingId: number;
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  readonly shippingCharge: Cents;
  /** Every price in force since then. */
  readonly prices: readonly Cents[];
}

export async function readCountedListings(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, CountedListing>> {
  const { rows } = await db.execute<CountedListing>(sql`
    SELECT l.id::float8 AS "listingId", l.marketplace, l.fulfillment_type AS "fulfillmentType",
      ${cents(countedCharge())} AS "shippingCharge", coalesce(h.prices, '{}') AS prices
    FROM unnest(${sql.param(ids)}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM listings WHERE id = wanted.id LIMIT 1) l
    CROSS JOIN LATERAL (
      SELECT array_agg(DISTINCT price) AS prices
      FROM price_history p CROSS JOIN LATERAL (VALUES (${cents('p.old_price')}), (${cents('p.new_price')})) each (price)
      WHERE p.listing_id = l.id AND p.timestamp > ${timestamptz(now - OCCASIONS_OF)} AND price IS NOT NULL) h`);
  return new Map(rows.map((row) => [row.listingId, row]));
}

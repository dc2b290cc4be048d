import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import type { PriceSource } from '#db/schema/prices.ts';
import { isoText, isoTime, timestamptz } from '#db/sql-values.ts';
import type { Instant, Millis } from '#domain/units.ts';

export interface ChartWindow {
  readonly from: Instant;
  readonly to: Instant;
}

/** A step of our price. Without a source: the current price at the start of the window. */
export type PriceStep = {
  readonly at: string;
  readonly price: string;
  readonly source: PriceSource | null;
  readonly reason: string | null;
  readonly by: string | null;
};

/** The steps of a listing's price, the oldest first: the one at the start, and the newest of the window. */
export async function listPriceSteps(
  db: Db,
  listingId: number,
  { from, to }: ChartWindow,
  limit: number,
): Promise<PriceStep[]> {
  const { rows } = await db.execute<PriceStep>(sql`
    SELECT ${isoText(sql`at`)} AS at, price, source, reason, by FROM (
      (SELECT id, ${timestamptz(from)} AS at, new_price AS price, NULL AS source, NULL AS reason, NULL AS by
        FROM price_history WHERE listing_id = ${listingId} AND timestamp <= ${isoTime(from)}
        ORDER BY id DESC LIMIT 1)
      UNION ALL
      (SELECT h.id, h.timestamp, h.new_price, h.source, h.reason, coalesce(h.actor, r.name)
        FROM price_history h LEFT JOIN repricing_rules r ON r.id = h.rule_id
        WHERE h.listing_id = ${listingId} AND h.timestamp > ${isoTime(from)} AND h.timestamp <= ${isoTime(to)}
        ORDER BY h.id DESC LIMIT ${limit})) steps
    ORDER BY id`);
  return rows;
}

/**
 * The margin floor at each decision, changes only, the oldest first. A price change without one, such as an import, is
 * no decision.
 */
export async function listFloors(
  db: Db,
  listingId: number,
  to: Instant,
): Promise<{ readonly at: string; readonly price: string | null }[]> {
  const { rows } = await db.execute<{ at: string; price: string | null }>(sql`
    SELECT ${isoText(sql`at`)} AS at, price FROM (
      SELECT at, price, lag(price) OVER (ORDER BY at) AS before, row_number() OVER (ORDER BY at) AS place FROM (
        SELECT timestamp AS at, margin_floor AS price FROM price_history
          WHERE listing_id = ${listingId} AND margin_floor IS NOT NULL
        UNION ALL SELECT at, margin_floor FROM run_items WHERE listing_id = ${listingId}
        UNION ALL SELECT decided_at, margin_floor FROM listing_metrics WHERE listing_id = ${listingId}) found
      WHERE at <= ${isoTime(to)}) floors
    WHERE place = 1 OR price IS DISTINCT FROM before
    ORDER BY at`);
  return rows;
}

/** Landed prices of other sellers from a time on; with their set of offers if it is stored. */
export type OfferReading = {
  readonly at: string;
  /** When it was last seen unchanged. */
  readonly lastSeenAt: string;
  /** When the next record started, whether or not that is returned. */
  readonly next: string | null;
  readonly offers: readonly RecordedOffer[] | null;
  readonly lowest: string | null;
  readonly highest: string | null;
  readonly buyBox: string | null;
  readonly buyBoxSeller: string | null;
};

const FIGURES = sql`
  least(amazon_direct_price, walmart_direct_price, third_party_min_price) AS lowest,
  greatest(amazon_direct_price, walmart_direct_price, third_party_max_price) AS highest,
  buy_box_price AS "buyBox", buy_box_seller AS "buyBoxSeller"`;

/**
 * The last record in each part of the window, the oldest first, and the last one before it that is still valid.
 * @param every length of a part; the last one ends with the window
 * @param maxAge how long an offer counts
 */
export async function listOfferReadings(
  db: Db,
  listingId: number,
  { from, to }: ChartWindow,
  every: Millis,
  maxAge: Millis,
): Promise<OfferReading[]> {
  const stretch = sql`date_bin(${`${every} milliseconds`}::interval, at, ${timestamptz(to)})`;
  const { rows } = await db.execute<OfferReading>(sql`
    SELECT ${isoText(sql`k.at`)} AS at, ${isoText(sql`k.seen`)} AS "lastSeenAt", ${isoText(sql`k.next`)} AS next,
      (SELECT offers FROM offer_sets s WHERE s.listing_id = ${listingId} AND s.recorded_at = k.at
        ORDER BY s.id DESC LIMIT 1) AS offers,
      k.lowest, k.highest, k."buyBox", k."buyBoxSeller"
    FROM (
      SELECT DISTINCT ON (stretch) * FROM (
        SELECT *, ${stretch} AS stretch, lead(at) OVER (ORDER BY at, id) AS next FROM (
          SELECT id, timestamp AS at, coalesce(last_seen_at, timestamp) AS seen, ${FIGURES} FROM competitor_prices
          WHERE listing_id = ${listingId}
          UNION ALL
          SELECT 0, timestamp, last_seen_at, ${FIGURES} FROM competitor_price_periods
          WHERE listing_id = ${listingId}) records
        WHERE seen > ${isoTime((from - maxAge) as Instant)} AND at <= ${isoTime(to)}
      ) known ORDER BY stretch, at DESC, id DESC) k
    ORDER BY k.at`);
  return rows;
}

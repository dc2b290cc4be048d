import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, millis } from '#db/sql-values.ts';
import type { BoxReadings } from '#domain/competition/box-holding.ts';
import type { Instant } from '#domain/units.ts';

/** More changes of a buy box than a panel is about; what was before them is not read. */
const MAX_CHANGES = 200;

/**
 * The readings that show the buy box of a listing on its own marketplace, the newest first. Those in a row with one seller
 * name are one; of a listing whose sets of offers were thinned out, the last ones of each hour or day.
 */
export async function listBoxReadings(db: Db, listingId: number): Promise<BoxReadings[]> {
  const { rows } = await db.execute<BoxReadings & Record<string, unknown>>(sql`
    WITH recorded AS MATERIALIZED (
      SELECT c.id, c.timestamp AS at, coalesce(c.last_seen_at, c.timestamp) AS seen, c.buy_box_price AS price,
        c.buy_box_seller AS seller
      FROM competitor_prices c JOIN listings l ON l.id = c.listing_id AND l.marketplace = c.marketplace
      WHERE c.listing_id = ${listingId} AND c.buy_box_price IS NOT NULL
      UNION ALL
      SELECT 0, p.timestamp, p.last_seen_at, p.buy_box_price, p.buy_box_seller
      FROM competitor_price_periods p JOIN listings l ON l.id = p.listing_id AND l.marketplace = p.marketplace
      WHERE p.listing_id = ${listingId} AND p.buy_box_price IS NOT NULL),
    marked AS (
      SELECT *, seller IS NULL OR seller IS DISTINCT FROM lag(seller) OVER (ORDER BY at, id) AS is_other FROM recorded),
    numbered AS (SELECT *, sum(is_other::int) OVER (ORDER BY at, id) AS part FROM marked),
    parts AS (
      SELECT part, min(at) AS first_at, max(seen) AS last_at, max(at) AS newest,
        (array_agg(price ORDER BY at DESC, id DESC))[1] AS price, max(seller) AS seller
      FROM numbered GROUP BY part ORDER BY part DESC LIMIT ${MAX_CHANGES})
    SELECT ${millis('p.first_at')} AS "firstAt", ${millis('p.last_at')} AS "lastAt", p.seller,
      ${cents('p.price')} AS price, coalesce(s.ours, false) AS "isOurs", coalesce(s.own, false) AS "isMarketplace"
    FROM parts p
    LEFT JOIN LATERAL (
      SELECT (o ->> 'ours')::boolean AS ours, (o ->> 'marketplace')::boolean AS own
      FROM offer_sets s, jsonb_array_elements(s.offers) o
      WHERE s.listing_id = ${listingId} AND s.recorded_at = p.newest AND (o ->> 'featured')::boolean
      ORDER BY s.id DESC, (o ->> 'price')::bigint + (o ->> 'shipping')::bigint LIMIT 1) s ON true
    ORDER BY p.part DESC`);
  return rows;
}

/** What the current offers and the last reading of a listing say about its buy box. */
export interface BoxNow {
  /** When the featured offer was last seen; null where none is shown. */
  readonly seenAt: Instant | null;
  /** The marketplace reported that no one holds it. */
  readonly isSuppressed: boolean;
}

/** The buy box of a listing as the current offers show it. */
export async function findBoxNow(db: Db, listingId: number): Promise<BoxNow> {
  const { rows } = await db.execute<{ seenAt: Instant | null; isSuppressed: boolean }>(sql`
    SELECT (SELECT ${millis('max(seen_at)')} FROM competitor_offers
        WHERE listing_id = ${listingId} AND is_featured) AS "seenAt",
      coalesce((SELECT box_suppressed FROM competition_readings WHERE listing_id = ${listingId}), false) AS "isSuppressed"`);
  return rows[0] ?? { seenAt: null, isSuppressed: false };
}

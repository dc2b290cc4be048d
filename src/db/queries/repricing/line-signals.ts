import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { millis, timestamptz } from '#db/sql-values.ts';
import { hours, type Instant } from '#domain/units.ts';

/** Readings of the buy box count for so long. */
export const BOX_WINDOW = hours(6);
const DAY = hours(24);

/** What lines can ask about a listing's buy box and stock. */
export interface BoxAndStock extends Record<string, unknown> {
  readonly listingId: number;
  /** Readings of the last 6 hours, and those in which the buy box was ours. */
  readonly readings: number;
  readonly ours: number;
  /** As the marketplace reported last; null if it did not. */
  readonly stock: number | null;
}

/** @param now readings after it do not count */
export async function readBoxAndStock(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, BoxAndStock>> {
  const { rows } = await db.execute<BoxAndStock>(sql`
    SELECT l.id::float8 AS "listingId", box.readings::float8 AS readings, box.ours::float8 AS ours, m.quantity AS stock
    FROM unnest(${sql.param(ids)}::bigint[]) l (id)
    CROSS JOIN LATERAL (SELECT count(*) AS readings, count(*) FILTER (WHERE is_ours) AS ours FROM box_readings b
      WHERE b.listing_id = l.id AND b.read_at > ${timestamptz(now - BOX_WINDOW)} AND b.read_at <= ${timestamptz(now)}) box
    LEFT JOIN LATERAL (SELECT quantity FROM marketplace_listings WHERE listing_id = l.id LIMIT 1) m ON true`);
  return new Map(rows.map((row) => [row.listingId, row]));
}

/** What lines can ask about a listing's sales. */
export interface RecentSales extends Record<string, unknown> {
  readonly listingId: number;
  /** The last and the first; null if none is known. */
  readonly lastSaleAt: Instant | null;
  readonly firstSaleAt: Instant | null;
  /** Units of the last 1, 7 and 30 days. */
  readonly d1: number;
  readonly d7: number;
  readonly d30: number;
}

/**
 * Sales of these listings, by listing, without those whose sales of the last 30 days are not all known: on a marketplace
 * whose sales were not synced within a day, or whose first known sale is younger than that.
 */
export async function readRecentSales(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, RecentSales>> {
  const ago = (days: number) => timestamptz(now - days * DAY);
  const { rows } = await db.execute<RecentSales>(sql`
    WITH synced AS MATERIALIZED (
      SELECT y.marketplace FROM marketplace_syncs y
      WHERE y.kind = 'sales' AND y.succeeded_at > ${ago(1)} AND EXISTS (
        SELECT FROM sales_history s JOIN listings l ON l.id = s.listing_id
        WHERE s.sale_date <= ${ago(30)} AND l.marketplace = y.marketplace))
    SELECT l.id::float8 AS "listingId", ${millis('s.last')} AS "lastSaleAt", ${millis('s.first')} AS "firstSaleAt",
      s.d1::float8 AS d1, s.d7::float8 AS d7, s.d30::float8 AS d30
    FROM listings l
    CROSS JOIN LATERAL (
      SELECT max(h.sale_date) AS last, min(h.sale_date) AS first,
        coalesce(sum(h.quantity_sold) FILTER (WHERE h.sale_date > ${ago(1)}), 0) AS d1,
        coalesce(sum(h.quantity_sold) FILTER (WHERE h.sale_date > ${ago(7)}), 0) AS d7,
        coalesce(sum(h.quantity_sold) FILTER (WHERE h.sale_date > ${ago(30)}), 0) AS d30
      FROM sales_history h WHERE h.listing_id = l.id AND h.sale_date <= ${timestamptz(now)}) s
    WHERE l.id = ANY(${sql.param(ids)}::bigint[]) AND l.marketplace IN (SELECT marketplace FROM synced)`);
  return new Map(rows.map((row) => [row.listingId, row]));
}

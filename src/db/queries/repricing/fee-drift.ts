import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, hours, type Instant, instant } from '#domain/units.ts';

/** Live listings of a marketplace for which it reported another commission than their fee schedule has. */
export interface FeeDriftRow extends Record<string, unknown> {
  readonly marketplace: Marketplace;
  readonly told: Bps;
  readonly scheduled: Bps;
  readonly listings: number;
  readonly belowMarginFloor: number;
  /** Listings with a lower commission that waits to be reported again. */
  readonly waiting: number;
}

/** As of the last decisions; the pairs of the most listings first. */
export function feeDriftRows(limit: number): SQL {
  return sql`SELECT l.marketplace, ${cents('m.told_rate')} AS told, ${cents('m.scheduled_rate')} AS scheduled,
      count(*)::int AS listings, count(*) FILTER (WHERE l.current_price < m.margin_floor)::int AS "belowMarginFloor",
      count(*) FILTER (WHERE m.is_fee_held)::int AS waiting
    FROM listing_metrics m JOIN listings l ON l.id = m.listing_id
    WHERE m.told_rate IS NOT NULL AND l.deleted_at IS NULL
    GROUP BY l.marketplace, m.told_rate, m.scheduled_rate
    ORDER BY listings DESC, l.marketplace, told, scheduled LIMIT ${limit}`;
}

/** A drift with what it made of the sales of the last 30 days. */
export interface FeeDriftCost extends FeeDriftRow {
  /** Commission above that of the schedule; below zero where less is charged. */
  readonly cost: Cents;
}

const SALES_PERIOD = hours(30 * 24);

export async function listFeeDrifts(db: Db, limit: number, now: Instant): Promise<FeeDriftCost[]> {
  const since = timestamptz(instant(now - SALES_PERIOD));
  const { rows } = await db.execute<FeeDriftCost>(sql`
    SELECT d.*, coalesce(s.cost, 0)::float8 AS cost FROM (${feeDriftRows(limit)}) d
    LEFT JOIN LATERAL (
      SELECT round(sum(h.total_revenue) * (d.told - d.scheduled) / 100) AS cost
      FROM listing_metrics m JOIN listings l ON l.id = m.listing_id JOIN sales_history h ON h.listing_id = l.id
      WHERE m.told_rate = d.told::numeric / 100 AND m.scheduled_rate = d.scheduled::numeric / 100
        AND l.marketplace = d.marketplace AND l.deleted_at IS NULL AND h.sale_date > ${since}) s ON true
    ORDER BY d.listings DESC, d.marketplace, d.told, d.scheduled`);
  return rows;
}

import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { keptRates } from '#db/schema/fee-facts.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';

/** Live listings of a marketplace for which it reported another commission than their fee schedule has. */
interface FeeDriftRow extends Record<string, unknown> {
  readonly marketplace: Marketplace;
  readonly told: Bps;
  readonly scheduled: Bps;
  readonly listings: number;
  readonly belowMarginFloor: number;
  /** Listings with a lower commission that waits to be reported again. */
  readonly waiting: number;
  /** Listings with a user's own commission, which `scheduled` is then. */
  readonly ownRates: number;
}

/** An own commission that an administrator kept is no difference: the listings `l` with metrics `m` without those. */
const IS_NOT_KEPT = sql`NOT (l.fee_rate IS NOT NULL AND EXISTS (SELECT FROM kept_rates k
  WHERE (k.marketplace, k.told_rate, k.own_rate) = (l.marketplace, m.told_rate, m.scheduled_rate)))`;

/** As of the last decisions; the pairs of the most listings first. */
function feeDriftRows(limit: number): SQL {
  return sql`SELECT l.marketplace, ${cents('m.told_rate')} AS told, ${cents('m.scheduled_rate')} AS scheduled,
      count(*)::int AS listings, count(*) FILTER (WHERE l.current_price < m.margin_floor)::int AS "belowMarginFloor",
      count(*) FILTER (WHERE m.is_fee_held)::int AS waiting,
      count(*) FILTER (WHERE l.fee_rate IS NOT NULL)::int AS "ownRates"
    FROM listing_metrics m JOIN listings l ON l.id = m.listing_id
    WHERE m.told_rate IS NOT NULL AND l.deleted_at IS NULL AND ${IS_NOT_KEPT}
    GROUP BY l.marketplace, m.told_rate, m.scheduled_rate
    ORDER BY listings DESC, l.marketplace, told, scheduled LIMIT ${limit}`;
}

/** A drift with what it made of the sales of the last 30 days. */
export interface FeeDriftCost extends FeeDriftRow {
  /** Commission above that of the schedule; below zero where less is charged. */
  readonly cost: Cents;
}

/** @param now the moment as SQL */
export function feeDriftCosts(limit: number, now: SQL): SQL {
  return sql`
    SELECT d.*, coalesce(s.cost, 0)::float8 AS cost FROM (${feeDriftRows(limit)}) d
    LEFT JOIN LATERAL (
      SELECT round(sum(h.total_revenue) * (d.told - d.scheduled) / 100) AS cost
      FROM listing_metrics m JOIN listings l ON l.id = m.listing_id JOIN sales_history h ON h.listing_id = l.id
      WHERE m.told_rate = d.told::numeric / 100 AND m.scheduled_rate = d.scheduled::numeric / 100
        AND l.marketplace = d.marketplace AND l.deleted_at IS NULL AND ${IS_NOT_KEPT}
        AND h.sale_date > ${now} - interval '30 days') s ON true
    ORDER BY d.listings DESC, d.marketplace, d.told, d.scheduled`;
}

export async function listFeeDrifts(db: Db, limit: number, now: Instant): Promise<FeeDriftCost[]> {
  const { rows } = await db.execute<FeeDriftCost>(feeDriftCosts(limit, timestamptz(now)));
  return rows;
}

/** A pair of rates of a marketplace. */
interface RatePair {
  readonly marketplace: Marketplace;
  readonly told: Bps;
  /** That of the fee schedule, or a user's own. */
  readonly scheduled: Bps;
}

/** The live listings with a pair of rates, by ID. @param isOwn only those with a user's own commission */
export async function listListingsOfPair(
  db: Db,
  { marketplace, told, scheduled }: RatePair,
  isOwn = false,
): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT l.id::float8 AS id FROM listing_metrics m JOIN listings l ON l.id = m.listing_id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND (NOT ${isOwn} OR l.fee_rate IS NOT NULL)
      AND m.told_rate = ${decimalFromBps(told)}::numeric
      AND m.scheduled_rate = ${decimalFromBps(scheduled)}::numeric ORDER BY l.id`);
  return rows.map(({ id }) => id);
}

/** Remembers that users keep their own commission. @returns false where that is known */
export async function keepRate(
  tx: Db,
  { marketplace, told, scheduled }: RatePair,
  by: string,
  now: Instant,
): Promise<boolean> {
  const kept = { marketplace, toldRate: told, ownRate: scheduled, keptBy: by, keptAt: now };
  const rows = await tx.insert(keptRates).values(kept).onConflictDoNothing().returning();
  return rows.length > 0;
}

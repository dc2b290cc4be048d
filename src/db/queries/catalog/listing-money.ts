import { type SQL, sql } from 'drizzle-orm';
import { isoText, isoTime } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

/*
 * What a listing earns, over `listings l` and its `listing_metrics m`. Read for the rows shown: days that pass need no
 * figure to be kept anew.
 */

const REVENUE = sql`(l.current_price + l.shipping_charge)`;

/**
 * The columns of a listing at its current price; null is unknown. Both come from the margin, which is rounded down to a
 * basis point: the profit of one unit is never above the exact one, and at most a cent and 0.01% of the revenue below it;
 * the fees in percent of the revenue are at most 0.01 too high.
 */
export const LISTING_MONEY = sql`(floor(m.margin * ${REVENUE}) / 100)::numeric(20, 2)::text AS profit,
  (100 * (${REVENUE} - m.total_cost) / ${REVENUE} - m.margin)::numeric(20, 2)::text AS "feeRate"`;

/** The columns of {@link soldIn30Days}. */
export const SOLD = sql`coalesce(sold.units, 0)::float8 AS "soldUnits", sold.profit::text AS "soldProfit"`;

/** The sums of the listing's sales of the last 30 days, today included, as `sold`. Days are those of UTC. */
export function soldIn30Days(now: Instant): SQL {
  const today = sql`(${isoTime(now)}::timestamptz AT TIME ZONE 'UTC')::date`;
  return sql`CROSS JOIN LATERAL (SELECT sum(p.units) AS units, sum(p.profit) AS profit, sum(p.sales) AS sales,
      sum(p.sales_known) AS known, sum(p.sales_told) AS told
    FROM profit_days p WHERE p.listing_id = l.id AND p.day > ${today} - 30 AND p.day <= ${today}) sold`;
}

/** The newest commission that the marketplace told for the listing, with the price it was asked for; null for none. */
export const FEE_TOLD = sql`(SELECT json_build_object('at', ${isoText(sql`f.told_at`)}, 'price', f.asked_price::text)
  FROM fee_facts f WHERE f.listing_id = l.id AND f.kind = 'commission' AND f.refused_because IS NULL
  ORDER BY f.told_at DESC LIMIT 1)`;

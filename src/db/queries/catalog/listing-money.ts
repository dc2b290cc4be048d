import { type SQL, sql } from 'drizzle-orm';
import { isoText, timestamptz } from '#db/sql-values.ts';
import type { SoldFilter } from '#domain/sold-filter.ts';
import type { Instant } from '#domain/units.ts';
import { shopDay } from './shop-days.ts';

/*
 * What a listing earns, over `listings l` and its `listing_keys k`. Sales are read for the rows shown: days that pass need
 * no figure to be kept anew.
 */

/** The columns of a listing at its current price; null is unknown. */
export const LISTING_MONEY = sql`k.profit::text AS profit, k.fee_rate::text AS "feeRate"`;

/** The columns of {@link soldIn30Days}. */
export const SOLD = sql`coalesce(sold.units, 0)::float8 AS "soldUnits", sold.profit::text AS "soldProfit"`;

/** Whether `profit_days p` is of the last 30 days of the shop, today included. */
function isIn30Days(now: Instant): SQL {
  const today = shopDay(timestamptz(now));
  return sql`p.day > ${today} - 30 AND p.day <= ${today}`;
}

/** The sums of the listing's sales of the last 30 days, as `sold`. */
export function soldIn30Days(now: Instant): SQL {
  return sql`CROSS JOIN LATERAL (SELECT sum(p.units) AS units, sum(p.profit) AS profit, sum(p.sales) AS sales,
      sum(p.sales_known) AS known, sum(p.sales_told) AS told
    FROM profit_days p WHERE p.listing_id = l.id AND ${isIn30Days(now)}) sold`;
}

/** The units that a listing sold in the last 30 days; null for none. */
export function unitsIn30Days(now: Instant, listing: SQL): SQL {
  return sql`(SELECT sum(p.units) FROM profit_days p WHERE p.listing_id = ${listing} AND ${isIn30Days(now)})`;
}

/**
 * The same of all listings at once, as `recent`: what they are sorted by.
 * @param listing the listing's id in the statement
 */
export function allSoldIn30Days(now: Instant, listing: SQL = sql`k.listing_id`): SQL {
  return sql`LEFT JOIN (SELECT p.listing_id, sum(p.units) AS units, sum(p.profit) AS profit
    FROM profit_days p WHERE ${isIn30Days(now)} GROUP BY p.listing_id) recent ON recent.listing_id = ${listing}`;
}

/** Over `listing_keys k`: what the listing sold in 30 days. */
export function soldCondition(sold: SoldFilter, now: Instant): SQL {
  const sums = sql`SELECT p.listing_id FROM profit_days p
    WHERE p.listing_id IS NOT NULL AND ${isIn30Days(now)} GROUP BY p.listing_id`;
  if (sold === 'loss') return sql`k.listing_id IN (${sums} HAVING sum(p.profit) < 0)`;
  const some = sql`k.listing_id IN (${sums} HAVING sum(p.units) > 0)`;
  return sold === 'some' ? some : sql`NOT (${some})`;
}

/**
 * The newest commission that the marketplace reported for the listing, with the price it was requested for; null for none, and
 * where another one counts by its `listing_metrics m`.
 */
export const REPORTED_FEE = sql`(SELECT json_build_object('at', ${isoText(sql`f.told_at`)}, 'price', f.asked_price::text)
  FROM fee_facts f WHERE f.listing_id = l.id AND f.kind = 'commission' AND m.is_fee_told AND f.refused_because IS NULL
  ORDER BY f.told_at DESC LIMIT 1)`;

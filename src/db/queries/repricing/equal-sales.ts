import { type SQL, sql } from 'drizzle-orm';

/** The days of `profit_days` behind {@link equalSales}. */
const DAYS = 30;

/** Of a row `change`: the sum of what changes earn more is known for those. */
export const HAS_MARGINS = sql`change.margin_before IS NOT NULL AND change.margin_after IS NOT NULL`;

/**
 * The prices and margins of a row of `price_history h`, as a row `change`. Earlier releases stored margins with the
 * decision of the run alone, as `run_items i`, which is null without one.
 */
export const MARGINS_OF_CHANGE = sql`CROSS JOIN LATERAL (SELECT h.new_price AS price,
    CASE WHEN h.margin_after IS NULL THEN i.old_price ELSE h.old_price END AS old_price,
    CASE WHEN h.margin_after IS NULL THEN i.margin_before ELSE h.margin_after - h.margin_impact END AS margin_before,
    coalesce(h.margin_after, i.margin_after) AS margin_after) change`;

/**
 * The changes of runs, as rows `change`: what the engine decided, and, where it decided nothing, the prices that users
 * applied or undid.
 */
export function changesOfRuns(runs: SQL): SQL {
  return sql`(SELECT i.run_id, i.listing_id, i.old_price, i.price, i.margin_before, i.margin_after
      FROM run_items i WHERE i.run_id IN ${runs} AND i.outcome = 'change'
    UNION ALL SELECT h.run_id, h.listing_id, h.old_price, h.new_price, h.margin_after - h.margin_impact, h.margin_after
      FROM price_history h WHERE h.run_id IN ${runs}
        AND NOT EXISTS (SELECT FROM run_items i WHERE i.run_id = h.run_id AND i.listing_id = h.listing_id)) change`;
}

/**
 * What a change earns more in a week if as many units sell as in the last 30 days, in dollars; negative where the price
 * fell. Null without both margins. Stored margins are rounded to a basis point, so it is up to 0.02% of the revenue off.
 * @param item name of a row with the prices and margins: of `run_items`, or `change`
 * @param charge its listing's shipping charge
 * @param units units sold in the last 30 days; null for none
 */
export function equalSales(item: string, charge: SQL, units: SQL): SQL {
  const of = (column: string): SQL => sql.raw(`${item}.${column}`);
  const before = sql`${of('margin_before')} * (${of('old_price')} + ${charge})`;
  const after = sql`${of('margin_after')} * (${of('price')} + ${charge})`;
  return sql`(${after} - ${before}) / 100 * coalesce(${units}, 0) * 7 / ${DAYS}`;
}

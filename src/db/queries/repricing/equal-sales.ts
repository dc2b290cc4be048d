import { type SQL, sql } from 'drizzle-orm';

/** The days of `profit_days` behind {@link equalSales}. */
const DAYS = 30;

/**
 * What a decision earns more in a week if as many units sell as in the last 30 days, in dollars; negative where the price
 * fell. Null without both margins. Stored margins are rounded to a basis point, so it is up to 0.02% of the revenue off.
 * @param item name of the row of `run_items`
 * @param charge its listing's shipping charge
 * @param units units sold in the last 30 days; null for none
 */
export function equalSales(item: string, charge: SQL, units: SQL): SQL {
  const of = (column: string): SQL => sql.raw(`${item}.${column}`);
  const before = sql`${of('margin_before')} * (${of('old_price')} + ${charge})`;
  const after = sql`${of('margin_after')} * (${of('price')} + ${charge})`;
  return sql`(${after} - ${before}) / 100 * coalesce(${units}, 0) * 7 / ${DAYS}`;
}

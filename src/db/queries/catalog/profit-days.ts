import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

const START = sql`(d.day::timestamp AT TIME ZONE 'UTC')`;
const END = sql`((d.day + 1)::timestamp AT TIME ZONE 'UTC')`;
const IS_REFUND = sql`(e.kind LIKE 'refund%' OR e.kind = 'reimbursement')`;
/**
 * What counts without its sale. What else was booked for an order that was never read waits for it: without its cost it
 * would be shown as profit.
 */
const OUTSIDE_OF_SALES = sql`(e.kind IN ('ad', 'label', 'storage', 'other') OR ${IS_REFUND})`;

/** What set the price of the sale `h`; one that was never attributed is older than the ledger for now. */
const SET_BY = sql`coalesce(h.price_source, 'earlier') AS price_source, h.rule_id, h.run_id`;

/**
 * Makes the sums of some due days again. The days are locked first: a sale that changes now waits, and marks its
 * day as due again.
 * @returns whether any were due
 */
export async function rebuildProfitDays(tx: Db, limit: number): Promise<boolean> {
  const { rows } = await tx.execute<{ listingId: string; day: string }>(sql`
    SELECT listing_id AS "listingId", day::text AS day FROM profit_due
    ORDER BY profit_due.day DESC, profit_due.listing_id DESC LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
  if (rows.length === 0) return false;
  const due = sql`unnest(${sql.param(rows.map(({ listingId }) => listingId))}::bigint[],
    ${sql.param(rows.map(({ day }) => day))}::date[]) AS d (listing_id, day)`;
  await tx.execute(
    sql`DELETE FROM profit_days p USING ${due} WHERE p.listing_id = d.listing_id AND p.day = d.day`,
  );
  await tx.execute(sql`
    INSERT INTO profit_days (listing_id, day, price_source, rule_id, run_id, sales, sales_known, sales_told, units, revenue,
      revenue_known, cost, shipping, fees, ads, refunds, profit)
    SELECT d.listing_id, d.day, e.price_source, e.rule_id, e.run_id, count(e.sale_id), count(e.known), count(e.told),
      coalesce(sum(e.units), 0), coalesce(sum(e.revenue), 0), coalesce(sum(e.revenue) FILTER (WHERE e.known IS NOT NULL), 0),
      sum(e.cost), sum(e.shipping), sum(e.fees), sum(e.ads), sum(e.refunds), sum(e.profit)
    FROM ${due}
    CROSS JOIN LATERAL (
      SELECT ${SET_BY}, h.id AS sale_id, h.total_margin AS known,
        CASE WHEN NOT h.is_about THEN h.total_margin END AS told, h.quantity_sold AS units,
        h.total_revenue + coalesce(h.shipping_revenue, 0) + coalesce(h.adjustment, 0) AS revenue,
        h.unit_cost * h.quantity_sold AS cost, h.shipping_cost AS shipping, h.marketplace_fees AS fees, h.ads,
        NULL::numeric AS refunds, h.total_margin + coalesce(h.refunds, 0) AS profit
      FROM sales_history h
      WHERE h.listing_id = d.listing_id AND h.sale_date >= ${START} AND h.sale_date < ${END}
      -- What was booked on the day: returns of sales of any day, and amounts without a sale.
      UNION ALL
      SELECT ${SET_BY}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, f.amount,
        CASE WHEN h.total_margin IS NOT NULL THEN -f.amount END
      FROM sale_refunds f JOIN sales_history h ON h.id = f.sale_id WHERE f.listing_id = d.listing_id AND f.day = d.day
      UNION ALL
      SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        CASE WHEN e.kind <> 'ad' AND NOT ${IS_REFUND} THEN -e.amount END, CASE WHEN e.kind = 'ad' THEN -e.amount END,
        CASE WHEN ${IS_REFUND} THEN -e.amount END, e.amount
      FROM money_events e
      WHERE e.listing_id = d.listing_id AND e.posted_at >= ${START} AND e.posted_at < ${END} AND e.superseded_by IS NULL
        AND e.kind <> 'tax' AND (${OUTSIDE_OF_SALES} OR e.order_ref IS NULL AND e.line_ref IS NULL)) e
    GROUP BY d.listing_id, d.day, e.price_source, e.rule_id, e.run_id`);
  await tx.execute(
    sql`DELETE FROM profit_due p USING ${due} WHERE p.listing_id = d.listing_id AND p.day = d.day`,
  );
  return true;
}

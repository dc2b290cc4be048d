import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

const START = sql`(d.day::timestamp AT TIME ZONE 'UTC')`;
const END = sql`((d.day + 1)::timestamp AT TIME ZONE 'UTC')`;
const IS_REFUND = sql`(e.kind LIKE 'refund%' OR e.kind = 'reimbursement')`;
/**
 * What counts without its sale. What else was booked for an order that was never read waits for it: without its cost it
 * would be shown as profit.
 */
const OUTSIDE_OF_SALES = sql`(e.kind IN ('ad', 'label', 'storage', 'other') OR ${IS_REFUND})`;

/** Of what is known; null when nothing is. */
function sumOf(...amounts: readonly SQL[]): SQL {
  const values = sql.join(
    amounts.map((amount) => sql`(${amount})`),
    sql`, `,
  );
  return sql`(SELECT sum(v.amount) FROM (VALUES ${values}) v (amount))`;
}

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
    INSERT INTO profit_days (listing_id, day, sales, sales_known, sales_told, units, revenue, revenue_known, cost, shipping,
      fees, ads, refunds, profit)
    SELECT d.listing_id, d.day, s.sales, s.known, s.told, s.units, s.revenue, s.revenue_known, s.cost, s.shipping,
      ${sumOf(sql`s.fees`, sql`m.fees`)}, ${sumOf(sql`s.ads`, sql`m.ads`)}, ${sumOf(sql`r.refunds`, sql`m.refunds`)},
      ${sumOf(sql`s.profit`, sql`-r.known`, sql`m.profit`)}
    FROM ${due}
    CROSS JOIN LATERAL (SELECT count(*) AS sales, count(h.total_margin) AS known,
        count(*) FILTER (WHERE h.total_margin IS NOT NULL AND NOT h.is_about) AS told, coalesce(sum(h.quantity_sold), 0) AS units,
        coalesce(sum(r.revenue), 0) AS revenue, coalesce(sum(r.revenue) FILTER (WHERE h.total_margin IS NOT NULL), 0) AS revenue_known,
        sum(h.marketplace_fees) AS fees, sum(h.ads) AS ads, sum(h.unit_cost * h.quantity_sold) AS cost,
        sum(h.shipping_cost) AS shipping, sum(h.total_margin + coalesce(h.refunds, 0)) AS profit
      FROM sales_history h
      CROSS JOIN LATERAL (
        SELECT h.total_revenue + coalesce(h.shipping_revenue, 0) + coalesce(h.adjustment, 0) AS revenue) r
      WHERE h.listing_id = d.listing_id AND h.sale_date >= ${START} AND h.sale_date < ${END}) s
    -- What was booked on the day: returns of sales of any day, and amounts without a sale.
    CROSS JOIN LATERAL (SELECT count(*) AS count, sum(f.amount) AS refunds,
        sum(f.amount) FILTER (WHERE h.total_margin IS NOT NULL) AS known
      FROM sale_refunds f JOIN sales_history h ON h.id = f.sale_id WHERE f.listing_id = d.listing_id AND f.day = d.day) r
    CROSS JOIN LATERAL (SELECT count(*) AS count, sum(e.amount) AS profit, -sum(e.amount) FILTER (WHERE e.kind = 'ad') AS ads,
        -sum(e.amount) FILTER (WHERE ${IS_REFUND}) AS refunds,
        -sum(e.amount) FILTER (WHERE e.kind <> 'ad' AND NOT ${IS_REFUND}) AS fees
      FROM money_events e
      WHERE e.listing_id = d.listing_id AND e.posted_at >= ${START} AND e.posted_at < ${END} AND e.superseded_by IS NULL
        AND e.kind <> 'tax' AND (${OUTSIDE_OF_SALES} OR e.order_ref IS NULL AND e.line_ref IS NULL)) m
    WHERE s.sales > 0 OR r.count > 0 OR m.count > 0`);
  await tx.execute(
    sql`DELETE FROM profit_due p USING ${due} WHERE p.listing_id = d.listing_id AND p.day = d.day`,
  );
  return true;
}

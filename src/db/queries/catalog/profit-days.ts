import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

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
    INSERT INTO profit_days (listing_id, day, sales, sales_known, sales_told, units, revenue, revenue_known, fees, cost,
      shipping, profit)
    SELECT d.listing_id, d.day, count(*), count(h.total_margin),
      count(*) FILTER (WHERE h.total_margin IS NOT NULL AND NOT h.is_about), sum(h.quantity_sold), sum(r.revenue),
      coalesce(sum(r.revenue) FILTER (WHERE h.total_margin IS NOT NULL), 0), sum(h.marketplace_fees),
      sum(h.unit_cost * h.quantity_sold), sum(h.shipping_cost), sum(h.total_margin)
    FROM ${due}
    JOIN sales_history h ON h.listing_id = d.listing_id
      AND h.sale_date >= d.day::timestamp AT TIME ZONE 'UTC' AND h.sale_date < (d.day + 1)::timestamp AT TIME ZONE 'UTC'
    CROSS JOIN LATERAL (SELECT h.total_revenue + coalesce(h.shipping_revenue, 0) AS revenue) r
    GROUP BY d.listing_id, d.day`);
  await tx.execute(
    sql`DELETE FROM profit_due p USING ${due} WHERE p.listing_id = d.listing_id AND p.day = d.day`,
  );
  return true;
}

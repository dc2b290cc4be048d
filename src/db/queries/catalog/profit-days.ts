import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

const START = sql`(d.day::timestamp AT TIME ZONE 'UTC')`;
const END = sql`((d.day + 1)::timestamp AT TIME ZONE 'UTC')`;
const IS_REFUND = sql`(e.kind LIKE 'refund%' OR e.kind = 'reimbursement')`;
/** Money that was only moved is no profit, and without its sale's cost no part of an order is. */
const COUNTS_ALONE = sql`(e.superseded_by IS NULL AND e.kind <> 'transfer' AND e.order_ref IS NULL AND e.line_ref IS NULL)`;
/** A booked amount `e` as fees, advertising, refunds and profit. */
const BOOKED = sql`CASE WHEN e.kind <> 'ad' AND NOT ${IS_REFUND} THEN -e.amount END AS fees,
  CASE WHEN e.kind = 'ad' THEN -e.amount END AS ads, CASE WHEN ${IS_REFUND} THEN -e.amount END AS refunds, e.amount AS profit`;

/** What set the price of the sale `h`; one that was never attributed is older than the ledger for now. */
const SET_BY = sql`coalesce(h.price_source, 'earlier') AS price_source, h.rule_id, h.run_id`;

type DueDay = { readonly listingId: string | null; readonly day: string; readonly marketplace: string };

/**
 * Makes the sums of some due days again. The days are locked first: a sale that changes now waits, and marks its
 * day as due again.
 * @returns whether any were due
 */
export async function rebuildProfitDays(tx: Db, limit: number): Promise<boolean> {
  const { rows } = await tx.execute<DueDay>(sql`
    SELECT listing_id AS "listingId", day::text AS day, marketplace FROM profit_due
    ORDER BY profit_due.day DESC, profit_due.listing_id DESC LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
  await rebuildListed(
    tx,
    rows.filter(({ listingId }) => listingId !== null),
  );
  await rebuildUnlisted(
    tx,
    rows.filter(({ listingId }) => listingId === null),
  );
  return rows.length > 0;
}

/** Days of listings. */
async function rebuildListed(tx: Db, days: readonly DueDay[]): Promise<void> {
  if (days.length === 0) return;
  const due = sql`unnest(${sql.param(days.map(({ listingId }) => listingId))}::bigint[],
    ${sql.param(days.map(({ day }) => day))}::date[],
    ${sql.param(days.map(({ marketplace }) => marketplace))}::text[]) AS d (listing_id, day, marketplace)`;
  const isDay = sql`p.listing_id = d.listing_id AND p.day = d.day`;
  await tx.execute(sql`DELETE FROM profit_days p USING ${due} WHERE ${isDay}`);
  await tx.execute(sql`
    INSERT INTO profit_days (listing_id, day, marketplace, price_source, rule_id, run_id, sales, sales_known, sales_told, units, revenue,
      revenue_known, cost, shipping, fees, ads, refunds, profit)
    SELECT d.listing_id, d.day, d.marketplace, e.price_source, e.rule_id, e.run_id, count(e.sale_id), count(e.known), count(e.told),
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
        ${BOOKED}
      FROM money_events e
      WHERE e.listing_id = d.listing_id AND e.posted_at >= ${START} AND e.posted_at < ${END}
        AND ${COUNTS_ALONE}) e
    GROUP BY d.listing_id, d.day, d.marketplace, e.price_source, e.rule_id, e.run_id`);
  await tx.execute(sql`DELETE FROM profit_due p USING ${due} WHERE ${isDay}`);
}

/** Days of a marketplace: what was booked for none of its listings. */
async function rebuildUnlisted(tx: Db, days: readonly DueDay[]): Promise<void> {
  if (days.length === 0) return;
  const due = sql`unnest(${sql.param(days.map(({ marketplace }) => marketplace))}::text[],
    ${sql.param(days.map(({ day }) => day))}::date[]) AS d (marketplace, day)`;
  const isDay = sql`p.listing_id IS NULL AND p.marketplace = d.marketplace AND p.day = d.day`;
  await tx.execute(sql`DELETE FROM profit_days p USING ${due} WHERE ${isDay}`);
  await tx.execute(sql`
    INSERT INTO profit_days (day, marketplace, sales, sales_known, sales_told, units, revenue, revenue_known, fees, ads, refunds,
      profit)
    SELECT d.day, d.marketplace, 0, 0, 0, 0, 0, 0, sum(b.fees), sum(b.ads), sum(b.refunds), sum(b.profit)
    FROM ${due}
    CROSS JOIN LATERAL (SELECT ${BOOKED} FROM money_events e
      WHERE e.marketplace = d.marketplace AND e.matched_by = 'marketplace' AND e.posted_at >= ${START} AND e.posted_at < ${END}
        AND ${COUNTS_ALONE}) b
    GROUP BY d.day, d.marketplace`);
  await tx.execute(sql`DELETE FROM profit_due p USING ${due} WHERE ${isDay}`);
}

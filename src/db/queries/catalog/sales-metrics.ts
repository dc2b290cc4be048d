import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { isoText, isoTime } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

/** Sales figures of a listing. Sums of money are decimal strings: a sum may exceed the range of an amount. */
export type SalesSums = {
  readonly salesCount: number;
  readonly totalQuantity: number;
  readonly totalRevenue: string;
  readonly avgUnitPrice: string | null;
  readonly totalMargin: string | null;
  readonly avgMarginPerUnit: string | null;
  readonly margin: string | null;
  readonly quantityWithMargin: number;
  readonly salesWithMargin: number;
  readonly salesAbout: number;
};

/** With shipping and corrections. */
const REVENUE = sql`total_revenue + coalesce(shipping_revenue, 0) + coalesce(adjustment, 0)`;

/** Sums the sales of a listing after one time and up to another. */
export async function sumSales(db: Db, listingId: number, from: Instant, to: Instant): Promise<SalesSums> {
  const { rows } = await db.execute<SalesSums>(sql`
    SELECT count(*)::int AS "salesCount", coalesce(sum(quantity_sold), 0)::int AS "totalQuantity",
      coalesce(sum(${REVENUE}), 0.00)::text AS "totalRevenue",
      round(sum(total_revenue) / sum(quantity_sold), 2)::text AS "avgUnitPrice",
      sum(total_margin)::text AS "totalMargin",
      round(sum(total_margin) / sum(quantity_sold) FILTER (WHERE total_margin IS NOT NULL), 2)::text
        AS "avgMarginPerUnit",
      CASE WHEN sum(${REVENUE}) FILTER (WHERE total_margin IS NOT NULL) > 0 THEN
        (floor(10000 * sum(total_margin) / sum(${REVENUE}) FILTER (WHERE total_margin IS NOT NULL)) / 100)::numeric(20, 2)::text END
        AS margin,
      coalesce(sum(quantity_sold) FILTER (WHERE total_margin IS NOT NULL), 0)::int AS "quantityWithMargin",
      count(total_margin)::int AS "salesWithMargin",
      count(*) FILTER (WHERE total_margin IS NOT NULL AND is_about)::int AS "salesAbout"
    FROM sales_history
    WHERE listing_id = ${listingId} AND sale_date > ${isoTime(from)} AND sale_date <= ${isoTime(to)}`);
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate answered no row.');
  return row;
}

/** Number of the newest rows of all sales that are searched for one of the marketplace. */
const RECENT_SALES = 1_000;

/**
 * When sales of a listing's marketplace were last recorded: a listing with rare sales is not stale. Searched in the
 * newest sales of all listings, then in those of the listing.
 */
export async function findSalesFetchedAt(db: Db, listingId: number): Promise<string | null> {
  const { rows } = await db.execute<{ at: string | null }>(sql`
    SELECT ${isoText(sql`greatest(
      (SELECT max(created_at) FROM sales_history WHERE listing_id = ${listingId}),
      (SELECT max(r.created_at) FROM listings l
        JOIN (SELECT listing_id, created_at FROM sales_history ORDER BY id DESC LIMIT ${RECENT_SALES}) r ON true
        JOIN listings o ON o.id = r.listing_id AND o.marketplace = l.marketplace
        WHERE l.id = ${listingId}))`)} AS at`);
  return rows[0]?.at ?? null;
}

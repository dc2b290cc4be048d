import { asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { feeTerms } from '#db/schema/fees.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import type { TaxedOrders } from '#domain/fees/sales-tax.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, hours, type Instant, instant } from '#domain/units.ts';
import { shopDay } from './shop-days.ts';

/** What the fees of a marketplace depend on besides the category. */
export type FeeTerms = typeof feeTerms.$inferSelect;

/** The terms of every marketplace. */
export async function listFeeTerms(db: Db): Promise<FeeTerms[]> {
  return db.select().from(feeTerms).orderBy(asc(feeTerms.marketplace));
}

/** The plans that users have chosen, by marketplace. */
export async function readFeePlans(db: Db): Promise<Map<string, string>> {
  const terms = await listFeeTerms(db);
  return new Map(terms.flatMap(({ marketplace, plan }) => (plan === null ? [] : [[marketplace, plan]])));
}

/** Shares of the revenue; null where nothing was booked, which is not the same as none. */
export interface LearnedShares {
  readonly adShare: Bps | null;
  readonly returnShare: Bps | null;
}

const LEARNED_FROM = hours(90 * 24);
/** Fewer sales say nothing. */
const FEWEST_SALES = 30;
/** Money may not have been read for so long. */
const MAX_UNREAD = hours(7 * 24);
/** A learned sales tax changes by at least half a percent: every change decides all prices of the marketplace again. */
const LEARNED_STEP = 50;

/**
 * What advertising and returns were of the revenue of the last 90 days, where there were sales enough and the money of
 * these days was read.
 */
export async function readLearnedShares(db: Db, now: Instant): Promise<Map<Marketplace, LearnedShares>> {
  const since = timestamptz(instant(now - LEARNED_FROM));
  const share = (what: SQL, sums: SQL): SQL => sql`CASE WHEN sum(${sums}) > 0
    THEN least(9999, greatest(0, ceil(10000 * sum(${what}) / sum(revenue))))::float8 END`;
  const { rows } = await db.execute<
    LearnedShares & { marketplace: Marketplace } & Record<string, unknown>
  >(sql`
    SELECT marketplace, ${share(sql`ads`, sql`ads_sums`)} AS "adShare", ${share(sql`refunds`, sql`refunds_sums`)} AS "returnShare"
    FROM profit_totals JOIN money_reads USING (marketplace)
    WHERE day > ${shopDay(since)} AND read_from <= ${since} AND read_until >= ${timestamptz(instant(now - MAX_UNREAD))}
    GROUP BY marketplace HAVING sum(sales) >= ${FEWEST_SALES} AND sum(revenue) > 0`);
  return new Map(
    rows.map(({ marketplace, adShare, returnShare }) => [marketplace, { adShare, returnShare }]),
  );
}

/** Marks the listings of the marketplace as due, by a trigger. */
export async function updateFeeTerms(
  tx: Db,
  { marketplace, ...terms }: Omit<FeeTerms, 'learnedSalesTax' | 'learnedFromOrders'>,
): Promise<void> {
  await tx.update(feeTerms).set(terms).where(eq(feeTerms.marketplace, marketplace));
}

/**
 * What the orders of a marketplace since a time report of sales tax: those whose fees report their total with it (eBay), else
 * whose tax was booked: apart from the revenue, or in it and taken back (Etsy), or as money that only passes (Shopify).
 * An order of these two without tax counts as untaxed once its money is complete.
 */
export async function readTaxedOrders(
  db: Db,
  marketplace: Marketplace,
  since: Instant,
): Promise<TaxedOrders> {
  const { rows } = await db.execute<TaxedOrders & Record<string, unknown>>(sql`
    SELECT count(*)::float8 AS orders, coalesce(${cents('sum(revenue)')}, 0) AS revenue, coalesce(${cents('sum(tax)')}, 0) AS tax
    FROM (
      SELECT sum(revenue) + CASE WHEN sum(base) IS NULL AND sum(tax) IS NULL THEN coalesce(sum(back), 0) ELSE 0 END AS revenue,
        CASE WHEN sum(base) IS NOT NULL THEN sum(base) - sum(revenue)
          ELSE coalesce(sum(tax), -sum(back), CASE WHEN bool_or(is_complete) THEN 0 END) END AS tax
      FROM (
        SELECT order_ref, max(fee_base) AS base,
          coalesce(sum(amount) FILTER (WHERE kind IN ('principal', 'shipping', 'discount')), 0) AS revenue,
          sum(amount) FILTER (WHERE amount > 0 AND kind IN ('tax', 'transfer')) AS tax,
          sum(amount) FILTER (WHERE amount < 0 AND kind = 'tax') AS back,
          ${isComplete(marketplace)} AS is_complete
        FROM money_events e
        WHERE marketplace = ${marketplace} AND superseded_by IS NULL AND posted_at >= ${timestamptz(since)} AND order_ref IS NOT NULL
          AND (kind IN ('principal', 'shipping', 'discount', 'tax', 'commission', 'payment') OR raw_type LIKE '% > tax')
        GROUP BY order_ref, line_ref) lines
      GROUP BY order_ref) orders
    WHERE revenue > 0 AND tax >= 0`);
  return rows[0] ?? { orders: 0, revenue: 0, tax: 0 };
}

/**
 * Whether an order without tax had none: at Shopify its payment is read with its tax, at Etsy the tax is booked with the
 * payment and its fee. Tax of an unknown order may be that of any.
 */
function isComplete(marketplace: Marketplace): SQL {
  if (marketplace === 'shopify') return sql`bool_or(kind = 'principal')`;
  if (marketplace !== 'etsy') return sql`false`;
  return sql`bool_or(kind = 'payment') AND NOT EXISTS (SELECT FROM money_events t
    WHERE t.marketplace = 'etsy' AND t.kind = 'tax' AND t.superseded_by IS NULL AND t.order_ref IS NULL
      AND t.posted_at BETWEEN min(e.posted_at) - interval '1 day' AND max(e.posted_at) + interval '1 day')`;
}

/**
 * Writes it where none is learned yet or it differs by {@link LEARNED_STEP} or more: that marks the listings of the
 * marketplace as due, by a trigger, and, unless a user entered another one, its sales of the last 90 days that are not in
 * closed books. Earlier ones keep what they were estimated with until they are due for another reason.
 */
export async function writeLearnedSalesTax(
  db: Db,
  marketplace: Marketplace,
  { share, orders }: { readonly share: Bps; readonly orders: number },
  now: Instant,
): Promise<void> {
  const isOther = sql`(learned_sales_tax IS NULL OR abs(learned_sales_tax - ${share / 100}) >= ${LEARNED_STEP / 100})`;
  const closed = sql`(SELECT shop_day_start(books_closed_until + 1) FROM app_settings)`;
  await db.execute(sql`
    WITH written AS (
      UPDATE fee_terms SET learned_sales_tax = ${share / 100}, learned_from_orders = ${orders} WHERE marketplace = ${marketplace} AND ${isOther}
      RETURNING marketplace, sales_tax)
    SELECT mark_sales_due(array_agg(l.id), array_agg(greatest(${timestamptz(instant(now - LEARNED_FROM))}, ${closed})))
    FROM written w JOIN listings l ON l.marketplace = w.marketplace WHERE w.sales_tax IS NULL`);
}

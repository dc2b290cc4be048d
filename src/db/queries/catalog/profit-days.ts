import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList, readNumber } from '#db/list-reading.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

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

/** What sales are summed by. */
export type ProfitGroup = 'day' | 'marketplace' | 'listing' | 'sku';

/** Sums over sales, as decimal strings; null when nothing of them is known. */
export type ProfitSums = {
  readonly units: number;
  readonly revenue: string;
  readonly fees: string | null;
  readonly cost: string | null;
  readonly shipping: string | null;
  readonly profit: string | null;
  /** Profit over the revenue of the sales whose profit is known, in percent. */
  readonly margin: string | null;
  readonly sales: number;
  readonly known: number;
  readonly told: number;
};

const SUMS = sql`coalesce(sum(p.units), 0)::float8 AS units, coalesce(sum(p.revenue), 0.00)::text AS revenue,
  sum(p.fees)::text AS fees, sum(p.cost)::text AS cost, sum(p.shipping)::text AS shipping, sum(p.profit)::text AS profit,
  (floor(10000 * sum(p.profit) / nullif(sum(p.revenue_known), 0)) / 100)::numeric(20, 2)::text AS margin,
  coalesce(sum(p.sales), 0)::float8 AS sales, coalesce(sum(p.sales_known), 0)::float8 AS known,
  coalesce(sum(p.sales_told), 0)::float8 AS told`;

const KEYS: Readonly<Record<ProfitGroup, SQL>> = {
  day: sql`p.day::text`,
  marketplace: sql`l.marketplace`,
  listing: sql`p.listing_id::text`,
  sku: sql`l.sku`,
};

export interface ProfitQuery {
  readonly group: ProfitGroup;
  /** The first and the last day, in UTC. */
  readonly from: string;
  readonly to: string;
  readonly marketplace?: Marketplace | undefined;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

/**
 * Profit by day (the oldest first) or by what earned it (the most first, unknown last), and the sum of all, from one
 * snapshot.
 */
export async function readProfit(
  db: Db,
  { group, from, to, marketplace, page, size }: ProfitQuery,
): Promise<{ rows: (ProfitSums & { key: string })[]; total: number; sum: ProfitSums }> {
  const key = KEYS[group];
  const ofMarketplace = marketplace === undefined ? sql`` : sql`AND l.marketplace = ${marketplace}`;
  const days = sql`profit_days p JOIN listings l ON l.id = p.listing_id
    WHERE p.day BETWEEN ${from}::date AND ${to}::date ${ofMarketplace}`;
  const order = group === 'day' ? sql`key` : sql`sum(p.profit) DESC NULLS LAST, key`;
  return readingList(db, async (snapshot) => {
    const { rows } = await snapshot.execute<ProfitSums & { key: string }>(sql`
      SELECT ${key} AS key, ${SUMS} FROM ${days} GROUP BY ${key} ORDER BY ${order} LIMIT ${size} OFFSET ${(page - 1) * size}`);
    const total = await readNumber(snapshot, sql`SELECT count(DISTINCT ${key}) AS number FROM ${days}`);
    const { rows: sums } = await snapshot.execute<ProfitSums>(sql`SELECT ${SUMS} FROM ${days}`);
    const [sum] = sums;
    if (sum === undefined) throw new Error('An aggregate answered no row.');
    return { rows, total, sum };
  });
}

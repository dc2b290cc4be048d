import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList } from '#db/list-reading.ts';
import type { RUN_TRIGGERS } from '#db/schema/runs.ts';
import { isoText } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

/** What sales are summed by. */
export type ProfitGroup = 'day' | 'marketplace' | 'listing' | 'sku' | 'rule' | 'run';

/** Sums over sales, as decimal strings; null when nothing of them is known. */
export type ProfitSums = {
  readonly units: number;
  readonly revenue: string;
  readonly fees: string | null;
  readonly ads: string | null;
  readonly cost: string | null;
  readonly shipping: string | null;
  readonly refunds: string | null;
  readonly profit: string | null;
  /** Profit over the revenue of the sales whose profit is known, in percent. */
  readonly margin: string | null;
  readonly sales: number;
  readonly known: number;
  readonly told: number;
};

/** The sums of one day, marketplace, listing, SKU, rule or run. */
export type ProfitRow = ProfitSums & {
  readonly key: string;
  /** Of a listing alone. */
  readonly listing: {
    readonly marketplace: Marketplace;
    readonly sku: string;
    readonly title: string;
    readonly isDeleted: boolean;
  } | null;
  /** Of a rule alone: its ID is the key. */
  readonly rule: { readonly name: string; readonly isDeleted: boolean } | null;
  /** Of a run alone: its ID is the key. */
  readonly run: { readonly trigger: (typeof RUN_TRIGGERS)[number]; readonly startedAt: string } | null;
};

/** What of the sums belongs to no listing: advertising by day, plans, storage of other goods. */
export type UnlistedSums = Pick<ProfitSums, 'fees' | 'ads' | 'refunds'> & { readonly profit: string };

/** The sort keys and their columns of `sums`. */
const SORT_COLUMNS = {
  key: sql`s.key`,
  units: sql`s.units`,
  revenue: sql`s.revenue`,
  profit: sql`s.profit`,
  margin: sql`s.profit / nullif(s.revenue_known, 0)`,
  sales: sql`s.sales`,
} as const;

export interface ProfitOrder {
  readonly by: keyof typeof SORT_COLUMNS;
  readonly descending: boolean;
}

export interface ProfitQuery {
  readonly group: ProfitGroup;
  /** The first and the last day, in UTC. */
  readonly from: string;
  readonly to: string;
  readonly marketplace?: Marketplace | undefined;
  /** Unknown comes last either way. */
  readonly sort: ProfitOrder;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

/** The sums of rows `p` that have the columns of `profit_days`. */
const ADDED = sql`sum(p.units) AS units, sum(p.revenue) AS revenue, sum(p.revenue_known) AS revenue_known,
  sum(p.fees) AS fees, sum(p.ads) AS ads, sum(p.cost) AS cost, sum(p.shipping) AS shipping, sum(p.refunds) AS refunds,
  sum(p.profit) AS profit, sum(p.sales) AS sales,
  sum(p.sales_known) AS sales_known, sum(p.sales_told) AS sales_told`;

/** The sums of one row `s` in the format of the API. */
const SHOWN = sql`coalesce(s.units, 0)::float8 AS units, coalesce(s.revenue, 0.00)::text AS revenue, s.fees::text AS fees,
  s.ads::text AS ads, s.cost::text AS cost, s.shipping::text AS shipping, s.refunds::text AS refunds, s.profit::text AS profit,
  (floor(10000 * s.profit / nullif(s.revenue_known, 0)) / 100)::numeric(20, 2)::text AS margin,
  coalesce(s.sales, 0)::float8 AS sales, coalesce(s.sales_known, 0)::float8 AS known, coalesce(s.sales_told, 0)::float8 AS told`;

/**
 * One page of the sums by day, marketplace, listing, SKU, rule or run, the number of all and the sum of all, from one
 * reading of the kept sums. What belongs to no listing is in the sum, and no row of listings or SKUs.
 */
export async function readProfit(
  db: Db,
  query: ProfitQuery,
): Promise<{ rows: ProfitRow[]; total: number; sum: ProfitSums; unlisted: UnlistedSums | null }> {
  const { group, sort, page, size } = query;
  const direction = sort.descending ? sql`DESC` : sql`ASC`;
  const order = sql`${SORT_COLUMNS[sort.by]} ${direction} NULLS LAST, s.key ${direction}`;
  return readingList(db, async (snapshot) => {
    const { rows } = await snapshot.execute<{
      rows: ProfitRow[];
      total: number;
      sum: ProfitSums;
      unlisted: UnlistedSums | null;
    }>(sql`
      WITH sums AS MATERIALIZED (${sumsOf(query)})
      SELECT
        (SELECT coalesce(json_agg(page), '[]') FROM (
          SELECT s.key, ${named(group)}, ${SHOWN} FROM sums s WHERE s.key IS NOT NULL ORDER BY ${order}
          LIMIT ${size} OFFSET ${(page - 1) * size}) page) AS rows,
        (SELECT count(s.key)::float8 FROM sums s) AS total,
        (SELECT row_to_json(whole) FROM (SELECT ${SHOWN} FROM (SELECT ${ADDED} FROM sums p) s) whole) AS sum,
        (SELECT row_to_json(part) FROM (SELECT sum(p.fees)::text AS fees, sum(p.ads)::text AS ads, sum(p.refunds)::text AS refunds,
            sum(p.profit)::text AS profit
          FROM profit_days p WHERE p.listing_id IS NULL AND ${chosenDays(query)} HAVING count(*) > 0) part) AS unlisted`);
    const [answer] = rows;
    if (answer === undefined) throw new Error('An aggregate answered no row.');
    return answer;
  });
}

/** What a row `s` is called, and what is of it. */
function named(group: ProfitGroup): SQL {
  const id = sql`CASE WHEN s.key ~ '^[0-9]+$' THEN s.key::bigint END`;
  const listing = sql`(SELECT json_build_object('marketplace', l.marketplace, 'sku', l.sku, 'title', l.title,
    'isDeleted', l.deleted_at IS NOT NULL) FROM listings l WHERE l.id = ${id})`;
  const rule = sql`(SELECT json_build_object('name', r.name, 'isDeleted', r.deleted_at IS NOT NULL)
    FROM repricing_rules r WHERE r.id = ${id})`;
  const run = sql`(SELECT json_build_object('trigger', r.trigger, 'startedAt', ${isoText(sql`r.started_at`)})
    FROM repricing_runs r WHERE r.id = ${id})`;
  const none = sql`NULL::json`;
  return sql`${group === 'listing' ? listing : none} AS listing, ${group === 'rule' ? rule : none} AS rule,
    ${group === 'run' ? run : none} AS run`;
}

/**
 * The ID of what set the price of the sales `p`; where that was no rule, or no run: typed, imported, observed at the
 * marketplace, or earlier than the ledger. None is what has no sale.
 */
function setBy(id: SQL): SQL {
  return sql`coalesce(${id}::text, CASE p.price_source WHEN 'import' THEN 'imported' WHEN 'observed' THEN 'observed'
    WHEN 'earlier' THEN 'earlier' ELSE CASE WHEN p.price_source IS NULL THEN 'none' ELSE 'typed' END END)`;
}

/** The kept sums `p` of the days and the marketplace asked for. */
function chosenDays({ from, to, marketplace }: ProfitQuery): SQL {
  const days = sql`p.day BETWEEN ${from}::date AND ${to}::date`;
  return marketplace === undefined ? days : sql`${days} AND p.marketplace = ${marketplace}`;
}

/**
 * Sums by key, which is null for what belongs to no listing. Those of a listing are added up before its SKU, of which
 * there are about as many, is looked up.
 */
function sumsOf(query: ProfitQuery): SQL {
  const { group } = query;
  const days = chosenDays(query);
  if (group === 'day') {
    return sql`SELECT p.day::text AS key, ${ADDED} FROM profit_days p WHERE ${days} GROUP BY p.day`;
  }
  if (group === 'marketplace') {
    return sql`SELECT p.marketplace AS key, ${ADDED} FROM profit_days p WHERE ${days} GROUP BY p.marketplace`;
  }
  if (group === 'rule' || group === 'run') {
    const id = group === 'rule' ? sql`p.rule_id` : sql`p.run_id`;
    const ofSets = sql`SELECT ${id} AS id, p.price_source, ${ADDED} FROM profit_days p WHERE ${days}
      GROUP BY ${id}, p.price_source`;
    return sql`SELECT ${setBy(sql`p.id`)} AS key, ${ADDED} FROM (${ofSets}) p GROUP BY 1`;
  }
  const ofListings = sql`SELECT p.listing_id, ${ADDED} FROM profit_days p WHERE ${days} GROUP BY p.listing_id`;
  if (group === 'listing') return sql`SELECT p.listing_id::text AS key, p.* FROM (${ofListings}) p`;
  return sql`SELECT l.sku AS key, ${ADDED} FROM (${ofListings}) p LEFT JOIN listings l ON l.id = p.listing_id GROUP BY l.sku`;
}

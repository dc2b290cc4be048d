import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList } from '#db/list-reading.ts';
import type { RUN_TRIGGERS } from '#db/schema/runs.ts';
import { isoText } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Days, wholeMonths } from './whole-months.ts';

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
  /** Profit over the revenue of the sales whose profit is known, in percent; null where that is not above zero. */
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

const SUMS = {
  units: sql`units`,
  revenue: sql`revenue`,
  revenue_known: sql`revenue_known`,
  fees: sql`fees`,
  ads: sql`ads`,
  cost: sql`cost`,
  shipping: sql`shipping`,
  refunds: sql`refunds`,
  profit: sql`profit`,
  sales: sql`sales`,
  sales_known: sql`sales_known`,
  sales_told: sql`sales_told`,
} as const;
type SumName = keyof typeof SUMS;
const SUM_NAMES = Object.keys(SUMS) as SumName[];

/** The columns that each sort key needs, and the value of a row `s` of their sums to sort by. */
const SORTS = {
  key: { columns: [], value: sql`s.key` },
  units: { columns: ['units'], value: sql`s.units` },
  revenue: { columns: ['revenue'], value: sql`s.revenue` },
  profit: { columns: ['profit'], value: sql`s.profit` },
  margin: {
    columns: ['profit', 'revenue_known'],
    value: sql`CASE WHEN s.revenue_known > 0 THEN s.profit / s.revenue_known END`,
  },
  sales: { columns: ['sales'], value: sql`s.sales` },
} as const satisfies Record<string, { readonly columns: readonly SumName[]; readonly value: SQL }>;

export interface ProfitOrder {
  readonly by: keyof typeof SORTS;
  readonly descending: boolean;
}

export interface ProfitQuery {
  readonly group: ProfitGroup;
  /** The first and the last day of the shop. */
  readonly from: string;
  readonly to: string;
  readonly marketplace?: Marketplace | undefined;
  /** Unknown comes last either way. */
  readonly sort: ProfitOrder;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

/** The sums of rows `p` with the columns of `profit_days`. */
const ADDED = sql`sum(p.units) AS units, sum(p.revenue) AS revenue, sum(p.revenue_known) AS revenue_known,
  sum(p.fees) AS fees, sum(p.ads) AS ads, sum(p.cost) AS cost, sum(p.shipping) AS shipping, sum(p.refunds) AS refunds,
  sum(p.profit) AS profit, sum(p.sales) AS sales,
  sum(p.sales_known) AS sales_known, sum(p.sales_told) AS sales_told`;

/** The columns of rows `p` that are added up. */
const SUMMED = sql`p.units, p.revenue, p.revenue_known, p.fees, p.ads, p.cost, p.shipping, p.refunds, p.profit, p.sales,
  p.sales_known, p.sales_told`;

/** The columns of rows `t` of `profit_totals` or `profit_run_months`, in which a figure that is known nowhere is 0.00. */
const KEPT = sql`t.units, t.revenue, t.revenue_known, CASE WHEN t.fees_sums > 0 THEN t.fees END AS fees,
  CASE WHEN t.ads_sums > 0 THEN t.ads END AS ads, CASE WHEN t.cost_sums > 0 THEN t.cost END AS cost,
  CASE WHEN t.shipping_sums > 0 THEN t.shipping END AS shipping, CASE WHEN t.refunds_sums > 0 THEN t.refunds END AS refunds,
  CASE WHEN t.profit_sums > 0 THEN t.profit END AS profit, t.sales, t.sales_known, t.sales_told`;

/** The sums of one row `s` in the format of the API. */
const SHOWN = sql`coalesce(s.units, 0)::float8 AS units, coalesce(s.revenue, 0.00)::text AS revenue, s.fees::text AS fees,
  s.ads::text AS ads, s.cost::text AS cost, s.shipping::text AS shipping, s.refunds::text AS refunds, s.profit::text AS profit,
  CASE WHEN s.revenue_known > 0 THEN (floor(10000 * s.profit / s.revenue_known) / 100)::numeric(20, 2)::text END AS margin,
  coalesce(s.sales, 0)::float8 AS sales, coalesce(s.sales_known, 0)::float8 AS known, coalesce(s.sales_told, 0)::float8 AS told`;

type ProfitPage = { rows: ProfitRow[]; total: number; sum: ProfitSums; unlisted: UnlistedSums | null };

/**
 * One page of the sums by day, marketplace, listing, SKU, rule or run, the number of all and the sum of all, from one
 * reading of the kept sums. What belongs to no listing is in the sum, and no row of listings or SKUs.
 */
export async function readProfit(db: Db, query: ProfitQuery): Promise<ProfitPage> {
  return readingList(db, async (snapshot) => {
    const { rows } = await snapshot.execute<ProfitPage>(await pageOf(snapshot, query));
    const [answer] = rows;
    if (answer === undefined) throw new Error('An aggregate answered no row.');
    return answer;
  });
}

/** The sums of everything that a rule or a run priced, with the first and the last day of it. */
export type SoldSoFar = ProfitSums & { readonly from: string; readonly to: string };

/** What sold at the prices of each rule so far, by rule; a rule without a sale is missing. */
export async function readSoldByRules(db: Db): Promise<ReadonlyMap<number, SoldSoFar>> {
  const { rows } = await db.execute<{ ruleId: number; sold: SoldSoFar }>(sql`
    SELECT s.id::float8 AS "ruleId", (SELECT row_to_json(shown) FROM (SELECT ${SHOWN}, s."from", s."to") shown) AS sold
    FROM (SELECT p.rule_id AS id, min(p.day)::text AS "from", max(p.day)::text AS "to", ${ADDED}
      FROM (SELECT t.day, t.rule_id, ${KEPT} FROM profit_totals t WHERE t.rule_id IS NOT NULL) p GROUP BY p.rule_id) s`);
  return new Map(rows.map(({ ruleId, sold }) => [ruleId, sold]));
}

/** What sold at the prices of a run so far; null when nothing did. */
export async function readSoldByRun(db: Db, runId: number): Promise<SoldSoFar | null> {
  const { rows } = await db.execute<SoldSoFar>(sql`
    SELECT ${SHOWN}, s."from", s."to" FROM (SELECT min(p.day)::text AS "from", max(p.day)::text AS "to", ${ADDED}
      FROM profit_days p WHERE p.run_id = ${runId} HAVING count(*) > 0) s`);
  return rows[0] ?? null;
}

/** The first day of the shop on which a rule set a price, and its listings: those whose price it has set. Null before the first. */
export async function findFirstDayOfRule(
  db: Db,
  ruleId: number,
): Promise<{ readonly day: string; readonly listings: number } | null> {
  const { rows } = await db.execute<{ day: string | null; listings: number }>(sql`
    SELECT shop_day(min(first))::text AS day, count(*)::float8 AS listings
    FROM (SELECT min(timestamp) AS first FROM price_history WHERE rule_id = ${ruleId} GROUP BY listing_id) own`);
  const { day = null, listings = 0 } = rows[0] ?? {};
  return day === null ? null : { day, listings };
}

/** What the listings of a rule sold in some days, both included, whatever set the price. */
export async function readSoldOfRuleListings(
  db: Db,
  ruleId: number,
  { from, to }: Days,
): Promise<ProfitSums> {
  const { rows } = await db.execute<ProfitSums>(sql`
    WITH own AS MATERIALIZED (SELECT DISTINCT listing_id FROM price_history WHERE rule_id = ${ruleId})
    SELECT ${SHOWN} FROM (SELECT ${ADDED} FROM own JOIN profit_days p ON p.listing_id = own.listing_id
      WHERE p.day BETWEEN ${from}::date AND ${to}::date) s`);
  const [sums] = rows;
  if (sums === undefined) throw new Error('An aggregate answered no row.');
  return sums;
}

async function pageOf(snapshot: Db, query: ProfitQuery): Promise<SQL> {
  const { group } = query;
  if (group === 'listing' || group === 'sku') return pageOfListings(query, await keptDays(snapshot));
  if (group === 'run') return pageOfRuns(query, await keptDays(snapshot));
  return pageOfSums(query, sumsBy(group, query));
}

/** The order of rows `s`. */
function orderOf({ by, descending }: ProfitOrder): SQL {
  const direction = descending ? sql`DESC` : sql`ASC`;
  return sql`${SORTS[by].value} ${direction} NULLS LAST, s.key ${direction}`;
}

/** The totals of the days and the marketplace asked for, with their columns. */
function totalsOf({ from, to, marketplace }: ProfitQuery): SQL {
  const ofMarketplace = marketplace === undefined ? sql`true` : sql`t.marketplace = ${marketplace}`;
  return sql`(SELECT t.day, t.marketplace, t.price_source, t.rule_id, ${KEPT} FROM profit_totals t
    WHERE t.day BETWEEN ${from}::date AND ${to}::date AND ${ofMarketplace})`;
}

/** The sum of all rows, and what of it belongs to no listing. */
function wholeOf(query: ProfitQuery): SQL {
  return sql`
    (SELECT row_to_json(whole) FROM (SELECT ${SHOWN} FROM (SELECT ${ADDED} FROM ${totalsOf(query)} p) s) whole) AS sum,
    (SELECT row_to_json(part) FROM (SELECT sum(p.fees)::text AS fees, sum(p.ads)::text AS ads, sum(p.refunds)::text AS refunds,
        sum(p.profit)::text AS profit
      FROM profit_days p WHERE p.listing_id IS NULL AND ${chosenDays(query)} HAVING count(*) > 0) part) AS unlisted`;
}

/** A page of sums `r` that are few. */
function pageOfSums(query: ProfitQuery, sums: SQL): SQL {
  return sql`
    WITH sums AS MATERIALIZED (${sums})
    SELECT
      (SELECT coalesce(json_agg(page), '[]') FROM (
        SELECT r.key, ${named(query.group)}, ${SHOWN} FROM sums s CROSS JOIN LATERAL (SELECT s.key) r
        ORDER BY ${orderOf(query.sort)} ${limitOf(query)}) page) AS rows,
      (SELECT count(*)::float8 FROM sums) AS total,
      ${wholeOf(query)}`;
}

/** By day, marketplace or rule. */
function sumsBy(group: 'day' | 'marketplace' | 'rule', query: ProfitQuery): SQL {
  const key = {
    day: sql`p.day::text`,
    marketplace: sql`p.marketplace`,
    rule: setBy(sql`p.rule_id`),
  }[group];
  return sql`SELECT ${key} AS key, ${ADDED} FROM ${totalsOf(query)} p GROUP BY 1`;
}

/**
 * By run, of which there may be as many as there are listings: all of them are added up for what they are sorted by alone, from
 * months where whole ones were asked for, and then those of the page.
 */
function pageOfRuns(query: ProfitQuery, kept: Days | null): SQL {
  const order = orderOf(query.sort);
  const added = SORTS[query.sort.by].columns.map((name) => sql`, sum(p.${SUMS[name]}) AS ${SUMS[name]}`);
  const key = setBy(sql`p.run_id`);
  return sql`
    WITH sums AS MATERIALIZED (
      SELECT ${key} AS key${sql.join(added, sql``)} FROM ${sumsOfRuns(query, kept)} p GROUP BY 1),
    chosen AS MATERIALIZED (
      SELECT s.key, row_number() OVER (ORDER BY ${order}) AS place
      FROM (SELECT * FROM sums s ORDER BY ${order} ${limitOf(query)}) s)
    SELECT
      (SELECT coalesce(json_agg(page), '[]') FROM (
        SELECT r.key, ${named(query.group)}, ${SHOWN}
        FROM chosen r JOIN (SELECT ${key} AS key, ${ADDED} FROM ${sumsOfRuns(query, kept)} p
          WHERE ${key} IN (SELECT key FROM chosen) GROUP BY 1) s ON s.key = r.key
        ORDER BY r.place) page) AS rows,
      (SELECT count(*)::float8 FROM sums) AS total,
      ${wholeOf(query)}`;
}

/** The kept sums of runs, of months where whole ones were asked for. */
function sumsOfRuns({ from, to, marketplace }: ProfitQuery, kept: Days | null): SQL {
  const ofMarketplace = marketplace === undefined ? sql`true` : sql`marketplace = ${marketplace}`;
  const { months, days } = wholeMonths({ from, to }, kept);
  const { from: first, to: last } = months ?? { from: null, to: null };
  const parts = [
    sql`SELECT t.run_id, t.price_source, ${KEPT} FROM profit_run_months t
      WHERE t.month BETWEEN ${first}::date AND ${last}::date AND ${ofMarketplace}`,
    ...days.map(
      (part) => sql`SELECT p.run_id, p.price_source, ${SUMMED} FROM profit_days p
        WHERE p.day BETWEEN ${part.from}::date AND ${part.to}::date AND ${ofMarketplace}`,
    ),
  ];
  return sql`(${sql.join(parts, sql` UNION ALL `)})`;
}

/**
 * By listing or SKU. All of them are added up for what they are sorted by alone, from months where whole ones were asked
 * for; the other sums are those of the page.
 */
function pageOfListings(query: ProfitQuery, kept: Days | null): SQL {
  const { group } = query;
  const order = orderOf(query.sort);
  return sql`
    WITH parts AS MATERIALIZED (${BUNDLE_PARTS}), sums AS MATERIALIZED (${sortedSums(query, kept)})
    SELECT
      (SELECT coalesce(json_agg(page), '[]') FROM (
        SELECT r.key, ${named(group)}, ${SHOWN}
        FROM (SELECT s.key, row_number() OVER (ORDER BY ${order}) AS place
          FROM (SELECT * FROM sums s ORDER BY ${order} ${limitOf(query)}) s) r
        CROSS JOIN LATERAL (${group === 'listing' ? sumsOfListing(query) : sumsOfSku(query)}) s
        ORDER BY r.place) page) AS rows,
      (SELECT count(*)::float8 FROM sums) AS total,
      ${wholeOf(query)}`;
}

/**
 * Which part of a bundle's sums is of each of its SKUs: what lies from `below` to `until` of the `whole` product cost. None for
 * a bundle with an unknown cost, or without one: its sums are of its own code.
 */
const BUNDLE_PARTS = sql`SELECT b.bundle, b.sku, b.quantity, b.until - b.cost AS below, b.until, b.whole FROM (
    SELECT c.listing_sku AS bundle, k.sku, c.quantity, c.quantity * k.product_cost AS cost,
      sum(c.quantity * k.product_cost) OVER (PARTITION BY c.listing_sku ORDER BY k.id) AS until,
      sum(c.quantity * k.product_cost) OVER (PARTITION BY c.listing_sku) AS whole,
      bool_and(k.product_cost IS NOT NULL AND k.deleted_at IS NULL) OVER (PARTITION BY c.listing_sku) AS is_known
    FROM bundle_components c JOIN skus k ON k.id = c.component_sku_id) b
  WHERE b.is_known AND b.whole > 0`;

/** The part `h` of a sum `t` of a bundle, or all of it where there is none. The parts of all SKUs are the sum to the cent. */
function partOf(name: SumName): SQL {
  const sum = sql`t.${SUMS[name]}`;
  if (name === 'units') return sql`${sum} * coalesce(h.quantity, 1)`;
  if (name.startsWith('sales')) return sum;
  return sql`CASE WHEN h.whole IS NULL THEN ${sum}
    ELSE round(${sum} * h.until / h.whole, 2) - round(${sum} * h.below / h.whole, 2) END`;
}

/** The sums of a row `r`, which is a listing. */
function sumsOfListing({ from, to }: ProfitQuery): SQL {
  return sql`SELECT ${ADDED} FROM profit_days p
    WHERE p.listing_id = r.key::bigint AND p.day BETWEEN ${from}::date AND ${to}::date`;
}

/** The sums of a row `r`, which is a SKU: of its listings, and its part of those of bundles. */
function sumsOfSku({ from, to, marketplace }: ProfitQuery): SQL {
  const isChosen = marketplace === undefined ? sql`true` : sql`l.marketplace = ${marketplace}`;
  const added = SUM_NAMES.map((name) => sql`sum(${partOf(name)}) AS ${SUMS[name]}`);
  return sql`SELECT ${sql.join(added, sql`, `)}
    FROM (
      SELECT l.id, NULL::integer AS quantity, NULL::numeric AS below, NULL::numeric AS until, NULL::numeric AS whole FROM listings l
      WHERE l.sku = r.key AND ${isChosen} AND NOT EXISTS (SELECT FROM parts WHERE parts.bundle = l.sku)
      UNION ALL
      SELECT l.id, parts.quantity, parts.below, parts.until, parts.whole
      FROM parts JOIN listings l ON l.sku = parts.bundle AND ${isChosen} WHERE parts.sku = r.key) h
    CROSS JOIN LATERAL (SELECT ${ADDED} FROM profit_days p
      WHERE p.listing_id = h.id AND p.day BETWEEN ${from}::date AND ${to}::date) t`;
}

function limitOf({ page, size }: ProfitQuery): SQL {
  return sql`LIMIT ${size} OFFSET ${(page - 1) * size}`;
}

/** The keys with what they are sorted by. A SKU, of which there are about as many as listings, is looked up at the end. */
function sortedSums({ group, sort, from, to, marketplace }: ProfitQuery, kept: Days | null): SQL {
  const names: readonly SumName[] = SORTS[sort.by].columns;
  const list = (each: (name: SQL) => SQL): SQL =>
    sql.join(
      names.map((name) => sql`, ${each(SUMS[name])}`),
      sql``,
    );
  const added = list((name) => sql`sum(p.${name}) AS ${name}`);
  const { months, days } = wholeMonths({ from, to }, kept);
  const parts = days.map(
    (part) => sql`SELECT p.listing_id${list((name) => sql`p.${name}`)} FROM profit_days p
      WHERE p.day BETWEEN ${part.from}::date AND ${part.to}::date AND p.listing_id IS NOT NULL`,
  );
  if (months !== null) {
    parts.push(sql`SELECT p.listing_id${list((name) => sql`p.${name}`)}
      FROM (SELECT m.listing_id, m.month, m.units, m.sales, m.revenue, m.revenue_known,
        CASE WHEN m.profit_sums > 0 THEN m.profit END AS profit FROM profit_months m) p
      WHERE p.month BETWEEN ${months.from}::date AND ${months.to}::date`);
  }
  const rows =
    parts.length === 0 ? sql`SELECT * FROM profit_days WHERE false` : sql.join(parts, sql` UNION ALL `);
  const ofListings = sql`SELECT p.listing_id${added} FROM (${rows}) p GROUP BY p.listing_id`;
  if (group === 'listing' && marketplace === undefined) {
    return sql`SELECT p.listing_id::text AS key${list((name) => sql`p.${name}`)} FROM (${ofListings}) p`;
  }
  const isChosen = marketplace === undefined ? sql`true` : sql`l.marketplace = ${marketplace}`;
  if (group === 'listing') {
    return sql`SELECT l.id::text AS key${added} FROM (${ofListings}) p JOIN listings l ON l.id = p.listing_id
      WHERE ${isChosen} GROUP BY 1`;
  }
  const split = names.map((name) => sql`, sum(${partOf(name)}) AS ${SUMS[name]}`);
  return sql`SELECT coalesce(h.sku, l.sku) AS key${sql.join(split, sql``)}
    FROM (${ofListings}) t JOIN listings l ON l.id = t.listing_id LEFT JOIN parts h ON h.bundle = l.sku
    WHERE ${isChosen} GROUP BY 1`;
}

/** The first and the last day of which sums are kept; null when none are. */
export async function keptDays(db: Db): Promise<Days | null> {
  const { rows } = await db.execute<{ from: string | null; to: string | null }>(
    sql`SELECT min(day)::text AS "from", max(day)::text AS "to" FROM profit_totals`,
  );
  const { from = null, to = null } = rows[0] ?? {};
  return from === null || to === null ? null : { from, to };
}

/** What a row `r` is called, and what is of it. */
function named(group: ProfitGroup): SQL {
  const id = sql`CASE WHEN r.key ~ '^[0-9]+$' THEN r.key::bigint END`;
  const listing = sql`(SELECT json_build_object('marketplace', l.marketplace, 'sku', l.sku, 'title', l.title,
    'isDeleted', l.deleted_at IS NOT NULL) FROM listings l WHERE l.id = ${id})`;
  const rule = sql`(SELECT json_build_object('name', o.name, 'isDeleted', o.deleted_at IS NOT NULL)
    FROM repricing_rules o WHERE o.id = ${id})`;
  const run = sql`(SELECT json_build_object('trigger', o.trigger, 'startedAt', ${isoText(sql`o.started_at`)})
    FROM repricing_runs o WHERE o.id = ${id})`;
  const none = sql`NULL::json`;
  return sql`${group === 'listing' ? listing : none} AS listing, ${group === 'rule' ? rule : none} AS rule,
    ${group === 'run' ? run : none} AS run`;
}

/**
 * The ID of what set the price of sums with a `price_source`; where that was no rule, or no run: typed, imported, observed at the
 * marketplace, repaired after that, or earlier than the ledger. None is what has no sale.
 */
function setBy(id: SQL): SQL {
  return sql`coalesce(${id}::text, CASE price_source WHEN 'import' THEN 'imported' WHEN 'observed' THEN 'observed'
    WHEN 'repair' THEN 'repaired' WHEN 'earlier' THEN 'earlier' ELSE CASE WHEN price_source IS NULL THEN 'none' ELSE 'typed' END END)`;
}

/** The kept sums `p` of the days and the marketplace asked for. */
function chosenDays({ from, to, marketplace }: ProfitQuery): SQL {
  const days = sql`p.day BETWEEN ${from}::date AND ${to}::date`;
  return marketplace === undefined ? days : sql`${days} AND p.marketplace = ${marketplace}`;
}

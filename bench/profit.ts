/**
 * What the Profit page asks for, over many sales: every group, over a week, a month, a quarter and a year, next to one sum over
 * the sales of the same days; then what a rule earned, and Listings by the profit and units of 30 days.
 *
 *   node --import tsx bench/profit.ts                              2,000,000 sales of 20,000 listings in a year
 *   node --import tsx bench/profit.ts --listings 100000            of 100,000 listings
 *   node --import tsx bench/profit.ts --listings 500 --sales 5000
 *   node --import tsx bench/profit.ts --keep                       leaves the database for the next run
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Database, type Db, openDatabase } from '#db/client.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { migrate } from '#db/migrate.ts';
import { createListTotals } from '#db/queries/catalog/list-totals.ts';
import { readListings } from '#db/queries/catalog/listings.ts';
import { readProfit } from '#db/queries/catalog/profit-sums.ts';
import { instant } from '#domain/units.ts';
import { ruleEarnings } from '#usecases/repricing/rules/rule-earnings.ts';
import { spreadOf } from './rounds.ts';
import { type Line, printTable, ratioLine } from './table.ts';

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '20000' },
    sales: { type: 'string', default: '2000000' },
    rounds: { type: 'string', default: '20' },
    keep: { type: 'boolean', default: false },
  },
});
const listings = Number(values.listings);
const sales = Number(values.sales);
const rounds = Number(values.rounds);
const dataDir = join(import.meta.dirname, `../.cache/bench/profit-${listings}-${sales}`);

/** The last day with sales. */
const TO = '2026-11-22';
const DAYS = 365;
const GROUPS = ['day', 'marketplace', 'listing', 'sku', 'rule', 'run'] as const;
const CHUNK = 50_000;
/** Price changes of each listing, all by its rule. */
const MOVES_EACH = 10;
/** The page of Listings that is read. */
const FIRST_PAGE = { page: 1, size: 50 };

/** With a client that waits for as long as a statement takes. */
async function fill(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT setseed(0.5)');
    await client.query(`INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price)
      SELECT (ARRAY['walmart','amazon','michaels','ebay','etsy','shopify'])[1 + n % 6], 'A-' || n, 'Product ' || n, 'FBM', 20, 20
      FROM generate_series(1, ${listings}) n`);
    await client.query(`INSERT INTO repricing_rules (name, fulfillment_type, strategy, minimum_margin)
      SELECT 'Rule ' || n, 'All', 'Beat Competitor', 15 FROM generate_series(1, 8) n`);
    await client.query('ALTER TABLE price_history DISABLE TRIGGER USER');
    await client.query(MOVES, [TO, MOVES_EACH]);
    await client.query('ALTER TABLE price_history ENABLE TRIGGER USER');
    await client.query('DELETE FROM due_listings');
    // The sums are made below in one go, as the loop makes them day by day.
    await client.query('ALTER TABLE sales_history DISABLE TRIGGER USER');
    for (let from = 1; from <= sales; from += CHUNK) {
      await client.query(SALES, [from, Math.min(sales, from + CHUNK - 1), listings, TO, DAYS]);
    }
    await client.query('ALTER TABLE sales_history ENABLE TRIGGER USER');
    await client.query(SUMS, [TO, DAYS]);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

async function measure({ db, pool }: Database): Promise<void> {
  const lines: Line[] = [];
  for (const days of [7, 30, 90, DAYS]) {
    const from = new Date(Date.parse(TO) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
    const plain = (): Promise<unknown> => pool.query(PLAIN, [from, TO]);
    for (const group of GROUPS) {
      const sort = { by: 'profit', descending: true } as const;
      const page = (): Promise<unknown> => readProfit(db, { group, from, to: TO, sort, page: 1, size: 100 });
      const times: { page: number[]; plain: number[] } = { page: [], plain: [] };
      for (let round = -1; round < rounds; round += 1) {
        const [pageTime, plainTime] = [await timeOf(page), await timeOf(plain)];
        if (round < 0) continue;
        times.page.push(pageTime);
        times.plain.push(plainTime);
      }
      const name = `${days} days by ${group}`;
      lines.push({ name, spread: spreadOf(times.page), unit: 'ms' });
      const slow =
        times.page.toSorted((a, b) => a - b).at(Math.ceil(times.page.length * 0.95) - 1) ?? Number.NaN;
      lines.push({ name: '  95 of 100', spread: spreadOf([slow]), unit: 'ms', goal: { atMost: 300 } });
      lines.push(ratioLine('  against a sum over its sales', times.page, times.plain));
    }
  }
  for (const [name, read] of Object.entries(otherReads(db))) {
    const times: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const time = await timeOf(read);
      if (round >= 0) times.push(time);
    }
    lines.push({ name, spread: spreadOf(times), unit: 'ms' });
    const slow = times.toSorted((a, b) => a - b).at(Math.ceil(times.length * 0.95) - 1) ?? Number.NaN;
    lines.push({ name: '  95 of 100', spread: spreadOf([slow]), unit: 'ms', goal: { atMost: 300 } });
  }
  printTable(`profit of ${sales.toLocaleString('en-US')} sales`, lines);
}

/** What else shows profit. */
function otherReads(db: Db): Readonly<Record<string, () => Promise<unknown>>> {
  const now = instant(Date.parse(TO) + 86_400_000);
  const totals = createListTotals(db, (error) => {
    throw error;
  });
  const list = (by: 'profit30' | 'units30') =>
    readListings(db, totals, { sort: { by, descending: true }, ...FIRST_PAGE }, now);
  return {
    'earnings of a rule': () => ruleEarnings(db, 1, now),
    'Listings by profit of 30 days': () => list('profit30'),
    'Listings by units of 30 days': () => list('units30'),
  };
}

/** @returns milliseconds */
async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** In the last half of the year, so that the rule's days have as many before them. */
const MOVES = `INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp, rule_id, margin_floor, margin_impact)
  SELECT l.id, 20, 20 + m * 0.01, 'Beat Corner Store''s $9.99 by $0.01.', 'rule',
    $1::timestamptz - (m * 182.0 / $2::int) * interval '1 day' - l.id % 86400 * interval '1 second', 1 + l.id % 8, 10, -0.5
  FROM listings l CROSS JOIN generate_series(1, $2::int) m ORDER BY m DESC, l.id`;

/** A few listings sell most. A tenth of the sales has no known profit. */
const SALES = `INSERT INTO sales_history (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue,
    shipping_revenue, unit_cost, total_cost, marketplace_fees, shipping_cost, total_margin, margin_per_unit, money_state, is_about)
  SELECT 1 + floor($3::int * power(random(), 2))::int, 'line-' || n,
    ($4::date + 1)::timestamp AT TIME ZONE 'UTC' - interval '1 second' - random() * ($5::int - 0.001) * interval '1 day',
    1, price, price, 0, price * 0.5, price * 0.5, price * 0.15, 0,
    CASE WHEN n % 10 > 0 THEN price * 0.35 END, CASE WHEN n % 10 > 0 THEN price * 0.35 END,
    CASE WHEN n % 2 = 0 THEN 'told' ELSE 'estimated' END, n % 2 = 1
  FROM (SELECT n, (5 + random() * 200)::numeric(10, 2) AS price FROM generate_series($1::bigint, $2::bigint) n) numbers`;

/** Eight rules; the last price of a listing was set by one of the runs of three days. A seventh of the prices is typed. */
const SUMS = `INSERT INTO profit_days (listing_id, day, marketplace, price_source, rule_id, run_id, sales, sales_known, sales_told, units,
    revenue, revenue_known, fees, cost, shipping, profit)
  SELECT d.listing_id, d.day, d.marketplace, CASE WHEN d.listing_id % 7 > 0 THEN 'rule' ELSE 'person' END,
    CASE WHEN d.listing_id % 7 > 0 THEN 1 + d.listing_id % 8 END,
    CASE WHEN d.listing_id % 7 > 0 THEN 1000 + (d.day - $1::date + $2::int) * 96 - d.listing_id * 7919 % 288 END,
    d.sales, d.known, d.told, d.units, d.revenue, d.revenue_known, d.fees, d.cost, d.shipping, d.profit
  FROM (SELECT h.listing_id, (h.sale_date AT TIME ZONE 'UTC')::date AS day, l.marketplace, count(*) AS sales,
      count(h.total_margin) AS known, count(*) FILTER (WHERE NOT h.is_about) AS told, sum(h.quantity_sold) AS units,
      sum(h.total_revenue) AS revenue, coalesce(sum(h.total_revenue) FILTER (WHERE h.total_margin IS NOT NULL), 0) AS revenue_known,
      sum(h.marketplace_fees) AS fees, sum(h.unit_cost) AS cost, sum(h.shipping_cost) AS shipping, sum(h.total_margin) AS profit
    FROM sales_history h JOIN listings l ON l.id = h.listing_id GROUP BY 1, 2, 3) d
  ORDER BY d.day, d.listing_id`;

const PLAIN = `SELECT sum(total_margin) FROM sales_history
  WHERE sale_date >= $1::timestamp AT TIME ZONE 'UTC' AND sale_date < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'`;

const server = await joinEmbeddedPostgres({ dataDir, log: () => undefined });
await migrate(server.ownerUrl);
const database = openDatabase(server.ownerUrl);
try {
  if ((await database.pool.query('SELECT FROM profit_totals LIMIT 1')).rowCount === 0)
    await fill(server.ownerUrl);
  await measure(database);
} finally {
  await database.close();
  await server.leave();
  if (!values.keep) rmSync(dataDir, { recursive: true, force: true });
}

import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { bundleComponents } from '#db/schema/catalog.ts';
import { usd } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { readProfit } from './profit-sums.ts';

const GROUPS = {
  day: sql`p.day::text`,
  marketplace: sql`p.marketplace`,
  listing: sql`p.listing_id::text`,
  sku: sql`l.sku`,
  rule: sql`coalesce(p.rule_id::text, CASE price_source WHEN 'import' THEN 'imported' WHEN 'earlier' THEN 'earlier' ELSE 'none' END)`,
  run: sql`coalesce(p.run_id::text, CASE price_source WHEN 'import' THEN 'imported' WHEN 'earlier' THEN 'earlier' ELSE 'none' END)`,
} as const;
const SET_BY = [
  { source: 'rule', rule: 1, run: 1 },
  { source: 'rule', rule: 2, run: 1 },
  { source: 'rule', rule: 2, run: 2 },
  { source: 'import', rule: null, run: null },
  { source: 'earlier', rule: null, run: null },
  { source: null, rule: null, run: null },
] as const;
const SORTS = ['key', 'units', 'revenue', 'profit', 'margin', 'sales'] as const;

let database: RecycledDatabase;
let db: Db;
/** Walmart and Amazon without a listing come last. */
let ids: (number | null)[];
const marketplaceOf = (index: number) => (index < 2 || index === 4 ? 'walmart' : 'amazon');
beforeAll(async () => {
  database = await borrowDatabase();
  db = database.open.db;
  ids = [];
  for (const marketplace of ['walmart', 'amazon'] as const) {
    for (const sku of ['A-1', 'B-1']) ids.push(await addListing(db, sku, { marketplace }));
  }
  ids.push(null, null);
});
afterAll(() => database.giveBack());

const dayOf = (number: number) => new Date(Date.UTC(2026, 8, 20 + number)).toISOString().slice(0, 10);
const dollars = fc.integer({ min: -9_999, max: 9_999 }).map((cents) => (cents / 100).toFixed(2));
const known = fc.option(dollars, { freq: 2 });
const place = { listing: fc.nat(5), day: fc.nat(75) };
const sums = fc.record({
  ...place,
  set: fc.constantFrom(...SET_BY),
  units: fc.nat(3),
  sales: fc.nat(3),
  revenue: dollars,
  fees: known,
  ads: known,
  cost: known,
  shipping: known,
  refunds: known,
  profit: known,
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.array(sums, { minLength: 1, maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.record(place) }) },
  { weight: 1, arbitrary: fc.record({ move: fc.record(place) }) },
);
const questions = fc.array(
  fc.record({
    group: fc.constantFrom('day', 'marketplace', 'listing', 'sku', 'rule', 'run'),
    days: fc
      .tuple(fc.nat(75), fc.nat(75))
      .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
    marketplace: fc.option(fc.constantFrom('walmart', 'amazon'), { nil: undefined, freq: 2 }),
    sort: fc.record({ by: fc.constantFrom(...SORTS), descending: fc.boolean() }),
  }),
  { minLength: 6, maxLength: 6 },
);

/** The sums as kept by day, added up anew. */
async function recount(tx: Db, { group, days: [from, to], marketplace, sort }: Question) {
  const direction = sort.descending ? sql`DESC` : sql`ASC`;
  const by = {
    key: GROUPS[group],
    units: sql`sum(p.units)`,
    revenue: sql`sum(p.revenue)`,
    profit: sql`sum(p.profit)`,
    margin: sql`CASE WHEN sum(p.revenue_known) > 0 THEN sum(p.profit) / sum(p.revenue_known) END`,
    sales: sql`sum(p.sales)`,
  }[sort.by];
  const figures = sql`coalesce(sum(p.units), 0)::float8 AS units, coalesce(sum(p.revenue), 0.00)::text AS revenue,
    sum(p.fees)::text AS fees, sum(p.ads)::text AS ads, sum(p.cost)::text AS cost, sum(p.shipping)::text AS shipping,
    sum(p.refunds)::text AS refunds, sum(p.profit)::text AS profit,
    CASE WHEN sum(p.revenue_known) > 0 THEN (floor(10000 * sum(p.profit) / sum(p.revenue_known)) / 100)::numeric(20, 2)::text END AS margin,
    coalesce(sum(p.sales), 0)::float8 AS sales,
    coalesce(sum(p.sales_known), 0)::float8 AS known, coalesce(sum(p.sales_told), 0)::float8 AS told`;
  const chosen = sql`profit_days p LEFT JOIN listings l ON l.id = p.listing_id
    WHERE p.day BETWEEN ${dayOf(from)} AND ${dayOf(to)} AND p.marketplace = coalesce(${marketplace ?? null}, p.marketplace)`;
  const rows = await tx.execute(sql`SELECT ${GROUPS[group]} AS key, ${figures} FROM ${chosen}
    AND ${GROUPS[group]} IS NOT NULL GROUP BY 1
    ORDER BY ${by} ${direction} NULLS LAST, 1 ${direction}`);
  const whole = await tx.execute(sql`SELECT ${figures} FROM ${chosen}`);
  return { rows: rows.rows, sum: whole.rows[0], total: rows.rows.length };
}
type Question = typeof questions extends fc.Arbitrary<(infer Each)[]> ? Each : never;

test('L13: every sum over any days is that of the kept days, whatever was added, changed or taken away', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), questions, async (steps, requested) => {
      const rollback = new Error('done');
      const story = db.transaction(async (tx) => {
        for (const each of steps) await take(tx, each);
        for (const question of requested) {
          const { from, to } = { from: dayOf(question.days[0]), to: dayOf(question.days[1]) };
          const answer = await readProfit(tx, { ...question, from, to, page: 1, size: 100 });
          expect(answer).toMatchObject(await recount(tx, question));
          const second = await readProfit(tx, { ...question, from, to, page: 2, size: 1 });
          expect(second.rows).toEqual(answer.rows.slice(1, 2));
        }
        throw rollback;
      });
      await expect(story).rejects.toBe(rollback);
    }),
    { seed: 20_261_123, numRuns: asMany(8, 200) },
  );
});

async function take(
  tx: Db,
  each: typeof step extends fc.Arbitrary<infer Step> ? Step : never,
): Promise<void> {
  if ('put' in each) {
    const rows = each.put.map(
      (
        row,
      ) => sql`(${ids[row.listing]}::bigint, ${dayOf(row.day)}::date, ${marketplaceOf(row.listing)}, ${row.set.source}::text, ${row.set.rule}::bigint, ${row.set.run}::bigint, ${row.sales}::int, ${row.sales}::int, 0,
        ${row.units}::int, ${row.revenue}::numeric, ${row.revenue}::numeric, ${row.fees}::numeric, ${row.ads}::numeric,
        ${row.cost}::numeric, ${row.shipping}::numeric, ${row.refunds}::numeric, ${row.profit}::numeric)`,
    );
    await tx.execute(sql`INSERT INTO profit_days (listing_id, day, marketplace, price_source, rule_id, run_id, sales, sales_known, sales_told, units, revenue, revenue_known,
      fees, ads, cost, shipping, refunds, profit) VALUES ${sql.join(rows, sql`, `)} ON CONFLICT DO NOTHING`);
  } else if ('remove' in each) {
    await tx.execute(sql`DELETE FROM profit_days WHERE listing_id IS NOT DISTINCT FROM ${ids[each.remove.listing]}::bigint
      AND day >= ${dayOf(each.remove.day)}::date - 20`);
  } else {
    await tx.execute(sql`UPDATE profit_days SET revenue = revenue + 1, profit = profit - 1, ads = NULL
      WHERE day <= ${dayOf(each.move.day)}`);
  }
}

test('by SKU, a bundle is split by the cost of its components, to the cent', async () => {
  const rollback = new Error('done');
  const story = db.transaction(async (tx) => {
    const parts = [
      await addSku(tx, 'PART-A', { productCost: usd(4) }),
      await addSku(tx, 'PART-B', { productCost: usd(4) }),
      await addSku(tx, 'PART-C', { productCost: null }),
    ];
    const bundle = await addListing(tx, 'SET-1', { marketplace: 'walmart' });
    const unknown = await addListing(tx, 'SET-2', { marketplace: 'walmart' });
    const alone = await addListing(tx, 'PART-A', { marketplace: 'walmart' });
    // One A and two B; one A and one C, whose cost is unknown.
    await tx.insert(bundleComponents).values([
      { listingSku: 'SET-1', componentSkuId: parts[0] ?? 0, quantity: 1 },
      { listingSku: 'SET-1', componentSkuId: parts[1] ?? 0, quantity: 2 },
      { listingSku: 'SET-2', componentSkuId: parts[0] ?? 0, quantity: 1 },
      { listingSku: 'SET-2', componentSkuId: parts[2] ?? 0, quantity: 1 },
    ]);
    const sumsOf = (listing: number, day: number, profit: string, revenue: string) =>
      tx.execute(sql`INSERT INTO profit_days (listing_id, day, marketplace, price_source, sales, sales_known, sales_told, units, revenue,
        revenue_known, profit) VALUES (${listing}, ${dayOf(day)}::date, 'walmart', 'import', 1, 1, 0, 1, ${revenue}, ${revenue}, ${profit})`);
    await sumsOf(bundle, 1, '12.00', '30.00');
    await sumsOf(unknown, 1, '7.00', '20.00');
    const skus = async (by: 'key' | 'profit' | 'units', days = [0, 2]) => {
      const [from, to] = days.map(dayOf) as [string, string];
      const sort = { by, descending: false };
      const { rows } = await readProfit(tx, { group: 'sku', from, to, sort, page: 1, size: 100 });
      return rows.map(({ key, units, revenue, profit }) => [key, units, revenue, profit]);
    };
    const set2 = ['SET-2', 1, '20.00', '7.00'];
    expect(await skus('profit')).toEqual([
      ['PART-A', 1, '10.00', '4.00'],
      set2,
      ['PART-B', 2, '20.00', '8.00'],
    ]);
    // A cent more is one part's; what the component earned alone is added.
    await sumsOf(bundle, 2, '0.01', '0.00');
    await sumsOf(alone, 2, '-1.00', '9.00');
    expect(await skus('key')).toEqual([['PART-A', 3, '19.00', '3.00'], ['PART-B', 4, '20.00', '8.01'], set2]);
    expect(await skus('units')).toEqual([
      set2,
      ['PART-A', 3, '19.00', '3.00'],
      ['PART-B', 4, '20.00', '8.01'],
    ]);
    throw rollback;
  });
  await expect(story).rejects.toBe(rollback);
});

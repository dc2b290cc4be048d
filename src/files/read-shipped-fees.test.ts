import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FeeTable, feeTimesWhole } from '#domain/fees/fee-table.ts';
import { categoryKey, feesInForce, feeTables } from '#domain/fees/fee-tables.ts';
import { allowedPrices } from '#domain/limits/allowed-prices.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { fees, NOW, pct, usd } from '#tests/builders/facts.ts';
import { readCategoryMap } from './read-category-map.ts';
import { readShippedFees, schedulesOfPlans } from './read-shipped-fees.ts';

const shipped = await readShippedFees();
const standard = schedulesOfPlans(shipped);

function tableOf(marketplace: Marketplace, category: string | null, from = standard): FeeTable {
  const table = feesInForce(feeTables(from), marketplace, category, NOW);
  if (table === null) throw new Error(`no fees for ${marketplace} ${category}`);
  return table;
}

describe('the published fees that the program brings along', () => {
  it('have a default for every marketplace, and one schedule for a category', () => {
    const defaults = standard.filter(({ category }) => category === null);
    expect(defaults.map(({ marketplace }) => marketplace)).toEqual(MARKETPLACES);
    const keys = standard.map(({ marketplace, category }) => `${marketplace}/${categoryKey(category)}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(100);
  });

  it('say where and when each was read, and what is not sure about those that are not', () => {
    const unexplained = shipped.filter(
      ({ publication: { title, date, confidence, note } }) =>
        title === '' || (confidence !== 'low' && date === null) || (confidence === 'low' && note === null),
    );
    expect(unexplained.map(({ category }) => category)).toEqual([]);
  });

  it('name each category in every plan of its marketplace, so that another plan blocks no listing', () => {
    for (const marketplace of MARKETPLACES) {
      const plans = new Map<string | null, string[]>();
      for (const each of shipped) {
        if (each.marketplace !== marketplace) continue;
        plans.set(each.plan, [...(plans.get(each.plan) ?? []), categoryKey(each.category)].sort());
      }
      const [first, ...others] = [...plans.values()];
      for (const other of others) expect(other).toEqual(first);
    }
  });

  it('have a schedule, in every plan, for each category that a product type or category of a marketplace maps to', async () => {
    const entries = await readCategoryMap();
    const missing = entries.filter(({ marketplace, category }) => {
      const there = shipped.filter((each) => each.marketplace === marketplace && each.category === category);
      const plans = new Set(
        shipped.filter((each) => each.marketplace === marketplace).map(({ plan }) => plan),
      );
      return there.length === 0 || there.length < plans.size;
    });
    expect(missing).toEqual([]);
    expect(new Set(entries.map(({ marketplace }) => marketplace))).toEqual(
      new Set(['amazon', 'walmart', 'ebay']),
    );
  });

  it.each([
    ['walmart', null, 20, 3],
    ['walmart', null, 0.01, 0.0015],
    ['amazon', null, 20, 3],
    ['amazon', null, 1, 0.3],
    ['amazon', 'Clothing and Accessories', 15, 0.75],
    ['amazon', 'clothing and accessories', 20.01, 3.4017],
    ['amazon', 'Jewelry', 300, 52.5],
    ['amazon', 'Books', 12, 3.6],
    ['michaels', null, 20, 3],
    ['ebay', null, 9.25, 1.658825],
    ['ebay', null, 9.26, 1.760294],
    ['etsy', null, 20, 2.398],
    ['shopify', null, 20, 0.928],
  ] as const)('%s %s takes of $%d: $%d', (marketplace, category, revenue, fee) => {
    expect(feeTimesWhole(tableOf(marketplace, category), usd(revenue)) / 1_000_000).toBeCloseTo(fee, 9);
  });

  it.each([
    ['walmart', 14.29],
    ['amazon', 14.29],
    ['michaels', 14.29],
    ['ebay', 14.8],
    ['etsy', 13.89],
    ['shopify', 12.59],
  ] as const)('of cost $10.00 and margin 15%% the margin floor on %s is $%d', (marketplace, floor) => {
    const terms = {
      totalCost: usd(10),
      shippingCharge: usd(0),
      fees: tableOf(marketplace, null),
      minimumMargin: pct(15),
      minPrice: null,
      maxPrice: null,
      anchorPrice: null,
    };
    expect(allowedPrices(terms).marginFloor).toBe(usd(floor));
  });

  it('example 12: eBay takes 14.69% of revenue and $0.40, or $0.30 up to $9.25', () => {
    const { pieces } = tableOf('ebay', null);
    expect(pieces[0]).toMatchObject({ to: usd(9.25), other: pct(14.69) });
    expect(Math.round(feeTimesWhole(tableOf('ebay', null), usd(40)) / 10_000)).toBe(628);
  });

  it('example 14: Etsy takes 9.74% of revenue and $0.45', () => {
    expect(tableOf('etsy', null).pieces).toMatchObject([
      { percent: pct(6.5), other: pct(3.24), added: usd(0.45) * 10_000 },
    ]);
  });

  it('are those of another plan once that is chosen', () => {
    const chosen = schedulesOfPlans(
      shipped,
      new Map([
        ['ebay', 'Basic store or above'],
        ['shopify', 'Advanced'],
      ]),
    );
    expect(chosen).toHaveLength(standard.length);
    expect(feeTimesWhole(tableOf('ebay', null, chosen), usd(20))).toBe(1_372 * 2_000 + 400_000);
    expect(feeTimesWhole(tableOf('shopify', null, chosen), usd(20))).toBe(270 * 2_000 + 300_000);
    expect(feeTimesWhole(tableOf('ebay', 'Cameras & Photo', chosen), usd(20))).toBe(1_010 * 2_000 + 400_000);
    expect(fees([{ percent: 15 }]).pieces).toEqual(tableOf('walmart', null, chosen).pieces);
  });
});

it.each([
  ['a share that is not known', 'amazon,,Gift Cards,20.00,', 'amazon,,Gift Cards,unknown,'],
  [
    'a row without a source',
    'amazon,,Gift Cards,20.00,0.00,0.00,0.00,0.00,,whole,revenue,,"sell',
    'amazon,,Gift Cards,20.00,0.00,0.00,0.00,0.00,,whole,revenue,,,2026-08-21,high,\namazon,,X,20.00,0.00,0.00,0.00,0.00,,whole,revenue,,"sell',
  ],
  [
    'bands that do not join',
    'amazon,,Jewelry,20.00,0.00,0.00,0.00,0.30,250.00,',
    'amazon,,Jewelry,20.00,0.00,0.00,0.00,0.30,,',
  ],
])('a file with %s stops the start: half a table would be a wrong fee', async (_, row, broken) => {
  const folder = await mkdtemp(join(tmpdir(), 'shipped-fees-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(import.meta.dirname, 'shipped-fees'), folder, { recursive: true });
  const file = join(folder, 'amazon.csv');
  const text = await readFile(file, 'utf8');
  expect(text).toContain(row);
  await writeFile(file, text.replace(row, broken));
  await expect(readShippedFees(folder)).rejects.toThrow(file);
});

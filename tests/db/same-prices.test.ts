import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { asc, isNull } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { readShippedFees, schedulesOfPlans } from '#files/read-shipped-fees.ts';
import { randomShop, type ShopFiles } from '#tests/builders/random-shop.ts';
import { asMany } from '#tests/support/breadth.ts';
import { importDesk } from '#tests/support/import-file.ts';
import { runCommand } from '#tests/support/memory-io.ts';
import { planIn } from '#tests/support/run-preview.ts';
import { declareSeller } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { loadShippedFees } from '#usecases/catalog/fees/load-shipped-fees.ts';
import type { EngineDeps } from '#usecases/repricing/engine/engine-deps.ts';
import { engineStep } from '#usecases/repricing/engine/engine-loop.ts';
import { PlannedPages } from '#usecases/repricing/engine/planned-pages.ts';

/** The outcome of a listing, in the same terms for both ways. */
interface Answer {
  readonly listing: string;
  readonly outcome: string;
  /** Null unless changed or recommended. */
  readonly price: string | null;
  readonly floor: string | null;
  readonly reason: string;
}

const KINDS = ['skus', 'tiers', 'fees', 'rules', 'bundles', 'listings', 'offers'] as const;

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

const now = (): Date => new Date(shop.deps.now());

async function throughTheCommandLine(files: ShopFiles): Promise<Answer[]> {
  const flags = Object.keys(files).flatMap((name) => [`--${name}`, `${name}.csv`]);
  const contents = Object.fromEntries(Object.entries(files).map(([name, text]) => [`${name}.csv`, text]));
  const { out, code, errors } = await runCommand(
    ['reprice', ...flags, '--seller', 'My Shop', '--now', now().toISOString()],
    { files: contents },
  );
  expect(code, errors).toBe(0);
  const rows: Record<string, string>[] = parse(out, { columns: true });
  return rows.map((row) => ({
    listing: `${row.marketplace} ${row.sku}`,
    outcome: row.outcome ?? '',
    price: row.newPrice || null,
    floor: row.floor || null,
    reason: row.reasonCode ?? '',
  }));
}

async function throughTheProduct(files: ShopFiles): Promise<Answer[]> {
  for (const marketplace of MARKETPLACES) await declareSeller(shop.db, marketplace, 'My Shop');
  await loadShippedFees(shop.deps, schedulesOfPlans(await readShippedFees()));
  const cookie = await shop.admin();
  const desk = importDesk(shop, cookie);
  for (const kind of KINDS) {
    const { counts, error } = await desk.bringIn(kind, files[kind]);
    expect([kind, error, counts?.rejected]).toEqual([kind, null, 0]);
  }
  const before = new Map((await allListings()).map(({ id, currentPrice }) => [id, currentPrice]));
  await goLiveEverywhere(cookie);
  const metrics = await shop.db.select().from(listingMetrics).orderBy(asc(listingMetrics.listingId));
  const decided = new Map(metrics.map((row) => [row.listingId, row]));
  return (await allListings()).map((row) => {
    const figures = decided.get(row.id);
    const price = row.recommendedPrice ?? (row.currentPrice === before.get(row.id) ? null : row.currentPrice);
    return {
      listing: `${row.marketplace} ${row.sku}`,
      outcome: figures?.outcome ?? 'none',
      price: price === null ? null : decimalFromCents(price),
      floor: figures?.marginFloor ? decimalFromCents(figures.marginFloor) : null,
      reason: figures?.reasonCode ?? '',
    };
  });
}

/** Reviewed first: the circuit breaker accepts a run that is exactly the reviewed plan. */
async function goLiveEverywhere(cookie: string): Promise<void> {
  const marketplaces = [...MARKETPLACES];
  const plan = await shop.get(`/api/engine/plan?marketplaces=${marketplaces.join()}`, cookie);
  const { token } = planIn(plan.body);
  const response = await shop.post('/api/engine/go-live', { marketplaces, token }, { headers: { cookie } });
  expect(response.statusCode, response.body).toBe(200);
  const faults: unknown[] = [];
  const engine: EngineDeps = {
    db: shop.db,
    now: shop.deps.now,
    batchSize: 100,
    isStopping: () => false,
    skippedUntil: new Map(),
    planned: new PlannedPages(),
    onUnexpectedError: (error) => faults.push(error),
  };
  for (let steps = 0; (await engineStep(engine)) === 'worked'; steps++) expect(steps).toBeLessThan(100);
  expect(faults).toEqual([]);
}

const allListings = () =>
  shop.db.select().from(listings).where(isNull(listings.deletedAt)).orderBy(asc(listings.id));

const example = (name: string): string => readFileSync(`examples/${name}.csv`, 'utf8');

test('the examples get the same prices from the command line and from the product', async () => {
  const names = ['skus', 'listings', 'bundles', 'tiers', 'rules', 'offers', 'fees'] as const;
  const files = Object.fromEntries(names.map((name) => [name, example(name)])) as unknown as ShopFiles;
  // The examples have fixed dates.
  shop.advance(Date.parse('2026-11-21T12:00:00Z') - shop.deps.now());
  const expected = await throughTheCommandLine(files);
  expect(expected.filter(({ outcome }) => outcome === 'change').length).toBeGreaterThan(1);
  expect(await throughTheProduct(files)).toEqual(expected);
});

test('a rule that refuses prices across channels does so both ways', async () => {
  const files: ShopFiles = {
    skus: 'sku,name,productCost,weight,packagingCost,miscCost\nA-1,Mug,10.00,8,0.00,0.00\n',
    tiers: 'marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost\n,FBM,0,100,0.00\n',
    fees: 'marketplace,category,percent,fixed,minimum,bandUpTo,bandKind,effectiveFrom\n',
    rules: `name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive,refuseCrossChannel
Beat,,All,Beat Competitor,10,0.01,true,true\n`,
    bundles: 'listing_sku,component_sku,quantity\n',
    listings: `sku,title,currentPrice,fulfillmentType,marketplace
A-1,Mug,18.00,FBM,walmart\nA-1,Mug,20.00,FBM,ebay\nA-1,Mug,19.50,FBM,shopify\n`,
    offers: `marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt
walmart,A-1,Corner Store,19.51,0.00,FBM,false,${now().toISOString()}
ebay,A-1,Corner Store,18.01,0.00,FBM,false,${now().toISOString()}
shopify,A-1,Corner Store,21.01,0.00,FBM,false,${now().toISOString()}\n`,
  };
  const expected = await throughTheCommandLine(files);
  // Walmart goes up to Shopify's price; then eBay may not go below it.
  expect(expected.map(({ outcome, price }) => [outcome, price])).toEqual([
    ['change', '19.50'],
    ['recommend', '18.00'],
    ['change', '21.00'],
  ]);
  expect(await throughTheProduct(files)).toEqual(expected);
});

test.each([1, 2, 3].slice(0, asMany(1, 3)))(
  'a store full of gaps and odd limits gets the same prices both ways, seed %i',
  async (seed) => {
    const files = randomShop(seed, now());
    const expected = await throughTheCommandLine(files);
    for (const outcome of ['change', 'keep', 'recommend', 'blocked']) {
      expect(expected.filter((answer) => answer.outcome === outcome).length, outcome).toBeGreaterThan(3);
    }
    expect(await throughTheProduct(files)).toEqual(expected);
  },
);

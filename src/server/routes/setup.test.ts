import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Setup } from '#contract/setup.ts';
import { bundleComponents, skus } from '#db/schema/catalog.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { cents, instant, ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import {
  addListing,
  addOffer,
  addRule,
  addSku,
  addTier,
  declareSeller,
  setLive,
} from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

type Metrics = Partial<typeof listingMetrics.$inferInsert>;
const decided = (listingId: number, over: Metrics) =>
  shop.db
    .insert(listingMetrics)
    .values({ listingId, decidedAt: shop.deps.now(), outcome: 'keep', reasonCode: 'already_there', ...over });
const get = async (path: string) => (await shop.get(path, cookie)).json();
const doneSteps = async () =>
  (await get('/api/setup')).steps
    .filter(({ isDone }: Setup['steps'][number]) => isDone)
    .map(({ step }: Setup['steps'][number]) => step);

test('each step is done when its work is, and not done when new work appears', async () => {
  const { db } = shop;
  expect(await get('/api/setup')).toEqual({
    steps: ['import', 'own_sellers', 'shipping', 'fees', 'rule', 'review', 'go_live'].map((step) => ({
      step,
      isDone: false,
    })),
    isDismissed: false,
    isDemo: false,
  });
  const id = await addListing(db, 'A-1');
  await addOffer(db, id, 18);
  expect(await doneSteps()).toEqual(['shipping']);
  await addSku(db, 'A-1');
  expect(await doneSteps()).toEqual(['import', 'shipping']);
  await declareSeller(db, 'walmart');
  expect(await doneSteps()).toEqual(['import', 'own_sellers', 'shipping']);
  await addOffer(db, await addListing(db, 'A-1', { marketplace: 'amazon' }), 18);
  expect(await doneSteps()).toEqual(['import', 'shipping']);
  await declareSeller(db, 'amazon');

  const paused = await addRule(db, { isActive: false });
  await decided(id, { ruleId: paused });
  expect(await doneSteps()).toEqual(['import', 'own_sellers', 'shipping']);
  await db.execute(sql`UPDATE repricing_rules SET is_active = true`);
  expect(await doneSteps()).toEqual(['import', 'own_sellers', 'shipping', 'rule']);

  await setLive(db, 'amazon');
  await db.insert(priceHistory).values({
    listingId: id,
    oldPrice: usd(20),
    newPrice: usd(19),
    source: 'apply',
    marginFloor: usd(5),
    reason: 'Applied',
  });
  expect(await doneSteps()).toEqual(['import', 'own_sellers', 'shipping', 'rule', 'review', 'go_live']);

  await db.execute(sql`UPDATE listings SET shipping_cost = NULL`);
  expect(await doneSteps()).not.toContain('shipping');
  await db.execute(sql`UPDATE listings SET fulfillment_type = 'FBA/WFS'`);
  expect(await doneSteps()).toContain('shipping');
  await db.execute(sql`UPDATE listings SET fulfillment_type = 'FBM'`);
  await addTier(db, 'walmart', 4);
  expect(await doneSteps()).toContain('shipping');
});

test('an administrator confirms the fees and closes the card, for all users and in the log', async () => {
  const post = (path: string) => shop.post(path, undefined, { headers: { cookie } });
  const fees = await post('/api/setup/fees-checked');
  expect(fees.json().steps).toContainEqual({ step: 'fees', isDone: true });
  expect((await post('/api/setup/dismiss')).json()).toMatchObject({ isDismissed: true });
  expect((await post('/api/setup/dismiss')).statusCode).toBe(200);
  const { rows } = await shop.db.execute(
    sql`SELECT action, actor FROM audit_log WHERE action ~ '^(setup|fees)' ORDER BY id`,
  );
  expect(rows).toEqual([
    { action: 'fees.checked', actor: 'boss@example.com' },
    { action: 'setup.dismissed', actor: 'boss@example.com' },
    { action: 'setup.dismissed', actor: 'boss@example.com' },
  ]);
});

test('coverage counts each listing once under each of its problems, the most frequent first', async () => {
  const { db } = shop;
  expect(await get('/api/coverage')).toEqual({ total: 0, repriceable: 0, undecided: 0, problems: [] });
  const add = async (sku: string, metrics: Metrics | null, deletedAt: number | null = null) => {
    const id = await addListing(db, sku, { deletedAt: deletedAt === null ? null : instant(deletedAt) });
    if (metrics) await decided(id, metrics);
  };
  const noCost = { outcome: 'blocked', reasonCode: 'unknown_cost' } as const;
  await add('1', {});
  await add('2', { outcome: 'recommend', reasonCode: 'beaten' });
  await add('3', null);
  await add('4', { ...noCost, missingFacts: ['no_tier', 'no_product_cost'] });
  await add('5', { ...noCost, missingFacts: ['no_weight', 'no_weight', 'no_tier'] });
  await add('6', { outcome: 'blocked', reasonCode: 'margin_impossible' });
  await add('7', { reasonCode: 'own_rule_missing' });
  await add('8', { ...noCost, missingFacts: ['no_tier'] }, shop.deps.now());
  expect(await get('/api/coverage')).toEqual({
    total: 7,
    repriceable: 2,
    undecided: 1,
    problems: [
      { problem: 'no_tier', count: 2 },
      { problem: 'margin_impossible', count: 1 },
      { problem: 'no_product_cost', count: 1 },
      { problem: 'no_rule', count: 1 },
      { problem: 'no_weight', count: 1 },
    ],
  });
});

test('the SKUs that block listings come as a file to fill in and import again', async () => {
  const { db } = shop;
  const add = async (sku: string, gap: string) =>
    decided(await addListing(db, sku, { title: `Title of ${sku}` }), {
      outcome: 'blocked',
      reasonCode: 'unknown_cost',
      missingFacts: [gap],
    });
  const incomplete = {
    productCost: null,
    weightOz: null,
    veeqoId: '0042',
    tags: ['blue', 'xmas'],
    brand: 'Acme',
  };
  await addSku(db, 'PART', incomplete);
  const fine = await addSku(db, 'FINE');
  await addSku(db, 'ZERO', { name: 'Zero', productCost: cents(0), weightOz: ounces(0) });
  const part = await addSku(db, '=PART', { ...incomplete, name: 'Part, small' });
  for (const [position, componentSkuId] of [fine, part].entries()) {
    await db.insert(bundleComponents).values({ listingSku: 'SET', componentSkuId, quantity: position + 1 });
  }
  await add('PART', 'no_product_cost');
  await add('SET', 'no_product_cost');
  await add('=PART', 'no_product_cost');
  await add('NEW', 'no_sku');
  await add('ZERO', 'no_weight');
  const file = async (problem: string) => {
    const reply = await shop.get(`/api/coverage/skus.csv?problem=${problem}`, cookie);
    expect(reply.headers['content-disposition']).toBe('attachment; filename="skus-to-complete.csv"');
    return reply.body.replace('\ufeff', '').trimEnd().split('\n');
  };
  const header =
    'sku,name,productCost,weight,packagingCost,miscCost,veeqoId,tags,brand,supplier,length,width,height,isHazardous';
  const stored = await db.select().from(skus);
  const nameOf = (sku: string) => stored.find((each) => each.sku === sku)?.name;
  expect(await file('no_product_cost')).toEqual([
    header,
    `'=PART,"Part, small",,,0.00,0.00,0042,blue|xmas,Acme,,,,,false`,
    `PART,${nameOf('PART')},,,0.00,0.00,0042,blue|xmas,Acme,,,,,false`,
  ]);
  expect(await file('no_sku')).toEqual([header, 'NEW,Title of NEW,,,,,,,,,,,,']);
  // A weight of 0 is unknown.
  expect(await file('no_weight')).toEqual([header, 'ZERO,Zero,0.00,0,0.00,0.00,,,,,,,,false']);
  expect((await shop.get('/api/coverage/skus.csv?problem=no_rule', cookie)).statusCode).toBe(400);
});

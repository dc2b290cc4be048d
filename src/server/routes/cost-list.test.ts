import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { cents, instant } from '#domain/units.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  const known = await addListing(shop.db, 'B-100%', { title: 'Blue mug' });
  await addListing(shop.db, 'A-1', { title: 'Red_mug' });
  await addListing(shop.db, 'C-1', { title: 'Deleted', deletedAt: instant(0) });
  await shop.db.insert(listingMetrics).values({
    listingId: known,
    productCost: cents(500),
    shippingCost: cents(399),
    fulfillmentCost: cents(0),
    packagingCost: cents(25),
    totalCost: null,
    missingFacts: ['no_product_cost'],
    decidedAt: instant(0),
  });
});
afterAll(() => shop.close());

const skusOf = async (query: string): Promise<string[]> =>
  (await shop.get(`/api/costs${query}`, cookie)).json().rows.map(({ sku }: { sku: string }) => sku);

test('listings by SKU without deleted ones, with unknown parts as null', async () => {
  const { rows, total } = (await shop.get('/api/costs', cookie)).json();
  expect(total).toBe(2);
  expect(rows).toMatchObject([
    { sku: 'A-1', productCost: null, totalCost: null, gaps: [], isDecided: false },
    {
      sku: 'B-100%',
      productCost: '5.00',
      shippingCost: '3.99',
      fulfillmentCost: '0.00',
      packagingCost: '0.25',
      miscCost: null,
      totalCost: null,
      gaps: ['no_product_cost'],
      isDecided: true,
    },
  ]);
});

test('estimated fulfillment fees are marked and counted, and accepted by an administrator', async () => {
  const over = { fulfillmentType: 'FBA/WFS', title: 'Green mug' } as const;
  const estimated = await addListing(shop.db, 'D-1', over);
  await addListing(shop.db, 'D-2', { ...over, fulfillmentCost: cents(345) });
  await shop.db
    .insert(listingMetrics)
    .values({ listingId: estimated, fulfillmentCost: cents(345), missingFacts: [], decidedAt: instant(0) });
  const read = async () => (await shop.get('/api/costs?q=D-', cookie)).json();
  const { rows, estimates } = await read();
  expect(rows).toMatchObject([{ isFulfillmentEstimated: true }, { isFulfillmentEstimated: false }]);
  expect(estimates).toEqual({ listings: 1, areAccepted: false });
  const accept = async (areAccepted: boolean) =>
    (await shop.post('/api/costs/estimates', { areAccepted }, { method: 'PUT', headers: { cookie } })).json();
  expect(await accept(true)).toEqual({ listings: 1, areAccepted: true });
  expect((await read()).estimates).toEqual({ listings: 1, areAccepted: true });
  expect(await accept(false)).toEqual({ listings: 1, areAccepted: false });
  await shop.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE sku LIKE 'D-%'`);
});

test.each([
  ['?q=MUG', ['A-1', 'B-100%']],
  ['?q=b-1', ['B-100%']],
  ['?q=100%25', ['B-100%']],
  ['?q=%25', ['B-100%']],
  ['?q=_', ['A-1']],
  ['?q=nothing', []],
])('the search %s takes letters as they are', async (query, skus) => {
  expect(await skusOf(query)).toEqual(skus);
});

test('each row has what an edit starts from, with its versions, and what cannot be edited there', async () => {
  await addSku(shop.db, 'A-1', { productCost: cents(1000), miscCost: cents(10) });
  const { rows } = (await shop.get('/api/costs', cookie)).json();
  expect(rows).toMatchObject([
    {
      sku: 'A-1',
      version: 1,
      skuVersion: 1,
      goodsReadOnly: null,
      stored: { product: '10.00', packaging: '0.00', misc: '0.10', shipping: '0.00', fulfillment: null },
      fulfillmentReadOnly: expect.any(String),
    },
    {
      sku: 'B-100%',
      skuVersion: null,
      stored: { product: null },
      goodsReadOnly: 'Add SKU B-100% with its cost and weight under SKUs.',
    },
  ]);
  await shop.db.execute(sql`INSERT INTO bundle_components (listing_sku, component_sku_id, quantity)
    SELECT 'B-100%', id, 1 FROM skus`);
  const bundle = (await shop.get('/api/costs?q=B-1', cookie)).json().rows[0];
  expect(bundle.goodsReadOnly).toContain('is a bundle: its cost comes from its components.');
});

test('pages', async () => {
  for (let i = 0; i < 25; i++) await addListing(shop.db, `Z-${String(i).padStart(2, '0')}`);
  expect(await skusOf('?size=25&page=2')).toEqual(['Z-23', 'Z-24']);
  expect((await shop.get('/api/costs?size=26', cookie)).statusCode).toBe(400);
});

import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ListingCosts } from '#contract/costs.ts';
import { auditLog } from '#db/schema/audit.ts';
import { bundleComponents, skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addListing, addSku, addTier } from '#tests/support/seed.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

const read = async (id = shop.id): Promise<ListingCosts> =>
  (await shop.get(`/api/listings/${id}/costs`)).json();
const save = (parts: object, over: object = {}, id = shop.id) =>
  shop.send('PUT', `/api/listings/${id}/costs`, { version: 1, skuVersion: 1, ...parts, ...over });
const part = (costs: ListingCosts, name: string) => costs.parts.find((one) => one.part === name);
const skuOf = async (sku: string) => (await shop.app.db.select().from(skus).where(eq(skus.sku, sku)))[0];

/** A bundle BOX of two A-1 and one B-1. */
async function addBundle(): Promise<number> {
  const { db } = shop.app;
  const a1 = await skuOf('A-1');
  const b1 = await addSku(db, 'B-1', { productCost: usd(4) });
  await db.insert(bundleComponents).values([
    { listingSku: 'BOX', componentSkuId: a1?.id ?? 0, quantity: 2 },
    { listingSku: 'BOX', componentSkuId: b1, quantity: 1 },
  ]);
  return addListing(db, 'BOX', { currentPrice: usd(50) });
}

describe('the costs of a listing', () => {
  test('come part by part, with their source and the listings that share the SKU', async () => {
    const ebay = await addListing(shop.app.db, 'A-1', { marketplace: 'ebay' });
    const box = await addBundle();
    await addTier(shop.app.db, 'walmart', 3.5);
    await shop.app.db.update(listings).set({ shippingCost: null }).where(eq(listings.id, shop.id));
    expect(await read()).toMatchObject({
      listingId: String(shop.id),
      sku: 'A-1',
      isBundle: false,
      version: 1,
      skuVersion: 1,
      currentPrice: '20.00',
      totalCost: '13.50',
      missing: [],
      parts: [
        { part: 'product', amount: '10.00', source: 'sku', sourceText: 'SKU A-1', readOnly: null },
        {
          part: 'shipping',
          amount: '3.50',
          source: 'tier',
          readOnly: null,
          sourceText: 'Shipping tier of Walmart FBM for 8 oz',
        },
        {
          part: 'fulfillment',
          amount: '0.00',
          source: 'none',
          readOnly: expect.any(String),
        },
        { part: 'packaging', amount: '0.00', source: 'sku' },
        { part: 'misc', amount: '0.00', source: 'sku' },
      ],
      others: [
        { listingId: String(ebay), marketplace: 'ebay', sku: 'A-1' },
        { listingId: String(box), marketplace: 'walmart', sku: 'BOX' },
      ],
    });
  });

  test('of a bundle are read-only with where to edit them', async () => {
    const box = await addBundle();
    const costs = await read(box);
    expect(costs).toMatchObject({ isBundle: true, skuVersion: null, totalCost: '24.00', others: [] });
    expect(part(costs, 'product')).toMatchObject({
      amount: '24.00',
      source: 'bundle',
      readOnly: 'BOX is a bundle: its cost comes from its components. Change them under Bundles.',
    });
    expect(part(costs, 'shipping')).toMatchObject({ source: 'listing', readOnly: null });
    const answer = await save({ product: '5.00' }, { skuVersion: null }, box);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields.product).toContain('Change them under Bundles.');
  });

  test('of a warehouse listing without a tier have shipping covered by its fee', async () => {
    const over = { fulfillmentType: 'FBA/WFS', fulfillmentCost: usd(3), shippingCost: null } as const;
    const id = await addListing(shop.app.db, 'A-1', { marketplace: 'amazon', ...over });
    const costs = await read(id);
    expect(costs).toMatchObject({ totalCost: '13.00', missing: [] });
    expect(part(costs, 'shipping')).toMatchObject({ amount: '0.00', source: 'none', readOnly: null });
  });

  test('list every gap with what to enter', async () => {
    const id = await addListing(shop.app.db, 'NEW', { fulfillmentType: 'FBA/WFS', shippingCost: null });
    expect(await read(id)).toMatchObject({
      totalCost: null,
      skuVersion: null,
      missing: [
        'Add SKU NEW with its cost and weight under SKUs.',
        'Enter the FBA/WFS fee for SKU NEW under Costs, or its weight and size under SKUs.',
      ],
    });
    expect((await save({ product: '5.00' }, { skuVersion: null }, id)).json().message).toContain(
      'Add SKU NEW',
    );
  });
});

describe('saving costs', () => {
  test('writes only the edited fields: product, packaging and misc to the SKU, shipping to the listing', async () => {
    await addTier(shop.app.db, 'walmart', 3.5);
    const answer = await save({ product: '11.00', misc: '0.40', shipping: '4.20' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().costs).toMatchObject({ totalCost: '15.60', version: 2, skuVersion: 2 });
    expect(await skuOf('A-1')).toMatchObject({
      productCost: usd(11),
      packagingCost: usd(0),
      miscCost: usd(0.4),
    });
    expect(await shop.listing()).toMatchObject({
      shippingCost: usd(4.2),
      lastShippingCostUpdate: shop.app.deps.now(),
      fulfillmentCost: null,
    });
    const cleared = await save({ shipping: null }, { version: 2, skuVersion: 2 });
    expect(part(cleared.json().costs, 'shipping')).toMatchObject({ amount: '3.50', source: 'tier' });
    expect(await skuOf('A-1')).toMatchObject({ version: 2 });
    const audits = await shop.app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'costs.edited'))
      .orderBy(auditLog.id);
    expect(audits).toMatchObject([
      {
        targetKind: 'sku',
        before: { product: '10.00', misc: '0.00' },
        after: { product: '11.00', misc: '0.40' },
      },
      { targetKind: 'listing', before: { shipping: '0.00' }, after: { shipping: '4.20' } },
      { targetKind: 'listing', before: { shipping: '4.20' }, after: { shipping: null } },
    ]);
  });

  test('lists every listing that is then below its margin floor', async () => {
    const ebay = await addListing(shop.app.db, 'A-1', { marketplace: 'ebay', currentPrice: usd(90) });
    const box = await addBundle();
    // 15.00 / 0.70 = 21.43 on Walmart; the box costs 34.00 then and needs 48.58.
    const answer = (await save({ product: '15.00' })).json();
    expect(answer.belowMarginFloorCount).toBe(1);
    expect(answer.belowMarginFloor).toEqual([
      {
        listingId: String(shop.id),
        marketplace: 'walmart',
        sku: 'A-1',
        title: 'Product A-1',
        currentPrice: '20.00',
        marginFloor: '21.43',
      },
    ]);
    const more = (await save({ product: '80.00' }, { skuVersion: 2 })).json();
    const named = more.belowMarginFloor.map(({ listingId }: { listingId: string }) => listingId);
    // The box loses most.
    expect(named).toEqual([box, shop.id, ebay].map(String));
  });

  test('shows that the surcharge for hazardous goods is in an estimated fee', async () => {
    await shop.app.db.update(listings).set({ fulfillmentType: 'FBA/WFS', fulfillmentCost: null });
    await shop.app.db.execute(sql`UPDATE skus SET is_hazardous = true`);
    expect(part(await read(), 'fulfillment')).toMatchObject({
      source: 'table',
      amount: '3.95',
      sourceText: 'Estimated from the weight alone: 1 lb, hazardous',
    });
  });

  test('stores the FBA/WFS fee as a manual one', async () => {
    const id = await addListing(shop.app.db, 'A-1', {
      marketplace: 'amazon',
      fulfillmentType: 'FBA/WFS',
      fulfillmentCost: usd(3),
      fulfillmentCostIsEstimate: true,
    });
    expect(part(await read(id), 'fulfillment')).toMatchObject({ source: 'estimate', amount: '3.00' });
    const saved = (await save({ fulfillment: '0.00' }, {}, id)).json();
    expect(part(saved.costs, 'fulfillment')).toMatchObject({ source: 'listing', amount: '0.00' });
  });

  test('is a conflict when the listing or its SKU was saved after that', async () => {
    await shop.app.db.execute(sql`UPDATE skus SET version = 2, product_cost = 12`);
    const answer = await save({ product: '11.00' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toContain('of A-1 were changed after you opened them. Review');
    expect((await save({ product: '11.00' }, { skuVersion: 2, version: 7 })).statusCode).toBe(409);
    expect((await skuOf('A-1'))?.productCost).toBe(usd(12));
  });

  test('shows who changed it after that', async () => {
    await save({ product: '11.00' });
    const ofTheSku = await save({ product: '12.00' });
    expect(ofTheSku.json().message).toContain(
      'of A-1 were changed after you opened them (boss@example.com, just now).',
    );
    await save({ shipping: '4.00' }, { skuVersion: 2 });
    const ofTheListing = await save({ shipping: '5.00' }, { skuVersion: 2 });
    expect(ofTheListing.json().message).toContain(
      'of A-1 were changed after you opened them (boss@example.com, just now).',
    );
  });

  test('of two users at the same time one wins', async () => {
    const codes = await Promise.all([save({ product: '11.00' }), save({ product: '12.00' })]);
    expect(codes.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  test('of two users at the same time on two listings of one SKU one wins, too', async () => {
    const ebay = await addListing(shop.app.db, 'A-1', { marketplace: 'ebay' });
    const codes = await Promise.all([save({ product: '11.00' }), save({ product: '12.00' }, {}, ebay)]);
    expect(codes.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await skuOf('A-1'))?.version).toBe(2);
  });

  test('refuses the fee of a listing that has none, and invalid amounts', async () => {
    expect((await save({ fulfillment: '1.00' })).json().fields).toEqual({
      fulfillment: 'A listing you ship yourself (FBM) has no FBA/WFS fee.',
    });
    expect((await save({ product: '-1.00' })).statusCode).toBe(400);
    expect((await save({ packaging: null })).statusCode).toBe(400);
  });
});

import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { skus } from '#db/schema/catalog.ts';
import { instant, ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { type BundleShop, createBundleShop, part } from '#tests/support/bundle-shop.ts';
import { addListing, addRule, addSku } from '#tests/support/seed.ts';

let shop: BundleShop;
beforeEach(async () => {
  shop = await createBundleShop();
});
afterEach(() => shop.close());

describe('the preview', () => {
  test('shows cost, margin and margin floor of each listing before and after, and writes nothing', async () => {
    await addRule(shop.db);
    const id = await addListing(shop.db, 'SET-1', { currentPrice: usd(20) });
    await shop.save([part('SET-1', shop.plate)]);
    const answer = await shop.ask('preview', {
      listingSku: 'SET-1',
      components: [
        { componentSkuId: shop.mug, quantity: 1 },
        { componentSkuId: shop.plate, quantity: 2 },
      ],
    });
    // 10.00 + 2 x 4.00, packaging 0.50, misc 0.10; Walmart keeps 15%, the rule another 15%.
    expect(answer.json()).toEqual({
      listings: [
        {
          listingId: String(id),
          marketplace: 'walmart',
          fulfillmentType: 'FBM',
          title: 'Product SET-1',
          currentPrice: '20.00',
          before: {
            totalCost: '4.00',
            margin: '65.00',
            marginFloor: '5.72',
            isBelowMarginFloor: false,
            missing: [],
          },
          after: {
            totalCost: '18.60',
            margin: '-8.00',
            marginFloor: '26.58',
            isBelowMarginFloor: true,
            missing: [],
          },
        },
      ],
      ownSku: null,
      bundlesInside: [],
      isUnconfirmed: false,
    });
    expect(await shop.packed('SET-1')).toEqual(['1 x PLATE']);
  });

  test('an unknown part leaves cost, margin and margin floor unknown and lists what to enter', async () => {
    await addListing(shop.db, 'SET-1');
    const blank = String(await addSku(shop.db, 'BLANK', { productCost: null, weightOz: null }));
    const answer = await shop.ask('preview', {
      listingSku: 'SET-1',
      components: [{ componentSkuId: blank, quantity: 1 }],
    });
    expect(answer.json().listings[0].after).toEqual({
      totalCost: null,
      margin: null,
      marginFloor: null,
      isBelowMarginFloor: false,
      missing: ['Enter the product cost of SKU BLANK under SKUs.'],
    });
  });

  test('the cost of a bundle in a bundle is unknown: its SKU is only the box', async () => {
    await addListing(shop.db, 'SET-2');
    await shop.save([part('SET-1', shop.mug, 3)]);
    const box = String(await addSku(shop.db, 'SET-1', { productCost: usd(0.5) }));
    const components = [{ componentSkuId: box, quantity: 2 }];
    const inside = (await shop.ask('preview', { listingSku: 'SET-2', components })).json();
    expect(inside.bundlesInside).toEqual(['SET-1']);
    expect(inside.listings[0].after).toMatchObject({
      totalCost: null,
      marginFloor: null,
      missing: [expect.stringContaining('SET-1')],
    });
    const ofItself = (await shop.ask('preview', { listingSku: 'SET-1', components })).json();
    expect(ofItself.bundlesInside).toEqual([]);
  });

  test('the cost of a deleted SKU is unknown, whatever its stored cost', async () => {
    await addListing(shop.db, 'SET-1');
    await shop.db
      .update(skus)
      .set({ deletedAt: instant(0) })
      .where(eq(skus.sku, 'MUG'));
    const components = [{ componentSkuId: shop.mug, quantity: 1 }];
    const { listings } = (await shop.ask('preview', { listingSku: 'SET-1', components })).json();
    expect(listings[0].after).toMatchObject({ totalCost: null, missing: [expect.stringContaining('MUG')] });
  });

  test('without components it shows the cost of the SKU with the same code', async () => {
    await addListing(shop.db, 'SET-1');
    await shop.save([part('SET-1', shop.mug)]);
    await shop.remove('SET-1');
    await addSku(shop.db, 'SET-1', { productCost: usd(7), weightOz: ounces(3) });
    const answer = (await shop.ask('preview', { listingSku: 'SET-1', components: [] })).json();
    expect(answer.isUnconfirmed).toBe(true);
    expect(answer.ownSku).toEqual({
      productCost: '7.00',
      weightOz: 3,
      packagingCost: '0.00',
      miscCost: '0.00',
    });
    expect(answer.listings[0].before.totalCost).toBeNull();
    expect(answer.listings[0].after.totalCost).toBe('7.00');
  });

  test('a removed component is reported', async () => {
    const answer = await shop.ask('preview', {
      listingSku: 'SET-1',
      components: [{ componentSkuId: '999999', quantity: 1 }],
    });
    expect(answer.statusCode).toBe(409);
  });
});

describe('the list', () => {
  const list = async (query = '') => (await shop.get(`/api/bundles${query}`, shop.cookie)).json();

  test('has bundles with title, marketplaces and size; removed ones come first', async () => {
    await addListing(shop.db, 'SET-1', { title: 'Blue set' });
    await addListing(shop.db, 'SET-1', { marketplace: 'ebay', title: 'Blue set' });
    await addListing(shop.db, 'WAS-1', { title: 'Old set' });
    const blank = String(await addSku(shop.db, 'BLANK', { productCost: null }));
    await shop.save([
      part('SET-1', shop.mug, 2),
      part('SET-1', shop.plate, 3),
      part('NEW-1', blank),
      part('WAS-1', shop.mug),
    ]);
    await shop.remove('WAS-1');
    expect(await list()).toEqual({
      rows: [
        {
          listingSku: 'WAS-1',
          title: 'Old set',
          marketplaces: ['walmart'],
          components: 0,
          units: 0,
          state: 'removed',
        },
        { listingSku: 'NEW-1', title: null, marketplaces: [], components: 1, units: 1, state: 'incomplete' },
        {
          listingSku: 'SET-1',
          title: 'Blue set',
          marketplaces: ['walmart', 'ebay'],
          components: 2,
          units: 5,
          state: null,
        },
      ],
      total: 3,
    });
  });

  test.each([
    ['?state=removed', ['WAS-1']],
    ['?state=incomplete', []],
    ['?q=set-', ['SET-1']],
    ['?q=blue', ['SET-1']],
    ['?q=plate', ['SET-1']],
    ['?q=_', []],
    ['?size=10&page=2', []],
  ])('%s finds %j', async (query, found) => {
    await addListing(shop.db, 'SET-1', { title: 'Blue thing' });
    await addListing(shop.db, 'WAS-1', { title: 'Old thing' });
    await shop.save([part('SET-1', shop.mug), part('SET-1', shop.plate), part('WAS-1', shop.mug)]);
    await shop.remove('WAS-1');
    const { rows } = await list(query);
    expect(rows.map(({ listingSku }: { listingSku: string }) => listingSku)).toEqual(found);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { listings } from '#db/schema/listings.ts';
import { cents } from '#domain/units.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterAll(() => shop.close());

test('an empty installation has zeros, and no marketplace', async () => {
  const answer = await shop.get('/api/stats', cookie);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    overall: { totalListings: 0, totalSkus: 0, totalValue: '0.00', activeRules: 0, recentPriceChanges: 0 },
    trends: { totalListings: null, totalSkus: null, totalValue: null, recentPriceChanges: null },
    byMarketplace: [],
  });
});

test('money is a decimal string', async () => {
  const price = cents(19_99);
  const mug = {
    sku: 'A-1',
    title: 'Mug',
    fulfillmentType: 'FBM',
    currentPrice: price,
    anchorPrice: price,
  } as const;
  await shop.db.insert(listings).values(mug);
  const { byMarketplace } = (await shop.get('/api/stats', cookie)).json();
  expect(byMarketplace).toEqual([
    {
      marketplace: 'walmart',
      totalListings: 1,
      activeListings: 1,
      totalValue: '19.99',
      avgPrice: '19.99',
      fulfillmentBreakdown: { FBM: 1 },
    },
  ]);
});

test('requires a session', async () => {
  expect((await shop.get('/api/stats')).statusCode).toBe(401);
});

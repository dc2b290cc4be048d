import { asc } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { businessGaps, businessOffers } from '#db/schema/marketplace-syncs.ts';
import type { Bps } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

const set = (policy: string, marketplace = 'amazon') =>
  shop.send('PUT', `/api/connections/${marketplace}/business-prices`, { policy });
const gaps = () => shop.app.db.select().from(businessGaps).orderBy(asc(businessGaps.listingId));

test('following takes the distance of each listing as it is then, and forgets it when it ends', async () => {
  const { db, deps } = shop.app;
  const over = { marketplace: 'amazon', currentPrice: usd(29.99) } as const;
  const listingId = await addListing(db, 'B-1', over);
  const tiers = [
    { from: 5, price: usd(27) },
    { from: 20, discount: 1_000 as Bps },
  ];
  await db
    .insert(businessOffers)
    .values({ listingId, price: usd(28), tiers, lowestPrice: usd(25.2), readAt: deps.now() });
  expect((await set('follow')).json()).toEqual({ policy: 'follow' });
  expect(await gaps()).toMatchObject([
    {
      listingId,
      priceDiscount: 664,
      tiers: [
        { from: 5, discount: 997 },
        { from: 20, discount: 1_597 },
      ],
      written: null,
    },
  ]);
  await set('follow');
  expect(await auditOf(db, 'business_prices.set')).toHaveLength(1);
  const connections = (await shop.get('/api/connections')).json().marketplaces as { marketplace: string }[];
  expect(connections.find(({ marketplace }) => marketplace === 'amazon')).toMatchObject({
    businessPrices: 'follow',
  });
  expect(connections.find(({ marketplace }) => marketplace === 'etsy')).toMatchObject({
    businessPrices: null,
  });
  await set('leave');
  expect(await gaps()).toEqual([]);
});

test('where there are no business prices nothing can follow', async () => {
  expect((await set('follow', 'etsy')).statusCode).toBe(404);
  const unknown = await set('often');
  expect(unknown.statusCode).toBe(400);
  expect(unknown.json()).toMatchObject({ fields: { policy: expect.any(String) } });
});

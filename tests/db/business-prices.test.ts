import { eq, sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { listings } from '#db/schema/listings.ts';
import { businessGaps } from '#db/schema/marketplace-syncs.ts';
import { cents, minutes } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { openLiveShops } from '#tests/support/live-shops.ts';
import { addRule } from '#tests/support/seed.ts';
import { EDITOR } from '#tests/support/sending-fixture.ts';
import { saveBusinessPricePolicy } from '#usecases/repricing/limits/save-business-price-policy.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

const fixture = engineFixture();
let sandbox: Sandbox;
afterEach(() => sandbox.close());

const BUSINESS = {
  price: usd(28),
  levels: [
    { from: 5, price: usd(27) },
    { from: 20, price: usd(25.5) },
  ],
};
const item = (sku: string): ItemPlan => ({
  marketplace: 'amazon',
  sku,
  title: `Mug ${sku}`,
  fulfillmentType: 'FBM',
  price: usd(29.99),
  competitors: [],
  viewsPerDay: 0,
  terms: {
    business: BUSINESS,
    bounds: { min: usd(22), max: usd(40) },
    mapPrice: usd(27),
  },
});

test('business prices follow a price at their distance, none below the margin floor (C34)', async () => {
  const { db } = fixture;
  await addRule(db, { strategy: 'Match Competitor' });
  const shops = await openLiveShops(fixture, {
    seed: 'business prices',
    items: [item('B-1'), item('B-2')],
    live: ['amazon'],
    costShare: 0.5,
    checkInterval: 60,
  });
  sandbox = shops.sandbox;
  const deps = { db, now: () => fixture.now };
  const terms = (sku: string) => sandbox.world.market('amazon').item(sku)?.terms;
  const set = async (sku: string, price: number) => {
    const [listing] = await db.select().from(listings).where(eq(listings.sku, sku));
    const from = listing?.currentPrice ?? cents(0);
    await setPrice(deps, listing?.id ?? 0, { price: usd(price), from }, EDITOR);
    await shops.check();
    // Until Amazon shows it.
    shops.pass(minutes(10));
  };
  await shops.check();
  await saveBusinessPricePolicy(deps, 'amazon', 'follow', EDITOR);

  // The first price proves how prices are written, the next one that business prices may go with them.
  await set('B-1', 29.5);
  expect(terms('B-1')?.business).toEqual(BUSINESS);
  await set('B-1', 27.5);
  const followed = {
    price: usd(25.67),
    levels: [
      { from: 5, price: usd(24.75) },
      { from: 20, price: usd(23.38) },
    ],
  };
  // MAP and the bounds stay, and bind the regular price alone.
  const kept = { bounds: { min: usd(22), max: usd(40) }, mapPrice: usd(27) };
  expect(terms('B-1')).toMatchObject({ business: followed, ...kept });
  await set('B-2', 27.5);
  expect(terms('B-2')).toMatchObject({ business: followed, ...kept });

  // A higher cost leaves less room below the price.
  await db.execute(sql`UPDATE skus SET product_cost = 17.5 WHERE sku = 'B-2'`);
  await set('B-2', 27.4);
  const { business } = terms('B-2') ?? {};
  const prices = [business?.price ?? 0, ...(business?.levels ?? []).map(({ price }) => price)];
  expect(Math.min(...prices)).toBeGreaterThan(usd(23.3));
  expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  expect(new Set(prices).size).toBe(prices.length);
  // A catalog reports what is there now.
  shops.pass(minutes(61));
  await shops.check();
  const [row] = await db
    .select()
    .from(businessGaps)
    .innerJoin(listings, eq(listings.id, businessGaps.listingId))
    .where(eq(listings.sku, 'B-2'));
  // What was skipped by our doing changes nothing of the distance.
  expect(row?.business_gaps).toMatchObject({ priceDiscount: 664, tiers: [{ from: 5 }, { from: 20 }] });

  await saveBusinessPricePolicy(deps, 'amazon', 'leave', EDITOR);
  await set('B-1', 28.5);
  expect(terms('B-1')?.business).toEqual(followed);
});

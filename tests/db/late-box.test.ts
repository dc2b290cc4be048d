import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { writeHolds } from '#db/queries/catalog/listing-writes.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { minutes } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { usd } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { openLiveShops } from '#tests/support/live-shops.ts';
import { addRule } from '#tests/support/seed.ts';
import { EDITOR } from '#tests/support/sending-fixture.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

/** A quarter of an hour each. */
const READINGS = asMany(12, 96);
const fixture = engineFixture();
let sandbox: Sandbox;
afterEach(() => sandbox.close());

test('our former price in a late buy box is never undercut (C5)', async () => {
  const { db } = fixture;
  await addRule(db, { competitorOffset: usd(0.1) });
  const item = {
    title: 'Mug',
    fulfillmentType: 'FBM',
    price: usd(23),
    competitors: [],
    viewsPerDay: 0,
  } as const;
  const shops = await openLiveShops(fixture, {
    seed: 'late box',
    items: [{ ...item, marketplace: 'walmart', sku: 'W-1' }],
    quirks: { walmart: { lag: { box: [100, 1_800] } } },
    live: ['walmart'],
    costShare: 0.4,
    checkInterval: 15,
  });
  sandbox = shops.sandbox;
  await shops.check();
  const [listing] = await db.select().from(listings).where(eq(listings.sku, 'W-1'));
  const id = listing?.id ?? 0;
  await setPrice({ db, now: () => fixture.now }, id, { price: usd(25), from: usd(23) }, EDITOR);
  await db.transaction((tx) => writeHolds(tx, [id], null, fixture.now));
  const reasons = new Set<string>();
  for (let reading = 0; reading < READINGS; reading++) {
    await shops.check();
    for (const { reasonCode } of await db.select().from(listingMetrics)) reasons.add(String(reasonCode));
    shops.pass(minutes(15));
  }
  expect(sandbox.world.receivedPrices().map(({ price }) => price)).toEqual([usd(25)]);
  expect(sandbox.world.market('walmart').item('W-1')?.price).toBe(usd(25));
  expect([...reasons].toSorted()).toEqual(['not_read', 'only_ours_shown']);
});

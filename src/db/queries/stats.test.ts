import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stats } from '#contract/stats.ts';
import { type Database, openDatabase } from '#db/client.ts';
import { skus } from '#db/schema/catalogue.ts';
import { listings } from '#db/schema/listings.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { bps, cents, instant } from '#domain/units.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { readStats } from './stats.ts';

const NOW = instant(Date.UTC(2026, 10, 21, 12));
let database: TestDatabase;
let open: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

test('an empty shop has zeros and no marketplace', async () => {
  const stats = await readStats(open.db, NOW);
  expect(stats).toEqual({
    overall: { totalListings: 0, totalSkus: 0, totalValue: '0.00', activeRules: 0, recentPriceChanges: 0 },
    byMarketplace: [],
  });
  expect(Stats.parse(stats)).toEqual(stats);
});

test('sums live listings, counts active rules and the last day of our own changes', async () => {
  const listing = (sku: string, price: number, more: Partial<typeof listings.$inferInsert> = {}) => ({
    sku,
    title: 'Mug',
    fulfillmentType: 'FBM' as const,
    currentPrice: cents(price),
    anchorPrice: cents(price),
    ...more,
  });
  const [first] = await open.db
    .insert(listings)
    .values([
      listing('A-1', 99_999_999_99),
      listing('A-2', 1, { fulfillmentType: 'FBA/WFS', autoRepricingEnabled: false }),
      listing('A-3', 50),
      listing('A-1', 20_00, { marketplace: 'amazon' }),
      listing('A-9', 77_00, { deletedAt: NOW }),
    ])
    .returning({ id: listings.id });
  await open.db.insert(skus).values({ sku: 'A-1', name: 'Mug' });
  const rule = {
    name: 'R',
    fulfillmentType: 'All',
    strategy: 'Fixed Margin',
    minimumMargin: bps(1_000),
  } as const;
  await open.db
    .insert(repricingRules)
    .values([rule, { ...rule, isActive: false }, { ...rule, deletedAt: NOW }]);
  const hour = 3_600_000;
  const move = (from: number, source: 'rule' | 'import', hoursAgo: number) => ({
    listingId: first?.id ?? 0,
    oldPrice: cents(from),
    newPrice: cents(from - 1),
    reason: 'Beat Amazon',
    source,
    lowestLegalPrice: cents(1),
    timestamp: instant(NOW - hoursAgo * hour),
  });
  await open.db.insert(priceHistory).values(move(99_999_999_99, 'rule', 25));
  await open.db.insert(priceHistory).values(move(99_999_999_98, 'rule', 23));
  await open.db.insert(priceHistory).values(move(99_999_999_97, 'import', 1));

  const stats = await readStats(open.db, NOW);
  expect(stats.overall).toEqual({
    totalListings: 4,
    totalSkus: 1,
    totalValue: '100000020.47',
    activeRules: 1,
    recentPriceChanges: 1,
  });
  expect(stats.byMarketplace).toEqual([
    {
      marketplace: 'walmart',
      totalListings: 3,
      activeListings: 2,
      totalValue: '100000000.47',
      avgPrice: '33333333.49',
      fulfillmentBreakdown: { FBM: 2, 'FBA/WFS': 1 },
    },
    {
      marketplace: 'amazon',
      totalListings: 1,
      activeListings: 1,
      totalValue: '20.00',
      avgPrice: '20.00',
      fulfillmentBreakdown: { FBM: 1 },
    },
  ]);
  expect(Stats.parse(stats)).toEqual(stats);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Stats } from '#contract/stats.ts';
import { type Database, openDatabase } from '#db/client.ts';
import { skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { bps, cents, hours, instant } from '#domain/units.ts';
import { addListing } from '#tests/support/seed.ts';
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

test('an empty store has zeros and no marketplace', async () => {
  const stats = await readStats(open.db, NOW);
  expect(stats).toEqual({
    overall: { totalListings: 0, totalSkus: 0, totalValue: '0.00', activeRules: 0, recentPriceChanges: 0 },
    trends: { totalListings: null, totalSkus: null, totalValue: null, recentPriceChanges: null },
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
    marginFloor: cents(1),
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

const DAY = hours(24);
/** The same database for the tests below, emptied of earlier rows. */
async function emptied(): Promise<void> {
  await database.drop();
  await open.close();
  database = await createTestDatabase();
  open = openDatabase(database.url);
}

test('each figure is compared with seven days earlier', async () => {
  await emptied();
  const { db } = open;
  const weekAgo = instant(NOW - 7 * DAY);
  const old = { createdAt: instant(NOW - 60 * DAY) };
  const move = async (listingId: number, from: number, to: number, at: number) =>
    db.insert(priceHistory).values({
      listingId,
      oldPrice: cents(from),
      newPrice: cents(to),
      timestamp: instant(at),
      reason: 'Moved',
      source: 'rule',
      marginFloor: cents(1),
    });
  // A week ago: 10.00 and 20.00, and a third at 30.00 that was deleted since.
  const first = await addListing(db, 'FIRST', { ...old, currentPrice: cents(15_00) });
  await addListing(db, 'SECOND', { ...old, createdAt: weekAgo, currentPrice: cents(20_00) });
  const deleted = await addListing(db, 'DELETED', { ...old, currentPrice: cents(30_00) });
  await addListing(db, 'LONG-DELETED', { ...old, currentPrice: cents(99_00), deletedAt: weekAgo });
  await move(first, 15_00, 10_00, weekAgo);
  await move(first, 10_00, 12_00, NOW - DAY);
  await move(first, 12_00, 22_00, NOW - 1);
  await move(deleted, 30_00, 25_00, NOW - 2 * DAY);
  await db.execute(
    sql`UPDATE listings SET deleted_at = ${new Date(NOW - DAY).toISOString()} WHERE id = ${deleted}`,
  );
  // New since then.
  const fresh = await addListing(db, 'NEW', { createdAt: instant(weekAgo + 1), currentPrice: cents(3_00) });
  await move(fresh, 3_00, 48_00, NOW - 2 * DAY);
  await db.insert(skus).values([
    { sku: 'A', name: 'Old', createdAt: weekAgo },
    { sku: 'B', name: 'New', createdAt: NOW },
  ]);
  const { overall, trends } = await readStats(db, NOW);
  expect(overall).toMatchObject({ totalListings: 3, totalValue: '90.00', recentPriceChanges: 1 });
  expect(trends).toEqual({
    totalListings: '0.0',
    totalSkus: '100.0',
    // 60.00 then: 10 + 20 + 30.
    totalValue: '50.0',
    recentPriceChanges: '0.0',
  });
});

test('ten listings or thousands: one statement', async () => {
  const count = async (): Promise<number> => {
    const query = vi.spyOn(open.pool, 'query');
    await readStats(open.db, NOW);
    const statements = query.mock.calls.length;
    query.mockRestore();
    return statements;
  };
  expect(await count()).toBe(1);
  await open.db.execute(sql`
    INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price)
    SELECT (ARRAY['walmart', 'amazon', 'ebay'])[1 + n % 3], 'MANY-' || n, 'Mug', 'FBM', 10, 10
    FROM generate_series(1, 5000) n`);
  expect((await readStats(open.db, NOW)).overall.totalListings).toBe(5_003);
  expect(await count()).toBe(1);
});

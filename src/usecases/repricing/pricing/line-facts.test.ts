import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { writeFeaturedPrices } from '#db/queries/marketplaces/offers/featured-prices.ts';
import { listings } from '#db/schema/listings.ts';
import { marketplaceSyncs } from '#db/schema/marketplace-syncs.ts';
import { salesHistory } from '#db/schema/sales.ts';
import { decide } from '#domain/decision/decide.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addRule, addSku } from '#tests/support/seed.ts';
import { loadPricingInputs } from './load-pricing-inputs.ts';
import { loadPricingContext } from './pricing-context.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

const ago = (hoursAgo: number): Instant => (NOW - hours(hoursAgo)) as Instant;

async function inputOf(id: number, now = NOW) {
  const [input] = await loadPricingInputs(db, await loadPricingContext(db, now), [id]);
  if (input === undefined) throw new Error('No listing');
  return input;
}

async function seed(lines: string): Promise<number> {
  await addSku(db, 'A-1');
  await addRule(db, { lines });
  return addListing(db, 'A-1');
}

async function addSale(listingId: number, saleDate: Instant, quantitySold: number): Promise<void> {
  const totalRevenue = usd(20 * quantitySold);
  await db
    .insert(salesHistory)
    .values({ listingId, saleDate, quantitySold, unitPrice: usd(20), totalRevenue });
}

test('stock and its age come from a file for 7 days; what the marketplace reports of stock counts first', async () => {
  const id = await seed('stock age 181 days or more: lower 2% every 24 h\notherwise: own price');
  const set = (days: number) =>
    db
      .update(listings)
      .set({ stock: 5, stockAt: ago(days * 24), stockAgeDays: 200, stockAgeAt: ago(days * 24) })
      .where(eq(listings.id, id));
  await set(7);
  const known = await inputOf(id);
  expect(known.facts.signals).toMatchObject({ stock: 5, stockAgeDays: 200 });
  expect(decide(known.facts, known.choice, known.policy).line?.number).toBe(1);
  await set(7.1);
  const unknown = await inputOf(id);
  expect(unknown.facts.signals).toMatchObject({ stock: null, stockAgeDays: null });
  expect(decide(unknown.facts, unknown.choice, unknown.policy).line?.number).toBe(2);
  await set(1);
  await db.execute(sql`INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, quantity)
    VALUES (${id}, '{}', true, now(), 9)`);
  // No longer synced: what the marketplace reported last may be old.
  expect((await inputOf(id)).facts.signals?.stock).toBe(5);
  await db.execute(sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'walmart'`);
  expect((await inputOf(id)).facts.signals?.stock).toBe(9);
});

test('a listing is as old as its row or its first sale: supply goes by its own days', async () => {
  const id = await seed('no sale for 30 days: floor\nsupply 7 days or less: hold\notherwise: own price');
  await addListing(db, 'OLD');
  await db.insert(marketplaceSyncs).values({
    marketplace: 'walmart',
    kind: 'sales',
    startedAt: ago(1),
    endedAt: ago(1),
    succeededAt: ago(1),
  });
  const old = (await db.select().from(listings).where(eq(listings.sku, 'OLD')))[0]?.id ?? 0;
  await addSale(old, ago(24 * 40), 1);
  await db
    .update(listings)
    .set({ createdAt: ago(24 * 3), stock: 10, stockAt: ago(1) })
    .where(eq(listings.id, id));
  const young = await inputOf(id);
  expect(young.facts.signals).toMatchObject({ sold: { d30: 0 }, lastSaleAt: null, listedAt: ago(24 * 3) });
  expect(decide(young.facts, young.choice, young.policy).line?.number).toBe(3);
  await addSale(id, ago(12), 6);
  // Two a day.
  expect((await inputOf(id)).facts.signals).toMatchObject({ daysOfSupply: 5, listedAt: ago(24 * 3) });
  await addSale(id, ago(24 * 10), 4);
  expect((await inputOf(id)).facts.signals).toMatchObject({ daysOfSupply: 10, listedAt: ago(24 * 10) });
});

test('an external price and the prices in force of named listings are loaded, without the listing itself', async () => {
  const id = await seed('external price\nprice of SKU "A-2" on amazon\nprice of SKU "A-1"\nfloor');
  await addListing(db, 'A-2', { marketplace: 'amazon', currentPrice: usd(17), shippingCharge: usd(1) });
  await addListing(db, 'A-1', { marketplace: 'ebay', currentPrice: usd(18) });
  await addListing(db, 'A-3', { currentPrice: usd(1) });
  const before = await inputOf(id);
  expect(before.facts.signals).toMatchObject({ externalPrice: null });
  expect(before.facts.signals?.sisters).toEqual([
    expect.objectContaining({ sku: 'A-2', marketplace: 'amazon', price: usd(17), shippingCharge: usd(1) }),
    expect.objectContaining({ sku: 'A-1', marketplace: 'ebay', price: usd(18) }),
  ]);
  expect(decide(before.facts, before.choice, before.policy)).toMatchObject({
    line: { number: 2 },
    price: usd(18),
  });
  await db
    .update(listings)
    .set({ externalPrice: usd(19), externalPriceAt: ago(1) })
    .where(eq(listings.id, id));
  const { facts, choice, policy } = await inputOf(id);
  expect(facts.signals?.externalPrice).toEqual({ price: usd(19), at: ago(1) });
  expect(decide(facts, choice, policy)).toMatchObject({ line: { number: 1 }, price: usd(19) });
});

test('the buy box is suppressed as the last reading reported', async () => {
  const id = await seed('suppressed: own price\nhold');
  await db.execute(sql`INSERT INTO competition_readings (listing_id, read_at, coverage, source)
    VALUES (${id}, ${new Date(ago(1)).toISOString()}, 'all', 'sync')`);
  expect((await inputOf(id)).facts.signals?.boxSuppressedAt).toBeNull();
  await db.execute(sql`DELETE FROM due_listings`);
  await db.execute(sql`UPDATE competition_readings SET box_suppressed = true`);
  expect((await db.execute(sql`SELECT FROM due_listings`)).rows).toHaveLength(1);
  const { facts, choice, policy } = await inputOf(id);
  expect(facts.signals?.boxSuppressedAt).toBe(ago(1));
  expect(decide(facts, choice, policy).line).toMatchObject({ number: 1, situation: 'suppressed' });
});

test('another featured offer price makes the listing due; the same one, and an older one, do not', async () => {
  const listingId = await seed('featured price\nhold');
  const valid = { listingId, price: usd(18), status: 'VALID_FOEP', readAt: ago(3) };
  const due = async (reading: Parameters<typeof writeFeaturedPrices>[1][number]): Promise<number> => {
    await db.execute(sql`DELETE FROM due_listings`);
    await writeFeaturedPrices(db, [reading], NOW);
    return (await db.execute(sql`SELECT FROM due_listings`)).rows.length;
  };
  expect(await due(valid)).toBe(1);
  expect(await due({ ...valid, readAt: ago(2) })).toBe(0);
  expect(await due({ ...valid, price: usd(17), readAt: ago(2.5) })).toBe(0);
  expect(await due({ ...valid, price: usd(17), readAt: ago(1) })).toBe(1);
  expect(await due({ ...valid, price: null, status: 'OFFER_NOT_ELIGIBLE', readAt: ago(0) })).toBe(1);
  expect((await inputOf(listingId)).facts.featuredPrice).toMatchObject({ status: 'OFFER_NOT_ELIGIBLE' });
});

test('our MAP price counts on its days; of two the higher one', async () => {
  const id = await seed('cost +20%');
  const limits = async () => (await inputOf(id)).facts.marketplaceLimits;
  const set = (values: Partial<typeof listings.$inferInsert>) =>
    db.update(listings).set(values).where(eq(listings.id, id));
  await set({ mapPrice: usd(18), mapFrom: '2026-11-21', mapUntil: '2026-11-21' });
  expect(await limits()).toEqual({ min: null, max: null, map: usd(18), isMapOurs: true });
  const { facts, choice, policy } = await inputOf(id);
  expect(decide(facts, choice, policy)).toMatchObject({ price: usd(18), bindingLimit: 'map_price' });
  await db.execute(sql`INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, map_price)
    VALUES (${id}, '{}', true, now(), 19)`);
  await db.execute(sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'walmart'`);
  expect(await limits()).toEqual({ min: null, max: null, map: usd(19) });
  await set({ mapPrice: usd(20) });
  expect(await limits()).toMatchObject({ map: usd(20), isMapOurs: true });
  await set({ mapFrom: '2026-11-22', mapUntil: null });
  expect(await limits()).toEqual({ min: null, max: null, map: usd(19) });
});

test.each([
  ['America/New_York', '2026-11-21T04:59:59Z', null],
  ['America/New_York', '2026-11-21T05:00:00Z', usd(18)],
  ['America/New_York', '2026-11-22T04:59:59Z', usd(18)],
  ['America/New_York', '2026-11-22T05:00:00Z', null],
  ['Asia/Tokyo', '2026-11-20T15:00:00Z', usd(18)],
  [null, '2026-11-20T23:59:59Z', null],
  [null, '2026-11-21T00:00:00Z', usd(18)],
])('the days of a MAP price are those of the shop: %s at %s', async (zone, at, map) => {
  const id = await seed('floor');
  await db.execute(sql`UPDATE app_settings SET time_zone = ${zone}`);
  await db.update(listings).set({ mapPrice: usd(18), mapFrom: '2026-11-21', mapUntil: '2026-11-21' });
  const { facts } = await inputOf(id, instant(Date.parse(at)));
  expect(facts.marketplaceLimits?.map ?? null).toBe(map);
});

test.each([
  // The last hour of a day that is 25 hours long, and of one of 23.
  ['2026-11-01', '2026-11-02T04:59:59Z', usd(18)],
  ['2026-11-01', '2026-11-02T05:00:00Z', null],
  ['2026-03-08', '2026-03-09T03:59:59Z', usd(18)],
  ['2026-03-08', '2026-03-09T04:00:00Z', null],
])('a MAP price until %s, when clocks change, at %s', async (day, at, map) => {
  const id = await seed('floor');
  await db.execute(sql`UPDATE app_settings SET time_zone = 'America/New_York'`);
  await db.update(listings).set({ mapPrice: usd(18), mapFrom: day, mapUntil: day });
  const { facts } = await inputOf(id, instant(Date.parse(at)));
  expect(facts.marketplaceLimits?.map ?? null).toBe(map);
});

test.each([
  ['map_price = 18', 'its MAP price'],
  ["map_price = 18, map_from = '2026-12-01'", 'the first day of it'],
  ['stock = 5, stock_at = now()', 'its stock'],
  ['stock_age_days = 5, stock_age_at = now()', 'the age of its stock'],
  ['external_price = 5, external_price_at = now()', 'its external price'],
])('%s makes a listing due: %s', async (change) => {
  const id = await seed('floor');
  await db.execute(sql`DELETE FROM due_listings`);
  await db.execute(sql`UPDATE listings SET ${sql.raw(change)} WHERE id = ${id}`);
  const { rows } = await db.execute(sql`SELECT listing_id::int AS id FROM due_listings`);
  expect(rows).toEqual([{ id }]);
});

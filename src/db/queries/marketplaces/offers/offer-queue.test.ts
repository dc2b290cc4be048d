import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing } from '#tests/support/seed.ts';
import { offersRequestedSince, offersToRead, rankOffers } from './offer-queue.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

const before = (ago: number): Instant => instant(NOW - ago);
const text = (at: Instant): string => new Date(at).toISOString();

/** One of ours on eBay whose competitors were read so long ago. */
async function listing(sku: string, readAgo: number, over: Parameters<typeof addListing>[2] = {}) {
  const id = await addListing(db, sku, { marketplace: 'ebay', ...over });
  await db.execute(sql`
    INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, offers_read_at)
    VALUES (${id}, '{}', true, ${text(NOW)}, ${text(before(readAgo))})`);
  // Their first price is old: it was set long before their last reading.
  return id;
}

const sold = (id: number, ago: number) =>
  db.execute(sql`
    INSERT INTO sales_history (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue)
    VALUES (${id}, ${`sale-${id}`}, ${text(before(ago))}, 1, 20, 20)`);

const box = (id: number, ago: number, price: number) =>
  db.execute(sql`
    INSERT INTO competitor_prices (listing_id, marketplace, buy_box_price, timestamp)
    VALUES (${id}, 'ebay', ${price}, ${text(before(ago))})`);

async function skuOf(ids: readonly number[]): Promise<string[]> {
  return (await offersToRead(db, 'ebay', ids)).map(({ sku }) => sku);
}

async function queues(): Promise<string[]> {
  const ranked = await rankOffers(db, { marketplace: 'ebay', syncedBefore: before(hours(1)), now: NOW }, 10);
  const skus = await skuOf(ranked.map(({ listingId }) => listingId));
  return ranked.map(({ queue }, place) => `${skus[place]} ${queue}`).sort();
}

test('a listing is hot if it is contested or its buy box changed, and it sells; warm with one of both', async () => {
  const near = { competitorPrice: usd(19.5), currentPrice: usd(20) };
  const far = { competitorPrice: usd(18), currentPrice: usd(20) };
  await sold(await listing('CONTESTED-SOLD', hours(2), near), hours(24));
  await sold(await listing('FAR-SOLD', hours(2), far), hours(24));
  await sold(await listing('SOLD-LONG-AGO', hours(2), far), hours(8 * 24));
  await listing('CONTESTED', hours(2), near);
  const changed = await listing('CHANGED-SOLD', hours(2), far);
  await sold(changed, hours(24));
  await box(changed, hours(30), 18);
  await box(changed, hours(3), 17);
  const same = await listing('UNCHANGED-SOLD', hours(2), far);
  await sold(same, hours(24));
  await box(same, hours(60), 16);
  await box(same, hours(30), 18);
  await box(same, hours(3), 18);
  expect(await queues()).toEqual([
    'CHANGED-SOLD hot',
    'CONTESTED warm',
    'CONTESTED-SOLD hot',
    'FAR-SOLD warm',
    'SOLD-LONG-AGO cold',
    'UNCHANGED-SOLD warm',
  ]);
});

test('what was read recently is not read again, also where it is hot', async () => {
  const near = { competitorPrice: usd(19.5), currentPrice: usd(20) };
  await sold(await listing('HOT-JUST-READ', minutes(20), near), hours(24));
  await sold(await listing('HOT', hours(2), near), hours(24));
  expect(await queues()).toEqual(['HOT hot']);
});

test('a price of ours is followed by a reading 30 minutes later, one changed outside is not', async () => {
  const change = async (sku: string, ago: number, source: string) => {
    const id = await listing(sku, minutes(10));
    await db.execute(sql`
      INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
      SELECT id, current_price, current_price + 1, 'Changed', ${source}, 1, ${text(before(ago))} FROM listings WHERE id = ${id}`);
  };
  await change('READ-SINCE', minutes(45), 'rule');
  await change('SHOWS-NOW', minutes(31), 'rule');
  await change('TOO-EARLY', minutes(29), 'rule');
  await change('OUTSIDE', minutes(31), 'observed');
  expect(await queues()).toEqual(['SHOWS-NOW requested']);
  const since = async (ago: number) =>
    skuOf(await offersRequestedSince(db, 'ebay', before(minutes(ago)), NOW, 10));
  expect(await since(2)).toEqual(['SHOWS-NOW']);
  expect(await since(1)).toEqual([]);
});

test('each queue has its oldest, never read ones first, up to the limit; an event asks for one of these', async () => {
  for (const [sku, ago] of [
    ['B', 3],
    ['A', 5],
    ['C', 4],
  ] as const)
    await listing(sku, hours(ago));
  const fresh = await listing('NEW', hours(9));
  await db.execute(sql`UPDATE marketplace_listings SET offers_read_at = NULL WHERE listing_id = ${fresh}`);
  const found = await rankOffers(db, { marketplace: 'ebay', syncedBefore: NOW, now: NOW }, 3);
  expect(await skuOf(found.map(({ listingId }) => listingId))).toEqual(['NEW', 'A', 'C']);
  expect(found.map(({ readAt }) => readAt)).toEqual([null, before(hours(5)), before(hours(4))]);
  expect(await offersRequestedSince(db, 'ebay', NOW, NOW, 10)).toEqual([fresh]);
  await db.execute(sql`UPDATE marketplace_listings SET is_active = false`);
  expect(await offersRequestedSince(db, 'ebay', NOW, NOW, 10)).toEqual([]);
});

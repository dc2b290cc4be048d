import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { feeBands, feeSchedules } from '#db/schema/fees.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { setLive } from '#tests/support/seed.ts';
import { priceFileText } from '#usecases/repricing/prices/price-file.ts';
import { findWithheldPrices } from '#usecases/repricing/prices/withheld-prices.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

const take = (price: string, from: string, id = shop.id) =>
  shop.send('PUT', `/api/listings/${id}/price`, { price, from });
const download = (marketplace = 'walmart') => shop.get(`/api/price-file/${marketplace}.csv`);
const uploaded = (upTo: unknown, marketplace = 'walmart') =>
  shop.send('POST', `/api/price-file/${marketplace}/uploaded`, { upTo: String(upTo) });
const momentOf = (answer: Awaited<ReturnType<typeof download>>) => answer.headers['x-price-file-moment'];

test('the file has the waiting prices, safe for a spreadsheet', async () => {
  const odd = await shop.addAnother('=A,"2"', 18, { marketplaceItemId: '+44' });
  await shop.addAnother('A-3', 18);
  await take('25.00', '20.00');
  await take('1', '20.00', odd);
  await take('24.50', '20.00', odd);
  const answer = await download();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe(
    'attachment; filename="walmart-prices-2026-01-15T12-00-00-000Z.csv"',
  );
  expect(answer.body).toBe(
    'marketplace,sku,marketplaceItemId,price\r\nwalmart,A-1,,25.00\r\nwalmart,"\'=A,""2""",\'+44,24.50\r\n',
  );
});

test('a price that is no longer allowed is not in the file, and stays marked', async () => {
  const [dear, unknown, low] = [
    await shop.addAnother('A-2', 18),
    await shop.addAnother('A-3', 18),
    await shop.addAnother('A-4', 18),
  ];
  for (const id of [shop.id, dear, unknown, low]) await take('15.00', '20.00', id);
  // The margin floor was 14.29; at a cost of 12.00 it is 17.15.
  await shop.app.db.execute(sql`UPDATE skus SET product_cost = 12 WHERE sku = 'A-2'`);
  await shop.app.db.execute(sql`UPDATE skus SET product_cost = NULL WHERE sku = 'A-3'`);
  // Nothing is lost: only the seller's limit is higher now.
  await shop.app.db.execute(sql`UPDATE listings SET min_price = 16 WHERE sku = 'A-4'`);
  const answer = await download();
  expect(answer.body).toBe(
    'marketplace,sku,marketplaceItemId,price\r\nwalmart,A-1,,15.00\r\nwalmart,A-4,,15.00\r\n',
  );
  expect(answer.headers['x-price-file-held-back']).toBe('2');
  expect((await uploaded(momentOf(answer))).json()).toEqual({ cleared: 2, waiting: 2 });
  expect((await shop.listing(dear)).awaitingUploadSince).not.toBeNull();
});

test('a price between two fee bands that breaks the margin is not in the file, also where it is below the minimum price', async () => {
  await take('15.30', '20.00');
  const { db } = shop.app;
  const [schedule] = await db
    .insert(feeSchedules)
    .values({ marketplace: 'walmart', category: 'Clothing' })
    .returning({ scheduleId: feeSchedules.id });
  if (schedule === undefined) throw new Error('no schedule');
  await db.insert(feeBands).values([
    { ...schedule, upTo: usd(15), percent: pct(5) },
    { ...schedule, percent: pct(10) },
  ]);
  // Allowed are 14.75 to 15.00, and 15.74 and up.
  await db.execute(sql`UPDATE skus SET product_cost = 11.8`);
  await db.execute(sql`UPDATE listings SET fee_category = 'Clothing', min_price = 16`);
  expect((await download()).headers['x-price-file-held-back']).toBe('1');
});

test('a price that is not allowed before its upload is replaced by the next run, and the file has the new one', async () => {
  const { db } = shop.app;
  await setLive(db, 'walmart');
  await shop.engineRuns();
  const taken = await shop.listing();
  expect(taken.currentPrice).toBe(1799);
  const before = await download();
  expect(before.body).toContain('walmart,A-1,,17.99');
  // The margin floor was 14.29; at a cost of 13.00 it is 18.58, and the earlier file is not uploaded yet.
  await db.execute(sql`UPDATE skus SET product_cost = 13`);
  expect((await download()).headers['x-price-file-held-back']).toBe('1');

  await shop.engineRuns();
  expect(await shop.listing()).toMatchObject({ currentPrice: 1858, recommendedPrice: null });
  expect((await shop.listing()).awaitingUploadSince).not.toBeNull();
  expect(await shop.lastMove()).toMatchObject({
    oldPrice: 1799,
    newPrice: 1858,
    source: 'rule',
    marginFloor: 1858,
  });
  expect((await shop.lastMove()).reason).toMatch(/margin floor of \$18\.58/);
  expect((await db.execute(BROKEN_LEDGERS)).rows).toEqual([]);

  const after = await download();
  expect(after.body).toBe('marketplace,sku,marketplaceItemId,price\r\nwalmart,A-1,,18.58\r\n');
  expect(after.headers['x-price-file-held-back']).toBe('0');
  // The first file was uploaded after all: its price is no longer the current one, so the mark stays.
  expect((await uploaded(momentOf(before))).json()).toEqual({ cleared: 0, waiting: 1 });
  expect((await uploaded(momentOf(after))).json()).toEqual({ cleared: 1, waiting: 0 });
});

test('while the listing is on hold, the allowed price is recommended and no price changes', async () => {
  const { db } = shop.app;
  await setLive(db, 'walmart');
  await take('18.00', '20.00');
  await db.execute(sql`UPDATE skus SET product_cost = 13`);
  await shop.engineRuns();
  expect(await shop.listing()).toMatchObject({ currentPrice: 1800, recommendedPrice: 1858 });
  expect((await shop.listing()).awaitingUploadSince).not.toBeNull();
});

test('of another marketplace it is empty, and of an unknown one it is an error', async () => {
  await take('25.00', '20.00');
  expect((await download('ebay')).body).toBe('marketplace,sku,marketplaceItemId,price\r\n');
  expect((await download('nowhere')).statusCode).toBe(400);
  expect((await shop.app.get('/api/price-file/walmart.csv')).statusCode).toBe(401);
});

test('"uploaded" clears exactly what the file contained: a price applied later stays marked', async () => {
  const second = await shop.addAnother('A-2', 18);
  await take('25.00', '20.00');
  await take('25.00', '20.00', second);
  const file = await download();
  // The clock does not advance: they are not distinguished by time.
  await take('26.00', '25.00');
  const third = await shop.addAnother('A-3', 18);
  await take('25.00', '20.00', third);
  const answer = await uploaded(momentOf(file));
  expect(answer.json()).toEqual({ cleared: 1, waiting: 2 });
  const waits = async (id: number) => (await shop.listing(id)).awaitingUploadSince !== null;
  expect([await waits(shop.id), await waits(second), await waits(third)]).toEqual([true, false, true]);
  const next = await download();
  expect(next.body).toBe(
    'marketplace,sku,marketplaceItemId,price\r\nwalmart,A-1,,26.00\r\nwalmart,A-3,,25.00\r\n',
  );
  expect(momentOf(next)).not.toBe(momentOf(file));
  expect((await uploaded(momentOf(next))).json()).toEqual({ cleared: 2, waiting: 0 });
  expect((await uploaded(momentOf(next))).json()).toEqual({ cleared: 0, waiting: 0 });
});

test('a price applied in a transaction that ends after the file stays marked, although its timestamp is earlier', async () => {
  const slow = openDatabase(shop.app.url);
  const second = await shop.addAnother('A-2', 18);
  try {
    const client = await slow.pool.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
       VALUES ($1, 20, 19, 'Beat Corner Store', 'rule', 14.29, '2026-01-15T11:59:59Z')`,
      [shop.id],
    );
    await client.query(`UPDATE listings SET awaiting_upload_since = '2026-01-15T11:59:59Z' WHERE id = $1`, [
      shop.id,
    ]);
    await take('25.00', '20.00', second);
    const file = await download();
    await client.query('COMMIT');
    client.release();
    expect((await uploaded(momentOf(file))).json()).toEqual({ cleared: 1, waiting: 1 });
    expect((await shop.listing()).awaitingUploadSince).not.toBeNull();
  } finally {
    await slow.close();
  }
});

test('a timestamp without a file is refused', async () => {
  const answer = await uploaded('2026-01-15T12:00:00.000Z');
  expect(answer.statusCode).toBe(404);
  expect(answer.json().message).toContain('No price file for Walmart was created at that time');
});

test('a timestamp of the year 0, which PostgreSQL does not have, is refused at its field', async () => {
  const answer = await uploaded('0000-02-29T21:22:57Z');
  expect(answer.statusCode).toBe(400);
  expect(answer.json().fields).toEqual({ upTo: 'Expected a timestamp such as 2026-11-21T12:00:00Z' });
  // The first valid one is a timestamp without a file.
  expect((await uploaded('0001-01-01T00:00:00Z')).statusCode).toBe(404);
});

test('a file is complete at any batch size, and no price below cost is missed', async () => {
  const { db, deps } = shop.app;
  const waiting = [shop.id];
  for (let n = 2; n <= 5; n++) waiting.push(await shop.addAnother(`A-${n}`, 18));
  await db.execute(sql`UPDATE listings SET awaiting_upload_since = now()`);
  const { body } = await download();
  expect(body.trimEnd().split('\r\n')).toEqual([
    'marketplace,sku,marketplaceItemId,price',
    ...waiting.map((_id, at) => `walmart,A-${at + 1},,20.00`),
  ]);
  const { rows } = await db.execute<{ id: number }>(sql`SELECT id::int FROM price_files`);
  const file = { id: rows[0]?.id ?? 0, madeAt: deps.now(), count: waiting.length };
  // Now all of them lose money, so that each batch has excluded prices.
  await db.execute(sql`UPDATE skus SET product_cost = 19`);
  for (const piece of [1, 2, 4, 5, 6]) {
    const pieces = await Readable.from(priceFileText(db, 'walmart', file, piece)).toArray();
    expect(pieces).toHaveLength(1 + Math.ceil(5 / piece));
    expect(pieces.join('')).toBe(body);
    expect(await findWithheldPrices(db, 'walmart', deps.now(), piece)).toEqual(waiting);
  }
});

test('old files are deleted', async () => {
  await take('25.00', '20.00');
  await download();
  await shop.app.db.execute(sql`UPDATE price_files SET made_at = made_at - interval '31 days'`);
  await take('26.00', '25.00');
  await download();
  const { rows } = await shop.app.db.execute(sql`SELECT made_at, listing_ids FROM price_files`);
  expect(rows).toEqual([{ made_at: '2026-01-15 12:00:00+00', listing_ids: [String(shop.id)] }]);
});

import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { readStoreMetrics } from './store-metrics.ts';

let shop: PricedShop;
let walmart: number;
beforeEach(async () => {
  shop = await createPricedShop();
  walmart = await shop.addAnother('B-1', 18);
});
afterEach(() => shop.app.close());

/** The lines of a scrape without comments. */
async function scrape(): Promise<string[]> {
  const { db, deps } = shop.app;
  const text = await (await readStoreMetrics({ db, now: deps.now })).metrics();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const ago = (seconds: number): string => new Date(shop.app.deps.now() - seconds * 1_000).toISOString();

test('what is not known is absent, not zero', async () => {
  const lines = await scrape();
  expect(lines).toContain('pricewright_repricing_halted 0');
  expect(lines).toContain('pricewright_marketplace_live{marketplace="etsy"} 0');
  for (const name of [
    'full_check_age',
    'price_in_progress',
    'prices_settled',
    'sync_',
    'alerts',
    'reading_lag',
  ])
    expect(lines.filter((line) => line.startsWith(`pricewright_${name}`))).toEqual([]);
});

test('prices in progress and settled, syncs and alerts are counted', async () => {
  const { db } = shop.app;
  await db.execute(sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'walmart'`);
  await db.execute(sql`
    INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price, margin_floor, reason, source,
      idempotency_key, created_at, expires_at, sent_at, settled_at)
    VALUES (${walmart}, 'walmart', 1, 'expired', 17, 20, 14, 'As it was', 'rule', 'a', ${ago(90)}::timestamptz,
        ${ago(60)}::timestamptz, NULL, ${ago(60)}::timestamptz),
      (${walmart}, 'walmart', 2, 'sent', 17, 20, 14, 'As it was', 'rule', 'b', ${ago(45)}::timestamptz,
        ${ago(-60)}::timestamptz, ${ago(30)}::timestamptz, NULL)`);
  await db.execute(sql`
    INSERT INTO marketplace_syncs (marketplace, kind, started_at, ended_at, succeeded_at, problem)
    VALUES ('walmart', 'listings', ${ago(20)}::timestamptz, ${ago(10)}::timestamptz, ${ago(300)}::timestamptz, 'It failed.'),
      ('etsy', 'listings', ${ago(20)}::timestamptz, ${ago(10)}::timestamptz, ${ago(20)}::timestamptz, NULL)`);
  await db.execute(sql`
    INSERT INTO alerts (kind, subject, message, link, started_at)
    VALUES ('sending_stuck', 'walmart', 'Prices wait.', '/settings', ${ago(5)}::timestamptz)`);
  const lines = await scrape();
  expect(lines).toEqual(
    expect.arrayContaining([
      'pricewright_prices_in_progress{marketplace="walmart",state="sent"} 1',
      'pricewright_price_in_progress_age_seconds{marketplace="walmart",state="sent"} 45',
      'pricewright_prices_settled_last_hour{marketplace="walmart",state="expired"} 1',
      'pricewright_sync_age_seconds{marketplace="walmart",kind="listings"} 300',
      'pricewright_sync_failing{marketplace="walmart",kind="listings"} 1',
      'pricewright_alerts_open{kind="sending_stuck"} 1',
    ]),
  );
  // Etsy is not connected: its last sync grows old without being a fault.
  expect(lines.filter((line) => /sync_.*etsy/.test(line))).toEqual([]);
});

test('without a database there are no figures of the store', async () => {
  const closed = openDatabase('postgres://stranger@127.0.0.1:1/none');
  const registry = await readStoreMetrics({ db: closed.db, now: shop.app.deps.now });
  expect(await registry.metrics()).toBe('\n');
  await closed.close();
});

import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FAKE_MIGRATION, fakeConnector } from '#tests/support/fake-connector.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { ConnectionState } from '#usecases/marketplaces/connections/connections.ts';

let shop: TestApp;
let cookie: string;
let kind: ConnectionState['kind'];

beforeEach(async () => {
  kind = 'connected';
  const connection = {
    marketplace: 'ebay' as const,
    connector: { ...fakeConnector('ebay').connector, migration: FAKE_MIGRATION },
    account: { credentials: {}, tokens: memoryVault() },
    generation: 3,
  };
  shop = await createTestApp({
    connections: {
      stateOf: async () => (kind === 'connected' ? { kind, connection } : { kind: 'file' }),
      consentOf: async () => {
        throw new Error('No page is opened here.');
      },
    },
  });
  cookie = await shop.admin();
});
afterEach(() => shop.close());

async function list(
  sku: string,
  itemId: string,
  { channel = 'trading', marketplace = 'ebay' as 'ebay' | 'etsy', isActive = true } = {},
): Promise<void> {
  const title = `Title of ${sku}`;
  const id = await addListing(shop.db, sku, { marketplace, marketplaceItemId: itemId, title });
  await shop.db.execute(sql`INSERT INTO marketplace_listings (listing_id, keys, channel, is_active, seen_at)
    VALUES (${id}, ${JSON.stringify({ listingId: itemId })}::jsonb, ${channel}, ${isActive}, now())`);
}
const read = async (search = '') =>
  (await shop.get(`/api/connections/ebay/migrations?search=${encodeURIComponent(search)}`, cookie)).json();
const ask = (itemIds: string[], count = itemIds.length, as = cookie) =>
  shop.post('/api/connections/ebay/migrations', { itemIds, count }, { headers: { cookie: as } });

test('listings outside of the Inventory model are named, with their variations and what is missing', async () => {
  await list('TS-BLUE', '1100');
  await list('TS-RED', '1100');
  await list('ebay-1101', '1101');
  await list('IN', '1102', { channel: 'inventory' });
  await list('AUCTION', '1103', { channel: 'read_only' });
  await list('ENDED', '1104', { isActive: false });
  await list('OTHER', '1105', { marketplace: 'etsy' });
  expect(await read()).toEqual({
    total: 2,
    items: [
      { itemId: '1101', title: 'Title of ebay-1101', skus: ['ebay-1101'], problem: 'no_label' },
      { itemId: '1100', title: 'Title of TS-BLUE', skus: ['TS-BLUE', 'TS-RED'], problem: null },
    ],
    asked: [],
  });
  // By a part of one SKU, title or number: with all its variations.
  for (const search of ['ts-red', 'title of ts-r', '110']) {
    expect((await read(search)).items).toContainEqual(
      expect.objectContaining({ itemId: '1100', skus: ['TS-BLUE', 'TS-RED'] }),
    );
  }
  expect(await read('ts-red')).toMatchObject({ total: 1 });
});

test('asked for by an administrator who confirmed their number, in the audit log, and no longer offered', async () => {
  await list('A', '1100');
  await list('B', '1101');
  const answer = await ask(['1100', '1101']);
  expect(answer.statusCode, answer.body).toBe(202);
  expect(await read()).toMatchObject({
    total: 0,
    items: [],
    asked: [
      { itemId: '1100', state: 'waiting', message: null, endedAt: null },
      { itemId: '1101', state: 'waiting' },
    ],
  });
  expect(await auditOf(shop.db, 'migration.asked')).toMatchObject([
    { after: { listings: 2, itemIds: '1100, 1101' } },
  ]);
  expect((await ask(['1100'])).statusCode).toBe(409);
});

test('one that was refused can be asked for again', async () => {
  await list('A', '1100');
  await ask(['1100']);
  await shop.db.execute(
    sql`UPDATE listing_migrations SET state = 'refused', ended_at = asked_at, message = 'No policies.'`,
  );
  expect(await read()).toMatchObject({
    items: [{ itemId: '1100' }],
    asked: [{ state: 'refused', message: 'No policies.' }],
  });
  expect((await ask(['1100'])).statusCode).toBe(202);
  expect(await read()).toMatchObject({ items: [], asked: [{ state: 'waiting', message: null }] });
});

test.each([
  ['another number than confirmed', ['1100'], 2, 409],
  ['one that was named twice', ['1100', '1100'], 2, 409],
  ['one that is not there', ['1100', '999'], 2, 409],
  ['one without a custom label', ['1100', '1101'], 2, 409],
  ['none', [], 1, 400],
  ['no number', ['MUG-1'], 1, 400],
])('%s: nothing is asked for', async (_, itemIds, count, status) => {
  await list('A', '1100');
  await list('ebay-1101', '1101');
  expect((await ask(itemIds, count)).statusCode).toBe(status);
  expect((await read()).asked).toEqual([]);
});

test('not while eBay is not connected, and not without a fresh password', async () => {
  await list('A', '1100');
  kind = 'file';
  expect((await ask(['1100'])).statusCode).toBe(409);
  kind = 'connected';
  await shop.db.execute(sql`UPDATE sessions SET step_up_at = step_up_at - interval '1 day'`);
  const refused = await ask(['1100']);
  expect(refused.json()).toMatchObject({ code: 'step_up_required' });
  expect((await read()).asked).toEqual([]);
});

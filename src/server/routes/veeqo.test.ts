import { asc } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import type { VeeqoSync } from '#contract/settings.ts';
import { skus } from '#db/schema/catalog.ts';
import { usd } from '#tests/builders/facts.ts';
import {
  aProduct,
  aSellable,
  type FakeVeeqo,
  reply,
  startFakeVeeqo,
  VEEQO_KEY,
} from '#tests/support/fake-veeqo.ts';
import { callAs } from '#tests/support/people.ts';
import { auditOf, dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';

const NOW = '2026-01-15T12:00:00.000Z';

let fake: FakeVeeqo;
let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  fake = await startFakeVeeqo();
  shop = await createTestApp({ inventory: createVeeqo({ baseUrl: fake.url, wait: async () => undefined }) });
  cookie = await shop.admin();
});
afterEach(async () => {
  await shop.close();
  await fake.close();
});

async function connect(apiKey = VEEQO_KEY, enabled = true): Promise<void> {
  const page = settingsPage(shop, cookie);
  await page.save({ ...(await page.read()), veeqo: { enabled, apiKey } });
}

const post = (path: string) => shop.post(path, undefined, { headers: { cookie } });
async function sync(): Promise<VeeqoSync> {
  const answer = await post('/api/veeqo/sync');
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const storedSkus = () => shop.db.select().from(skus).orderBy(asc(skus.sku));

describe('POST /api/veeqo/sync', () => {
  test('adds new SKUs, does not change existing ones, and lists them', async () => {
    await connect();
    await addSku(shop.db, 'MUG-1', { name: 'Ours', productCost: usd(3), veeqoId: null });
    fake.products.push(aProduct(1), aProduct(2));
    expect(await sync()).toEqual({
      success: true,
      error: null,
      imported: 1,
      skipped: 1,
      lastSync: NOW,
      skippedSkus: ['MUG-1'],
      leftDeleted: 0,
      leftDeletedSkus: [],
      incomplete: 0,
      incompleteSkus: [],
      passedOver: 0,
      passedOverItems: [],
    });
    expect(await storedSkus()).toEqual([
      expect.objectContaining({ sku: 'MUG-1', name: 'Ours', productCost: usd(3), veeqoId: null }),
      expect.objectContaining({
        sku: 'MUG-2',
        name: 'Mug 2 Blue',
        productCost: usd(4.2),
        weightOz: 8,
        veeqoId: '2',
        packagingCost: 0,
        miscCost: 0,
      }),
    ]);
  });

  test('a second sync imports nothing and skips all', async () => {
    await connect();
    fake.products.push(aProduct(1), aProduct(2));
    await sync();
    expect(await sync()).toMatchObject({ imported: 0, skipped: 2, skippedSkus: ['MUG-1', 'MUG-2'] });
  });

  test('does not restore SKUs that were deleted here, and lists them', async () => {
    await connect();
    fake.products.push(aProduct(1), aProduct(2));
    await sync();
    const [first] = await storedSkus();
    await callAs(shop, cookie, 'POST', '/api/skus/delete', { selection: { ids: [String(first?.id)] } });
    expect(await sync()).toMatchObject({
      imported: 0,
      skipped: 1,
      skippedSkus: ['MUG-2'],
      leftDeleted: 1,
      leftDeletedSkus: ['MUG-1'],
    });
    expect((await storedSkus()).find(({ sku }) => sku === 'MUG-1')?.deletedAt).not.toBeNull();
  });

  test('lists SKUs without cost or weight, and skipped products', async () => {
    await connect();
    fake.products.push(
      aProduct(1, { sellables: [aSellable(1, { cost_price: null })] }),
      aProduct(2, { sellables: [aSellable(2, { weight_grams: 0 })] }),
      aProduct(3, { sellables: [aSellable(3, { type: 'Kit' }), aSellable(4, { sku_code: null })] }),
      aProduct(5, { sellables: [aSellable(5), aSellable(6, { sku_code: 'MUG-5' })] }),
    );
    expect(await sync()).toMatchObject({
      imported: 3,
      skipped: 0,
      incomplete: 2,
      incompleteSkus: ['MUG-1', 'MUG-2'],
      passedOver: 3,
      passedOverItems: [
        { what: 'MUG-3', why: 'kit' },
        { what: 'Mug 4 Blue', why: 'no_code' },
        { what: 'MUG-5', why: 'repeated' },
      ],
    });
    const [first] = await storedSkus();
    expect(first?.productCost).toBeNull();
  });

  test('makes the listings of new SKUs due, and is in the settings and the audit log', async () => {
    await connect();
    await addListing(shop.db, 'MUG-1');
    await forgetDue(shop.db);
    fake.products.push(aProduct(1));
    await sync();
    expect(await dueSkus(shop.db)).toEqual(['walmart MUG-1: cost']);
    const settings = await settingsPage(shop, cookie).read();
    expect(settings.veeqo).toEqual({ enabled: true, apiKey: '********', lastSync: NOW });
    // A page that was opened before can still be saved.
    expect(settings.version).toBe(2);
    expect(await auditOf(shop.db, 'veeqo.synced')).toMatchObject([
      { actor: 'boss@example.com', after: { imported: 1, skipped: 0, leftDeleted: 0, passedOver: 0 } },
    ]);
  });

  test('lists of a large catalog are limited, counts are not', async () => {
    await connect();
    for (let id = 1; id <= 620; id++) fake.products.push(aProduct(id));
    await sync();
    const again = await sync();
    expect(again).toMatchObject({ imported: 0, skipped: 620 });
    expect(again.skippedSkus).toHaveLength(500);
  });

  test.each([
    ['switched off', VEEQO_KEY, false, /^Veeqo is turned off\./],
    ['without a key', '', true, /^No API key for Veeqo is stored\./],
    ['with a key that Veeqo does not know', 'vq-wrong', true, /^Veeqo does not accept the API key \(401\)/],
  ])('%s it fails in words', async (_, key, enabled, words) => {
    await connect(key, enabled);
    expect(await sync()).toMatchObject({
      success: false,
      imported: 0,
      skipped: 0,
      lastSync: null,
      error: expect.stringMatching(words),
    });
  });

  test('with a key that another server encrypted it fails with a sentence', async () => {
    await connect();
    await shop.close();
    shop = await createTestApp({
      secrets: { ...configuredKey(Buffer.alloc(32)), current: async () => null },
    });
    cookie = await shop.admin();
    await connect();
    expect(await sync()).toMatchObject({
      success: false,
      error: expect.stringContaining('Set PRICEWRIGHT_SECRET_KEY'),
    });
  });

  test.each([
    ['an error that stays', reply(500, { error: 'boom' }), 4],
    ['a page for people', reply(200, '<html></html>'), 1],
    ['too many calls', reply(429, '', { 'retry-after': '9999' }), 1],
  ])('%s on the second page imports nothing', async (_, error, times) => {
    await connect();
    for (let id = 1; id <= 150; id++) fake.products.push(aProduct(id));
    const first = reply(200, fake.products.slice(0, 100), { 'x-total-pages-count': '2' });
    fake.faults.push(first, ...Array.from({ length: times }, () => error));
    expect(await sync()).toMatchObject({ success: false, error: expect.stringMatching(/\bVeeqo\b/) });
    expect(await storedSkus()).toEqual([]);
    expect((await settingsPage(shop, cookie).read()).veeqo.lastSync).toBeNull();
  });

  test('a second one at the same time is refused; a stopping server ends the first', async () => {
    await connect();
    let arrived = (): void => undefined;
    const isRequested = new Promise<void>((resolve) => (arrived = resolve));
    fake.faults.push(() => arrived());
    const first = post('/api/veeqo/sync');
    await isRequested;
    expect((await post('/api/veeqo/sync')).statusCode).toBe(409);
    await shop.app.close();
    expect((await first).json()).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Veeqo took too long to respond\..*CSV/),
    });
  });

  test('the key is in no response and in no log line', async () => {
    await connect();
    fake.faults.push(reply(401, VEEQO_KEY));
    const answers = [await post('/api/veeqo/sync'), await post('/api/veeqo/check')];
    for (const { body } of answers) expect(body).not.toContain(VEEQO_KEY);
    expect(shop.log.join('')).not.toContain(VEEQO_KEY);
    expect(fake.asked.join('')).not.toContain(VEEQO_KEY);
  });
});

describe('POST /api/veeqo/check', () => {
  test('reports that Veeqo responds, and when', async () => {
    await connect();
    expect((await post('/api/veeqo/check')).json()).toEqual({ success: true, error: null, checkedAt: NOW });
    expect(await storedSkus()).toEqual([]);
  });

  test.each([
    ['vq-wrong', true, /does not accept the API key/],
    [VEEQO_KEY, false, /turned off/],
  ])('says what is wrong (%s, on: %s)', async (key, enabled, words) => {
    await connect(key, enabled);
    expect((await post('/api/veeqo/check')).json()).toMatchObject({
      success: false,
      error: expect.stringMatching(words),
    });
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchAnswer } from '#contract/search.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  await addListing(shop.db, 'A-MUG', { title: 'Plain' });
  await addListing(shop.db, 'MUG-2', { title: 'Blue 100% cotton', marketplace: 'ebay' });
  await addListing(shop.db, 'mug-1', { title: 'Red' });
  await addListing(shop.db, 'Z-9', { title: 'A mug for tea' });
  await addListing(shop.db, 'MUG-DELETED', { deletedAt: shop.deps.now() });
  await addSku(shop.db, 'A-MUG', { name: 'Plain' });
  await addSku(shop.db, 'MUG-1', { name: 'Red' });
  await addSku(shop.db, 'CUP', { name: 'Mug with a handle' });
});
afterAll(() => shop.close());

async function search(q: string): Promise<SearchAnswer> {
  const answer = await shop.get(`/api/search?q=${encodeURIComponent(q)}`, cookie);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const codes = ({ rows }: { rows: readonly { sku: string }[] }): string[] => rows.map(({ sku }) => sku);

test('codes that start with the text come first, then those that contain it, then names', async () => {
  const hits = await search('mug');
  expect(codes(hits.listings)).toEqual(['mug-1', 'MUG-2', 'A-MUG', 'Z-9']);
  expect(codes(hits.skus)).toEqual(['MUG-1', 'A-MUG', 'CUP']);
  expect(hits).toMatchObject({ listings: { total: 4, isTotalExact: true }, skus: { total: 3 } });
  expect(hits.listings.rows[1]).toMatchObject({ marketplace: 'ebay', title: 'Blue 100% cotton' });
});

test('one letter matches too, special characters are literal, and surrounding spaces are ignored', async () => {
  expect(codes((await search('z')).listings)).toEqual(['Z-9']);
  expect(codes((await search('100%')).listings)).toEqual(['MUG-2']);
  expect(codes((await search('_')).listings)).toEqual([]);
  expect(codes((await search('  cup ')).skus)).toEqual(['CUP']);
});

test('an empty text is refused', async () => {
  expect((await shop.get('/api/search?q=%20', cookie)).statusCode).toBe(400);
});

test('at most 15 of each kind come, and the total counts them all', async () => {
  for (let at = 0; at < 20; at += 1) await addListing(shop.db, `PEN-${at}`);
  const { listings: found } = await search('pen-');
  expect(found.rows).toHaveLength(15);
  expect(found.total).toBe(20);
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BundleShop, createBundleShop, part } from '#tests/support/bundle-shop.ts';
import { importDesk } from '#tests/support/import-file.ts';

let shop: BundleShop;
beforeEach(async () => {
  shop = await createBundleShop();
});
afterEach(() => shop.close());

describe('the file of all bundles', () => {
  test('has every component, and imports again unchanged', async () => {
    await shop.save([part('SET-2', shop.plate, 3), part('=SET,1', shop.mug, 2), part('=SET,1', shop.plate)]);
    const file = await shop.get('/api/bundles/export.csv', shop.cookie);
    expect(file.headers['content-disposition']).toContain('bundles.csv');
    expect(file.body.replace('\uFEFF', '').trim().split('\n')).toEqual([
      'listing_sku,component_sku,quantity',
      expect.stringMatching(/^".*=SET,1",MUG,2$/),
      expect.stringMatching(/^".*=SET,1",PLATE,1$/),
      'SET-2,PLATE,3',
    ]);
    const imported = await importDesk(shop, shop.cookie).bringIn('bundles', file.body);
    expect(imported.counts).toEqual({ rows: 3, create: 0, update: 0, unchanged: 3, rejected: 0 });
    expect(await shop.packed('=SET,1')).toEqual(['2 x MUG', '1 x PLATE']);
  });

  test('is filtered like the list, and keeps bundles complete', async () => {
    await shop.save([part('SET-1', shop.mug), part('SET-1', shop.plate), part('SET-2', shop.mug)]);
    const file = await shop.get('/api/bundles/export.csv?q=plate', shop.cookie);
    expect(file.body.trim().split('\n').slice(1)).toEqual(['SET-1,MUG,1', 'SET-1,PLATE,1']);
  });
});

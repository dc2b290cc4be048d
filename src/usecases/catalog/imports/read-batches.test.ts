import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ImportDesk, importDesk } from '#tests/support/import-file.ts';
import { addSku } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let desk: ImportDesk;
beforeEach(async () => {
  shop = await createTestApp();
  desk = importDesk(shop, await shop.admin());
});
afterEach(() => shop.close());

const HEADER = 'marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt';
const LISTINGS = 700;

/** Three offers per listing: all first ones, then all second ones, so that no group is contiguous. */
function scattered(): string {
  const rows = ['One', 'Two, "quoted"', 'Three'].flatMap((seller, round) =>
    Array.from({ length: LISTINGS }, (_, n) => {
      const name = `"${seller.replaceAll('"', '""')}"`;
      return `walmart,A-${n},${name},${10 + round}.00,0.00,FBM,false,2026-01-15T11:00:00Z`;
    }),
  );
  return `${HEADER}\n${rows.join('\n')}\n`;
}

test('rows of one listing are planned together wherever they are, and read the same from their bytes', async () => {
  await shop.db.execute(
    `INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price)
      SELECT 'A-' || n, 'Mug', 'FBM', 20, 20 FROM generate_series(0, ${LISTINGS - 1}) n`,
  );
  const { counts } = await desk.bringIn('offers', scattered());
  expect(counts).toEqual({ rows: 3 * LISTINGS, create: 3 * LISTINGS, update: 0, unchanged: 0, rejected: 0 });
  const again = await desk.check('offers', scattered());
  expect(again.counts).toMatchObject({ unchanged: 3 * LISTINGS, create: 0 });
  expect(again.sellers.map(({ name, offers }) => [name, offers])).toContainEqual(['Two, "quoted"', LISTINGS]);
});

test('a bad row rejects the distant rows of its bundle, each with its own line', async () => {
  await addSku(shop.db, 'PART-1');
  await addSku(shop.db, 'PART-2');
  const file = `listing_sku,component_sku,quantity
SET-1,PART-1,1
SET-2,PART-1,1
SET-1,PART-2,none
SET-2,PART-2,2
`;
  const { counts, id } = await desk.check('bundles', file);
  expect(counts).toMatchObject({ create: 2, rejected: 2 });
  const { problems } = await desk.lines(id, 'rejected');
  expect(problems).toMatchObject([
    { line: 2, problem: expect.stringContaining('rejected with line 4') },
    { line: 4, column: 'quantity', value: 'none' },
  ]);
  expect(await desk.rejected(id)).toContain('SET-1,PART-2,none');
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { cents, ounces } from '#domain/units.ts';
import { type ImportDesk, importDesk } from '#tests/support/import-file.ts';
import { addListing, addRule, addSku, addTier } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let desk: ImportDesk;
beforeEach(async () => {
  shop = await createTestApp();
  desk = importDesk(shop, await shop.admin());
  await addTier(shop.db, 'walmart', 4, 16);
  for (const sku of ['A-1', 'A-2', 'A-3']) {
    await addSku(shop.db, sku, { name: `Mug ${sku}`, productCost: cents(610), weightOz: ounces(8) });
    await addListing(shop.db, sku, { currentPrice: cents(1800) });
  }
});
afterEach(() => shop.close());

test('the check of a costs file lists margin floors that rise above the price', async () => {
  const checked = await desk.check('skus', 'sku,productCost\nA-1,16.10\nA-2,6.20\nA-3,\n');
  expect(checked.effect).toMatchObject({ listings: 3, fallingCount: 1, unknownCount: 1, jumpCount: 0 });
  const [falling] = checked.effect?.falling ?? [];
  expect(falling).toMatchObject({ marketplace: 'walmart', sku: 'A-1', currentPrice: '18.00' });
  expect(Number(falling?.floorAfter)).toBeGreaterThan(18);
  expect(Number(falling?.floorBefore)).toBeLessThan(18);
  expect(Number(falling?.marginAfter)).toBeLessThan(Number(falling?.marginBefore));
});

test('it names the rules of these listings, and what was below its floor and sinks further', async () => {
  await addRule(shop.db, { name: 'Keep my margin' });
  await addSku(shop.db, 'LOSS', { productCost: cents(610), weightOz: ounces(8) });
  await addListing(shop.db, 'LOSS', { currentPrice: cents(900) });
  const { effect } = await desk.check('skus', 'sku,productCost\nLOSS,16.10\nA-2,6.20\n');
  expect(effect).toMatchObject({
    listings: 2,
    rules: [{ name: 'Keep my margin', listings: 2 }],
    falling: [{ sku: 'LOSS', currentPrice: '9.00' }],
  });
  const cheaper = await desk.check('skus', 'sku,productCost\nLOSS,6.00\n');
  expect(cheaper.effect).toMatchObject({ listings: 1, falling: [] });
});

test.each([
  ['many times the cost', '61.00', 1],
  ['a small part of it', '0.61', 1],
  ['three times as much', '18.30', 1],
  ['less than that', '18.29', 0],
])('%s has to be confirmed before it is imported: %s', async (_, cost, jumps) => {
  const checked = await desk.check('skus', `sku,productCost\nA-1,${cost}\n`);
  expect(checked.effect).toMatchObject({ jumpCount: jumps });
  const run = (seen?: number) =>
    shop.post(
      `/api/imports/${checked.id}/run`,
      { checkId: checked.checkId, allOrNothing: false, ...(seen === undefined ? {} : { jumps: seen }) },
      desk.signed,
    );
  if (jumps > 0) {
    expect((await run()).json()).toMatchObject({ code: 'conflict' });
    expect(checked.effect?.jumps).toEqual([
      { sku: 'A-1', name: 'Mug A-1', field: 'productCost', from: '6.10', to: cost },
    ]);
  }
  expect((await run(jumps)).statusCode).toBe(200);
  await desk.work();
  expect((await shop.db.execute("SELECT product_cost AS cost FROM skus WHERE sku = 'A-1'")).rows).toEqual([
    { cost },
  ]);
});

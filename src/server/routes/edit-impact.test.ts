import { afterEach, beforeEach, expect, test } from 'vitest';
import { salesHistory } from '#db/schema/sales.ts';
import { transact } from '#db/transact.ts';
import { hours, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';

/** Walmart at $20.00: each costs $10.00, 15 % are taken, and 15 % have to be left. */
let shop: PricedShop;
let second: number;
beforeEach(async () => {
  shop = await createPricedShop();
  second = await shop.addAnother('A-2', 18);
});
afterEach(() => shop.app.close());

const daysAgo = (days: number) => instant(shop.app.deps.now() - hours(24 * days));
const everything = (expected: number) => ({ filter: {}, expected });

async function impactOf(fields: object, expected = 2) {
  const answer = await shop.send('POST', '/api/listings/edit-impact', {
    selection: everything(expected),
    fields,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

async function sell(listingId: number, days: number): Promise<void> {
  const amounts = { unitPrice: usd(20), totalRevenue: usd(20), shippingRevenue: usd(0) };
  await shop.app.db
    .insert(salesHistory)
    .values({ listingId, saleDate: daysAgo(days), quantitySold: 1, ...amounts });
}

/** The profit of every sale, the oldest first. */
async function profits(): Promise<string[]> {
  while (await transact(shop.app.db, (tx) => computeDueSales(tx, shop.app.deps.now())));
  const rows = await shop.app.db.select().from(salesHistory).orderBy(salesHistory.saleDate, salesHistory.id);
  return rows.map(({ totalMargin }) => String(totalMargin));
}

test('a cost of many since a day: floors, prices below them and profit are shown before, and change so', async () => {
  await addSku(shop.app.db, 'A-3', { productCost: null });
  await addListing(shop.app.db, 'A-3');
  for (const [listing, days] of [
    [shop.id, 9],
    [second, 6],
    [shop.id, 2],
    [second, 1],
  ] as const)
    await sell(listing, days);
  expect(await profits()).toEqual(['700', '700', '700', '700']);
  const fields = { shippingCost: '6.00', costSince: new Date(daysAgo(5)).toISOString() };
  const shown = await impactOf(fields, 3);
  const floor = { marketplace: 'walmart', from: '14.29', to: '22.86' };
  const below = { currentPrice: '20.00', marginFloor: '22.86' };
  expect(shown).toEqual({
    listings: 3,
    floors: {
      raised: 2,
      lowered: 0,
      gained: 0,
      lost: 0,
      largest: [
        { listingId: String(shop.id), sku: 'A-1', ...floor },
        { listingId: String(second), sku: 'A-2', ...floor },
      ],
    },
    fallingCount: 2,
    falling: [
      expect.objectContaining({ sku: 'A-1', ...below }),
      expect.objectContaining({ sku: 'A-2', ...below }),
    ],
    sales: { changed: 2, profitChange: '-12.00', isMore: false },
  });
  expect((await shop.listing()).shippingCost).toBe(usd(0));
  expect(await profits()).toEqual(['700', '700', '700', '700']);

  const saved = await shop.send('POST', '/api/listings/edit', { selection: everything(3), fields });
  expect(saved.json()).toMatchObject({ done: 3 });
  expect(await profits()).toEqual(['700', '700', '100', '100']);
  // What is so already changes nothing more.
  expect(await impactOf(fields, 3)).toMatchObject({
    floors: { raised: 0, lowered: 0, largest: [] },
    fallingCount: 0,
    sales: { changed: 0 },
  });
});

test('from now on no sale so far changes; a lower fee lowers floors, and a charge counts as revenue', async () => {
  await sell(shop.id, 2);
  expect(await profits()).toEqual(['700']);
  expect(await impactOf({ feeRate: '8' })).toMatchObject({
    floors: { raised: 0, lowered: 2, largest: [{ from: '14.29', to: '12.99' }, {}] },
    fallingCount: 0,
    sales: { changed: 0, profitChange: '0.00' },
  });
  expect(await impactOf({ shippingCharge: '2.00' })).toMatchObject({
    floors: { raised: 0, lowered: 2, largest: [{ to: '12.29' }, {}] },
  });
  expect(await impactOf({ adShare: '5', returnShare: '2' })).toMatchObject({
    floors: { raised: 2, lowered: 0, largest: [{ to: '15.88' }, {}] },
  });
});

test('a floor that is lost, for an unknown cost or because no price keeps the margin, is counted; a new one too', async () => {
  const lost = { raised: 0, lowered: 0, gained: 0, lost: 2 };
  const largest = [{ from: '14.29', to: null }, { to: null }];
  for (const fields of [{ shippingCost: null }, { adShare: '80' }])
    expect(await impactOf(fields)).toMatchObject({ floors: { ...lost, largest }, fallingCount: 0 });
  const blank = await shop.addAnother('A-3', 18, { shippingCost: null });
  expect(await impactOf({ shippingCost: '1.00' }, 3)).toMatchObject({
    floors: {
      raised: 2,
      gained: 1,
      lost: 0,
      largest: [{ listingId: String(blank), from: null, to: '15.72' }, {}, {}],
    },
  });
});

test('what cannot be saved cannot be previewed, and only what changes costs', async () => {
  const request = (fields: object, expected = 2) =>
    shop.send('POST', '/api/listings/edit-impact', { selection: everything(expected), fields });
  const future = new Date(daysAgo(-1)).toISOString();
  const dated = await request({ shippingCost: '6.00', costSince: future });
  expect([dated.statusCode, dated.json().fields]).toEqual([400, { 'fields.costSince': expect.any(String) }]);
  expect((await request({ costSince: new Date(daysAgo(1)).toISOString() })).statusCode).toBe(400);
  expect((await request({ supplier: 'Midwest' })).statusCode).toBe(400);
  expect((await request({ ruleId: '999' })).statusCode).toBe(400);
  const other = await request({ shippingCost: '6.00' }, 5);
  expect([other.statusCode, other.json().fields]).toEqual([409, { expected: '2' }]);
});

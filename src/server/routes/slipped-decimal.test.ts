import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skus } from '#db/schema/catalog.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { recordedQueue } from '#tests/support/recorded-queue.ts';
import { findBelowMarginFloor } from '#usecases/catalog/costs/below-margin-floor.ts';
import { updateAlerts } from '#usecases/repricing/alerts/update-alerts.ts';

/*
 * A slipped decimal point: a product that costs $1,211.60 is sold for $16.99, at a margin of -7,046 %. Next to it
 * are a listing that loses a dollar, and one that earns.
 */
let shop: PricedShop;
let slipped: number;
let loses: number;
beforeEach(async () => {
  shop = await createPricedShop();
  loses = await shop.addAnother('B-1', 18, { currentPrice: usd(10.59) });
  slipped = await shop.addAnother('C-1', 18, { currentPrice: usd(16.99) });
  await shop.app.db
    .update(skus)
    .set({ productCost: usd(1_211.6) })
    .where(eq(skus.sku, 'C-1'));
  await shop.engineRuns();
});
afterEach(() => shop.app.close());

const MARGIN = '-7046.26';
const rowsOf = async (url: string) => (await shop.get(url)).json().rows as Record<string, unknown>[];

test('the largest loss comes first wherever losses are sorted, is counted wherever they are, and is an alert', async () => {
  const { db, deps } = shop.app;
  const worst = { sku: 'C-1', margin: MARGIN };
  expect(await rowsOf('/api/listings?sort=margin')).toMatchObject([worst, { sku: 'B-1' }, { sku: 'A-1' }]);
  expect(await rowsOf('/api/listings?margin=loss&sort=margin')).toMatchObject([worst, { sku: 'B-1' }]);
  expect(await rowsOf('/api/listings?margin=unknown')).toEqual([]);
  expect(await rowsOf('/api/listings?state=below_floor&sort=margin')).toMatchObject([worst, { sku: 'B-1' }]);

  const { bands } = (await shop.get('/api/charts/margins')).json();
  expect(bands).toContainEqual({ band: 'loss', count: 2 });
  expect(bands).toContainEqual({ band: 'unknown', count: 0 });
  const { items, lossPerSale } = (await shop.get('/api/attention')).json();
  expect(items).toContainEqual({ kind: 'below_floor', count: 2 });
  // $1,197.16 and $1.00, each after a fee of 15 %.
  expect(Number(lossPerSale)).toBeCloseTo(1_197.16 + 1, 1);

  const listed = await findBelowMarginFloor(db, [shop.id, loses, slipped], deps.now());
  expect(listed).toMatchObject({
    belowMarginFloorCount: 2,
    belowMarginFloor: [{ sku: 'C-1' }, { sku: 'B-1' }],
  });
  await updateAlerts({ ...deps, queue: recordedQueue(), home: () => 'https://prices.example.com' });
  expect((await shop.get('/api/alerts')).json().alerts).toMatchObject([{ kind: 'below_floor' }]);
});

test('its margin and the change of it are shown everywhere', async () => {
  const check = await shop.get(`/api/listings/${slipped}/price-check?price=16.99`);
  expect(check.json()).toMatchObject({ margin: MARGIN, isAllowed: false });
  const explained = await shop.get(`/api/listings/${slipped}/explanation`);
  expect(explained.json()).toMatchObject({ margin: { before: MARGIN } });
  const { rows } = await shop.app.db.execute<{ id: number }>(
    sql`SELECT max(id)::int AS id FROM repricing_runs`,
  );
  const items = await rowsOf(`/api/runs/${rows[0]?.id}/items`);
  expect(items.find(({ sku }) => sku === 'C-1')).toMatchObject({ marginBefore: MARGIN });

  const body = { price: '1740.00', from: '16.99' };
  const typed = await shop.send('PUT', `/api/listings/${slipped}/price`, body);
  expect(typed.json()).toMatchObject({ currentPrice: '1740.00', margin: '15.36' });
  const moves = (await rowsOf('/api/history?marketplace=walmart')).filter(
    ({ oldPrice }) => oldPrice !== null,
  );
  expect(moves).toMatchObject([{ sku: 'C-1', marginImpact: '7061.62' }]);
});

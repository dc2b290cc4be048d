import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LimitChangesForm, LimitPlan } from '#contract/limit-plan.ts';
import { skus } from '#db/schema/catalog.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { listingJob } from '#usecases/catalog/bulk-actions/run-bulk-action.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

const everything = (expected: number) => ({ filter: {}, expected });
const post = (path: string, body: object) => shop.send('POST', `/api/listings/${path}`, body);

async function planned(limits: LimitChangesForm, expected: number): Promise<LimitPlan> {
  return (await post('limits-preview', { selection: everything(expected), limits })).json();
}

async function limitsOf(id: number): Promise<readonly (number | null)[]> {
  const { minPrice, maxPrice } = await shop.listing(id);
  return [minPrice, maxPrice];
}

test('limits from cost, margin floor, price and their own value: previewed, set as previewed, undone', async () => {
  // Cost 10.00 and floor 14.29, at 20.00; the second has limits, the third no cost, the fourth a minimum alone.
  const second = await shop.addAnother('A-2', 18, { minPrice: usd(15), maxPrice: usd(30) });
  await addSku(shop.app.db, 'A-3', { productCost: null });
  await addListing(shop.app.db, 'A-3');
  await shop.addAnother('A-4', 18, { minPrice: usd(50) });

  const limits: LimitChangesForm = {
    minPrice: { from: 'cost', percent: '33.33' },
    maxPrice: { from: 'floor', amount: '20' },
  };
  const plan = await planned(limits, 4);
  expect(plan).toMatchObject({
    listings: 4,
    changes: 3,
    unchanged: 0,
    refused: [{ why: 'no_cost', count: 1, skus: ['A-3'] }],
    effects: { minBelowFloor: 3, maxBelowFloor: 0, priceBelowMin: 0, priceAboveMax: 0 },
  });
  expect(plan.rows.find(({ sku }) => sku === 'A-2')).toMatchObject({
    floor: '14.29',
    currentPrice: '20.00',
    minPrice: { from: '15.00', to: '13.34' },
    maxPrice: { from: '30.00', to: '34.29' },
  });
  expect(await limitsOf(shop.id)).toEqual([null, null]);

  const done = (await post('limits', { selection: everything(4), limits, token: plan.token })).json();
  expect(done).toMatchObject({ done: 3, refusedCount: 0, jobId: null });
  expect(await limitsOf(shop.id)).toEqual([1_334, 3_429]);
  expect(await limitsOf(second)).toEqual([1_334, 3_429]);
  const [audit] = await shop.auditOf('listing.edited', second);
  expect(audit).toMatchObject({
    before: { minPrice: '15.00', maxPrice: '30.00' },
    after: { minPrice: '13.34', maxPrice: '34.29' },
  });
  const undone = await post('undo', { undoId: done.undoId, jobId: null });
  expect(undone.json()).toMatchObject({ done: 3, refusedCount: 0 });
  expect(await limitsOf(second)).toEqual([1_500, 3_000]);
});

test('what is not possible is skipped by reason, and what is set already is counted separately', async () => {
  await shop.addAnother('A-2', 18, { minPrice: usd(15), maxPrice: usd(16) });
  await shop.addAnother('A-3', 18, { minPrice: usd(18), maxPrice: usd(30) });
  expect(await planned({ minPrice: { from: 'own', percent: '10' } }, 3)).toMatchObject({
    changes: 1,
    refused: [
      { why: 'no_value', count: 1, skus: ['A-1'] },
      { why: 'min_above_max', count: 1, skus: ['A-2'] },
    ],
  });
  expect(await planned({ minPrice: { from: 'price', percent: '-10' } }, 3)).toMatchObject({
    changes: 1,
    unchanged: 1,
    refused: [{ why: 'min_above_max', skus: ['A-2'] }],
  });
  expect(await planned({ maxPrice: { from: 'price', amount: '-20' } }, 3)).toMatchObject({
    changes: 0,
    refused: [{ why: 'no_price', count: 3 }],
  });
  expect(await planned({ maxPrice: { to: '14.00' } }, 3)).toMatchObject({
    changes: 1,
    effects: { maxBelowFloor: 1, priceAboveMax: 1 },
  });
  expect(await planned({ maxPrice: { to: null } }, 3)).toMatchObject({
    changes: 2,
    unchanged: 1,
    refused: [],
  });
  const empty = await post('limits-preview', { selection: everything(3), limits: {} });
  expect(empty.statusCode).toBe(400);
});

test('a plan with another result now is refused, and nothing is written', async () => {
  const limits: LimitChangesForm = { minPrice: { from: 'cost', percent: '50' } };
  const { token } = await planned(limits, 1);
  await shop.app.db.update(skus).set({ productCost: usd(11) });
  const answer = await post('limits', { selection: everything(1), limits, token });
  expect(answer.statusCode).toBe(409);
  expect(Object.keys(answer.json().fields)).toEqual(['token']);
  expect(await limitsOf(shop.id)).toEqual([null, null]);
});

/** Limits of 241 listings that are confirmed, and wait as a job. */
async function confirmMany(): Promise<string> {
  const { db } = shop.app;
  await db.execute(
    `INSERT INTO skus (sku, name, product_cost) SELECT 'B-' || n, 'B', 10 + n FROM generate_series(1, 240) n`,
  );
  await db.execute(`INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price, shipping_cost)
    SELECT 'B-' || n, 'B', 'FBM', 500, 500, 0 FROM generate_series(1, 240) n`);
  const limits: LimitChangesForm = { minPrice: { from: 'cost', percent: '10' } };
  const { token, changes } = await planned(limits, 241);
  expect(changes).toBe(241);
  const answer = (await post('limits', { selection: everything(241), limits, token })).json();
  expect(answer).toMatchObject({ done: 0, jobId: expect.any(String) });
  return answer.jobId;
}

async function perform(jobId: string): Promise<unknown> {
  const { db, deps, url } = shop.app;
  const jobs = {
    db,
    url,
    now: deps.now,
    onUnexpectedError: () => undefined,
    stopping: new AbortController().signal,
  };
  await runJob(jobs, Number(jobId), { edit_listings: listingJob(deps) });
  return (await shop.get(`/api/jobs/${jobId}`)).json();
}

test('many continue as a job that gives each its own, and skips those whose limits or costs changed', async () => {
  const { db } = shop.app;
  const jobId = await confirmMany();
  await db.execute(`UPDATE listings SET min_price = 1 WHERE sku = 'B-7'`);
  await db.execute(`UPDATE skus SET product_cost = product_cost + 1 WHERE sku = 'B-8'`);
  expect(await perform(jobId)).toMatchObject({ state: 'partly_done', done: 239, failed: 2 });
  const refusals = (await shop.get(`/api/jobs/${jobId}/refusals`)).json().rows;
  expect(refusals.map(({ sku }: { sku: string }) => sku)).toEqual(['B-7', 'B-8']);
  const { rows } = await db.execute(
    `SELECT count(*)::int AS count FROM listings JOIN skus USING (sku) WHERE min_price = ceil(product_cost * 110) / 100`,
  );
  expect(rows).toEqual([{ count: 239 }]);
});

test('a large job queued by an earlier version ends with a sentence, and changes nothing', async () => {
  const { db } = shop.app;
  const jobId = await confirmMany();
  await db.execute(`UPDATE jobs SET work = work #- '{act,limits}'`);
  expect(await perform(jobId)).toMatchObject({
    state: 'failed',
    summary: expect.stringContaining('then confirm'),
  });
  const { rows } = await db.execute(
    'SELECT count(*)::int AS count FROM listings WHERE min_price IS NOT NULL',
  );
  expect(rows).toEqual([{ count: 0 }]);
});

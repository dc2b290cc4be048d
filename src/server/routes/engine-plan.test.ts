import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { competitorOffers } from '#db/schema/offers.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { planIn, planLinesIn } from '#tests/support/run-preview.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { engineStep } from '#usecases/repricing/engine/engine-loop.ts';
import { PlannedPages } from '#usecases/repricing/engine/planned-pages.ts';

const PLAN = '/api/engine/plan?marketplaces=walmart';
let isAccepting: boolean;
let shop: TestApp;
let admin: string;
beforeEach(async () => {
  isAccepting = true;
  shop = await createTestApp({ isAccepting: () => isAccepting });
  admin = await shop.admin();
  await seedEngineShop(shop.db, 600);
  await shop.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
  await shop.db.update(competitorOffers).set({ seenAt: shop.deps.now() });
});
afterEach(() => shop.close());

test('a preview of many listings reports its progress and ends with the plan that going live needs', async () => {
  const answer = await shop.get(PLAN, admin);
  expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  const lines = planLinesIn(answer.body);
  expect(lines.slice(0, -1)).toEqual([
    { kind: 'progress', evaluated: 250, of: 600 },
    { kind: 'progress', evaluated: 500, of: 600 },
  ]);
  const { token, evaluated, changes } = planIn(answer.body);
  expect([evaluated, changes]).toEqual([600, 600]);
  const body = { marketplaces: ['walmart'], token };
  expect((await shop.post('/api/engine/go-live', body, { headers: { cookie: admin } })).statusCode).toBe(200);
  // The engine uses another page size, and the plan is the same.
  const { db, now } = shop.deps;
  const engine = {
    db,
    now,
    batchSize: 400,
    isStopping: () => false,
    skippedUntil: new Map(),
    planned: new PlannedPages(),
  };
  for (
    let step = 0;
    step < 20 &&
    (await engineStep({ ...engine, onUnexpectedError: (error) => expect.fail(String(error)) })) === 'worked';
    step++
  );
  expect(await countMoves(shop.db)).toEqual({ listings: 600, moves: 600, most: 1 });
  expect((await shop.db.select().from(repricingRuns).orderBy(repricingRuns.id)).at(0)?.plan).toMatchObject({
    isReviewed: true,
  });
});

test('a stopping server aborts the preview, without a plan', async () => {
  isAccepting = false;
  const answer = await shop.get(PLAN, admin).catch(() => null);
  expect(answer?.body ?? '').not.toContain('"plan"');
});

test('while the plan is made, other requests are answered', async () => {
  const order: string[] = [];
  await Promise.all([
    shop.get(PLAN, admin).then(() => order.push('plan')),
    shop.get('/api/engine', admin).then(() => order.push('status')),
  ]);
  expect(order).toEqual(['status', 'plan']);
});

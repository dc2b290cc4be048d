import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineStatus, Run, RunItemsPage, RunsPage } from '#contract/engine.ts';
import type { RunPreview } from '#contract/run-preview.ts';
import { auditLog } from '#db/schema/audit.ts';
import { competitorOffers } from '#db/schema/offers.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { setupFlags } from '#db/schema/settings.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import { countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { planIn } from '#tests/support/run-preview.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';
import { engineStep } from '#usecases/repricing/engine/engine-loop.ts';
import { PlannedPages } from '#usecases/repricing/engine/planned-pages.ts';

let shop: TestApp;
let admin: string;
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
});
afterEach(() => shop.close());

const post = (url: string, payload?: object, cookie = admin) =>
  shop.post(url, payload, { headers: { cookie } });
const get = async (url: string) => (await shop.get(url, admin)).json();
const status = async (): Promise<EngineStatus> => EngineStatus.parse(await get('/api/engine'));
const plan = async (): Promise<RunPreview> =>
  planIn((await shop.get('/api/engine/plan?marketplaces=walmart', admin)).body);

async function anEmployee(): Promise<string> {
  await shop.post('/api/register', aRegistration({ email: 'eve@example.com', fullName: 'Eve' }));
  await approveUser(shop.deps, 'eve@example.com', false);
  return shop.logIn('eve@example.com');
}

/** A store on recommend only, with one listing for each number. */
async function seed(listings: number): Promise<void> {
  await seedEngineShop(shop.db, listings);
  await shop.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
  await shop.db.update(competitorOffers).set({ seenAt: shop.deps.now() });
}

async function untilIdle(): Promise<void> {
  const { db, now } = shop.deps;
  const faultless = {
    skippedUntil: new Map(),
    planned: new PlannedPages(),
    onUnexpectedError: (error: unknown) => expect.fail(String(error)),
  };
  const deps = { db, now, batchSize: 1_000, isStopping: () => false, ...faultless };
  for (let step = 0; step < 50; step++) if ((await engineStep(deps)) === 'idle') return;
  throw new Error('The engine never rests.');
}
const audited = async (action: AuditAction) =>
  shop.db.select().from(auditLog).where(eq(auditLog.action, action)).orderBy(auditLog.id);

describe('GET /api/engine', () => {
  test('a new installation only recommends, and no process works its queue', async () => {
    expect(await status()).toMatchObject({
      isHalted: false,
      haltedBy: null,
      haltedAt: null,
      haltReason: null,
      autoRepricing: true,
      checkIntervalMinutes: 15,
      nextCheckAt: null,
      run: null,
      pendingCount: 0,
      marketplaces: ['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'].map((marketplace) => ({
        marketplace,
        mode: 'recommend_only',
        priceChannel: 'file',
        listingCount: 0,
        toUploadCount: 0,
        recommendedCount: 0,
      })),
    });
  });

  test('counts pending, recommended and to-be-uploaded prices', async () => {
    await seed(3);
    expect(await status()).toMatchObject({ pendingCount: 3 });
    await untilIdle();
    expect((await status()).marketplaces[0]).toMatchObject({ listingCount: 3, recommendedCount: 3 });
    await post('/api/engine/go-live', { marketplaces: ['walmart'], token: (await plan()).token });
    expect((await status()).run).toMatchObject({ trigger: 'manual', state: 'queued' });
    await untilIdle();
    const after = await status();
    expect(after.marketplaces[0]).toMatchObject({ mode: 'live', recommendedCount: 0, toUploadCount: 3 });
    expect(after).toMatchObject({ pendingCount: 0, run: null });
  });

  test('has the time of the next full check, while a process is the engine', async () => {
    await seed(1);
    await untilIdle();
    await shop.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(${0x70727765})`);
      expect((await status()).nextCheckAt).toBe('2026-01-15T12:15:00.000Z');
    });
    expect((await status()).nextCheckAt).toBeNull();
  });
});

describe('going live', () => {
  test('does exactly the reviewed plan', async () => {
    await seed(6);
    const looked = await plan();
    expect(looked).toMatchObject({
      evaluated: 6,
      changes: 6,
      raised: 0,
      lowered: 6,
      dropped: 0,
      atMarginFloor: 0,
      blocked: 0,
      breaker: null,
    });
    expect(looked.rows[0]).toMatchObject({
      marketplace: 'walmart',
      oldPrice: expect.any(String),
      marginBefore: expect.any(String),
    });
    const answer = await post('/api/engine/go-live', { marketplaces: ['walmart'], token: looked.token });
    expect(EngineStatus.parse(answer.json()).marketplaces[0]).toMatchObject({
      mode: 'live',
      changedBy: 'Ann Arbor',
      changedAt: '2026-01-15T12:00:00.000Z',
    });
    expect(await shop.db.select({ name: setupFlags.name }).from(setupFlags).orderBy(setupFlags.name)).toEqual(
      [{ name: 'plan_reviewed' }],
    );
    expect(await audited('engine.armed')).toMatchObject([
      {
        actor: 'boss@example.com',
        targetId: 'walmart',
        before: { live: [] },
        after: { live: ['walmart'], changes: 6 },
      },
    ]);
    expect(await audited('run.reviewed')).toMatchObject([
      {
        actor: 'boss@example.com',
        address: '127.0.0.1',
        targetKind: 'marketplaces',
        targetId: null,
        after: { scope: 'store', when: 'going live', live: ['walmart'], changes: 6, plan: looked.token },
      },
    ]);
    await untilIdle();
    expect(await countMoves(shop.db)).toEqual({ listings: 6, moves: 6, most: 1 });
  });

  test('is refused when the plan has changed', async () => {
    await seed(2);
    const { token } = await plan();
    await shop.db.execute(sql`UPDATE competitor_offers SET price = price - 0.01 WHERE listing_id = 2`);
    const answer = await post('/api/engine/go-live', { marketplaces: ['walmart'], token });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      code: 'conflict',
    });
    expect((await status()).marketplaces[0]?.mode).toBe('recommend_only');
    expect(await shop.db.select().from(repricingRuns)).toEqual([]);
  });

  test('a reviewed plan beyond the limits passes the circuit breaker; the same one unreviewed does not', async () => {
    await seed(6);
    await shop.db.execute(sql`UPDATE competitor_offers SET price = price - 10`);
    const wild = await plan();
    expect(wild).toMatchObject({
      dropped: 6,
      breaker:
        '6 of 6 listings that may change (100%) would drop by 10% or more. The limit is 20%. All 6 changes are on Walmart, by the rule "Beat everybody".',
    });
    await post('/api/engine/go-live', { marketplaces: ['walmart'], token: wild.token });
    await untilIdle();
    expect(await countMoves(shop.db)).toMatchObject({ moves: 6 });
    expect((await status()).isHalted).toBe(false);
    // Later and lower, not reviewed.
    await shop.db.execute(sql`UPDATE listings SET awaiting_upload_since = NULL`);
    await shop.db.execute(sql`UPDATE app_settings SET max_daily_change = 90`);
    await untilIdle();
    expect(await countMoves(shop.db)).toMatchObject({ moves: 6 });
    expect(await status()).toMatchObject({ isHalted: true, haltedBy: 'circuit breaker' });
  });

  test('switching to recommend only is for every user and applies to the next decision', async () => {
    await seed(2);
    await post('/api/engine/go-live', { marketplaces: ['walmart'], token: (await plan()).token });
    const eve = await anEmployee();
    const answer = await post('/api/engine/recommend-only', { marketplaces: ['walmart', 'etsy'] }, eve);
    expect(EngineStatus.parse(answer.json()).marketplaces[0]).toMatchObject({
      mode: 'recommend_only',
      changedBy: 'Eve',
    });
    expect(await audited('engine.disarmed')).toMatchObject([
      { actor: 'eve@example.com', targetId: 'walmart' },
    ]);
    await untilIdle();
    expect(await countMoves(shop.db)).toMatchObject({ moves: 0 });
    await post('/api/engine/recommend-only', { marketplaces: ['walmart'] }, eve);
    expect(await audited('engine.disarmed')).toHaveLength(1);
  });
});

describe('the kill switch', () => {
  test('every user may halt, with or without a reason, and only an administrator resumes', async () => {
    await seed(2);
    const eve = await anEmployee();
    const halted = await post('/api/engine/halt', { reason: ' costs are wrong ' }, eve);
    expect(halted.json()).toMatchObject({
      isHalted: true,
      haltedBy: 'Eve',
      haltReason: 'costs are wrong',
      haltedAt: '2026-01-15T12:00:00.000Z',
    });
    // The first reason stays.
    expect((await post('/api/engine/halt')).json()).toMatchObject({ haltedBy: 'Eve' });
    expect(await audited('engine.halted')).toHaveLength(1);
    expect((await post('/api/engine/resume', undefined, eve)).statusCode).toBe(403);
    await untilIdle();
    expect((await status()).pendingCount).toBe(0);
    expect((await post('/api/engine/resume')).json()).toMatchObject({ isHalted: false, pendingCount: 2 });
    expect(await audited('engine.resumed')).toMatchObject([
      { before: { haltedBy: 'Eve', reason: 'costs are wrong' } },
    ]);
  });

  test('an administrator who reviewed it resumes a run that the circuit breaker stopped', async () => {
    await seed(6);
    await shop.db.execute(sql`UPDATE competitor_offers SET price = price - 10`);
    await shop.db.execute(sql`UPDATE marketplace_modes SET mode = 'live' WHERE marketplace = 'walmart'`);
    await untilIdle();
    expect(await status()).toMatchObject({ isHalted: true, haltedBy: 'circuit breaker' });
    // Without a review it stops again.
    await post('/api/engine/resume');
    await untilIdle();
    expect((await status()).isHalted).toBe(true);
    expect((await post('/api/engine/resume', { token: 'another' })).statusCode).toBe(409);
    expect(await audited('run.reviewed')).toEqual([]);
    const { token } = await plan();
    expect((await post('/api/engine/resume', { token })).json()).toMatchObject({ isHalted: false });
    expect(await audited('run.reviewed')).toMatchObject([
      {
        targetKind: 'marketplaces',
        after: { scope: 'store', when: 'resuming', live: ['walmart'], changes: 6, plan: token },
      },
    ]);
    await untilIdle();
    expect(await countMoves(shop.db)).toMatchObject({ moves: 6 });
    expect((await status()).isHalted).toBe(false);
  });
});

describe('runs', () => {
  test('"Reprice now" returns the waiting run instead of a second one', async () => {
    await seed(1);
    const first = await post('/api/runs');
    expect(first.statusCode).toBe(202);
    const run = Run.parse(first.json());
    expect(run).toMatchObject({ trigger: 'manual', state: 'queued', startedBy: 'Ann Arbor', planned: null });
    expect((await post('/api/runs')).json()).toMatchObject({ id: run.id });
    expect(await audited('run.requested')).toHaveLength(1);
    expect(await get(`/api/runs/${run.id}`)).toMatchObject(run);
  });

  test('are listed, opened and exported with their decisions as text', async () => {
    await seed(3);
    await shop.db.execute(sql`UPDATE skus SET sku = '=A-3' WHERE sku = 'A-3'`);
    await shop.db.execute(sql`UPDATE listings SET sku = '=A-3' WHERE sku = 'A-3'`);
    await shop.db.execute(sql`UPDATE skus SET product_cost = NULL WHERE sku = 'A-2'`);
    await untilIdle();
    const page = RunsPage.parse(await get('/api/runs?size=25'));
    expect(page).toMatchObject({
      total: 2,
      rows: [{ trigger: 'full_check' }, { trigger: 'data_change', evaluated: 3 }],
    });
    const id = page.rows[1]?.id ?? '';
    const items = RunItemsPage.parse(await get(`/api/runs/${id}/items`));
    expect(items.total).toBe(3);
    expect(items.rows).toMatchObject([
      {
        listingId: '1',
        sku: 'A-1',
        outcome: 'recommend',
        reasonCode: 'beaten',
        oldPrice: '20.01',
        newPrice: '19.50',
        marginFloor: '14.29',
        marginBefore: '35.02',
        marginAfter: '33.71',
        reason: expect.stringContaining("Beat Corner Store's $19.51 by $0.01"),
      },
      { listingId: '2', outcome: 'blocked', reasonCode: 'unknown_cost', newPrice: null },
      { listingId: '3', outcome: 'recommend' },
    ]);
    const blocked = RunItemsPage.parse(await get(`/api/runs/${id}/items?outcome=blocked`));
    expect(blocked).toMatchObject({ total: 1, rows: [{ listingId: '2' }] });
    const file = await shop.get(`/api/runs/${id}/items.csv`, admin);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="run-${id}.csv"`,
    });
    const [header, first, , third, ...rest] = file.body.split('\n');
    expect(header).toBe(
      '\ufeffmarketplace,sku,outcome,oldPrice,newPrice,floor,marginBefore,marginAfter,rule,reasonCode,reason,line,situation',
    );
    expect(first).toMatch(/^walmart,A-1,recommend,20\.01,19\.50,14\.29,35\.02,33\.71,Beat everybody,beaten,/);
    expect(third).toMatch(/^walmart,'=A-3,recommend,/);
    expect(rest).toEqual(['']);
    for (const [sku, cell] of [
      ['\uff1d1+1', "'\uff1d1+1"],
      ['M;=1+1', "M;'=1+1"],
    ]) {
      await shop.db.execute(sql`UPDATE listings SET sku = ${sku} WHERE id = 3`);
      const { body } = await shop.get(`/api/runs/${id}/items.csv`, admin);
      expect(body.split('\n')[3]?.split(',')[1]).toBe(cell);
    }
  });

  test('without effect can be hidden, and an unknown one is not found', async () => {
    await seed(1);
    await untilIdle();
    const triggers = async (filter: string) =>
      RunsPage.parse(await get(`/api/runs?withEffect=${filter}`)).rows.map(({ trigger }) => trigger);
    expect(await triggers('true')).toEqual(['data_change']);
    expect(await triggers('false')).toEqual(['full_check']);
    const only = async (which: string) => (await get(`/api/runs?only=${which}`)).total;
    expect([await only('people'), await only('stopped')]).toEqual([0, 0]);
    for (const path of ['', '/items', '/items.csv']) {
      const answer = await shop.get(`/api/runs/999${path}`, admin);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ message: 'There is no run 999.' });
    }
  });
});

import { eq, sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import type { Alerts } from '#contract/alerts.ts';
import type { Import } from '#contract/imports.ts';
import type { Db } from '#db/client.ts';
import { permittedDb } from '#db/permitted.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { auditLog } from '#db/schema/audit.ts';
import { bundleComponents, skus } from '#db/schema/catalog.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { startConcurrent } from '#tests/support/concurrent-action.ts';
import { aProduct, aSellable, startFakeVeeqo, VEEQO_KEY } from '#tests/support/fake-veeqo.ts';
import {
  addTarget,
  type Call,
  DEAR,
  FLOOR_FILES,
  floorFields,
  lowestAllowedOf,
  type NewListing,
  type NewSku,
  type Target,
} from '#tests/support/floor-fields.ts';
import { importDesk } from '#tests/support/import-file.ts';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { planIn } from '#tests/support/run-preview.ts';
import { addRule, addSku, addTier, setLive } from '#tests/support/seed.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { PASSWORD } from '#tests/support/test-app.ts';
import { type JobHandler, JobInterrupted } from '#usecases/background/job-handler.ts';
import { requeueLostJobs } from '#usecases/background/requeue-lost-jobs.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { listingJob } from '#usecases/catalog/bulk-actions/run-bulk-action.ts';
import { importHandler } from '#usecases/catalog/imports/import-handler.ts';
import { updateAlerts } from '#usecases/repricing/alerts/update-alerts.ts';
import { goLive } from '#usecases/repricing/engine/go-live.ts';

const ELEVEN_MINUTES = 11 * 60_000;

let shop: PricedShop;
let bob: string;
beforeEach(async () => {
  shop = await createPricedShop();
  await setLive(shop.app.db, 'walmart');
  await aReadyUser(shop.app, 'bob@example.com');
  bob = await shop.app.logIn('bob@example.com');
});
afterEach(() => shop.app.close());

const asBob: Call = (method, url, payload) => callAs(shop.app, bob, method, url, payload);
const asAdmin: Call = (method, url, payload) => callAs(shop.app, shop.cookie, method, url, payload);
const code = (answer: LightMyRequestResponse): unknown => answer.json().code ?? answer.statusCode;

const add = (sku: string, listing?: NewListing, costs?: NewSku) =>
  addTarget(shop.app.db, sku, listing, costs);
async function prove(cookie: string): Promise<void> {
  await callAs(shop.app, cookie, 'POST', '/api/step-up', { password: PASSWORD });
}

/** Everything is decided, and the passwords were entered long ago. */
async function becomesOld(): Promise<void> {
  await shop.engineRuns();
  shop.app.advance(ELEVEN_MINUTES);
}

const lowest = (listingId: number) => lowestAllowedOf(shop.app.db, listingId);
const drops = () =>
  shop.app.db.select().from(auditLog).where(eq(auditLog.action, 'floors.lowered')).orderBy(auditLog.id);

describe('a lowest allowed price of a live listing that falls by more than 20%', () => {
  test('requires the password, whichever field of a listing, a SKU or a cost lowers it', async () => {
    await addRule(shop.app.db, {
      name: 'Strict',
      minimumMargin: pct(50),
      isActive: true,
      marketplace: 'ebay',
    });
    await shop.app.db.update(repricingRules).set({ marketplace: null }).where(eq(repricingRules.id, 2));
    await asAdmin('POST', '/api/fees', DEAR);
    await addTier(shop.app.db, 'walmart', 1, 8);
    await shop.app.db.execute(sql`INSERT INTO shipping_tiers (marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost)
      VALUES ('walmart', 'FBM', 8, 80, 10)`);
    const fields = floorFields(asBob);
    const added: Target[] = [];
    for (const [at, [, { listing, sku }]] of fields.entries()) added.push(await add(`F-${at}`, listing, sku));
    await becomesOld();
    const before = await Promise.all(added.map(({ id }) => lowest(id)));
    const answers: string[] = [];
    for (const [at, [name, , action]] of fields.entries()) {
      answers.push(`${name}: ${code(await action(added[at] ?? { id: 0, skuId: 0 }))}`);
    }
    expect(answers).toEqual(fields.map(([name]) => `${name}: step_up_required`));
    expect(await drops()).toEqual([]);
    expect(await Promise.all(added.map(({ id }) => lowest(id)))).toEqual(before);
  });

  test('requires it on every other way too, and is then done and logged', async () => {
    const { db } = shop.app;
    await asAdmin('POST', '/api/fees', DEAR);
    const fees = (await shop.get('/api/fees')).json();
    const dear = fees.schedules.find(({ category }: { category: string | null }) => category === 'Dear').id;
    const strict = await addRule(db, {
      name: 'Strict',
      minimumMargin: pct(50),
      marketplace: 'walmart',
      fulfillmentType: 'FBA/WFS',
    });
    await add('STRICT', { fulfillmentType: 'FBA/WFS', fulfillmentCost: usd(0) });
    await addTier(db, 'walmart', 10, 8);
    const tier = String((await shop.get('/api/shipping-tiers')).json().tiers[0].id);
    const mug = await add('MUG', { shippingCost: null });
    const cheap = await addSku(db, 'CHEAP', { productCost: usd(1) });
    const bundle = async (sku: string) => {
      const made = await add(sku);
      const parts = [made.skuId, cheap].map((componentSkuId) => ({
        listingSku: sku,
        componentSkuId,
        quantity: 2,
      }));
      await db.insert(bundleComponents).values(parts);
      return made;
    };
    const box = await bundle('BOX');
    await bundle('SET');
    await bundle('KIT');
    const cleared = await add('CLEARED');
    const again = await add('AGAIN');
    const deleted = await add('DELETED');
    const raised = await add('RAISED');
    const priced = await add('PRICED', { feeCategory: 'Dear' });
    await shop.engineRuns();
    // Each starts with what a user may do without it.
    await asBob('PUT', `/api/skus/${cleared.skuId}`, { version: 1, productCost: null });
    await asBob('POST', '/api/skus/delete', { selection: { ids: [String(again.skuId)] } });
    await asBob('POST', '/api/listings/delete', { selection: { ids: [String(deleted.id)] } });
    await asBob('PUT', `/api/skus/${deleted.skuId}`, { version: 1, productCost: '0.01' });
    await asBob('DELETE', '/api/bundles/KIT');
    const fields = { minPrice: '90.00' };
    const raise = await asBob('POST', '/api/listings/edit', {
      selection: { ids: [String(raised.id)] },
      fields,
    });
    await becomesOld();
    const part = (listingSku: string, componentSkuId: number, quantity: number) => ({
      listingSku,
      componentSkuId: String(componentSkuId),
      quantity,
    });
    const range = { marketplace: 'walmart', fulfillmentType: 'FBM', minWeightOz: 0, maxWeightOz: 8 };
    const ways: readonly (readonly [string, () => Promise<LightMyRequestResponse>])[] = [
      [
        'a cost that was cleared before',
        () => asBob('PUT', `/api/skus/${cleared.skuId}`, { version: 2, productCost: '0.01' }),
      ],
      [
        'a SKU that is added anew',
        () =>
          asBob('POST', '/api/skus', {
            sku: 'AGAIN',
            name: 'Again',
            productCost: '0.01',
            weightOz: 8,
            packagingCost: '0',
            miscCost: '0',
            veeqoId: null,
            tags: [],
          }),
      ],
      [
        'a listing that comes back',
        () => asBob('POST', '/api/listings/undelete', { ids: [String(deleted.id)] }),
      ],
      [
        'fewer of a component',
        () => asBob('POST', '/api/bundles/bulk', [part('BOX', box.skuId, 1), part('BOX', cheap, 1)]),
      ],
      ['another component', () => asBob('POST', '/api/bundles/bulk', [part('SET', cheap, 2)])],
      ['a bundle that is none', () => asBob('POST', '/api/bundles/confirm-single', { listingSkus: ['KIT'] })],
      ['a tier', () => asBob('PUT', `/api/shipping-tiers/${tier}`, { ...range, cost: '0.00' })],
      ['an undo', () => asBob('POST', '/api/listings/undo', { undoId: raise.json().undoId, jobId: null })],
      [
        'a schedule of fees',
        () => asAdmin('PUT', `/api/fees/${dear}`, { ...DEAR, bands: [{ ...DEAR.bands[0], percent: '5' }] }),
      ],
      [
        'a strict rule that is paused',
        () => asBob('POST', '/api/rules/active', { ids: [String(strict)], isActive: false }),
      ],
      ['a strict rule that is deleted', () => asBob('POST', '/api/rules/delete', { ids: [String(strict)] })],
    ];
    const requested: string[] = [];
    for (const [name, action] of ways) requested.push(`${name}: ${code(await action())}`);
    expect(requested).toEqual(ways.map(([name]) => `${name}: step_up_required`));
    await prove(bob);
    await prove(shop.cookie);
    const done: string[] = [];
    for (const [name, action] of ways.slice(0, -1)) {
      const { statusCode } = await action();
      done.push(`${name}: ${statusCode < 300 ? 'done' : statusCode}, ${(await drops()).length}`);
    }
    expect(done).toEqual(ways.slice(0, -1).map(([name], at) => `${name}: done, ${at + 1}`));
    expect((await drops())[0]).toMatchObject({
      actor: 'bob@example.com',
      targetKind: 'listing',
      targetId: String(cleared.id),
      before: { lowestAllowed: ['Walmart CLEARED: 14.29'] },
      after: { lowestAllowed: ['Walmart CLEARED: 0.02'], listings: 1, largestDrop: '99.86%' },
    });
    expect([await lowest(cleared.id), await lowest(mug.id), await lowest(priced.id)]).toEqual([
      usd(0.02),
      usd(14.29),
      usd(12.5),
    ]);
  });

  test('requires it when Veeqo adds a SKU under a code that was renamed here', async () => {
    const veeqo = await startFakeVeeqo();
    await shop.app.close();
    const inventory = createVeeqo({ baseUrl: veeqo.url, wait: async () => undefined });
    shop = await createPricedShop({ inventory });
    await setLive(shop.app.db, 'walmart');
    const page = settingsPage(shop.app, shop.cookie);
    await page.save({ ...(await page.read()), veeqo: { enabled: true, apiKey: VEEQO_KEY } });
    const mug = await add('MUG-1');
    await becomesOld();
    const before = await lowest(mug.id);
    await shop.app.db.update(skus).set({ sku: 'OLD-MUG' }).where(eq(skus.id, mug.skuId));
    veeqo.products.push(aProduct(1, { sellables: [aSellable(1, { cost_price: 0.01 })] }));
    expect(code(await asAdmin('POST', '/api/veeqo/sync'))).toBe('step_up_required');
    expect([await lowest(mug.id), (await drops()).length]).toEqual([before, 0]);
    await prove(shop.cookie);
    expect((await asAdmin('POST', '/api/veeqo/sync')).json()).toMatchObject({ imported: 1 });
    expect(await lowest(mug.id)).toBeLessThan(before ?? 0);
    expect(await drops()).toMatchObject([{ targetId: String(mug.id) }]);
    await veeqo.close();
  });

  test('does not require it for 20% or less, for one that rises, is unknown, or where nothing is live', async () => {
    const [little, up, first, elsewhere] = [
      await add('LITTLE'),
      await add('UP'),
      await add('FIRST', {}, { productCost: null }),
      await add('ELSE', { marketplace: 'ebay' }),
    ];
    await becomesOld();
    const cost = (skuId: number, productCost: string) =>
      asBob('PUT', `/api/skus/${skuId}`, { version: 1, productCost });
    const answers = [
      await cost(little.skuId, '8.10'),
      await cost(up.skuId, '12.00'),
      await cost(first.skuId, '0.01'),
      await cost(elsewhere.skuId, '0.01'),
    ];
    expect(answers.map(code)).toEqual([200, 200, 200, 200]);
    expect(await drops()).toEqual([]);
    // An increase counts immediately, decided again or not.
    expect(code(await asBob('PUT', `/api/skus/${up.skuId}`, { version: 2, productCost: '9.50' }))).toBe(
      'step_up_required',
    );
  });

  test('requires it for many small steps, until one is confirmed or the price is back', async () => {
    const [steps, back] = [await add('STEPS'), await add('BACK')];
    await becomesOld();
    const begun = await lowest(steps.id);
    const cost = async ({ skuId }: Target, version: number, productCost: string) =>
      code(await asBob('PUT', `/api/skus/${skuId}`, { version, productCost }));
    expect(await cost(steps, 1, '8.50')).toBe(200);
    await becomesOld();
    expect(await cost(steps, 2, '7.00')).toBe('step_up_required');
    await prove(bob);
    expect(await cost(steps, 2, '7.00')).toBe(200);
    expect(await drops()).toMatchObject([
      { before: { lowestAllowed: [`Walmart STEPS: ${((begun ?? 0) / 100).toFixed(2)}`] } },
    ]);
    await becomesOld();
    expect(await cost(steps, 3, '6.00')).toBe(200);
    expect([await cost(back, 1, '8.50'), await cost(back, 2, '10.00'), await cost(back, 3, '8.50')]).toEqual([
      200, 200, 200,
    ]);
  });

  test('is found where a listing is restored while its cost, or that of a component, is changed', async () => {
    const { db } = shop.app;
    const [deleted, box] = [await add('DELETED'), await add('BOX')];
    const part = await addSku(db, 'PART', { productCost: usd(10) });
    await db.insert(bundleComponents).values({ listingSku: 'BOX', componentSkuId: part, quantity: 1 });
    await becomesOld();
    const ids = [deleted, box].map(({ id }) => String(id));
    await asBob('POST', '/api/listings/delete', { selection: { ids } });
    for (const [id, skuId] of [
      [deleted.id, deleted.skuId],
      [box.id, part],
    ] as const) {
      const answers: unknown[] = [];
      const other = await db.transaction(async (tx) => {
        await tx
          .update(skus)
          .set({ productCost: usd(0.01) })
          .where(eq(skus.id, skuId));
        return startConcurrent(db, async () => {
          answers.push(code(await asBob('POST', '/api/listings/undelete', { ids: [String(id)] })));
        });
      });
      await other.end;
      expect(answers).toEqual(['step_up_required']);
    }
  });

  test('is reported to administrators only, with user and number, for a day', async () => {
    const other = await add('OTHER');
    await shop.engineRuns();
    await asBob('PUT', `/api/skus/${other.skuId}`, { version: 1, productCost: '5.00' });
    await asBob('PUT', `/api/listings/${shop.id}/costs`, { version: 1, skuVersion: 1, product: '0.01' });
    const reported = async (cookie: string): Promise<Alerts> => {
      await updateAlerts({ ...shop.app.deps, queue: shop.app.queue });
      return (await shop.app.get('/api/alerts', cookie)).json();
    };
    const kinds = ({ alerts }: Alerts) =>
      alerts.filter(({ endedAt }) => endedAt === null).map(({ kind }) => kind);
    const { unseen, alerts } = await reported(shop.cookie);
    expect(kinds({ unseen, alerts })).toContain('lowered_floors');
    const bobs = await reported(bob);
    expect(kinds(bobs)).not.toContain('lowered_floors');
    expect(bobs.unseen).toBe(unseen - 1);
    const alert = alerts.find(({ kind }) => kind === 'lowered_floors');
    for (const part of ['bob@example.com', '2 live listings', '99.86%'])
      expect(alert?.message).toContain(part);
    shop.app.advance(25 * 3_600_000);
    expect(kinds(await reported(await shop.app.logIn('boss@example.com')))).not.toContain('lowered_floors');
  });
});

describe('a job of many limits', () => {
  /** Two listings and 199 with unknown cost. */
  const addMany = async (over: NewListing) => {
    const both = [await add('J-1', over), await add('J-2', over)] as const;
    const { minPrice = null } = over;
    await shop.app.db.execute(sql`INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price, min_price)
      SELECT 'K-' || n, 'K', 'FBM', 20, 20, ${minPrice === null ? null : minPrice / 100}::numeric FROM generate_series(1, 199) n`);
    await becomesOld();
    return both;
  };
  /** With a password that is out of date again when it is confirmed. */
  const confirm = async (url: string, payload: object) => {
    await prove(bob);
    const answer = (await asBob('POST', url, payload)).json();
    shop.app.advance(ELEVEN_MINUTES);
    return answer;
  };
  const editMany = ([{ id }]: readonly [Target, Target], fields: object) =>
    confirm('/api/listings/edit', {
      selection: { ids: Array.from({ length: 201 }, (_none, at) => String(id + at)) },
      fields,
    });
  const cost = async ({ skuId }: Target, productCost: string) => {
    expect(code(await asBob('PUT', `/api/skus/${skuId}`, { version: 1, productCost }))).toBe(200);
  };
  const perform = async (jobId: string) => {
    const { db, url, deps } = shop.app;
    const onUnexpectedError = (error: unknown) => expect.fail(String(error));
    const stopping = new AbortController().signal;
    await runJob({ db, url, now: deps.now, stopping, onUnexpectedError }, Number(jobId), {
      edit_listings: listingJob(deps),
    });
    const { state, done, failed } = (await shop.app.get(`/api/jobs/${jobId}`, bob)).json();
    return [state, done, failed];
  };

  test('skips listings whose costs fell after it was confirmed', async () => {
    const both = await addMany({ minPrice: usd(14) });
    const { jobId } = await editMany(both, { minPrice: null });
    // What the minimum price protects needs no password.
    await cost(both[0], '0.01');
    expect(await perform(jobId)).toEqual(['partly_done', 200, 1]);
    expect([await lowest(both[0].id), await lowest(both[1].id), await drops()]).toEqual([
      usd(14),
      usd(14.29),
      [],
    ]);
  });

  test('skips them when it is undone, too', async () => {
    const both = await addMany({});
    const { jobId, undoId } = await editMany(both, { minPrice: '14.00' });
    expect(await perform(jobId)).toEqual(['done', 201, 0]);
    const undo = await confirm('/api/listings/undo', { undoId, jobId });
    await cost(both[0], '0.01');
    expect(await perform(undo.jobId)).toEqual(['partly_done', 200, 1]);
    expect([await lowest(both[0].id), await lowest(both[1].id), await drops()]).toEqual([
      usd(14),
      usd(14.29),
      [],
    ]);
  });

  test.each(['an edit that lowers floors itself', 'the Undo of one that raised them'])(
    'is held to what it makes of them: %s',
    async (what) => {
      const both = await addMany({});
      const raised = await editMany(both, { minPrice: '26.00', shippingCost: '9' });
      expect(await perform(raised.jobId)).toEqual(['done', 201, 0]);
      const { jobId } = what.startsWith('the Undo')
        ? await confirm('/api/listings/undo', { undoId: raised.undoId, jobId: raised.jobId })
        : await editMany(both, { minPrice: null, shippingCost: '0' });
      await cost(both[0], '0.01');
      expect(await perform(jobId)).toEqual(['partly_done', 200, 1]);
      expect([await lowest(both[0].id), await lowest(both[1].id)]).toEqual([usd(26), usd(14.29)]);
    },
  );

  test('skips those whose margin floor was unknown when it was confirmed', async () => {
    const both = await addMany({ minPrice: usd(14) });
    const { db } = shop.app;
    const { rows } = await db.execute(
      "UPDATE listings SET shipping_cost = 0 WHERE sku = 'K-1' RETURNING id::int",
    );
    const { jobId } = await editMany(both, { minPrice: null });
    await addSku(db, 'K-1', { productCost: usd(0.01) });
    await shop.engineRuns();
    expect(await perform(jobId)).toEqual(['partly_done', 200, 1]);
    expect(await lowest(Number(rows[0]?.id))).toBe(usd(14));
  });
});

describe('a marketplace that goes live again', () => {
  const plan = async () => planIn((await shop.get('/api/engine/plan?marketplaces=walmart')).body);
  const goLiveAgain = (token: string, fallen?: number) =>
    asAdmin('POST', '/api/engine/go-live', {
      marketplaces: ['walmart'],
      token,
      ...(fallen !== undefined && { fallen }),
    });

  test('shows in its plan what fell, goes live with a confirmed password, and logs it', async () => {
    const mug = await add('MUG');
    const little = await add('LITTLE');
    await becomesOld();
    await asBob('POST', '/api/engine/recommend-only', { marketplaces: ['walmart'] });
    const cost = (skuId: number, productCost: string) =>
      asBob('PUT', `/api/skus/${skuId}`, { version: 1, productCost });
    expect([code(await cost(mug.skuId, '0.01')), code(await cost(little.skuId, '9.00'))]).toEqual([200, 200]);
    await shop.engineRuns();
    expect([await lowest(mug.id), await lowest(little.id)]).toEqual([usd(14.29), usd(14.29)]);
    const { token, fallen } = await plan();
    const fall = { marketplace: 'walmart', sku: 'MUG', from: '14.29', to: '0.02' };
    expect(fallen).toEqual({ count: 1, worst: [{ listingId: String(mug.id), ...fall }] });
    expect(code(await goLiveAgain(token, 1))).toBe('step_up_required');
    await prove(shop.cookie);
    // A plan of the same prices may have other margin floors: what fell is part of it too.
    expect([code(await goLiveAgain(token)), code(await goLiveAgain(token, 2))]).toEqual([
      'conflict',
      'conflict',
    ]);
    expect(await drops()).toEqual([]);
    expect((await goLiveAgain(token, 1)).statusCode).toBe(200);
    expect(await drops()).toMatchObject([
      {
        actor: 'boss@example.com',
        targetId: String(mug.id),
        after: { lowestAllowed: ['Walmart MUG: 0.02'] },
      },
    ]);
    expect([await lowest(mug.id), await lowest(little.id)]).toEqual([usd(0.02), usd(12.86)]);
  });

  test('for the first time has nothing that could have fallen, and is checked from then on', async () => {
    const { db } = shop.app;
    await db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
    const mug = await add('MUG', { autoRepricingEnabled: false });
    await becomesOld();
    const cost = (skuId: number, version: number, productCost: string | null) =>
      asBob('PUT', `/api/skus/${skuId}`, { version, productCost });
    await cost(mug.skuId, 1, '5.00');
    await shop.engineRuns();
    const fresh = await add('FRESH');
    expect(await lowest(mug.id)).toBeNull();
    await shop.halt();
    await prove(shop.cookie);
    const { token, fallen } = await plan();
    expect(fallen).toEqual({ count: 0, worst: [] });
    expect((await goLiveAgain(token)).statusCode).toBe(200);
    // Before the engine runs, under a halt, and for one that it has never decided.
    const requested = async () => [
      code(await cost(mug.skuId, 2, '0.01')),
      code(await cost(fresh.skuId, 1, '0.01')),
    ];
    expect(await requested()).toEqual(['step_up_required', 'step_up_required']);
    expect(await lowest(mug.id)).toBe(usd(7.15));
    // Cleared before its first decision, it is stored anyway.
    expect(code(await cost(fresh.skuId, 1, null))).toBe(200);
    await shop.engineRuns();
    expect(await lowest(fresh.id)).toBe(usd(14.29));
    expect([code(await cost(mug.skuId, 2, '0.01')), code(await cost(fresh.skuId, 2, '0.01'))]).toEqual([
      'step_up_required',
      'step_up_required',
    ]);
  });

  test('does not go live when one falls between its plan and the action itself', async () => {
    const { db, deps } = shop.app;
    const mug = await add('MUG');
    await becomesOld();
    await asBob('POST', '/api/engine/recommend-only', { marketplaces: ['walmart'] });
    const { token, fallen } = await plan();
    expect(fallen.count).toBe(0);
    const late: Db = Object.create(db, {
      transaction: {
        value: async (...args: Parameters<Db['transaction']>) => {
          await asBob('PUT', `/api/skus/${mug.skuId}`, { version: 1, productCost: '0.01' });
          return db.transaction(...args);
        },
      },
    });
    const boss = { id: null, name: 'boss@example.com', address: '127.0.0.1', requestId: 'late' };
    const started = goLive({ db: late, now: deps.now }, { marketplaces: ['walmart'], token }, boss);
    await expect(started).rejects.toMatchObject({ code: 'conflict' });
    expect([(await readEngineSwitches(db)).live.size, await lowest(mug.id), await drops()]).toEqual([
      0,
      usd(14.29),
      [],
    ]);
  });

  test('stores listings that are added while it is live and paused', async () => {
    await shop.app.db.execute(
      sql`UPDATE integrations SET price_channel = 'paused' WHERE marketplace = 'walmart'`,
    );
    const mug = await add('MUG');
    await becomesOld();
    expect(code(await asBob('PUT', `/api/skus/${mug.skuId}`, { version: 1, productCost: '0.01' }))).toBe(
      'step_up_required',
    );
  });
});

describe('a file that lowers such prices', () => {
  test('shows that in its check, which changes nothing, requires the password, and is logged', async () => {
    const { db } = shop.app;
    await addTier(db, 'walmart', 10, 8);
    const tiered = await add('TIERED', { shippingCost: null });
    const low = await add('LOW', { minPrice: usd(19) });
    const box = await add('BOX');
    await addSku(db, 'CHEAP', { productCost: usd(1) });
    await db.insert(bundleComponents).values({ listingSku: 'BOX', componentSkuId: box.skuId, quantity: 2 });
    await shop.engineRuns();
    const before = [
      await lowest(shop.id),
      await lowest(low.id),
      await lowest(box.id),
      await lowest(tiered.id),
    ];
    const desk = importDesk(shop.app, bob);
    const requested: string[] = [];
    for (const [kind, file] of Object.entries(FLOOR_FILES)) {
      const checked = await desk.check(kind, file);
      expect(checked.notes[0]).toContain('1 live listing');
      shop.app.advance(ELEVEN_MINUTES);
      const run = () =>
        asBob('POST', `/api/imports/${checked.id}/run`, {
          checkId: checked.checkId,
          allOrNothing: false,
          jumps: checked.effect?.jumpCount ?? 0,
        });
      requested.push(`${kind}: ${code(await run())}`);
      expect([
        await lowest(shop.id),
        await lowest(low.id),
        await lowest(box.id),
        await lowest(tiered.id),
      ]).toEqual(before);
      await prove(bob);
      await run();
      await desk.work();
      before.splice(
        0,
        4,
        ...[await lowest(shop.id), await lowest(low.id), await lowest(box.id), await lowest(tiered.id)],
      );
    }
    expect(requested).toEqual(Object.keys(FLOOR_FILES).map((kind) => `${kind}: step_up_required`));
    expect(before).toEqual([usd(0.02), usd(14.29), usd(1.43), usd(14.29)]);
    expect((await drops()).map(({ actor, after }) => [actor, after?.listings])).toEqual(
      Object.keys(FLOOR_FILES).map(() => ['bob@example.com', 1]),
    );
  });

  /** A file that lowers a cost to a cent, checked while it causes no loss. */
  const checkedFile = async (skus: readonly string[]) => {
    const desk = importDesk(shop.app, bob);
    const rows = skus.map((sku) => `${sku},Product ${sku},0.01\n`).join('');
    return { desk, checked: await desk.check('skus', `sku,name,productCost\n${rows}`) };
  };
  const runIt = (file: Import, allOrNothing = false) =>
    asBob('POST', `/api/imports/${file.id}/run`, {
      checkId: file.checkId,
      allOrNothing,
      jumps: file.effect?.jumpCount ?? 0,
    });

  test.each([
    [
      'a minimum price that is taken away',
      ({ id }: Target) => asBob('PUT', `/api/listings/${id}`, { version: 1, fields: { minPrice: '14.00' } }),
      ({ id }: Target) => asBob('PUT', `/api/listings/${id}`, { version: 2, fields: { minPrice: null } }),
    ],
    [
      'a listing that comes back',
      ({ id }: Target) => asBob('POST', '/api/listings/delete', { selection: { ids: [String(id)] } }),
      ({ id }: Target) => asBob('POST', '/api/listings/undelete', { ids: [String(id)] }),
    ],
    [
      'a marketplace that goes live',
      () => asBob('POST', '/api/engine/recommend-only', { marketplaces: ['walmart'] }),
      async () => {
        await setLive(shop.app.db, 'walmart');
        return { statusCode: 200 };
      },
    ],
  ])('does no more than its check has shown: %s in between ends the import', async (_, protect, expose) => {
    const mug = await add('MUG');
    await becomesOld();
    expect((await protect(mug)).statusCode).toBe(200);
    const { desk, checked } = await checkedFile(['MUG']);
    expect((await expose(mug)).statusCode).toBe(200);
    const before = await lowest(mug.id);
    expect((await runIt(checked)).statusCode).toBe(200);
    await desk.work();
    const stopped = (await shop.app.get(`/api/imports/${checked.id}`, bob)).json();
    expect(stopped).toMatchObject({ state: 'failed', counts: { rows: 0 } });
    expect(stopped.error).toContain('Walmart MUG, from $14.29 to $0.02');
    expect([await lowest(mug.id), await drops()]).toEqual([before, []]);
    // A new check shows it, requires the password, and the import is done with it.
    const again = await desk.map(checked.id, checked.mapping, checked.defaults);
    expect(again.notes[0]).toContain('1 live listing');
    expect(code(await runIt(again))).toBe('step_up_required');
    await prove(bob);
    await runIt(again);
    await desk.work();
    expect([await lowest(mug.id), (await drops()).length]).toEqual([usd(0.02), 1]);
    const { rows } = await shop.app.db.execute('SELECT count(*)::int AS n FROM import_falls');
    expect(rows).toEqual([{ n: 0 }]);
  });

  test('goes no deeper than shown, with or without the password, and all or nothing changes nothing', async () => {
    const mug = await add('MUG', { minPrice: usd(10) });
    await becomesOld();
    const { desk, checked } = await checkedFile(['MUG', 'A-1']);
    expect(checked.notes[0]).toContain('2 live listings');
    await prove(bob);
    await asBob('PUT', `/api/listings/${mug.id}`, { version: 1, fields: { minPrice: null } });
    await runIt(checked, true);
    await desk.work();
    expect((await shop.app.get(`/api/imports/${checked.id}`, bob)).json().error).toContain(
      'Walmart MUG, from $14.29 to $0.02',
    );
    expect([await lowest(mug.id), await lowest(shop.id), await drops()]).toEqual([
      usd(14.29),
      usd(14.29),
      [],
    ]);
  });

  test('is compared to all of its batches together, and continues after the last one after a crash', async () => {
    const { db } = shop.app;
    const part = await addSku(db, 'PART', { productCost: usd(10) });
    const other = await addSku(db, 'OTHER', { productCost: usd(10) });
    const box = await add('BOX');
    const parts = [part, other].map((componentSkuId) => ({ listingSku: 'BOX', componentSkuId, quantity: 1 }));
    await db.insert(bundleComponents).values(parts);
    await shop.engineRuns();
    // A whole batch is between the components: each of them alone takes about 14%.
    const between = 'N-1,New,1.00\nN-2,New,1.00\nN-3,New,1.00\n';
    const desk = importDesk(shop.app, bob, 3);
    const checked = await desk.check(
      'skus',
      `sku,name,productCost\nPART,Part,7.00\n${between}OTHER,Other,7.00\n`,
    );
    expect(checked.notes[0]).toContain('Walmart BOX');
    await runIt(checked);
    const handler = importHandler({ db, now: shop.app.deps.now, batchRows: 3 });
    await desk.work((run) =>
      handler({
        ...run,
        progress: async (progress) => {
          if (progress.done === 3) throw new JobInterrupted('lost');
          await run.progress(progress);
        },
      }),
    );
    expect(await lowest(box.id)).toBe(usd(24.29));
    await requeueLostJobs(shop.app.deps);
    await desk.work();
    expect((await shop.app.get(`/api/imports/${checked.id}`, bob)).json()).toMatchObject({
      state: 'done',
      counts: { create: 3, update: 2 },
    });
    expect(await lowest(box.id)).toBe(usd(20));
  });

  /** The handler of a check that is superseded when it starts its nth transaction. */
  const supersededAt = (
    nth: number,
    overtake: () => Promise<unknown>,
  ): { begun: number; work: JobHandler } => {
    const seen = { begun: 0 };
    const transaction: Db['transaction'] = async (work, config) => {
      if (seen.begun++ === nth) await overtake();
      return shop.app.db.transaction(work, config);
    };
    const db: Db = Object.create(shop.app.db, { transaction: { value: transaction } });
    return Object.assign(seen, { work: importHandler({ db: permittedDb(db), now: shop.app.deps.now }) });
  };

  test.each([
    ['other columns that are checked at once', { sku: 0, name: 1, productCost: 3 }],
    ['columns of which one is missing', { sku: null, name: 1, productCost: 3 }],
  ])('writes nothing of a superseded check, at whatever point, by %s', async (_, mapping) => {
    const isComplete = mapping.sku !== null;
    const desk = importDesk(shop.app, bob);
    const shownOf = async (id: string) => {
      const { rows } = await shop.app.db.execute(
        sql`SELECT before, after FROM import_falls WHERE import_id = ${Number(id)}`,
      );
      const { state, notes, counts } = (await shop.app.get(`/api/imports/${id}`, bob)).json();
      const { lines } = await desk.lines(id, 'update');
      return { rows, state, counts, lowered: notes[0] ?? '', lines: lines.length };
    };
    // A file whose first column of costs is the wrong one: all would fall to a cent.
    const file = 'sku,name,productCost,right\nA-1,Product A-1,0.01,6.00\n';
    await becomesOld();
    const whole = supersededAt(Number.POSITIVE_INFINITY, async () => undefined);
    await desk.upload('skus', file);
    await desk.work(whole.work);
    const all = whole.begun;
    for (let nth = 0; nth < all; nth += 1) {
      const { id } = (await desk.upload('skus', file)).json<Import>();
      await desk.work(supersededAt(nth, () => desk.map(id, mapping)).work);
      expect(await shownOf(id), `before transaction ${nth} of ${all}`).toEqual(
        isComplete
          ? {
              rows: [{ before: '14.29', after: '8.58' }],
              state: 'checked',
              counts: expect.objectContaining({ update: 1 }),
              lowered: expect.stringContaining('from $14.29 to $8.58'),
              lines: 1,
            }
          : { rows: [], state: 'uploaded', counts: null, lowered: '', lines: 0 },
      );
      if (isComplete) expect(code(await runIt(await desk.read(id)))).toBe('step_up_required');
    }
    expect(all).toBeGreaterThan(4);
  });

  test.each([
    ['batch by batch', false],
    ['all or nothing', true],
  ])('shows what only several of its batches do together, and is imported %s', async (_, allOrNothing) => {
    const { db } = shop.app;
    const box = await add('BOX');
    for (const sku of ['PART', 'OTHER', 'THIRD']) {
      const componentSkuId = await addSku(db, sku, { productCost: usd(10) });
      await db.insert(bundleComponents).values({ listingSku: 'BOX', componentSkuId, quantity: 1 });
    }
    await becomesOld();
    expect(await lowest(box.id)).toBe(usd(42.86));
    await db.execute("UPDATE skus SET product_cost = NULL WHERE sku IN ('PART', 'OTHER')");
    await shop.engineRuns();
    // In the first batch the cost stays unknown, in the second it falls, and in the third it is more than before.
    const rows = `PART,Part,6.00
N-1,New,1.00
OTHER,Other,6.00
N-2,New,1.00
THIRD,Third,29.00
`;
    const desk = importDesk(shop.app, bob, 2);
    const checked = await desk.check('skus', `sku,name,productCost\n${rows}`);
    expect(checked.notes[0]).toContain('1 live listing (Walmart BOX, from $42.86 to $31.43)');
    expect(await lowest(box.id)).toBe(usd(42.86));
    expect(code(await runIt(checked, allOrNothing))).toBe('step_up_required');
    await prove(bob);
    expect((await runIt(checked, allOrNothing)).statusCode).toBe(200);
    await desk.work();
    expect(await desk.read(checked.id)).toMatchObject({ state: 'done', error: null });
    expect(await lowest(box.id)).toBe(usd(58.58));
  });

  test('changes no other cost by a factor of 3 than its check has shown, with or without the password', async () => {
    const skus = ['A-1', 'B-1', 'C-1', 'D-1', 'E-1'];
    const { db } = shop.app;
    for (const sku of skus.slice(1)) await addSku(db, sku, { productCost: usd(10) });
    const desk = importDesk(shop.app, bob);
    const costs = (...of: readonly (readonly [string, string])[]) =>
      desk.check('skus', `sku,name,productCost\n${of.map(([sku, cost]) => `${sku},Mug,${cost}\n`).join('')}`);
    // Each file shows one jump; then another cost takes its place, or the jump is larger, or smaller.
    const other = await costs(['A-1', '40.00'], ['B-1', '12.00']);
    const farther = await costs(['C-1', '40.00']);
    const nearer = await costs(['D-1', '40.00'], ['E-1', '12.00']);
    expect([other, farther, nearer].map(({ effect }) => effect?.jumpCount)).toEqual([1, 1, 1]);
    await db.execute(`UPDATE skus SET product_cost = CASE sku
      WHEN 'A-1' THEN 40 WHEN 'B-1' THEN 2 WHEN 'C-1' THEN 1 WHEN 'D-1' THEN 13 ELSE 10 END`);
    await prove(bob);
    for (const file of [other, farther, nearer]) expect((await runIt(file)).statusCode).toBe(200);
    await desk.work();
    const [first, second, third] = [
      await desk.read(other.id),
      await desk.read(farther.id),
      await desk.read(nearer.id),
    ];
    expect([first, second, third].map(({ state }) => state)).toEqual(['failed', 'failed', 'done']);
    expect([first.error, second.error]).toEqual([
      expect.stringContaining('B-1, from 2.00 to 12.00'),
      expect.stringContaining('C-1, from 1.00 to 40.00'),
    ]);
    const { rows } = await db.execute('SELECT product_cost::float8 AS cost FROM skus ORDER BY sku');
    expect(rows.map(({ cost }) => cost)).toEqual([40, 2, 1, 40, 12]);
    const kept = await db.execute('SELECT sku FROM import_jumps ORDER BY sku');
    expect(kept.rows).toEqual([]);
  });

  test('imports nothing of a file that an earlier version checked, started or not', async () => {
    const { db } = shop.app;
    await becomesOld();
    const { desk, checked } = await checkedFile(['A-1']);
    await prove(bob);
    const begun = (await checkedFile(['A-1'])).checked;
    expect((await runIt(begun)).statusCode).toBe(200);
    // That version stored neither the result of the check nor that there was one.
    await db.execute('DELETE FROM import_falls');
    await db.execute("UPDATE imports SET findings = findings - 'isHeld'");
    await db.execute("UPDATE jobs SET work = work - 'isHeld'");
    const refused = await runIt(checked);
    expect(code(refused)).toBe('conflict');
    await desk.work();
    const stopped = await desk.read(begun.id);
    expect(stopped).toMatchObject({ state: 'failed', counts: { rows: 0 } });
    for (const said of [refused.json().message, stopped.error]) expect(said).toContain('an earlier version');
    expect([await lowest(shop.id), await drops()]).toEqual([usd(14.29), []]);
    const again = await desk.map(checked.id, checked.mapping, checked.defaults);
    await runIt(again);
    await desk.work();
    expect(await lowest(shop.id)).toBe(usd(0.02));
  });

  test('changes no more rows, and no more costs by a factor of 3, than its check has counted', async () => {
    const many = Array.from({ length: 201 }, (_none, at) => `M-${at}`);
    const desk = importDesk(shop.app, bob);
    const rows = (price: string) =>
      `sku,title,currentPrice,fulfillmentType\n${many.map((sku) => `${sku},Mug,${price},FBM\n`).join('')}`;
    const checked = await desk.check('listings', rows('12.00'));
    const costs = await desk.check('skus', 'sku,name,productCost\nA-1,Mug,10.00\n');
    expect([checked.counts?.create, costs.effect?.jumpCount ?? 0]).toEqual([201, 0]);
    // In between the same listings are imported from another file, and the cost is another one.
    await desk.bringIn('listings', rows('20.00'));
    await asBob('PUT', `/api/listings/${shop.id}/costs`, { version: 1, skuVersion: 1, product: '3.00' });
    shop.app.advance(ELEVEN_MINUTES);
    await runIt(checked);
    await runIt(costs);
    await desk.work();
    const answers = [
      (await shop.app.get(`/api/imports/${checked.id}`, bob)).json(),
      (await shop.app.get(`/api/imports/${costs.id}`, bob)).json(),
    ];
    expect(answers).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
    expect(answers.map(({ counts }) => counts.rows)).toEqual([0, 0]);
    const { rows: prices } = await shop.app.db.execute(
      "SELECT DISTINCT current_price::text AS price FROM listings WHERE sku LIKE 'M-%'",
    );
    expect(prices).toEqual([{ price: '20.00' }]);
  });
});

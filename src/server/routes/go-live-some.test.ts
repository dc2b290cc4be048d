import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineStatus } from '#contract/engine.ts';
import type { RunPreview } from '#contract/run-preview.ts';
import { listen, type Signal } from '#db/listen.ts';
import { updateSettings } from '#db/queries/marketplaces/connections/settings.ts';
import { readUnconfirmedRestore, setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { auditLog } from '#db/schema/audit.ts';
import { competitorOffers } from '#db/schema/offers.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { seedEngineShop } from '#tests/support/engine-shop.ts';
import { planIn } from '#tests/support/run-preview.ts';
import { addListing, addOffer, addSku, declareSeller } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { engineStep } from '#usecases/repricing/engine/engine-loop.ts';
import { PlannedPages } from '#usecases/repricing/engine/planned-pages.ts';

let shop: TestApp;
let admin: string;
/** Three prices would go down on Walmart, each by $0.51, and two on eBay, each by $1.01; all on recommend only. */
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
  const { db } = shop;
  await seedEngineShop(db, 3);
  await declareSeller(db, 'ebay');
  for (const sku of ['E-1', 'E-2']) {
    await addSku(db, sku);
    await addOffer(db, await addListing(db, sku, { marketplace: 'ebay' }), 19);
  }
  await db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
  await db.update(competitorOffers).set({ seenAt: shop.deps.now() });
});
afterEach(() => shop.close());

const look = async (...marketplaces: Marketplace[]): Promise<RunPreview> =>
  planIn((await shop.get(`/api/engine/plan?marketplaces=${marketplaces.join()}`, admin)).body);
const goLive = (token: string, ...marketplaces: Marketplace[]) =>
  shop.post('/api/engine/go-live', { marketplaces, token }, { headers: { cookie: admin } });
const liveMarketplaces = async (): Promise<Marketplace[]> =>
  EngineStatus.parse((await shop.get('/api/engine', admin)).json())
    .marketplaces.filter(({ mode }) => mode === 'live')
    .map(({ marketplace }) => marketplace);

/** How many prices the engine has changed on each marketplace. */
async function moves(): Promise<Record<string, number>> {
  const { db, now } = shop.deps;
  const engine = {
    db,
    now,
    batchSize: 1_000,
    skippedUntil: new Map(),
    planned: new PlannedPages(),
    isStopping: () => false,
    onUnexpectedError: (error: unknown) => expect.fail(String(error)),
  };
  for (let step = 0; (await engineStep(engine)) === 'worked'; step++) expect(step).toBeLessThan(50);
  const { rows } = await shop.db.execute<{ moves: Record<string, number> }>(sql`
    SELECT coalesce(json_object_agg(marketplace, moves), '{}') AS moves
    FROM (SELECT l.marketplace, count(*) AS moves FROM price_history h JOIN listings l ON l.id = h.listing_id
      WHERE h.source = 'rule' GROUP BY l.marketplace) moved`);
  return rows[0]?.moves ?? {};
}

describe('the forecast of each marketplace', () => {
  test('is shown before any is chosen, with the amounts', async () => {
    const plan = await look();
    expect(plan).toMatchObject({ changes: 0, recommended: 5, evaluated: 5 });
    expect(plan.forecasts).toEqual([
      {
        marketplace: 'walmart',
        raised: 0,
        lowered: 3,
        waiting: [],
        problems: [],
        // Walmart takes 15% of each sale.
        priceChange: '-1.53',
        profitChange: '-1.29',
      },
      {
        marketplace: 'ebay',
        raised: 0,
        lowered: 2,
        waiting: [],
        problems: [],
        priceChange: '-2.02',
        profitChange: expect.stringMatching(/^-1\.7\d$/),
      },
    ]);
  });

  test('shows what is not ready and what needs review', async () => {
    await shop.db.execute(sql`UPDATE skus SET product_cost = NULL WHERE sku = 'E-1'`);
    await shop.db.execute(sql`UPDATE listings SET auto_repricing_enabled = false WHERE sku = 'E-2'`);
    await shop.db.execute(sql`DELETE FROM own_sellers WHERE marketplace = 'walmart'`);
    const { forecasts } = await look();
    expect(forecasts).toMatchObject([
      { marketplace: 'walmart', lowered: 0, waiting: [{ reviewReason: 'own_sellers_unknown', count: 3 }] },
      {
        marketplace: 'ebay',
        lowered: 0,
        priceChange: '0.00',
        waiting: [{ reviewReason: 'listing_off', count: 1 }],
        problems: [{ problem: 'no_product_cost', count: 1 }],
      },
    ]);
  });

  test('does not change for the others when one is chosen, whose prices are then the plan', async () => {
    const plan = await look('walmart');
    expect(plan).toMatchObject({ changes: 3, recommended: 2 });
    expect(plan.rows.map(({ marketplace }) => marketplace)).toEqual(['walmart', 'walmart', 'walmart']);
    expect(plan.forecasts).toEqual((await look()).forecasts);
  });
});

describe('going live on one of two', () => {
  test('switches that one, notifies open pages, and leaves the other on recommend only until its own plan', async () => {
    const signals: Signal[] = [];
    const listener = await listen(shop.url, (signal) => signals.push(signal));
    await setUnconfirmedRestore(shop.db, shop.deps.now());
    const first = await goLive((await look('walmart')).token, 'walmart');
    expect(first.statusCode).toBe(200);
    expect(await readUnconfirmedRestore(shop.db)).toBeNull();
    expect(await liveMarketplaces()).toEqual(['walmart']);
    await expect
      .poll(() => signals)
      .toContainEqual({ kind: 'changed', channel: 'pricewright_engine', ids: [] });
    await listener.close();
    expect(await moves()).toEqual({ walmart: 3 });

    const next = await look('ebay');
    expect(next.rows.map(({ marketplace }) => marketplace)).toEqual(['ebay', 'ebay']);
    expect((await goLive(next.token, 'ebay')).statusCode).toBe(200);
    expect(await moves()).toEqual({ walmart: 3, ebay: 2 });
    const rows = await shop.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'engine.armed'))
      .orderBy(auditLog.id);
    expect(rows.map(({ targetId, before, after }) => ({ targetId, before, after }))).toMatchObject([
      { targetId: 'walmart', before: { live: [] }, after: { live: ['walmart'], changes: 3 } },
      {
        targetId: 'ebay',
        before: { live: ['walmart'] },
        after: { live: ['walmart', 'ebay'], changes: 2 },
      },
    ]);
  });

  test.each<{ looked: Marketplace[]; asked: Marketplace[] }>([
    { looked: ['walmart'], asked: ['ebay'] },
    { looked: ['walmart'], asked: ['walmart', 'ebay'] },
    { looked: ['walmart', 'ebay'], asked: ['walmart'] },
    { looked: [], asked: ['walmart'] },
  ])('a plan of $looked does not go live on $asked', async ({ looked, asked }) => {
    // Nothing would change anywhere, so that the plans are equal.
    await shop.db.delete(competitorOffers);
    const { token, changes } = await look(...looked);
    expect(changes).toBe(0);
    expect((await goLive(token, ...asked)).statusCode).toBe(409);
    expect(await liveMarketplaces()).toEqual([]);
  });

  test('a plan made with another one live is different when that is no longer live', async () => {
    await goLive((await look('walmart')).token, 'walmart');
    const { token } = await look('ebay');
    await shop.post(
      '/api/engine/recommend-only',
      { marketplaces: ['walmart'] },
      { headers: { cookie: admin } },
    );
    expect((await goLive(token, 'ebay')).statusCode).toBe(409);
    expect((await goLive((await look('ebay')).token, 'ebay')).statusCode).toBe(200);
    expect(await liveMarketplaces()).toEqual(['ebay']);
  });

  test('one that is turned off in Settings does not go live: it would start unreviewed once turned on', async () => {
    const keys = { walmartClientId: 'c', walmartClientSecret: 'v1.ciphertext' };
    await updateSettings(shop.db, { walmartEnabled: false, ...keys }, shop.deps.now());
    const { token } = await look('walmart', 'ebay');
    const answer = await goLive(token, 'walmart', 'ebay');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      message:
        'Cannot go live on Walmart. In Settings, turn the marketplace on, complete its credentials and allow sending prices.',
    });
    expect(await liveMarketplaces()).toEqual([]);
    expect((await goLive((await look('ebay')).token, 'ebay')).statusCode).toBe(200);
  });

  test('one whose authorization a restored copy leaves alone goes live only once the restore is confirmed', async () => {
    await addSku(shop.db, 'T-1');
    await addListing(shop.db, 'T-1', { marketplace: 'etsy' });
    await shop.db.execute(
      sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace IN ('etsy', 'walmart')`,
    );
    await setUnconfirmedRestore(shop.db, shop.deps.now());
    const answer = await goLive((await look('walmart', 'etsy')).token, 'walmart', 'etsy');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      message: expect.stringMatching(/^Cannot go live on Etsy: .*sync Etsy/),
    });
    expect(await liveMarketplaces()).toEqual([]);
    expect(await readUnconfirmedRestore(shop.db)).not.toBeNull();
    await setUnconfirmedRestore(shop.db, null);
    expect((await goLive((await look('walmart', 'etsy')).token, 'walmart', 'etsy')).statusCode).toBe(200);
  });

  test('one that is priced by files goes live with the restore, as it has no authorization', async () => {
    await setUnconfirmedRestore(shop.db, shop.deps.now());
    expect((await goLive((await look('etsy')).token, 'etsy')).statusCode).toBe(200);
    expect(await readUnconfirmedRestore(shop.db)).toBeNull();
  });

  test('a plan of nothing is not accepted', async () => {
    expect((await goLive((await look()).token)).statusCode).toBe(400);
  });
});

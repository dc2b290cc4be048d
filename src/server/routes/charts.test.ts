import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listingMetrics } from '#db/schema/metrics.ts';
import { type PriceSource, priceHistory } from '#db/schema/prices.ts';
import { runItems } from '#db/schema/runs.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { addListing, addRun } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const DAY = hours(24);
let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());
const get = async (path: string) => (await shop.get(path, cookie)).json();

describe('margins', () => {
  test('each listing counts in one band, by its exact margin', async () => {
    const { db } = shop;
    const at = async (sku: string, margin: number | null, deletedAt: Instant | null = null) =>
      db.insert(listingMetrics).values({
        listingId: await addListing(db, sku, { deletedAt }),
        decidedAt: shop.deps.now(),
        margin: margin === null ? null : pct(margin),
      });
    for (const margin of [-999.99, -0.01, 0, 4.99, 5, 9.99, 10, 14.99, 15, 99, null]) {
      await at(`M${margin}`, margin);
    }
    await at('DELETED', 20, shop.deps.now());
    await addListing(db, 'NEVER-DECIDED');
    expect((await get('/api/charts/margins')).bands).toEqual([
      { band: 'loss', count: 2 },
      { band: 'below_5', count: 2 },
      { band: 'below_10', count: 2 },
      { band: 'below_15', count: 2 },
      { band: 'from_15', count: 2 },
      { band: 'unknown', count: 2 },
    ]);
  });

  test('the amount that margin floors saved this week is totaled', async () => {
    const { db } = shop;
    expect(await get('/api/charts/margins')).toMatchObject({ heldAtFloor: 0, savedByFloor: '0.00' });
    const runId = await addRun(db, shop.deps.now());
    const moved = async (sku: string, bindingLimit: string, reference: number | null, daysAgo = 0) => {
      const at = instant(shop.deps.now() - daysAgo * DAY);
      const listingId = await addListing(db, sku, { createdAt: instant(at - DAY) });
      const change = { listingId, runId, oldPrice: usd(20), marginFloor: usd(14) };
      await db.insert(runItems).values({
        ...change,
        at,
        outcome: 'change',
        reasonCode: 'beaten',
        bindingLimit,
        price: usd(14),
        reference: reference === null ? null : usd(reference),
      });
      await db
        .insert(priceHistory)
        .values({ ...change, newPrice: usd(14), reason: 'Floor', source: 'rule', timestamp: at });
    };
    await moved('HELD-UP', 'floor', 11.5);
    await moved('REFERENCE-ABOVE', 'floor', 15);
    await moved('NO-REFERENCE', 'floor', null);
    await moved('STEP', 'step_limit', 10);
    await moved('LAST-WEEK', 'floor', 10, 7);
    expect(await get('/api/charts/margins')).toMatchObject({ heldAtFloor: 3, savedByFloor: '2.50' });
  });
});

describe('price changes per day', () => {
  /** The app's clock shows noon UTC on 15 January 2026. */
  async function story(moves: readonly (readonly [string, number, PriceSource?])[]): Promise<void> {
    const createdAt = instant(Date.UTC(2025, 0, 1));
    const listingId = await addListing(shop.db, 'A-1', { createdAt });
    let price = 20;
    for (const [at, by, source = 'rule'] of moves) {
      const move = { oldPrice: usd(price), newPrice: usd(price + by), timestamp: instant(Date.parse(at)) };
      await shop.db
        .insert(priceHistory)
        .values({ ...move, listingId, source, reason: 'Moved', marginFloor: usd(1) });
      price += by;
    }
  }

  test('increases and decreases per day, days without a change too, without imports and external edits', async () => {
    await story([
      ['2026-01-01T23:59:59.999Z', 1],
      ['2026-01-02T00:00:00Z', 1],
      ['2026-01-02T01:00:00Z', -1, 'person'],
      ['2026-01-02T02:00:00Z', -1, 'import'],
      ['2026-01-02T03:00:00Z', -1, 'observed'],
      ['2026-01-15T11:00:00Z', -1, 'apply'],
      ['2026-01-15T11:30:00Z', -1, 'undo'],
      ['2026-01-15T12:00:00.001Z', 1],
    ]);
    const { days } = await get('/api/charts/price-changes');
    expect(days).toHaveLength(14);
    expect(days[0]).toEqual({ day: '2026-01-02', raised: 1, lowered: 1 });
    expect(days[1]).toEqual({ day: '2026-01-03', raised: 0, lowered: 0 });
    expect(days[13]).toEqual({ day: '2026-01-15', raised: 0, lowered: 2 });
    expect((await get('/api/charts/price-changes?days=30')).days).toHaveLength(30);
  });

  test('days start in the time zone of the request', async () => {
    await story([['2026-01-15T03:00:00Z', 1]]);
    const { days } = await get('/api/charts/price-changes?zone=America%2FNew_York');
    expect(days.at(-1)).toEqual({ day: '2026-01-15', raised: 0, lowered: 0 });
    expect(days.at(-2)).toEqual({ day: '2026-01-14', raised: 1, lowered: 0 });
  });

  test.each(['days=7', 'zone=Mars%2FOlympus', 'from=1'])('%s is refused', async (query) => {
    expect((await shop.get(`/api/charts/price-changes?${query}`, cookie)).statusCode).toBe(400);
  });
});

test('requires a session', async () => {
  expect((await shop.get('/api/charts/margins')).statusCode).toBe(401);
  expect((await shop.get('/api/charts/price-changes')).statusCode).toBe(401);
});

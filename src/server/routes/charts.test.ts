import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listingDays } from '#db/schema/listing-analytics.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { type PriceSource, priceHistory } from '#db/schema/prices.ts';
import { runItems } from '#db/schema/runs.ts';
import { salesHistory } from '#db/schema/sales.ts';
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

describe('repricing by day', () => {
  test('price changes, and checks of buy boxes of listings that are not deleted', async () => {
    const { db } = shop;
    const kept = await addListing(db, 'A-1');
    const deleted = await addListing(db, 'A-2', { deletedAt: shop.deps.now() });
    const looked = (listingId: number, day: string, buyBoxPolls: number, buyBoxWins: number) =>
      db.insert(listingDays).values({ listingId, day, buyBoxPolls, buyBoxWins });
    await looked(kept, '2026-01-13', 9, 9);
    await looked(kept, '2026-01-14', 4, 3);
    await looked(deleted, '2026-01-14', 5, 5);
    await db.insert(priceHistory).values({
      listingId: kept,
      oldPrice: usd(20),
      newPrice: usd(19),
      marginFloor: usd(1),
      reason: 'Moved',
      source: 'rule',
      timestamp: instant(Date.parse('2026-01-15T03:00:00Z')),
    });
    const none = { raised: 0, lowered: 0, checks: 0, wins: 0 };
    expect(await get('/api/charts/repricing?from=2026-01-14&to=2026-01-15')).toEqual({
      days: [
        { ...none, day: '2026-01-14', checks: 4, wins: 3 },
        { ...none, day: '2026-01-15', lowered: 1 },
      ],
    });
    const there = await get('/api/charts/repricing?from=2026-01-14&to=2026-01-14&zone=America%2FNew_York');
    expect(there.days).toEqual([{ ...none, day: '2026-01-14', checks: 4, wins: 3, lowered: 1 }]);
  });

  test.each(['from=2026-01-15&to=2026-01-14', 'from=2025-01-01&to=2026-01-14', 'to=2026-01-14'])(
    '%s is refused',
    async (query) => {
      expect((await shop.get(`/api/charts/repricing?${query}`, cookie)).statusCode).toBe(400);
    },
  );
});

describe('today', () => {
  const AT = '2026-01-15T10:00:00.000Z';
  const changed = async (
    listingId: number,
    runId: number,
    [oldPrice, newPrice]: readonly [number, number],
    margins: readonly [number, number] | null,
    over: { at?: string; source?: PriceSource; bindingLimit?: string } = {},
  ) => {
    const { at = AT, source = 'rule', bindingLimit = 'none' } = over;
    const change = {
      listingId,
      runId,
      oldPrice: usd(oldPrice),
      marginFloor: usd(5),
    };
    await shop.db.insert(runItems).values({
      ...change,
      at: instant(Date.parse(at)),
      outcome: 'change',
      reasonCode: 'beaten',
      bindingLimit,
      price: usd(newPrice),
      marginBefore: margins === null ? null : pct(margins[0]),
      marginAfter: margins === null ? null : pct(margins[1]),
    });
    await shop.db.insert(priceHistory).values({
      ...change,
      newPrice: usd(newPrice),
      reason: 'test',
      source,
      timestamp: instant(Date.parse(at)),
    });
  };
  const listing = (sku: string) =>
    addListing(shop.db, sku, {
      currentPrice: usd(20),
      createdAt: instant(Date.parse('2026-01-01T00:00:00Z')),
    });
  const run = () => addRun(shop.db, shop.deps.now(), 'done');
  const sold = (listingId: number, quantitySold: number, saleDate: string) =>
    shop.db.insert(salesHistory).values({
      listingId,
      quantitySold,
      saleDate: instant(Date.parse(saleDate)),
      unitPrice: usd(20),
      totalRevenue: usd(20 * quantitySold),
    });

  test('a day without changes has no effect, and does not make one up', async () => {
    expect(await get('/api/charts/today')).toEqual({
      day: '2026-01-15',
      changes: 0,
      raised: 0,
      lowered: 0,
      undone: 0,
      listings: 0,
      known: 0,
      weeklyEffect: null,
      heldAtFloor: 0,
    });
  });

  test('the effect goes from the first to the last price of a listing, at the units of an average week', async () => {
    const [one, two, unknown] = [await listing('ONE'), await listing('TWO'), await listing('UNKNOWN')];
    // $4.00, $3.60 and $2.00 per sale: at 60 units in 30 days, 14 in a week, $28.00 less.
    await changed(one, await run(), [20, 18], [20, 20]);
    await changed(one, await run(), [18, 16], [20, 12.5], { bindingLimit: 'floor' });
    await sold(one, 60, '2026-01-10T00:00:00Z');
    // Before the 30 days.
    await sold(one, 60, '2025-12-15T00:00:00Z');
    // $4.00 to $6.00 per sale, and none sold.
    await changed(two, await run(), [20, 24], [20, 25]);
    await changed(unknown, await run(), [20, 21], null);
    // Yesterday, and not by a rule.
    await changed(await listing('OLD'), await run(), [20, 10], [20, 1], { at: '2026-01-14T23:59:59.000Z' });
    await changed(await listing('TYPED'), await run(), [20, 10], [20, 1], { source: 'undo' });
    expect(await get('/api/charts/today')).toEqual({
      day: '2026-01-15',
      changes: 4,
      raised: 2,
      lowered: 2,
      undone: 0,
      listings: 3,
      known: 2,
      weeklyEffect: '-28.00',
      heldAtFloor: 1,
    });
  });

  test('applied recommendations count, and what was undone today is no longer worth anything', async () => {
    const [applied, undone] = [await listing('APPLIED'), await listing('UNDONE')];
    await changed(applied, await run(), [20, 24], [20, 25], { source: 'apply' });
    await changed(undone, await run(), [20, 18], [20, 20]);
    // Undone, restored and undone again.
    await changed(undone, await run(), [18, 20], [20, 20], { source: 'undo' });
    await changed(undone, await run(), [20, 18], [20, 20], { source: 'undo' });
    await changed(undone, await run(), [18, 20], [20, 20], { source: 'undo' });
    // Undone and restored: it counts as it was.
    const restored = await listing('RESTORED');
    await changed(restored, await run(), [20, 18], [20, 20], { source: 'rule' });
    await changed(restored, await run(), [18, 20], [20, 20], { source: 'undo' });
    await changed(restored, await run(), [20, 18], [20, 20], { source: 'undo' });
    // Undone past a manual price; and a change of last month undone, which is none of today's.
    const past = await listing('PAST');
    await changed(past, await run(), [20, 18], [20, 20], { source: 'rule' });
    await changed(past, await run(), [18, 22], [20, 20], { source: 'person' });
    await changed(past, await run(), [22, 20], [20, 20], { source: 'undo' });
    const older = await listing('OLDER');
    await changed(older, await run(), [20, 24], [20, 25], { source: 'rule' });
    await changed(older, await run(), [24, 35], [25, 40], { source: 'undo' });
    // A manual price, which is not one of repricing.
    const typed = await listing('TYPED');
    await changed(typed, await run(), [20, 24], [20, 25], { source: 'person' });
    await changed(typed, await run(), [24, 20], [25, 20], { source: 'undo' });
    for (const id of [applied, undone, restored, past, older, typed])
      await sold(id, 30, '2026-01-10T00:00:00Z');
    // Two of $4.00 to $6.00 per sale, and one of $4.00 to $3.60, seven times a week.
    expect(await get('/api/charts/today')).toMatchObject({
      changes: 5,
      raised: 2,
      lowered: 3,
      undone: 2,
      listings: 5,
      known: 5,
      weeklyEffect: '25.20',
    });
  });
});

test('requires a session', async () => {
  expect((await shop.get('/api/charts/today')).statusCode).toBe(401);
  expect((await shop.get('/api/charts/margins')).statusCode).toBe(401);
  expect((await shop.get('/api/charts/price-changes')).statusCode).toBe(401);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { jobs } from '#db/schema/jobs.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { hours, instant } from '#domain/units.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { addListing, setLive } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const DAY = hours(24);
let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

type Metrics = Partial<typeof listingMetrics.$inferInsert>;
const decided = (listingId: number, over: Metrics) =>
  shop.db
    .insert(listingMetrics)
    .values({ listingId, decidedAt: shop.deps.now(), outcome: 'keep', reasonCode: 'already_there', ...over });
const attention = async () => (await shop.get('/api/attention', cookie)).json();
const ago = (time: number) => instant(shop.deps.now() - time);

const CALM = { isHalted: false, items: [], lossPerSale: '0.00', waiting: [] };

test('an empty installation needs no attention', async () => {
  expect(await attention()).toEqual(CALM);
});

test('each kind counts its listings, the most urgent first, without deleted ones', async () => {
  const { db } = shop;
  await decided(await addListing(db, 'WAR-1'), { reasonCode: 'price_war' });
  await decided(await addListing(db, 'WAR-2'), { reasonCode: 'price_war', holdsBuyBox: false });
  await decided(await addListing(db, 'WAR-DELETED', { deletedAt: ago(0) }), { reasonCode: 'price_war' });
  await decided(await addListing(db, 'LIMIT'), { reasonCode: 'held_by_limit', holdsBuyBox: true });
  await decided(await addListing(db, 'REACH'), { outcome: 'recommend', reviewReason: 'outside_move_range' });
  await decided(await addListing(db, 'LOW'), { marginFloor: usd(25), margin: pct(3) });
  await addListing(db, 'LATE', { awaitingUploadSince: ago(DAY + 1) });
  await addListing(db, 'NOT-LATE', { awaitingUploadSince: ago(DAY) });
  expect(await attention()).toEqual({
    ...CALM,
    items: [
      { kind: 'below_floor', count: 1 },
      { kind: 'held_back', count: 2 },
      { kind: 'price_war', count: 2 },
      { kind: 'upload_late', count: 1 },
      { kind: 'buy_box_lost', count: 1 },
    ],
  });
});

test('the loss of one sale of each listing below its margin floor is totaled', async () => {
  const { db } = shop;
  const floor = { marginFloor: usd(25) };
  // Loses 10 % of 20.00 + 5.00; earns, but too little; at its margin floor; unknown margin.
  await decided(await addListing(db, 'LOSES', { shippingCharge: usd(5) }), { ...floor, margin: pct(-10) });
  await decided(await addListing(db, 'EARNS'), { ...floor, margin: pct(3) });
  await decided(await addListing(db, 'ON', { currentPrice: usd(25) }), { ...floor, margin: pct(-10) });
  await decided(await addListing(db, 'UNKNOWN'), { ...floor, margin: null });
  await decided(await addListing(db, 'LOSES-A-CENT'), { ...floor, margin: pct(-0.05) });
  expect(await attention()).toEqual({
    ...CALM,
    items: [{ kind: 'below_floor', count: 4 }],
    lossPerSale: '2.51',
  });
});

test('recommended prices are counted by marketplace, with its mode', async () => {
  const { db } = shop;
  const waits = { recommendedPrice: usd(9), recommendedPriceReason: 'Beat Amazon' };
  await addListing(db, 'A', { ...waits, marketplace: 'etsy' });
  await addListing(db, 'B', { ...waits, marketplace: 'walmart' });
  await addListing(db, 'C', { ...waits, marketplace: 'walmart' });
  await addListing(db, 'D', { marketplace: 'amazon' });
  await setLive(db, 'etsy');
  await db.update(repricingState).set({ halted: true });
  expect(await attention()).toEqual({
    ...CALM,
    isHalted: true,
    waiting: [
      { marketplace: 'walmart', mode: 'recommend_only', count: 2 },
      { marketplace: 'etsy', mode: 'live', count: 1 },
    ],
  });
});

test('jobs that failed in the last seven days, and their list', async () => {
  const job = (title: string, state: 'failed' | 'done' | 'partly_done', endedAgo: number) => ({
    kind: 'import' as const,
    title,
    state,
    summary: 'The file is empty.',
    work: {},
    createdBy: 'Ann',
    createdAt: ago(8 * DAY),
    endedAt: ago(endedAgo),
  });
  await shop.db
    .insert(jobs)
    .values([
      job('Older', 'failed', 7 * DAY),
      job('First', 'failed', 7 * DAY - 1),
      job('Second', 'failed', 0),
      job('Went well', 'done', 0),
      job('Half', 'partly_done', 0),
    ]);
  expect(await attention()).toEqual({ ...CALM, items: [{ kind: 'failed_jobs', count: 2 }] });
  const failed = (await shop.get('/api/jobs?state=failed', cookie)).json();
  expect(failed.map(({ title }: { title: string }) => title)).toEqual(['Second', 'First']);
  expect((await shop.get('/api/jobs?state=done', cookie)).statusCode).toBe(400);
});

test('requires a session', async () => {
  expect((await shop.get('/api/attention')).statusCode).toBe(401);
});

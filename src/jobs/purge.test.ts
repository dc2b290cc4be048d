import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { openQueue } from '#db/queue.ts';
import { oneTimeTokens, sessions, users } from '#db/schema/accounts.ts';
import { feeFacts, feeJumps } from '#db/schema/fee-facts.ts';
import { jobs } from '#db/schema/jobs.ts';
import { boxReadings } from '#db/schema/line-memories.ts';
import { purgeClock } from '#db/schema/purge-clock.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { unlistedSales } from '#db/schema/sales.ts';
import { bps, cents, hours, instant } from '#domain/units.ts';
import { addListing, addRun } from '#tests/support/seed.ts';
import { createTestDatabase, prepareTestQueue, type TestDatabase } from '#tests/support/test-database.ts';
import { purgeJobs } from '#usecases/background/purge-jobs.ts';
import { purgeFeeFacts } from '#usecases/catalog/fees/purge-fee-facts.ts';
import { purgeUnlistedSales } from '#usecases/catalog/sales/purge-unlisted-sales.ts';
import { PURGE, startPurge } from './purge.ts';

const NOW = instant(Date.UTC(2026, 10, 21, 12));
let database: TestDatabase;
let open: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

test('the job deletes what has run out and nothing else', async () => {
  const [user] = await open.db
    .insert(users)
    .values({
      username: 'ann@example.com',
      email: 'ann@example.com',
      password: 'x',
      fullName: 'Ann',
      phoneNumber: '1',
    })
    .returning({ id: users.id });
  const session = (tokenHash: string, expiresAt: number) => ({
    tokenHash,
    userId: user?.id ?? '',
    createdAt: NOW,
    lastSeenAt: NOW,
    stepUpAt: NOW,
    expiresAt: instant(expiresAt),
  });
  await open.db.insert(sessions).values([session('ended', NOW - 1), session('running', NOW + 1)]);
  const token = (tokenHash: string, expiresAt: number) => ({
    tokenHash,
    purpose: 'setup' as const,
    createdAt: NOW,
    expiresAt: instant(expiresAt),
  });
  await open.db.insert(oneTimeTokens).values([token('old', NOW - 1), token('new', NOW + 1)]);

  const oldRun = await addRun(open.db, instant(NOW - hours(100 * 24)), 'done');
  await open.db.insert(jobs).values({
    kind: 'export',
    title: 'Old',
    state: 'done',
    work: {},
    createdBy: 'Ann',
    createdAt: instant(NOW - hours(32 * 24)),
    endedAt: instant(NOW - hours(31 * 24)),
  });

  const listingId = await addListing(open.db, 'A-1');
  const reading = (ago: number) => ({ listingId, readAt: instant(NOW - ago), isOurs: true });
  await open.db.insert(boxReadings).values([reading(hours(6)), reading(hours(6) - 1)]);

  await prepareTestQueue(database, [PURGE]);
  const queue = await openQueue(database.url, [PURGE], (error) => expect.fail(error.message));
  let now = NOW;
  await startPurge(queue, { db: open.db, now: () => now });
  await queue.send(open.db, PURGE, {});
  await expect
    .poll(() => open.db.select({ hash: sessions.tokenHash }).from(sessions))
    .toEqual([{ hash: 'running' }]);
  expect(await open.db.select({ hash: oneTimeTokens.tokenHash }).from(oneTimeTokens)).toEqual([
    { hash: 'new' },
  ]);
  await expect.poll(() => open.db.$count(jobs)).toBe(0);
  expect(await open.db.$count(repricingRuns, eq(repricingRuns.id, oldRun))).toBe(0);
  await expect
    .poll(() => open.db.select({ at: boxReadings.readAt }).from(boxReadings))
    .toEqual([{ at: NOW - hours(6) + 1 }]);

  // A clock that is ahead deletes nothing for a day.
  now = instant(NOW + hours(366 * 24));
  await queue.send(open.db, PURGE, {});
  await expect
    .poll(() => open.db.select({ at: purgeClock.jumpedAt }).from(purgeClock))
    .toEqual([{ at: now }]);
  await queue.close();
  expect(await open.db.$count(sessions)).toBe(1);
  expect(await open.db.$count(boxReadings)).toBe(1);
});

const DAY = hours(24);
const daysAgo = (days: number) => instant(NOW - days * DAY);

test.each([1, 100])('jobs go 30 days after they ended, never before (%d at a time)', async (batch) => {
  await open.db.delete(jobs);
  const job = (title: string, state: (typeof jobs.$inferInsert)['state'], ended: number | null) => ({
    kind: 'export' as const,
    title,
    state,
    summary: 'So.',
    work: {},
    createdBy: 'Ann',
    createdAt: daysAgo(60),
    endedAt: ended === null ? null : daysAgo(ended),
  });
  await open.db
    .insert(jobs)
    .values([
      job('old', 'done', 31),
      job('failed', 'failed', 40),
      job('cancelled unseen', 'cancelled', null),
      job('young', 'partly_done', 29),
      job('waiting', 'queued', null),
      job('running', 'running', null),
    ]);
  expect(await purgeJobs(open.db, NOW, batch)).toBe(3);
  const left = await open.db.select({ title: jobs.title }).from(jobs).orderBy(jobs.id);
  expect(left.map(({ title }) => title)).toEqual(['young', 'waiting', 'running']);
});

test.each([1, 100])(
  'answers about fees go after 400 days, charges after 180, the newest and decided ones never (%d at a time)',
  async (batch) => {
    await open.db.delete(feeFacts);
    await open.db.delete(feeJumps);
    const listingId = await addListing(open.db, `FEES-${batch}`);
    const fact = (days: number, price: number, over: Partial<typeof feeFacts.$inferInsert> = {}) => ({
      listingId,
      kind: 'commission' as const,
      source: 'estimate' as const,
      fulfillmentType: 'FBM' as const,
      askedPrice: cents(price),
      askedShipping: cents(0),
      amount: cents(days),
      toldAt: daysAgo(days),
      ...over,
    });
    const charge = (days: number, price: number, over: Partial<typeof feeFacts.$inferInsert> = {}) =>
      fact(days, price, {
        kind: 'fulfillment',
        source: 'settled',
        fulfillmentType: 'FBA/WFS',
        units: 1,
        ...over,
      });
    await open.db.insert(feeFacts).values([
      fact(420, 2_000),
      fact(410, 2_000),
      fact(399, 2_000),
      fact(415, 2_100),
      fact(414, 2_100, { refusedBecause: 'out_of_range' }),
      fact(413, 2_000, { kind: 'closing' }),
      fact(430, 2_000, { acceptedAt: daysAgo(429) }),
      fact(425, 2_100, { refusedBecause: 'rejected' }),
      // Charges of sales, each at a price of its own.
      charge(200, 2_001),
      charge(190, 2_002, { refusedBecause: 'rejected' }),
      charge(185, 2_003, { acceptedAt: daysAgo(184) }),
      charge(182, 2_004),
      charge(181, 2_005),
    ]);
    const line = {
      marketplace: 'etsy',
      quantitySold: 1,
      unitPrice: cents(1),
      totalRevenue: cents(1),
    } as const;
    const lines = [401, 399].map((days) => ({ ...line, externalId: `${days}`, saleDate: daysAgo(days) }));
    await open.db.insert(unlistedSales).values(lines);
    await purgeUnlistedSales(open.db, NOW);
    const kept = await open.db.delete(unlistedSales).returning({ id: unlistedSales.externalId });
    expect(kept).toEqual([{ id: '399' }]);
    const jump = { listingId, part: 'commission' as const, beforeRate: bps(1_500), toldRate: bps(800) };
    await open.db
      .insert(feeJumps)
      .values([401, 399].map((days) => ({ ...jump, toldAt: daysAgo(days), readAt: daysAgo(days) })));
    expect(await purgeFeeFacts(open.db, NOW, batch)).toBe(4);
    expect(await open.db.select({ at: feeJumps.toldAt }).from(feeJumps)).toEqual([{ at: daysAgo(399) }]);
    const left = await open.db.select({ amount: feeFacts.amount }).from(feeFacts).orderBy(feeFacts.toldAt);
    expect(left.map(({ amount }) => amount)).toEqual([430, 425, 415, 414, 413, 399, 190, 185, 181]);
  },
);

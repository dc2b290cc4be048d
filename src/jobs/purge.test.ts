import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { openQueue } from '#db/queue.ts';
import { oneTimeTokens, sessions, users } from '#db/schema/accounts.ts';
import { listingMetrics } from '#db/schema/metrics.ts';
import { runItems } from '#db/schema/runs.ts';
import { hours, instant } from '#domain/units.ts';
import { addListing, addRun } from '#tests/support/seed.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { purgeExpired } from '#usecases/accounts/purge-expired.ts';
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
    provedAt: NOW,
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

  const queue = await openQueue(database.url, [PURGE], (error) => expect.fail(error.message));
  await startPurge(queue, { db: open.db, now: () => NOW });
  await queue.send(open.db, PURGE, {});
  await expect
    .poll(() => open.db.select({ hash: sessions.tokenHash }).from(sessions), { timeout: 10_000 })
    .toEqual([{ hash: 'running' }]);
  expect(await open.db.select({ hash: oneTimeTokens.tokenHash }).from(oneTimeTokens)).toEqual([
    { hash: 'new' },
  ]);
  await queue.close();
});

test('a decision of 90 days ago goes, unless it is still what the listing was told last', async () => {
  const listingId = await addListing(open.db, 'A-1');
  const day = hours(24);
  const runOf = (daysAgo: number) => addRun(open.db, instant(NOW - daysAgo * day), 'done');
  const [old, current, recent] = [await runOf(200), await runOf(100), await runOf(89)];
  const item = (runId: number, daysAgo: number) => ({
    ...{ runId, listingId, outcome: 'blocked' as const, reasonCode: 'unknown_cost' },
    at: instant(NOW - daysAgo * day),
  });
  await open.db.insert(runItems).values([item(old, 200), item(current, 100), item(recent, 89)]);
  await open.db.insert(listingMetrics).values({ listingId, runId: current, decidedAt: NOW });
  expect(await purgeExpired(open.db, NOW)).toMatchObject({ runItems: 1 });
  const left = await open.db.select({ runId: runItems.runId }).from(runItems);
  expect(left.map(({ runId }) => runId)).toEqual([current, recent]);
});

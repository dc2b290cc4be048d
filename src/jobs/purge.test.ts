import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { openQueue } from '#db/queue.ts';
import { oneTimeTokens, sessions, users } from '#db/schema/accounts.ts';
import { instant } from '#domain/units.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
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

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { insertUser } from '#db/queries/users.ts';
import { openQueue } from '#db/queue.ts';
import { instant } from '#domain/units.ts';
import { aRegistration } from '#tests/support/test-app.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { MAIL, orderMail } from '#usecases/mail/mail-order.ts';
import type { Mail } from '#usecases/mail/mailer.ts';
import { startMail } from './mail.ts';

const now = () => instant(Date.UTC(2026, 10, 21, 12));
/** The same job, whose first retry does not wait for ten seconds. */
const QUICK = { ...MAIL, retry: { limit: 3, firstWaitSeconds: 0 } };
const home = () => 'https://prices.example.com';

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

test('a mail that fails is told, tried again, and then carries another link', async () => {
  const form = { ...aRegistration(), role: 'user', approved: false, emailVerified: false } as const;
  const ann = await insertUser(open.db, form, now());
  const queue = await openQueue(database.url, [QUICK], (error) => expect.fail(error.message));
  const tried: Mail[] = [];
  const troubles: unknown[] = [];
  const send = async (mail: Mail): Promise<void> => {
    tried.push(mail);
    if (tried.length === 1) throw new Error('the mail server is away');
  };
  await startMail(queue, {
    ...{ db: open.db, now, mailer: { send } },
    onTrouble: (error) => troubles.push(error),
  });
  await open.db.transaction((tx) => orderMail(tx, { queue, home }, 'verify_email', ann?.id ?? ''));
  await expect.poll(() => tried.length, { timeout: 20_000 }).toBe(2);
  expect(troubles).toEqual([new Error('the mail server is away')]);
  expect(tried[0]?.text).not.toBe(tried[1]?.text);
  await queue.close();
});

test('somebody who is gone gets no mail, and a rolled back order is none', async () => {
  const queue = await openQueue(database.url, [QUICK], (error) => expect.fail(error.message));
  const tried: Mail[] = [];
  const send = async (mail: Mail): Promise<void> => void tried.push(mail);
  const deps = { queue, home };
  const boss = { ...aRegistration({ email: 'boss@example.com' }), role: 'admin' } as const;
  const user = await insertUser(open.db, { ...boss, approved: true, emailVerified: true }, now());
  const id = user?.id ?? '';
  await orderMail(open.db, deps, 'approved', 'nobody');
  // Verified meanwhile: there is nothing to send.
  await orderMail(open.db, deps, 'verify_email', id);
  const rollback = open.db.transaction(async (tx) => {
    await orderMail(tx, deps, 'two_factor_disabled', id);
    throw new Error('taken back');
  });
  await expect(rollback).rejects.toThrow('taken back');
  await orderMail(open.db, deps, 'password_reset', id);
  const onTrouble = (error: unknown) => expect.fail(String(error));
  await startMail(queue, { db: open.db, now, mailer: { send }, onTrouble });
  await expect
    .poll(() => tried.map(({ to, subject }) => [to, subject]), { timeout: 20_000 })
    .toEqual([['boss@example.com', 'Your Pricewright password was reset']]);
  await queue.close();
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { findUser, insertUser, verifyByToken } from '#db/queries/identity/users.ts';
import { openQueue, type Queue } from '#db/queue.ts';
import { instant } from '#domain/units.ts';
import { tokenIn } from '#tests/support/people.ts';
import { retryNow } from '#tests/support/retry-now.ts';
import { aRegistration } from '#tests/support/test-app.ts';
import { createTestDatabase, prepareTestQueue, type TestDatabase } from '#tests/support/test-database.ts';
import type { Email } from '#usecases/email/mailer.ts';
import { EMAIL_JOB, queueEmail } from '#usecases/email/queued-email.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { makeVerificationLink } from '#usecases/identity/accounts/verification-link.ts';
import { handOverLink } from '#usecases/identity/users/hand-over-link.ts';
import { startEmail } from './email.ts';

const now = () => instant(Date.UTC(2026, 10, 21, 12));
/** The same job, whose first retry does not wait for ten seconds. */
const QUICK = { ...EMAIL_JOB, retry: { limit: 3, firstWaitSeconds: 0 } };
const home = () => 'https://prices.example.com';

let database: TestDatabase;
let open: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
  await prepareTestQueue(database, [QUICK]);
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

test('a failed email is reported and retried, and then contains another link', async () => {
  const form = { ...aRegistration(), role: 'user', approved: false, emailVerified: false } as const;
  const ann = await insertUser(open.db, form, now());
  const queue = await openQueue(database.url, [QUICK], (error) => expect.fail(error.message));
  const attempted: Email[] = [];
  const errors: unknown[] = [];
  const send = async (email: Email): Promise<void> => {
    attempted.push(email);
    if (attempted.length === 1) throw new Error('the mail server is away');
  };
  await startEmail(queue, {
    db: open.db,
    now,
    mailer: { send },
    onError: (error) => errors.push(error),
  });
  await open.db.transaction((tx) => queueEmail(tx, { queue, home }, 'verify_email', ann?.id ?? ''));
  const triesByNow = async () => {
    await retryNow(open.db, QUICK);
    return attempted.length;
  };
  await expect.poll(triesByNow).toBe(2);
  expect(errors).toEqual([new Error('the mail server is away')]);
  expect(attempted[0]?.text).not.toBe(attempted[1]?.text);
  await queue.close();
});

test('a removed user gets no email, and a rolled back order sends none', async () => {
  const queue = await openQueue(database.url, [QUICK], (error) => expect.fail(error.message));
  const attempted: Email[] = [];
  const send = async (email: Email): Promise<void> => void attempted.push(email);
  const deps = { queue, home };
  const boss = { ...aRegistration({ email: 'boss@example.com' }), role: 'admin' } as const;
  const user = await insertUser(open.db, { ...boss, approved: true, emailVerified: true }, now());
  const id = user?.id ?? '';
  await queueEmail(open.db, deps, 'approved', 'removed');
  // Already verified: there is nothing to send.
  await queueEmail(open.db, deps, 'verify_email', id);
  const rollback = open.db.transaction(async (tx) => {
    await queueEmail(tx, deps, 'two_factor_disabled', id);
    throw new Error('taken back');
  });
  await expect(rollback).rejects.toThrow('taken back');
  await queueEmail(open.db, deps, 'password_reset', id);
  const onError = (error: unknown) => expect.fail(String(error));
  await startEmail(queue, { db: open.db, now, mailer: { send }, onError });
  await expect
    .poll(() => attempted.map(({ to, subject }) => [to, subject]))
    .toEqual([['boss@example.com', 'Your Pricewright password was reset']]);
  await queue.close();
});

describe('a link that an administrator copies', () => {
  const person = async (email: string, role: 'user' | 'admin') => {
    const form = { ...aRegistration({ email }), role, approved: role === 'admin' } as const;
    const user = await insertUser(open.db, { ...form, emailVerified: role === 'admin' }, now());
    if (user === null) throw new Error(`${email} is there already`);
    return user;
  };
  const copied = async (queue: Queue, id: string, admin: string): Promise<string> => {
    const editor = { id: admin, name: 'boss', address: '127.0.0.1', requestId: 'r' };
    const { url } = await handOverLink({ db: open.db, now, queue, home, sendsEmail: false }, id, editor);
    return tokenIn(url);
  };

  test.each(['before the email is sent', 'while it is being sent, and that fails'])(
    '%s stays alive',
    async (moment) => {
      const queue = await openQueue(database.url, [QUICK], (error) => expect.fail(error.message));
      const admin = await person(`boss-${moment.length}@example.com`, 'admin');
      const { id } = await person(`new-${moment.length}@example.com`, 'user');
      const attempted: string[] = [];
      let token = '';
      const send = async ({ subject }: Email): Promise<void> => {
        attempted.push(subject);
        if (attempted.length > 1) return;
        token = await copied(queue, id, admin.id);
        throw new Error('the mail server is away');
      };
      await queueEmail(open.db, { queue, home }, 'verify_email', id);
      if (moment.startsWith('before')) {
        token = await copied(queue, id, admin.id);
        attempted.push('none');
      }
      await startEmail(queue, { db: open.db, now, mailer: { send }, onError: () => undefined });
      // A job that is attempted again goes before a younger one.
      await expect.poll(() => attempted.length).toBe(1);
      await queueEmail(open.db, { queue, home }, 'password_reset', id);
      await expect.poll(() => attempted.length).toBe(2);
      expect(attempted[1]).toBe('Your Pricewright password was reset');
      expect(await verifyByToken(open.db, tokenHash(token), now())).toMatchObject({ id });
      await queue.close();
    },
  );

  test('at the same moment as the email is written is not replaced by it', async () => {
    const queue = await openQueue(database.url, [QUICK], (error) => expect.fail(error.message));
    const admin = await person('boss-3@example.com', 'admin');
    const { id } = await person('new-3@example.com', 'user');
    const whenSent = await findUser(open.db, id);
    const token = await copied(queue, id, admin.id);
    if (whenSent === null) throw new Error('not found');
    expect(await makeVerificationLink(open.db, whenSent, home(), now())).toBeNull();
    expect(await verifyByToken(open.db, tokenHash(token), now())).toMatchObject({ id });
    await queue.close();
  });
});

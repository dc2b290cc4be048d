import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUserByUsername } from '#db/queries/identity/users.ts';
import { aRegistration, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';
import { createPasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';

const login = (username: string, password = PASSWORD) => ({ username, password, twoFactorToken: '' });

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

/** An approved user in addition to the administrator. */
async function anApprovedUser(): Promise<void> {
  await shop.admin();
  await shop.post('/api/register', aRegistration());
  await approveUser(shop.deps, 'ann@example.com', false);
}

test('an unknown name and a wrong password get the same response', async () => {
  await anApprovedUser();
  const wrong = await shop.post('/api/login', login('ann@example.com', 'not this one'));
  const unknown = await shop.post('/api/login', login('unknown@example.com', 'not this one'));
  const waiting = await shop.post('/api/register', aRegistration({ email: 'w@example.com' }));
  expect(waiting.statusCode).toBe(201);
  const unready = await shop.post('/api/login', login('w@example.com', 'not this one'));
  for (const answer of [wrong, unknown, unready]) {
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      code: 'invalid_credentials',
      message: 'The email address or password is incorrect.',
      requestId: answer.headers['x-request-id'],
    });
  }
});

test('waiting for approval is only reported after the correct password', async () => {
  await shop.admin();
  await shop.post('/api/register', aRegistration());
  const answer = await shop.post('/api/login', login('ann@example.com'));
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toMatchObject({ code: 'not_approved' });
  await shop.db.execute(sql`update users set approved = true`);
  const unverified = await shop.post('/api/login', login('ann@example.com'));
  expect(unverified.json()).toMatchObject({ code: 'not_verified' });
});

test.each([
  ['a new password', sql`password = 'another hash'`],
  ['a new role', sql`role = 'admin'`],
  ['a withdrawn approval', sql`approved = false`],
  ['a withdrawn verification', sql`email_verified = false`],
  ['a second factor', sql`two_factor_enabled = true`],
  ['a required new password', sql`must_change_password = true`],
])('%s between the check of the password and the session wins', async (_, change) => {
  await anApprovedUser();
  const { passwords } = shop.deps;
  const racing = await createTestApp({
    db: shop.db,
    passwords: {
      ...passwords,
      verify: async (stored, password) => {
        const matches = await passwords.verify(stored, password);
        await shop.db.execute(sql`update users set ${change} where username = 'ann@example.com'`);
        return matches;
      },
    },
  });
  const answer = await racing.post('/api/login', login('ann@example.com'));
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({ code: 'conflict', message: expect.stringMatching(/Try again/) });
  expect(answer.cookies).toEqual([]);
  const { rows } = await shop.db.execute(
    sql`select from sessions s join users u on u.id = s.user_id where username = 'ann@example.com'`,
  );
  expect(rows).toEqual([]);
  await racing.close();
});

test('an account that needs a new password gets no session for the current one', async () => {
  await anApprovedUser();
  await shop.db.execute(sql`update users set must_change_password = true where username = 'ann@example.com'`);
  expect((await shop.post('/api/login', login('ann@example.com', 'wrong one'))).statusCode).toBe(401);
  const answer = await shop.post('/api/login', login('ann@example.com'));
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toMatchObject({
    code: 'password_change_required',
    message: expect.stringMatching(/Choose a new one/),
  });
  expect(answer.cookies).toEqual([]);
});

test('of many concurrent attempts no more than five are checked', async () => {
  await anApprovedUser();
  const tries = Array.from({ length: 20 }, () =>
    shop.post('/api/login', login('ann@example.com', 'wrong one')),
  );
  const statuses = (await Promise.all(tries)).map((answer) => answer.statusCode);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(15);
});

test('waits grow, end automatically, and the correct password resets the count', async () => {
  await anApprovedUser();
  const wrong = () => shop.post('/api/login', login('ann@example.com', 'wrong one'));
  for (let n = 0; n < 5; n += 1) await wrong();
  const waits: number[] = [];
  for (let n = 0; n < 7; n += 1) {
    const refused = await wrong();
    expect(refused.json()).toMatchObject({ code: 'too_many_requests' });
    const wait = Number(refused.headers['retry-after']);
    waits.push(wait);
    shop.advance(wait * 1_000);
    expect((await wrong()).statusCode).toBe(401);
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
  // Even the correct password must wait, or the limit would reveal that it was found.
  expect((await shop.post('/api/login', login('ann@example.com'))).statusCode).toBe(429);
  shop.advance(900 * 1_000);
  expect((await shop.post('/api/login', login('ann@example.com'))).statusCode).toBe(200);
  expect((await wrong()).statusCode).toBe(401);
});

test('an unknown name is limited exactly like a known one', async () => {
  for (let n = 0; n < 5; n += 1) await shop.post('/api/login', login('unknown@example.com'));
  expect((await shop.post('/api/login', login('unknown@example.com'))).statusCode).toBe(429);
});

test('one address cannot try many names without limit', async () => {
  await shop.admin();
  const statuses: number[] = [];
  for (let n = 0; n < 52; n += 1) {
    const answer = await shop.post('/api/login', login(`u${n}@example.com`), {
      remoteAddress: '203.0.113.7',
    });
    statuses.push(answer.statusCode);
  }
  expect(statuses.slice(0, 50).every((status) => status === 401)).toBe(true);
  expect(statuses.slice(50)).toEqual([429, 429]);
  expect((await shop.post('/api/login', login('boss@example.com'))).statusCode).toBe(200);
});

test('attempts refused by the account limit do not lock out the address, and vice versa', async () => {
  await anApprovedUser();
  const tries = (names: string[]) =>
    Promise.all(names.map((name) => shop.post('/api/login', login(name, 'wrong one'))));
  await tries(Array.from({ length: 100 }, () => 'ann@example.com'));
  expect((await shop.post('/api/login', login('boss@example.com'))).statusCode).toBe(200);
  // With ann's five the address has its fifty.
  for (let n = 0; n < 45; n += 1) await tries([`u${n}@example.com`]);
  expect(
    (await tries(Array.from({ length: 10 }, () => 'boss@example.com'))).map((a) => a.statusCode),
  ).toEqual(Array.from({ length: 10 }, () => 429));
  const elsewhere = await shop.post('/api/login', login('boss@example.com'), {
    remoteAddress: '203.0.113.7',
  });
  expect(elsewhere.statusCode).toBe(200);
});

test('of many concurrent attempts for many names an address gets no more than fifty', async () => {
  await shop.admin();
  const tries = Array.from({ length: 70 }, (_, n) =>
    shop.post('/api/login', login(`u${n % 35}@example.com`)),
  );
  const statuses = (await Promise.all(tries)).map((answer) => answer.statusCode);
  // What the hasher's queue refuses is not counted as an attempt.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(50);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
});

test('an old, weaker hash is renewed at the next login', async () => {
  const strict = await createTestApp({ passwords: createPasswordHasher() });
  await strict.admin();
  const weak = await createPasswordHasher({ memoryCost: 19_456, timeCost: 2, parallelism: 1 }).hash(PASSWORD);
  await strict.db.execute(sql`update users set password = ${weak}`);
  await strict.logIn('boss@example.com');
  const row = await findUserByUsername(strict.db, 'boss@example.com');
  expect(row?.password).toMatch(/t=3/);
  await strict.logIn('boss@example.com');
  await strict.close();
});

test('passwords count exactly as typed, including spaces', async () => {
  await shop.admin();
  await shop.post('/api/register', aRegistration({ password: ' two spaces around ' }));
  await approveUser(shop.deps, 'ann@example.com', false);
  expect((await shop.post('/api/login', login('ann@example.com', 'two spaces around'))).statusCode).toBe(401);
  expect((await shop.post('/api/login', login('ann@example.com', ' two spaces around '))).statusCode).toBe(
    200,
  );
});

test('attempts are in the audit log, without secrets', async () => {
  await anApprovedUser();
  await shop.post('/api/login', login('ann@example.com', 'wrong one'));
  await shop.logIn('ann@example.com');
  const { rows } = await shop.db.execute(sql`select action, actor from audit_log order by id`);
  expect(rows).toEqual([
    { action: 'user.registered', actor: 'boss@example.com' },
    { action: 'user.registered', actor: 'ann@example.com' },
    { action: 'user.approved', actor: 'command line' },
    { action: 'login.failed', actor: 'ann@example.com' },
    { action: 'login.succeeded', actor: 'ann@example.com' },
  ]);
  expect(shop.log.join('')).not.toContain(PASSWORD);
});

test('the start of a lockout is in the audit log, once', async () => {
  await anApprovedUser();
  const ids: unknown[] = [];
  for (let n = 0; n < 8; n += 1) {
    const answer = await shop.post('/api/login', login('ann@example.com', 'wrong one'));
    ids.push(answer.headers['x-request-id']);
  }
  const ann = await findUserByUsername(shop.db, 'ann@example.com');
  const { rows } = await shop.db.execute(
    sql`select actor_id, actor, target_kind, target_id, address, request_id, at, after
      from audit_log where action = 'login.locked'`,
  );
  expect(rows).toEqual([
    {
      actor_id: ann?.id,
      actor: 'ann@example.com',
      target_kind: 'user',
      target_id: ann?.id,
      address: '127.0.0.1',
      request_id: ids[4],
      at: expect.anything(),
      after: { until: new Date(shop.deps.now() + 30_000).toISOString() },
    },
  ]);
});

test('an address that is locked out is in the audit log', async () => {
  for (let n = 0; n < 51; n += 1) await shop.post('/api/login', login(`u${n}@example.com`));
  const { rows } = await shop.db.execute(
    sql`select actor, target_kind, target_id from audit_log where action = 'login.locked'`,
  );
  expect(rows).toEqual([{ actor: null, target_kind: 'address', target_id: '127.0.0.1' }]);
});

test('what was typed as a name is stored only as a hash: it may be a password', async () => {
  await shop.post('/api/login', login('My Secret 123'));
  const { rows } = await shop.db.execute(sql`select subject from login_attempts order by subject`);
  const hash = createHash('sha256').update('my secret 123').digest('hex');
  expect(rows.map(({ subject }) => subject)).toEqual([
    `account:${hash}`,
    `account:${hash} from 127.0.0.1`,
    'address:127.0.0.1',
  ]);
});

test('letters that fold to the same name share its limit', async () => {
  await anApprovedUser();
  await shop.db.execute(sql`update users set username = 'mini@example.com' where role = 'user'`);
  // JavaScript and PostgreSQL lower-case a Turkish capital I with a dot differently.
  const names = ['mini@example.com', 'm\u0130ni@example.com', 'min\u0130@example.com'];
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const answer = await shop.post('/api/login', login(names[n % 3] ?? '', 'wrong one'));
    statuses.push(answer.statusCode);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

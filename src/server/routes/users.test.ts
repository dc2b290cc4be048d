import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUserByEmail } from '#db/queries/identity/users.ts';
import { listenAs } from '#tests/support/listening-browser.ts';
import { aReadyUser, aWaitingUser, callAs, deliver, idOf } from '#tests/support/people.ts';
import { createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';

const MINUTE = 60_000;
const NEW_PASSWORD = 'seven green dogs sing';

let shop: TestApp;
let admin: string;
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
});
afterEach(() => shop.close());

const put = (path: string, body?: object) => callAs(shop, admin, 'PUT', `/api/users/${path}`, body);
const remove = (id: string, cookie = admin) => callAs(shop, cookie, 'DELETE', `/api/users/${id}`);
const userOf = (email: string) => findUserByEmail(shop.db, email);
const login = (email: string, password: string) =>
  shop.post('/api/login', { username: email, password, twoFactorToken: '' });

async function auditOf(action: string): Promise<unknown[]> {
  const { rows } = await shop.db.execute(
    sql`select actor, target_kind, target_id, before, after, address, request_id from audit_log where action = ${action}`,
  );
  return rows;
}

test('the list has everything about accounts but their secrets', async () => {
  shop.advance(MINUTE);
  await aWaitingUser(shop, 'ann@example.com');
  const answer = await shop.get('/api/users', admin);
  expect(answer.json()).toEqual([
    expect.objectContaining({ username: 'boss@example.com', role: 'admin', verifiesBy: null }),
    {
      id: expect.any(String),
      username: 'ann@example.com',
      email: 'ann@example.com',
      fullName: 'Ann Arbor',
      phoneNumber: '+1 555 0100',
      role: 'user',
      approved: false,
      emailVerified: false,
      twoFactorEnabled: false,
      mustChangePassword: false,
      verifiesBy: 'link',
      createdAt: new Date(shop.deps.now()).toISOString(),
    },
  ]);
});

test('a user may neither see nor change them', async () => {
  const id = await aReadyUser(shop, 'ann@example.com');
  const cookie = await shop.logIn('ann@example.com');
  expect((await shop.get('/api/users', cookie)).statusCode).toBe(403);
  expect((await callAs(shop, cookie, 'PUT', `/api/users/${id}/role`, { role: 'admin' })).statusCode).toBe(
    403,
  );
  expect(await userOf('ann@example.com')).toMatchObject({ role: 'user' });
});

test('approving lets a user in, notifies them, and is logged once', async () => {
  const id = await aWaitingUser(shop, 'ann@example.com');
  await deliver(shop);
  const answer = await put(`${id}/approve`);
  expect(answer.json()).toMatchObject({ id, approved: true, emailVerified: false });
  await put(`${id}/approve`);
  expect((await deliver(shop)).map(({ to, subject }) => [to, subject])).toEqual([
    ['ann@example.com', 'Your Pricewright account is approved'],
  ]);
  expect(await auditOf('user.approved')).toEqual([
    {
      actor: 'boss@example.com',
      target_kind: 'user',
      target_id: id,
      before: { approved: false, username: 'ann@example.com' },
      after: { approved: true },
      address: '127.0.0.1',
      request_id: answer.headers['x-request-id'],
    },
  ]);
});

/** Each of these removes something from an account that its open browsers still had. */
const ENDINGS = [
  ['withdrawing the approval', 'withdraw-approval', undefined],
  ['a reset of the password', 'reset-password', { newPassword: NEW_PASSWORD }],
  ['another role', 'role', { role: 'admin' }],
  ['switching the second factor off', 'disable-2fa', undefined],
] as const;

test.each(ENDINGS)('%s ends only the sessions and streams of that user', async (_, verb, body) => {
  const id = await aReadyUser(shop, 'ann@example.com');
  const ann = await shop.logIn('ann@example.com');
  await shop.db.execute(sql`update users set two_factor_enabled = true where id = ${id}`);
  const { ended, stop } = await listenAs(shop, ann);
  expect((await put(`${id}/${verb}`, body)).statusCode).toBe(200);
  // Immediately: a heartbeat would end it too, much later.
  expect(shop.deps.liveStreams.count).toBe(0);
  expect(await ended).toContain('signedOut');
  expect((await shop.get('/api/user', ann)).statusCode).toBe(401);
  expect((await shop.get('/api/user', admin)).statusCode).toBe(200);
  stop();
});

test('removing a user ends their sessions and streams, and deletes everything of the account', async () => {
  const id = await aReadyUser(shop, 'ann@example.com');
  const ann = await shop.logIn('ann@example.com');
  const { ended, stop } = await listenAs(shop, ann);
  expect((await remove(id)).statusCode).toBe(200);
  expect(shop.deps.liveStreams.count).toBe(0);
  expect(await ended).toContain('signedOut');
  stop();
  expect(await userOf('ann@example.com')).toBeNull();
  expect((await shop.get('/api/user', ann)).statusCode).toBe(401);
  expect(await auditOf('user.removed')).toMatchObject([
    { target_id: id, before: { username: 'ann@example.com', approved: true, role: 'user' } },
  ]);
  expect((await remove(id)).json()).toMatchObject({ code: 'not_found' });
});

test('an administrator cannot be removed', async () => {
  const id = await aReadyUser(shop, 'ann@example.com', true);
  const answer = await remove(id);
  expect(answer.statusCode).toBe(409);
  expect(answer.json().message).toMatch(/^Administrators cannot be removed/);
});

test('the last administrator keeps role and approval', async () => {
  const boss = await idOf(shop, 'boss@example.com');
  // An administrator who cannot log in does not count.
  const waiting = await aReadyUser(shop, 'ann@example.com', true);
  await shop.db.execute(sql`update users set approved = false where id = ${waiting}`);
  for (const answer of [
    await put(`${boss}/role`, { role: 'user' }),
    await put(`${boss}/withdraw-approval`),
  ]) {
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toMatch(/^This is the last administrator/);
  }
  expect(await userOf('boss@example.com')).toMatchObject({ role: 'admin', approved: true });
});

test("two administrators who remove each other's role at the same time leave one", async () => {
  const boss = await idOf(shop, 'boss@example.com');
  const ann = await aReadyUser(shop, 'ann@example.com', true);
  const annsCookie = await shop.logIn('ann@example.com');
  const cookies = [admin, annsCookie];
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([
      callAs(shop, cookies[0] ?? '', 'PUT', `/api/users/${ann}/role`, { role: 'user' }),
      callAs(shop, cookies[1] ?? '', 'PUT', `/api/users/${boss}/role`, { role: 'user' }),
    ]);
    const left = await shop.db.execute(sql`select username from users where role = 'admin'`);
    expect(left.rows).toHaveLength(1);
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
    await shop.db.execute(sql`update users set role = 'admin'`);
    cookies.splice(0, 2, await shop.logIn('boss@example.com'), await shop.logIn('ann@example.com'));
  }
});

test('an administrator who was demoted during his request changes nothing', async () => {
  const ann = await aReadyUser(shop, 'ann@example.com', true);
  const carl = await aWaitingUser(shop, 'carl@example.com');
  const annsCookie = await shop.logIn('ann@example.com');
  const answers: number[] = [];
  await shop.db.transaction(async (tx) => {
    // Locks the administrators as a change does; ann's request passes its checks and waits here.
    await tx.execute(sql`select from users where role = 'admin' order by id for no key update`);
    const late = callAs(shop, annsCookie, 'PUT', `/api/users/${carl}/approve`);
    void late.then(({ statusCode }) => answers.push(statusCode));
    await expect
      .poll(async () => {
        const { rows } = await shop.db.execute(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
    await tx.execute(sql`update users set role = 'user' where id = ${ann}`);
  });
  await expect.poll(() => answers).toEqual([403]);
  expect(await userOf('carl@example.com')).toMatchObject({ approved: false });
});

test("one's own role can be given away when another administrator stays, and that ends one's session", async () => {
  const boss = await idOf(shop, 'boss@example.com');
  await aReadyUser(shop, 'ann@example.com', true);
  expect((await put(`${boss}/role`, { role: 'user' })).json()).toMatchObject({ role: 'user' });
  expect((await shop.get('/api/user', admin)).statusCode).toBe(401);
});

test('a reset password only allows choosing another one', async () => {
  const id = await aReadyUser(shop, 'ann@example.com');
  await deliver(shop);
  for (let n = 0; n < 6; n += 1) await login('ann@example.com', 'wrong one');
  expect((await put(`${id}/reset-password`, { newPassword: NEW_PASSWORD })).json()).toMatchObject({
    mustChangePassword: true,
  });
  expect((await deliver(shop)).map(({ subject }) => subject)).toEqual([
    'Your Pricewright password was reset',
  ]);
  expect((await login('ann@example.com', PASSWORD)).statusCode).toBe(401);
  const answer = await login('ann@example.com', NEW_PASSWORD);
  expect(answer.json()).toMatchObject({ code: 'password_change_required' });
  expect(answer.cookies).toEqual([]);
  const { rows } = await shop.db.execute(sql`select before, after from audit_log`);
  expect(JSON.stringify(rows)).not.toMatch(/argon2|seven green/);
});

test.each([
  ['a short one', 'seven77'],
  ['a common one', 'Password123'],
  ['one made from the email address', 'annabel.lee1'],
])('%s is refused as a reset password', async (_, newPassword) => {
  const id = await aReadyUser(shop, 'annabel.lee@example.com');
  const answer = await put(`${id}/reset-password`, { newPassword });
  expect(answer.json()).toMatchObject({
    code: 'validation_failed',
    fields: { newPassword: expect.any(String) },
  });
  expect((await login('annabel.lee@example.com', PASSWORD)).statusCode).toBe(200);
});

test('turning the second factor off deletes its secret and its recovery codes', async () => {
  const id = await aReadyUser(shop, 'ann@example.com');
  await deliver(shop);
  await shop.db.execute(sql`update users set two_factor_enabled = true, two_factor_secret = 'x', two_factor_last_step = 7
    where id = ${id}`);
  await shop.db.execute(
    sql`insert into recovery_codes (user_id, handle, code_hash) values (${id}, 'x', 'x')`,
  );
  expect((await put(`${id}/disable-2fa`)).json()).toMatchObject({ twoFactorEnabled: false });
  expect(await userOf('ann@example.com')).toMatchObject({ twoFactorSecret: null, twoFactorLastStep: null });
  expect((await shop.db.execute(sql`select from recovery_codes`)).rows).toEqual([]);
  expect((await deliver(shop)).map(({ subject }) => subject)).toEqual([
    'Two-factor authentication was turned off',
  ]);
  expect(await auditOf('user.two_factor_disabled')).toMatchObject([
    {
      actor: 'boss@example.com',
      target_id: id,
      before: { twoFactorEnabled: true, username: 'ann@example.com' },
      after: { twoFactorEnabled: false },
    },
  ]);
});

test("one's own second factor is not turned off without a code", async () => {
  const boss = await idOf(shop, 'boss@example.com');
  await shop.db.execute(sql`update users set two_factor_enabled = true where id = ${boss}`);
  const answer = await put(`${boss}/disable-2fa`);
  expect(answer.statusCode).toBe(409);
  expect(answer.json().message).toMatch(/^This is your own account/);
  expect(await userOf('boss@example.com')).toMatchObject({ twoFactorEnabled: true });
});

test('ten minutes after the login a change requires the password again', async () => {
  const id = await aWaitingUser(shop, 'ann@example.com');
  shop.advance(10 * MINUTE);
  expect((await put(`${id}/approve`)).statusCode).toBe(200);
  shop.advance(1);
  for (const answer of [
    await put(`${id}/withdraw-approval`),
    await put(`${id}/disable-2fa`),
    await remove(id),
  ]) {
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'step_up_required' });
  }
  expect(await userOf('ann@example.com')).toMatchObject({ approved: true });
  expect((await shop.get('/api/users', admin)).statusCode).toBe(200);
  await callAs(shop, admin, 'POST', '/api/step-up', { password: PASSWORD });
  expect((await put(`${id}/withdraw-approval`)).statusCode).toBe(200);
});

import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { cookieOf, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';

const MINUTE = 60_000;
const TEMPORARY = 'temporary words of an admin';
const CHOSEN = 'eleven quiet owls listen';

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

const change = (password: string, newPassword: string, username = 'ann@example.com') =>
  shop.post('/api/change-password', { username, password, newPassword });
const login = (password: string) =>
  shop.post('/api/login', { username: 'ann@example.com', password, twoFactorToken: '' });

/** Ann, whose password an administrator has just reset. */
async function aResetUser(): Promise<void> {
  const admin = await shop.admin();
  const id = await aReadyUser(shop, 'ann@example.com');
  await callAs(shop, admin, 'PUT', `/api/users/${id}/reset-password`, { newPassword: TEMPORARY });
}

test('a user who must choose a new password is logged in by that', async () => {
  await aResetUser();
  const answer = await change(TEMPORARY, CHOSEN);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ username: 'ann@example.com', role: 'user' });
  expect((await shop.get('/api/user', cookieOf(answer))).statusCode).toBe(200);
  expect((await login(TEMPORARY)).statusCode).toBe(401);
  expect((await login(CHOSEN)).statusCode).toBe(200);
});

test('a changed password ends the earlier sessions', async () => {
  await shop.admin();
  await aReadyUser(shop, 'ann@example.com');
  const before = await shop.logIn('ann@example.com');
  const answer = await change(PASSWORD, CHOSEN);
  expect((await shop.get('/api/user', before)).statusCode).toBe(401);
  expect((await shop.get('/api/user', cookieOf(answer))).statusCode).toBe(200);
});

test.each([
  ['the same again', TEMPORARY],
  ['a short one', 'seven77'],
  ['a common one', 'Password123'],
])('%s is no new password', async (_, newPassword) => {
  await aResetUser();
  const answer = await change(TEMPORARY, newPassword);
  expect(answer.json()).toMatchObject({
    code: 'validation_failed',
    fields: { newPassword: expect.any(String) },
  });
  expect((await login(TEMPORARY)).json()).toMatchObject({ code: 'password_change_required' });
});

test('a wrong password changes nothing and reveals nothing about the account', async () => {
  await aResetUser();
  const wrong = await change('not this one', CHOSEN);
  const unknown = await change('not this one', CHOSEN, 'unknown@example.com');
  for (const answer of [wrong, unknown]) {
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: 'invalid_credentials' });
  }
});

test('an account that may not log in may not change its password either', async () => {
  await aResetUser();
  await shop.db.execute(sql`update users set approved = false where username = 'ann@example.com'`);
  expect((await change(TEMPORARY, CHOSEN)).json()).toMatchObject({ code: 'not_approved' });
  await shop.db.execute(sql`update users set approved = true, two_factor_enabled = true`);
  expect((await change(TEMPORARY, CHOSEN)).json()).toMatchObject({ code: 'two_factor_required' });
});

test('of many concurrent changes one wins', async () => {
  await aResetUser();
  const answers = await Promise.all([1, 2, 3].map((n) => change(TEMPORARY, `${CHOSEN} ${n}`)));
  const statuses = answers.map(({ statusCode }) => statusCode).sort();
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  const { rows } = await shop.db.execute(sql`select from sessions s join users u on u.id = s.user_id
    where u.username = 'ann@example.com'`);
  expect(rows).toHaveLength(1);
});

test('login and change share one limit: the other call allows no further attempts', async () => {
  await aResetUser();
  for (let n = 0; n < 3; n += 1) await login('wrong one');
  for (let n = 0; n < 2; n += 1) await change('wrong one', CHOSEN);
  expect((await change(TEMPORARY, CHOSEN)).statusCode).toBe(429);
  expect((await login(TEMPORARY)).statusCode).toBe(429);
});

test('the step-up has a limit of its own, which no other caller can use up', async () => {
  const admin = await shop.admin();
  const stepUp = (password: string) => callAs(shop, admin, 'POST', '/api/step-up', { password });
  const stranger = { username: 'boss@example.com', password: 'wrong one', twoFactorToken: '' };
  for (let n = 0; n < 6; n += 1) await shop.post('/api/login', stranger);
  expect((await shop.post('/api/login', stranger)).statusCode).toBe(429);
  expect((await stepUp(PASSWORD)).statusCode).toBe(200);
  for (let n = 0; n < 5; n += 1) expect((await stepUp('wrong one')).statusCode).toBe(400);
  expect((await stepUp(PASSWORD)).statusCode).toBe(429);
});

test('a wrong password at the step-up does not end the session and confirms nothing', async () => {
  const admin = await shop.admin();
  shop.advance(11 * MINUTE);
  const answer = await callAs(shop, admin, 'POST', '/api/step-up', { password: 'not this one' });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ fields: { password: 'This password is wrong.' } });
  expect((await shop.get('/api/user', admin)).statusCode).toBe(200);
  expect((await callAs(shop, admin, 'DELETE', '/api/users/0')).json()).toMatchObject({
    code: 'step_up_required',
  });
});

test('a step-up counts for its own session, for ten minutes', async () => {
  const first = await shop.admin();
  const second = await shop.logIn('boss@example.com');
  shop.advance(11 * MINUTE);
  await callAs(shop, first, 'POST', '/api/step-up', { password: PASSWORD });
  const isRequired = async (cookie: string) =>
    (await callAs(shop, cookie, 'DELETE', '/api/users/0')).json().code === 'step_up_required';
  expect([await isRequired(first), await isRequired(second)]).toEqual([false, true]);
  shop.advance(10 * MINUTE + 1);
  expect(await isRequired(first)).toBe(true);
});

test('attempts are in the audit log, without secrets', async () => {
  await aResetUser();
  const admin = await shop.logIn('boss@example.com');
  await change('not this one', CHOSEN);
  await change(TEMPORARY, TEMPORARY);
  await change(TEMPORARY, CHOSEN);
  await callAs(shop, admin, 'POST', '/api/step-up', { password: 'not this one' });
  await callAs(shop, admin, 'POST', '/api/step-up', { password: PASSWORD });
  const { rows } = await shop.db.execute(
    sql`select action, actor from audit_log where action ~ '^(password_change|step_up)' order by id`,
  );
  expect(rows).toEqual([
    { action: 'password_change.failed', actor: 'ann@example.com' },
    { action: 'password_change.refused', actor: 'ann@example.com' },
    { action: 'password_change.succeeded', actor: 'ann@example.com' },
    { action: 'step_up.failed', actor: 'boss@example.com' },
    { action: 'step_up.succeeded', actor: 'boss@example.com' },
  ]);
  for (const secret of [TEMPORARY, CHOSEN, PASSWORD]) expect(shop.log.join('')).not.toContain(secret);
});

test('a changed password ends the streams of the other browsers; the own one may open its stream again', async () => {
  await shop.admin();
  await aReadyUser(shop, 'ann@example.com');
  const [own, other] = [await shop.logIn('ann@example.com'), await shop.logIn('ann@example.com')];
  const origin = await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const streams = [own, other].map(async (cookie) =>
    (await fetch(`${origin}/api/events`, { headers: { cookie } })).text(),
  );
  await expect.poll(() => shop.deps.liveStreams.count).toBe(2);
  const payload = { username: 'ann@example.com', password: PASSWORD, newPassword: CHOSEN };
  const answer = await callAs(shop, own, 'POST', '/api/change-password', payload);
  expect(shop.deps.liveStreams.count).toBe(0);
  const [ofOwn, ofOther] = await Promise.all(streams);
  expect(ofOwn).not.toContain('signedOut');
  expect(ofOther).toContain('signedOut');
  expect((await shop.get('/api/user', own)).statusCode).toBe(401);
  expect((await shop.get('/api/user', cookieOf(answer))).statusCode).toBe(200);
});

import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aToken, callWith } from '#tests/support/api-tokens.ts';
import { aReadyUser, callAs, deliver, tokenIn } from '#tests/support/people.ts';
import { aRegistration, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';

const ANN = 'ann@example.com';
const CHOSEN = 'eleven quiet owls listen 3';
const MINUTE = 60_000;

let shop: TestApp;
let admin: string;
let id: string;
beforeEach(async () => {
  shop = await createTestApp({ sendsEmail: true, home: () => 'https://prices.example.com' });
  admin = await shop.admin();
  id = await aReadyUser(shop, ANN);
  await deliver(shop);
});
afterEach(() => shop.close());

const forgot = (username: string) => shop.post('/api/forgot-password', { username });
const reset = (token: string, newPassword = CHOSEN, more: object = {}) =>
  shop.post('/api/reset-password', { token, newPassword, ...more });
const logIn = (password: string) => shop.post('/api/login', { username: ANN, password, twoFactorToken: '' });

/** The token of the newest link that Ann gets. */
async function link(): Promise<string> {
  await forgot(ANN);
  const [email] = await deliver(shop);
  expect(email?.to).toBe(ANN);
  expect(email?.text).toContain('https://prices.example.com/reset-password?token=');
  return tokenIn(email?.text);
}

test('a link chooses a new password once, ends all sessions and lockouts, and opens none', async () => {
  const session = await shop.logIn(ANN, PASSWORD);
  for (let n = 0; n < 8; n += 1) await logIn('not the password');
  const program = await aToken(shop, ANN);
  const token = await link();
  const answer = await reset(token);
  expect(answer.statusCode).toBe(200);
  expect(answer.cookies).toEqual([]);
  expect((await shop.get('/api/user', session)).statusCode).toBe(401);
  expect((await callWith(shop, program, 'GET', '/api/stats')).json().code).toBe('token_invalid');
  expect((await logIn(CHOSEN)).statusCode).toBe(200);
  expect((await logIn(PASSWORD)).statusCode).toBe(401);
  const [reported] = await deliver(shop);
  expect(reported?.to).toBe(ANN);
  expect((await reset(token, `${CHOSEN} again`)).statusCode).toBe(404);
  const { rows } = await shop.db.execute<{ action: string }>(
    sql`SELECT action FROM audit_log WHERE action LIKE 'password_link.%' ORDER BY id`,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'password_link.requested',
    'password_link.used',
    'password_link.failed',
  ]);
});

test('whether there is an account is shown to no one but its owner', async () => {
  await shop.post('/api/register', aRegistration({ email: 'waits@example.com' }));
  await deliver(shop);
  const answers = [];
  for (const name of [ANN, 'stranger@example.com', 'waits@example.com']) answers.push(await forgot(name));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect((await deliver(shop)).map(({ to }) => to)).toEqual([ANN]);
});

test('a link works for an hour, and until there is a newer one', async () => {
  const first = await link();
  const second = await link();
  expect((await reset(first)).statusCode).toBe(404);
  shop.advance(60 * MINUTE);
  expect((await reset(second)).statusCode).toBe(404);
  const third = await link();
  shop.advance(59 * MINUTE);
  expect((await reset(third)).statusCode).toBe(200);
});

test('a weak password and a missing second factor do not use the link up', async () => {
  const token = await link();
  const weak = await reset(token, 'password12');
  expect(weak.statusCode).toBe(400);
  expect(weak.json().fields).toHaveProperty('newPassword');
  await shop.db.execute(sql`UPDATE users SET two_factor_enabled = true WHERE id = ${id}`);
  const answer = await reset(token);
  expect(answer.json()).toMatchObject({ code: 'two_factor_required' });
  await shop.db.execute(sql`UPDATE users SET two_factor_enabled = false WHERE id = ${id}`);
  expect((await reset(token)).statusCode).toBe(200);
});

test('a link dies with a changed password, an administrator’s reset and the account', async () => {
  const own = await link();
  await shop.post('/api/change-password', { username: ANN, password: PASSWORD, newPassword: CHOSEN });
  expect((await reset(own, PASSWORD)).statusCode).toBe(404);
  const before = await link();
  const temporary = { newPassword: 'temporary words of an admin' };
  await callAs(shop, admin, 'PUT', `/api/users/${id}/reset-password`, temporary);
  expect((await reset(before)).statusCode).toBe(404);
});

test('an account gets three links, then one an hour, and the answer does not show it', async () => {
  for (let n = 0; n < 5; n += 1) expect((await forgot(ANN)).statusCode).toBe(200);
  expect(await deliver(shop)).toHaveLength(3);
  shop.advance(61 * MINUTE);
  await forgot(ANN);
  expect(await deliver(shop)).toHaveLength(1);
});

test('of two that use a link at the same time one succeeds', async () => {
  const token = await link();
  const codes = (await Promise.all([reset(token), reset(token, `${CHOSEN} too`)])).map(
    ({ statusCode }) => statusCode,
  );
  expect(codes.filter((code) => code === 200)).toHaveLength(1);
});

test('a server that sends no email says so, and queues none', async () => {
  const silent = await createTestApp({ sendsEmail: false });
  await silent.admin();
  const answer = await silent.post('/api/forgot-password', { username: 'boss@example.com' });
  expect(answer.json()).toMatchObject({ sendsEmail: false });
  expect((await forgot('stranger@example.com')).json()).toMatchObject({ sendsEmail: true });
  expect(await deliver(silent)).toEqual([]);
  await silent.close();
});

import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aReadyUser, callAs, idOf } from '#tests/support/people.ts';
import { cookieOf, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import {
  codeOf,
  type Enrolled,
  enrolAs,
  loginWith,
  ownCall,
  startAs,
  wrongCodeOf,
} from '#tests/support/two-factor.ts';

const MINUTE = 60_000;
const ANN = 'ann@example.com';

let shop: TestApp;
let admin: string;
let ann: Enrolled;
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
  await aReadyUser(shop, ANN);
  ann = await enrolAs(shop, await shop.logIn(ANN));
});
afterEach(() => shop.close());

const right = () => codeOf(shop, ann.secret);
const wrong = () => wrongCodeOf(shop, ann.secret);
const stepUp = (code: string, cookie = ann.cookie) => callAs(shop, cookie, 'POST', '/api/step-up', { code });

/** Every call that accepts a code of a user with a second factor. */
const DOORS: ReadonlyArray<(code: string) => ReturnType<typeof loginWith>> = [
  (code) => loginWith(shop, ANN, code, '203.0.113.7'),
  (code) => stepUp(code),
  (code) => ownCall(shop, ann.cookie, 'disable', { password: PASSWORD, code }),
  (code) => ownCall(shop, ann.cookie, 'recovery-codes', { password: PASSWORD, code }),
  (code) =>
    shop.post('/api/change-password', {
      username: ANN,
      password: PASSWORD,
      newPassword: 'eleven quiet owls listen',
      twoFactorToken: code,
    }),
];

test('five wrong codes, one per call, block every call for the correct code', async () => {
  for (const door of DOORS) expect([400, 401]).toContain((await door(wrong())).statusCode);
  for (const door of DOORS) {
    const refused = await door(right());
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('900');
    expect((await door(ann.recoveryCodes[0] ?? '')).statusCode).toBe(429);
  }
});

test.each(DOORS.map((door, at) => [at, door] as const))(
  'five wrong codes at door %i alone shut it and the others',
  async (_, door) => {
    for (let n = 0; n < 5; n += 1) expect([400, 401]).toContain((await door(wrong())).statusCode);
    for (const other of DOORS) expect((await other(right())).statusCode).toBe(429);
  },
);

test('another address and another session make no difference', async () => {
  const other = cookieOf(await loginWith(shop, ANN, right()));
  shop.advance(MINUTE);
  for (let n = 0; n < 3; n += 1) await loginWith(shop, ANN, wrong(), `203.0.113.${n}`);
  await stepUp(wrong());
  await stepUp(wrong(), other);
  expect((await loginWith(shop, ANN, right(), '198.51.100.9')).statusCode).toBe(429);
  expect((await stepUp(right(), other)).statusCode).toBe(429);
  const { rows } = await shop.db.execute(
    sql`select actor, target_kind, after from audit_log where action = 'two_factor.locked'`,
  );
  const until = new Date(shop.deps.now() + 15 * MINUTE).toISOString();
  expect(rows).toEqual([{ actor: ANN, target_kind: 'user', after: { until } }]);
});

test('an attacker with the password locks out no user who logged in there before', async () => {
  const { cookies } = await loginWith(shop, ANN, right());
  const mark = cookies.find(({ name }) => name === 'pricewright_browser')?.value;
  shop.advance(MINUTE);
  const known = (twoFactorToken: string) =>
    shop.post(
      '/api/login',
      { username: ANN, password: PASSWORD, twoFactorToken },
      { headers: { cookie: `pricewright_browser=${mark}` } },
    );
  for (let n = 0; n < 5; n += 1) await loginWith(shop, ANN, wrong(), `203.0.113.${n}`);
  expect((await loginWith(shop, ANN, right())).statusCode).toBe(429);
  for (let n = 0; n < 5; n += 1) expect((await known(wrong())).statusCode).toBe(401);
  expect((await known(right())).statusCode).toBe(429);
  shop.advance(15 * MINUTE);
  expect((await known(right())).statusCode).toBe(200);
});

test('of many concurrent wrong codes no more than five are checked', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => stepUp(wrong())));
  const statuses = answers.map(({ statusCode }) => statusCode).sort();
  expect(statuses).toEqual([...Array(5).fill(400), ...Array(15).fill(429)]);
});

test('the first code of an app is limited too', async () => {
  const secret = await startAs(shop, admin);
  for (let n = 0; n < 5; n += 1) {
    const answer = await ownCall(shop, admin, 'confirm', { code: wrongCodeOf(shop, secret) });
    expect(answer.statusCode).toBe(400);
  }
  // Starting again gives no new attempts.
  const again = await startAs(shop, admin);
  expect((await ownCall(shop, admin, 'confirm', { code: codeOf(shop, again) })).statusCode).toBe(429);
});

test('the wait ends after fifteen minutes, and the password still works during it', async () => {
  for (let n = 0; n < 5; n += 1) await stepUp(wrong());
  shop.advance(15 * MINUTE - 1);
  expect((await loginWith(shop, ANN, right())).statusCode).toBe(429);
  expect((await callAs(shop, ann.cookie, 'POST', '/api/step-up', { password: PASSWORD })).statusCode).toBe(
    200,
  );
  shop.advance(1);
  expect((await loginWith(shop, ANN, right())).statusCode).toBe(200);
});

test('no fifteen minutes have more than five, at any offset', async () => {
  await stepUp(wrong());
  shop.advance(14 * MINUTE);
  for (let n = 0; n < 3; n += 1) expect((await stepUp(wrong())).statusCode).toBe(400);
  // More than fifteen minutes after the first, little after the others.
  shop.advance(2 * MINUTE);
  expect((await stepUp(wrong())).statusCode).toBe(400);
  expect((await stepUp(wrong())).statusCode).toBe(429);
});

test('a correct code resets the count', async () => {
  for (let n = 0; n < 4; n += 1) await stepUp(wrong());
  expect((await stepUp(right())).statusCode).toBe(200);
  for (let n = 0; n < 5; n += 1) expect((await stepUp(wrong())).statusCode).toBe(400);
});

test('attackers cannot use the attempts up: without the password no code is counted', async () => {
  for (let n = 0; n < 5; n += 1) {
    await shop.post('/api/login', { username: ANN, password: 'a guess', twoFactorToken: wrong() });
    await shop.post('/api/login', { username: ANN, password: 'a guess', twoFactorToken: '' });
  }
  const { rows } = await shop.db.execute(sql`select from login_attempts where kind = 'two_factor'`);
  expect(rows).toEqual([]);
  expect((await stepUp(right())).statusCode).toBe(200);
});

test('an administrator who turns the second factor off ends the wait too', async () => {
  for (let n = 0; n < 5; n += 1) await stepUp(wrong());
  await callAs(shop, admin, 'PUT', `/api/users/${await idOf(shop, ANN)}/disable-2fa`);
  const again = await enrolAs(shop, cookieOf(await loginWith(shop, ANN, '')));
  expect(again.recoveryCodes).toHaveLength(10);
});

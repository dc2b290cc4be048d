import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUserByEmail } from '#db/queries/identity/users.ts';
import { aReadyUser, callAs, deliver, idOf } from '#tests/support/people.ts';
import { cookieOf, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { codeOf, type Enrolled, enrolAs, loginWith, wrongCodeOf } from '#tests/support/two-factor.ts';
import { configuredKey, type SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { disableTwoFactorByEmail } from '#usecases/identity/two-factor/clear-two-factor.ts';

const MINUTE = 60_000;
const STEP = 30_000;
const ANN = 'ann@example.com';
const CHOSEN = 'eleven quiet owls listen';

let shop: TestApp;
let admin: string;
let ann: Enrolled;
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
  await aReadyUser(shop, ANN);
  ann = await enrolAs(shop, await shop.logIn(ANN));
  await deliver(shop);
});
afterEach(() => shop.close());

const code = (steps = 0) => codeOf(shop, ann.secret, steps);
const login = (token: string) => loginWith(shop, ANN, token);

async function sessionsOfAnn(): Promise<number> {
  const { rows } = await shop.db.execute(
    sql`select from sessions s join users u on u.id = s.user_id where u.email = ${ANN}`,
  );
  return rows.length;
}

test('the code is required after the correct password, and only then', async () => {
  const answer = await login('');
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({
    code: 'two_factor_required',
    message: expect.stringContaining('2FA token required'),
  });
  expect(answer.cookies).toEqual([]);
  const wrong = { username: ANN, password: 'not this one', twoFactorToken: code() };
  expect((await shop.post('/api/login', wrong)).json()).toMatchObject({
    code: 'invalid_credentials',
  });
  await shop.db.execute(sql`update users set approved = false where email = ${ANN}`);
  expect((await login(code())).json()).toMatchObject({ code: 'not_approved' });
});

test('password and code start a new session', async () => {
  const answer = await login(` ${code().slice(0, 3)} ${code().slice(3)} `);
  expect(answer.json()).toMatchObject({ username: ANN, twoFactorEnabled: true });
  expect((await shop.get('/api/user', cookieOf(answer))).statusCode).toBe(200);
});

test('of fifty concurrent logins with one code exactly one succeeds', async () => {
  const before = await sessionsOfAnn();
  const answers = await Promise.all(Array.from({ length: 50 }, () => login(code())));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(await sessionsOfAnn()).toBe(before + 1);
});

test('a used code and every older one are wrong, with the same message as any wrong one', async () => {
  expect((await login(code())).statusCode).toBe(200);
  const answers = [await login(code()), await login(code(-1)), await login(wrongCodeOf(shop, ann.secret))];
  for (const answer of answers) {
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      code: 'invalid_credentials',
      message: 'Invalid code. Try the next code from your app.',
      fields: { twoFactorToken: 'Invalid code. Try the next code from your app.' },
      requestId: answer.headers['x-request-id'],
    });
    expect(answer.cookies).toEqual([]);
  }
  expect((await login(code(1))).statusCode).toBe(200);
});

test.each([
  [-2, 401],
  [-1, 200],
  [0, 200],
  [1, 200],
  [2, 401],
])('a code %i steps from now answers %i', async (steps, status) => {
  // Away from the step that set it up.
  shop.advance(10 * STEP);
  expect((await login(code(steps))).statusCode).toBe(status);
});

test('a recovery code works once, is reported by email, and leaves nine', async () => {
  const [first = ''] = ann.recoveryCodes;
  const typed = first.toLowerCase().replaceAll('-', ' ');
  expect((await login(typed)).statusCode).toBe(200);
  expect((await login(first)).json()).toMatchObject({ fields: { twoFactorToken: expect.any(String) } });
  expect((await shop.get('/api/account', ann.cookie)).json()).toMatchObject({ recoveryCodesLeft: 9 });
  expect((await deliver(shop)).map(({ to, subject }) => [to, subject])).toEqual([
    [ANN, 'A recovery code was used for your Pricewright account'],
  ]);
});

test('of twenty concurrent logins with one recovery code exactly one succeeds', async () => {
  const before = await sessionsOfAnn();
  const [first = ''] = ann.recoveryCodes;
  const answers = await Promise.all(Array.from({ length: 20 }, () => login(first)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(await sessionsOfAnn()).toBe(before + 1);
});

test("another user's recovery code is wrong", async () => {
  await aReadyUser(shop, 'bob@example.com');
  const bob = await enrolAs(shop, await shop.logIn('bob@example.com'));
  expect((await login(bob.recoveryCodes[0] ?? '')).statusCode).toBe(401);
  expect((await loginWith(shop, 'bob@example.com', bob.recoveryCodes[0] ?? '')).statusCode).toBe(200);
});

test('a password change requires the code too, and a reset keeps the second factor', async () => {
  const change = (twoFactorToken?: string) =>
    shop.post('/api/change-password', {
      username: ANN,
      password: PASSWORD,
      newPassword: CHOSEN,
      ...(twoFactorToken === undefined ? {} : { twoFactorToken }),
    });
  const id = await idOf(shop, ANN);
  await callAs(shop, admin, 'PUT', `/api/users/${id}/reset-password`, { newPassword: PASSWORD });
  // The current code is kept for the choice of the password.
  expect((await login(code())).json()).toMatchObject({ code: 'password_change_required' });
  for (const missing of [undefined, '']) {
    expect((await change(missing)).json()).toMatchObject({
      code: 'two_factor_required',
      message: expect.stringContaining('2FA token required'),
    });
  }
  expect((await change(wrongCodeOf(shop, ann.secret))).statusCode).toBe(401);
  const changed = await change(code());
  expect(changed.json()).toMatchObject({ username: ANN, twoFactorEnabled: true });
});

test('a code counts as the step-up of a user with a second factor', async () => {
  const stepUp = (cookie: string, body: object) => callAs(shop, cookie, 'POST', '/api/step-up', body);
  await shop.db.execute(sql`update users set role = 'admin' where email = ${ANN}`);
  const needsCode = async () =>
    (await callAs(shop, ann.cookie, 'DELETE', '/api/users/0')).json().code === 'step_up_required';
  shop.advance(11 * MINUTE);
  expect(await needsCode()).toBe(true);
  expect((await stepUp(ann.cookie, { code: wrongCodeOf(shop, ann.secret) })).json()).toMatchObject({
    code: 'validation_failed',
    fields: { code: expect.stringMatching(/^Invalid code/) },
  });
  expect(await needsCode()).toBe(true);
  expect((await stepUp(ann.cookie, { code: code() })).statusCode).toBe(200);
  expect(await needsCode()).toBe(false);
  // The password still works; an account without a second factor has no code to enter.
  expect((await stepUp(ann.cookie, { password: PASSWORD })).statusCode).toBe(200);
  expect((await stepUp(admin, { code: '123456' })).json()).toMatchObject({
    fields: { code: expect.any(String) },
  });
});

test('a secret that was copied to another row is not read there, and gives no access', async () => {
  await aReadyUser(shop, 'eve@example.com');
  const eve = await enrolAs(shop, await shop.logIn('eve@example.com'));
  await shop.db.execute(sql`update users set two_factor_secret =
    (select two_factor_secret from users where email = 'eve@example.com') where email = ${ANN}`);
  const before = await sessionsOfAnn();
  for (const secret of [eve.secret, ann.secret]) {
    const answer = await login(codeOf(shop, secret));
    expect(answer.statusCode).toBe(503);
    expect(answer.cookies).toEqual([]);
  }
  expect(await sessionsOfAnn()).toBe(before);
});

test.each<[string, SecretKeys]>([
  ['is missing', { current: async () => null, forWriting: () => Promise.reject(new Error('not asked for')) }],
  ['is another one', configuredKey(Buffer.alloc(32, 9))],
])(
  'when the key for secrets %s no login succeeds with the code, and the recovery works',
  async (_, secrets) => {
    const keyless = await createTestApp({ db: shop.db, secrets, now: shop.deps.now });
    for (let n = 0; n < 7; n += 1) {
      const answer = await loginWith(keyless, ANN, code());
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({
        code: 'unavailable',
        message:
          'The server cannot decrypt your authenticator key. Use a recovery code, or ask your administrator.',
      });
      expect(answer.cookies).toEqual([]);
    }
    expect((await loginWith(keyless, ANN, ann.recoveryCodes[0] ?? '')).statusCode).toBe(200);
    const off = await callAs(keyless, admin, 'PUT', `/api/users/${await idOf(shop, ANN)}/disable-2fa`);
    expect(off.json()).toMatchObject({ twoFactorEnabled: false });
    expect((await loginWith(keyless, ANN, '')).statusCode).toBe(200);
    await keyless.close();
  },
);

test('the command line lets a user in who has lost phone and codes, and ends open sessions', async () => {
  await disableTwoFactorByEmail(shop.deps, 'Ann@Example.com');
  await disableTwoFactorByEmail(shop.deps, ANN);
  expect((await shop.get('/api/user', ann.cookie)).statusCode).toBe(401);
  expect((await login('')).json()).toMatchObject({ twoFactorEnabled: false });
  expect(await findUserByEmail(shop.db, ANN)).toMatchObject({
    twoFactorSecret: null,
    twoFactorLastStep: null,
  });
  expect((await shop.db.execute(sql`select from recovery_codes`)).rows).toEqual([]);
  const { rows } = await shop.db.execute(
    sql`select actor, before, after from audit_log where action = 'user.two_factor_disabled'`,
  );
  expect(rows).toEqual([
    {
      actor: 'command line',
      before: { twoFactorEnabled: true, username: ANN },
      after: { twoFactorEnabled: false },
    },
  ]);
  await expect(disableTwoFactorByEmail(shop.deps, 'unknown@example.com')).rejects.toThrow(/^No account uses/);
});

test('every outcome is in the audit log with its factor', async () => {
  const { rows: before } = await shop.db.execute(sql`select from audit_log`);
  await login('');
  await login(wrongCodeOf(shop, ann.secret));
  await shop.post('/api/login', { username: ANN, password: 'not this one', twoFactorToken: code() });
  await login(code());
  await login(ann.recoveryCodes[0] ?? '');
  await shop.logIn('boss@example.com');
  const { rows } = await shop.db.execute(
    sql`select action, after from audit_log order by id offset ${before.length}`,
  );
  expect(rows).toEqual([
    { action: 'login.refused', after: { reason: 'two_factor_required' } },
    { action: 'login.failed', after: { factor: 'code' } },
    { action: 'login.failed', after: { factor: 'password' } },
    { action: 'login.succeeded', after: { factor: 'app' } },
    { action: 'two_factor.recovery_code_used', after: null },
    { action: 'login.succeeded', after: { factor: 'recovery code' } },
    { action: 'login.succeeded', after: { factor: 'password' } },
  ]);
});

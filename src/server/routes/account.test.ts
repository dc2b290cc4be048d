import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUserByEmail, type UserRow } from '#db/queries/identity/users.ts';
import { aReadyUser, deliver } from '#tests/support/people.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { cookieOf, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { codeOf, enrolAs, loginWith, ownCall, startAs, wrongCodeOf } from '#tests/support/two-factor.ts';
import { purgeExpired } from '#usecases/identity/accounts/purge-expired.ts';

const MINUTE = 60_000;
const ANN = 'ann@example.com';

let shop: TestApp;
let ann: string;
beforeEach(async () => {
  shop = await createTestApp();
  await shop.admin();
  await aReadyUser(shop, ANN);
  ann = await shop.logIn(ANN);
  await deliver(shop);
});
afterEach(() => shop.close());

const call = (path: string, body: object, cookie = ann) => ownCall(shop, cookie, path, body);
const account = async (cookie = ann) => (await shop.get('/api/account', cookie)).json();
const isAlive = async (cookie: string) => (await shop.get('/api/user', cookie)).statusCode === 200;
const subjects = async () => (await deliver(shop)).map(({ to, subject }) => [to, subject]);

async function rowOf(email: string): Promise<UserRow> {
  const row = await findUserByEmail(shop.db, email);
  if (row === null) throw new Error(`no user has ${email}`);
  return row;
}

async function auditOf(action: string): Promise<unknown[]> {
  const { rows } = await shop.db.execute(
    sql`select actor, target_id, before, after, address from audit_log where action = ${action} order by id`,
  );
  return rows;
}

/** A browser with an event stream; `received` is everything until its end. */
async function listenAs(cookie: string): Promise<{ received: Promise<string>; stop: () => void }> {
  if (!shop.app.server.listening) await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const abort = new AbortController();
  const response = await fetch(`${shop.app.listeningOrigin}/api/events`, {
    headers: { cookie },
    signal: abort.signal,
  });
  return { received: response.text(), stop: () => abort.abort() };
}

test('the account shows who the user is and whether there is a second factor', async () => {
  const row = await rowOf(ANN);
  expect(await account()).toEqual({
    profile: {
      id: row.id,
      username: ANN,
      email: ANN,
      fullName: 'Ann Arbor',
      phoneNumber: '+1 555 0100',
      role: 'user',
      approved: true,
      emailVerified: true,
      isProviderOnly: false,
      createdAt: new Date(shop.deps.now()).toISOString(),
      weeklySummary: false,
    },
    twoFactorEnabled: false,
    twoFactorSince: null,
    recoveryCodesLeft: 0,
    twoFactorRequired: false,
  });
});

test('a server that requires a second factor shows it to administrators, and to no other user', async () => {
  const strict = await createTestApp({ db: shop.db, now: shop.deps.now, requiresTwoFactor: true });
  for (const [email, isRequired] of [
    [ANN, false],
    ['boss@example.com', true],
  ] as const) {
    const answer = await strict.get('/api/account', await strict.logIn(email));
    expect(answer.json()).toMatchObject({ twoFactorRequired: isRequired });
  }
  await strict.close();
});

test('starting requires the password, and returns a secret with its link and QR code', async () => {
  const wrong = await call('begin', { password: 'not this one' });
  expect(wrong.statusCode).toBe(400);
  expect(wrong.json()).toMatchObject({ fields: { password: 'This password is wrong.' } });
  const begun = (await call('begin', { password: PASSWORD })).json();
  expect(begun).toEqual({
    secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    otpauthUrl: expect.stringContaining(`secret=${begun.secret}`),
    qrSvg: expect.stringMatching(/^<svg .*<\/svg>\s*$/s),
    expiresAt: new Date(shop.deps.now() + 15 * MINUTE).toISOString(),
  });
  expect(readQr(begun.qrSvg)).toBe(begun.otpauthUrl);
});

test('a second factor that was started and not confirmed does not change the login', async () => {
  await startAs(shop, ann);
  expect((await loginWith(shop, ANN, '')).statusCode).toBe(200);
  expect(await account()).toMatchObject({ twoFactorEnabled: false, recoveryCodesLeft: 0 });
});

test('starting again creates another secret; codes of the one before are wrong', async () => {
  const first = await startAs(shop, ann);
  const second = await startAs(shop, ann);
  const old = await call('confirm', { code: codeOf(shop, first) });
  expect(old.statusCode).toBe(400);
  expect(old.json()).toMatchObject({ fields: { code: expect.stringMatching(/^Invalid code/) } });
  expect((await call('confirm', { code: codeOf(shop, second) })).statusCode).toBe(200);
});

test('a setup can be confirmed for fifteen minutes', async () => {
  const secret = await startAs(shop, ann);
  shop.advance(15 * MINUTE + 1);
  const late = await call('confirm', { code: codeOf(shop, secret) });
  expect(late.json()).toMatchObject({ code: 'conflict', message: 'This setup has expired. Start again.' });
  const again = await startAs(shop, ann);
  shop.advance(15 * MINUTE);
  expect((await call('confirm', { code: codeOf(shop, again) })).statusCode).toBe(200);
});

test('a setup that is not confirmed is deleted', async () => {
  await enrolAs(shop, ann);
  const boss = await shop.logIn('boss@example.com');
  await startAs(shop, boss);
  shop.advance(59 * MINUTE);
  await purgeExpired(shop.db, shop.deps.now());
  expect((await rowOf('boss@example.com')).twoFactorSecret).not.toBeNull();
  shop.advance(2 * MINUTE);
  expect(await purgeExpired(shop.db, shop.deps.now())).toMatchObject({ setUps: 1 });
  expect(await rowOf('boss@example.com')).toMatchObject({ twoFactorSecret: null, twoFactorStartedAt: null });
  expect((await rowOf(ANN)).twoFactorSecret).not.toBeNull();
});

test('nothing is confirmed that was not started', async () => {
  expect((await call('confirm', { code: '123456' })).statusCode).toBe(409);
});

test('the first correct code turns it on, once, and returns ten recovery codes', async () => {
  const secret = await startAs(shop, ann);
  expect((await call('confirm', { code: wrongCodeOf(shop, secret) })).statusCode).toBe(400);
  expect(await account()).toMatchObject({ twoFactorEnabled: false });
  const code = codeOf(shop, secret);
  const answers = await Promise.all([1, 2, 3].map(() => call('confirm', { code })));
  const won = answers.filter(({ statusCode }) => statusCode === 200);
  expect(won).toHaveLength(1);
  expect(new Set(won[0]?.json().recoveryCodes).size).toBe(10);
  const [answer] = won;
  if (!answer) throw new Error('no call succeeded');
  expect(await account(cookieOf(answer))).toMatchObject({
    twoFactorEnabled: true,
    twoFactorSince: new Date(shop.deps.now()).toISOString(),
    recoveryCodesLeft: 10,
  });
  // The code that confirmed it is used up.
  expect((await loginWith(shop, ANN, code)).statusCode).toBe(401);
});

test('turning it on ends the other browsers and their streams, and gives this one a new token', async () => {
  const other = await shop.logIn(ANN);
  const stranger = await shop.logIn('boss@example.com');
  const [own, others] = [await listenAs(ann), await listenAs(other)];
  const secret = await startAs(shop, ann);
  await subjects();
  const fresh = cookieOf(await call('confirm', { code: codeOf(shop, secret) }));
  // Immediately: a heartbeat would end them too, much later.
  expect(shop.deps.liveStreams.count).toBe(0);
  expect(await others.received).toContain('signedOut');
  // Its own stream ends too, so that a copy of the old cookie receives nothing more; the browser opens it again.
  expect(await own.received).not.toContain('signedOut');
  expect(fresh).not.toBe(ann);
  expect(await Promise.all([fresh, ann, other, stranger].map(isAlive))).toEqual([true, false, false, true]);
  expect(await subjects()).toEqual([[ANN, 'Two-factor authentication was turned on']]);
  expect(await auditOf('two_factor.enabled')).toEqual([
    {
      actor: ANN,
      target_id: (await rowOf(ANN)).id,
      before: { twoFactorEnabled: false },
      after: { twoFactorEnabled: true },
      address: '127.0.0.1',
    },
  ]);
  for (const { stop } of [own, others]) stop();
});

test('turning it off requires password and code, ends the other browsers and gives a new token', async () => {
  const { secret, cookie } = await enrolAs(shop, ann);
  const other = cookieOf(await loginWith(shop, ANN, codeOf(shop, secret)));
  shop.advance(MINUTE);
  await subjects();
  const code = codeOf(shop, secret);
  const wrong = await call('disable', { password: 'not this one', code }, cookie);
  expect(wrong.json()).toMatchObject({ fields: { password: 'This password is wrong.' } });
  const wrongCode = await call('disable', { password: PASSWORD, code: wrongCodeOf(shop, secret) }, cookie);
  expect(wrongCode.json()).toMatchObject({ fields: { code: expect.stringMatching(/^Invalid code/) } });
  expect(await account(cookie)).toMatchObject({ twoFactorEnabled: true });
  const { received, stop } = await listenAs(other);
  // A wrong password has not used the code up.
  const fresh = cookieOf(await call('disable', { password: PASSWORD, code }, cookie));
  expect(shop.deps.liveStreams.count).toBe(0);
  expect(await received).toContain('signedOut');
  stop();
  expect(await Promise.all([fresh, cookie, other].map(isAlive))).toEqual([true, false, false]);
  expect(await rowOf(ANN)).toMatchObject({
    twoFactorEnabled: false,
    twoFactorSecret: null,
    twoFactorLastStep: null,
    twoFactorSince: null,
  });
  expect(await account(fresh)).toMatchObject({ recoveryCodesLeft: 0, twoFactorSince: null });
  expect(await subjects()).toEqual([[ANN, 'Two-factor authentication was turned off']]);
  expect(await auditOf('two_factor.disabled')).toMatchObject([
    { actor: ANN, before: { twoFactorEnabled: true } },
  ]);
  expect((await loginWith(shop, ANN, '')).statusCode).toBe(200);
});

test('a recovery code turns it off too', async () => {
  const { cookie, recoveryCodes } = await enrolAs(shop, ann);
  const answer = await call('disable', { password: PASSWORD, code: recoveryCodes[3] ?? '' }, cookie);
  expect(answer.statusCode).toBe(200);
});

test('a new set of recovery codes replaces the old one', async () => {
  const { secret, cookie, recoveryCodes } = await enrolAs(shop, ann);
  const none = await call('recovery-codes', { password: PASSWORD, code: wrongCodeOf(shop, secret) }, cookie);
  expect(none.statusCode).toBe(400);
  await loginWith(shop, ANN, recoveryCodes[0] ?? '');
  expect(await account(cookie)).toMatchObject({ recoveryCodesLeft: 9 });
  await subjects();
  const answer = await call('recovery-codes', { password: PASSWORD, code: codeOf(shop, secret) }, cookie);
  const fresh: string[] = answer.json().recoveryCodes;
  expect(new Set([...fresh, ...recoveryCodes]).size).toBe(20);
  expect(await account(cookie)).toMatchObject({ recoveryCodesLeft: 10 });
  expect((await loginWith(shop, ANN, recoveryCodes[1] ?? '')).statusCode).toBe(401);
  expect((await loginWith(shop, ANN, fresh[1] ?? '')).statusCode).toBe(200);
  expect(await subjects()).toEqual([
    [ANN, 'Your Pricewright recovery codes were replaced'],
    [ANN, 'A recovery code was used for your Pricewright account'],
  ]);
  expect(await auditOf('two_factor.recovery_codes_replaced')).toHaveLength(1);
});

test('what is on cannot be started or confirmed again, what is off not turned off', async () => {
  const off = { password: PASSWORD, code: '123456' };
  expect((await call('disable', off)).statusCode).toBe(409);
  expect((await call('recovery-codes', off)).statusCode).toBe(409);
  const { secret, cookie } = await enrolAs(shop, ann);
  expect((await call('begin', { password: PASSWORD }, cookie)).statusCode).toBe(409);
  expect((await call('confirm', { code: codeOf(shop, secret) }, cookie)).statusCode).toBe(409);
});

test('the secret is in only one response, in no audit row, no log line, and encrypted in the database', async () => {
  const { secret, cookie, recoveryCodes } = await enrolAs(shop, ann);
  const boss = await shop.logIn('boss@example.com');
  await loginWith(shop, ANN, wrongCodeOf(shop, secret));
  await loginWith(shop, ANN, codeOf(shop, secret));
  const answers = await Promise.all([
    ...['/api/account', '/api/user'].map((path) => shop.get(path, cookie)),
    shop.get('/api/users', boss),
  ]);
  const { rows } = await shop.db.execute(sql`
    select row_to_json(t)::text as row from audit_log t
    union all select row_to_json(t)::text from users t
    union all select row_to_json(t)::text from recovery_codes t
    union all select row_to_json(t)::text from sessions t`);
  const given = { password: PASSWORD, code: codeOf(shop, secret, 1) };
  answers.push(await call('disable', given, cookie));
  const everything = [...answers.map(({ body }) => body), JSON.stringify(rows), ...shop.log].join('\n');
  expect(everything).toContain(ANN);
  for (const canary of [secret, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])]) {
    expect(everything).not.toContain(canary);
  }
  expect(JSON.stringify(shop.queue.sent)).not.toContain(secret);
});

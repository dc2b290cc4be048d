import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DeclaredRoute } from '#server/access.ts';
import { asMany } from '#tests/support/breadth.ts';
import { aReadyUser, aWaitingUser, callAs } from '#tests/support/people.ts';
import { aRegistration, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { enrolAs, ownCall, wrongCodeOf } from '#tests/support/two-factor.ts';
import type { PasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';

/** More than the limit of an account, and of an address. */
const CONCURRENT_TRIES = asMany(20, 300);
const CONCURRENT_TRIES_PER_ADDRESS = asMany(60, 300);
/** More than the queue for password checks. */
const CROWD = 300;
const PER_ACCOUNT = 5;
const PER_ADDRESS = 50;
const ANN = 'ann@example.com';
const WRONG = 'not the password';
const METRICS_TOKEN = 'a token for scrapers only';

let shop: TestApp;
let admin: string;
let ann: string;
/** How many passwords were checked. */
let looks: number;

/** Counts the checks, and never makes a caller wait: only the attempt limit stops a guesser. */
const counting: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  verify: async (stored, password) => {
    looks += 1;
    return stored === `hash of ${password}`;
  },
  needsRehash: () => false,
};

beforeEach(async () => {
  shop = await createTestApp({ passwords: counting, metricsToken: METRICS_TOKEN });
  admin = await shop.admin();
  ann = await aReadyUser(shop, ANN);
  looks = 0;
});
afterEach(() => shop.close());

/** An address that no other test uses. */
const addressNo = (n: number): string => `203.0.${113 + Math.floor(n / 250)}.${(n % 250) + 1}`;

interface Door {
  readonly name: string;
  /** The call that tests a secret. */
  readonly route: string;
  /** Tries a wrong one; `n` numbers the attempts. */
  readonly guess: (
    n: number,
    over: { remoteAddress?: string; name?: string },
  ) => Promise<LightMyRequestResponse>;
  /** The scope of its limit: the account that is tried, the client address, or both. */
  readonly limits: readonly ('account' | 'address')[];
  /** An account is limited by address there, or attackers could use up its owner's attempts. */
  readonly isForStrangers?: true;
}

const DOORS: readonly Door[] = [
  {
    name: 'the login page',
    isForStrangers: true,
    route: 'POST /api/login',
    guess: (_, { name: username = ANN, ...over }) =>
      shop.post('/api/login', { username, password: WRONG, twoFactorToken: '' }, over),
    limits: ['account', 'address'],
  },
  {
    name: 'the change of a password',
    isForStrangers: true,
    route: 'POST /api/change-password',
    guess: (_, { name: username = ANN, ...over }) =>
      shop.post(
        '/api/change-password',
        { username, password: WRONG, newPassword: 'eleven quiet owls' },
        over,
      ),
    limits: ['account', 'address'],
  },
  {
    name: 'the password once more',
    route: 'POST /api/step-up',
    guess: (_, { remoteAddress = '127.0.0.1' }) =>
      shop.post('/api/step-up', { password: WRONG }, { remoteAddress, headers: { cookie: admin } }),
    limits: ['account'],
  },
  {
    name: 'the password before a second factor is set up',
    route: 'POST /api/account/two-factor/begin',
    guess: () => ownCall(shop, admin, 'begin', { password: WRONG }),
    limits: ['account'],
  },
  {
    name: 'the link that verifies an address',
    route: 'GET /api/verify-email/:token',
    guess: (n) => shop.get(`/api/verify-email/${String(n).padStart(43, 'x')}`),
    limits: ['address'],
  },
  {
    name: 'the link for a new password',
    route: 'POST /api/reset-password',
    guess: (n) =>
      shop.post('/api/reset-password', {
        token: String(n).padStart(43, 'x'),
        newPassword: 'nine brave herons wade',
      }),
    limits: ['address'],
  },
  {
    name: 'the setup link',
    route: 'POST /api/register',
    guess: (n) =>
      shop.post('/api/register', aRegistration({ email: `a${n}@example.com`, setupToken: `guess-${n}` })),
    limits: ['address'],
  },
  {
    name: 'the token for metrics',
    route: 'GET /metrics',
    guess: (n) =>
      shop.app.inject({
        url: '/metrics',
        remoteAddress: '10.0.0.9',
        headers: { authorization: `Bearer guess-${n}` },
      }),
    limits: ['address'],
  },
];

/** Requests a code of Ann, who has an authenticator app; the password, where it is needed, is correct. */
interface CodeDoor {
  readonly route: string;
  readonly guess: (code: string, cookie: string) => Promise<LightMyRequestResponse>;
}

const CODE_DOORS: readonly CodeDoor[] = [
  {
    route: 'POST /api/login',
    guess: (twoFactorToken) => shop.post('/api/login', { username: ANN, password: PASSWORD, twoFactorToken }),
  },
  {
    route: 'POST /api/change-password',
    guess: (twoFactorToken) => {
      const change = { username: ANN, password: PASSWORD, newPassword: 'eleven quiet owls', twoFactorToken };
      return shop.post('/api/change-password', change);
    },
  },
  {
    route: 'POST /api/step-up',
    guess: (code, cookie) => callAs(shop, cookie, 'POST', '/api/step-up', { code }),
  },
  {
    route: 'POST /api/account/two-factor/disable',
    guess: (code, cookie) => ownCall(shop, cookie, 'disable', { password: PASSWORD, code }),
  },
  {
    route: 'POST /api/account/two-factor/recovery-codes',
    guess: (code, cookie) => ownCall(shop, cookie, 'recovery-codes', { password: PASSWORD, code }),
  },
];
/** Requests a code before there is a second factor. */
const CONFIRM = 'POST /api/account/two-factor/confirm';
const NO_SUCH_RECOVERY_CODE = '7K3QM-X2F9D-PA4RT-8WZ5N';

/** Starts all attempts at the same time. */
async function allAtOnce(
  guess: (n: number) => Promise<LightMyRequestResponse>,
  tries = CONCURRENT_TRIES,
): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: tries }, (_, n) => guess(n)));
  return answers.map(({ statusCode }) => statusCode);
}
/** The attempts whose secret was checked. On a busy machine several may get 503 before they are counted. */
const passed = (statuses: readonly number[]): number =>
  statuses.filter((status) => status !== 429 && status !== 503).length;
const isLimitedBy = (kind: 'account' | 'address') => DOORS.filter(({ limits }) => limits.includes(kind));

describe.each(isLimitedBy('account'))('$name', ({ guess, isForStrangers = false }) => {
  test(`of ${CONCURRENT_TRIES} tries at once for one account no more than ${PER_ACCOUNT} are checked`, async () => {
    const statuses = await allAtOnce((n) => guess(n, isForStrangers ? {} : { remoteAddress: addressNo(n) }));
    expect(looks).toBeLessThanOrEqual(PER_ACCOUNT);
    expect(passed(statuses)).toBe(looks);
  });
});

// The count is the same behind each of them.
describe.each(isLimitedBy('address').slice(0, asMany(1, DOORS.length)))('$name', ({ guess }) => {
  test(`of ${CONCURRENT_TRIES_PER_ADDRESS} tries at once from one address, for as many accounts, no more than ${PER_ADDRESS} are checked`, async () => {
    const earlier = looks;
    const statuses = await allAtOnce(
      (n) => guess(n, { name: `a${n}@example.com` }),
      CONCURRENT_TRIES_PER_ADDRESS,
    );
    expect(passed(statuses)).toBeLessThanOrEqual(PER_ADDRESS);
    expect(looks - earlier).toBeLessThanOrEqual(PER_ADDRESS);
  });
});

test.each(DOORS)('$route keeps its attempts over a restart', async ({ guess, limits }) => {
  for (let n = 0; n < (limits.includes('account') ? PER_ACCOUNT : PER_ADDRESS); n += 1) await guess(n, {});
  const first = shop;
  shop = await createTestApp({ db: first.db, passwords: counting, metricsToken: METRICS_TOKEN });
  expect((await guess(999, {})).statusCode).toBe(429);
  await shop.close();
  shop = first;
});

describe.each(CODE_DOORS)('a code at $route', ({ guess }) => {
  test(`no more than ${PER_ACCOUNT} wrong ones are checked, of the app or recovery codes, concurrently or one by one`, async () => {
    const { secret, cookie } = await enrolAs(shop, await shop.logIn(ANN));
    const wrong = [wrongCodeOf(shop, secret), NO_SUCH_RECOVERY_CODE];
    const atOnce = await Promise.all(
      Array.from({ length: CONCURRENT_TRIES }, (_, n) => guess(wrong[n % 2] ?? '', cookie)),
    );
    let looked = passed(atOnce.map(({ statusCode }) => statusCode));
    expect(looked).toBeLessThanOrEqual(PER_ACCOUNT);
    for (let n = 0; n < 10; n += 1) looked += passed([(await guess(wrong[n % 2] ?? '', cookie)).statusCode]);
    expect(looked).toBeLessThanOrEqual(PER_ACCOUNT);
    // There is one count: no other call has attempts left.
    for (const other of CODE_DOORS) {
      expect((await other.guess(wrong[0] ?? '', cookie)).statusCode, other.route).toBe(429);
    }
  });
});

test('the first code of an app is limited like the others', async () => {
  const cookie = await shop.logIn(ANN);
  const { secret } = (await ownCall(shop, cookie, 'begin', { password: PASSWORD })).json();
  const confirm = () => ownCall(shop, cookie, 'confirm', { code: wrongCodeOf(shop, secret) });
  const looked = passed(await allAtOnce(confirm));
  expect(looked).toBeLessThanOrEqual(PER_ACCOUNT);
});

test.each([
  ['an unknown name', sql`username = 'unknown@example.com'`],
  ['an account that can log in', sql`approved = true`],
  ['an account that is not verified', sql`email_verified = false`],
  ['an account that is not approved', sql`approved = false`],
  ['an account that waits for both', sql`approved = false, email_verified = false`],
  ['an account with a second factor', sql`two_factor_enabled = true`],
  ['an account whose password was reset', sql`must_change_password = true`],
])('a wrong password for %s has one hash behind it, and one answer', async (_, state) => {
  await shop.db.execute(sql`update users set ${state} where id = ${ann}`);
  const { requestId, ...said } = (await DOORS[0]?.guess(0, {}))?.json() ?? {};
  expect(said).toEqual({
    code: 'invalid_credentials',
    message: expect.any(String),
  });
  expect(looks).toBe(1);
  const { rows } = await shop.db.execute(sql`select from audit_log where request_id = ${requestId}`);
  expect(rows).toHaveLength(1);
});

test('most of a flood are refused before anything is looked up', async () => {
  const login = { password: WRONG, twoFactorToken: '' };
  const crowd = Array.from({ length: CROWD }, (_, n) =>
    shop.post('/api/login', { ...login, username: `a${n}@example.com` }, { remoteAddress: addressNo(n) }),
  );
  const page = shop.get('/api/stats', admin);
  const answers = await Promise.all(crowd);
  expect((await page).statusCode).toBe(200);
  const away = answers.filter(({ statusCode }) => statusCode === 429);
  expect(away.length).toBeGreaterThan(CROWD / 2);
  expect(away[0]?.headers['retry-after']).toBe('1');
  const { rows } = await shop.db.execute(sql`select from login_attempts where kind = 'login'
    and subject like 'account:%' and subject not like '% from %'`);
  expect(rows).toHaveLength(CROWD - away.length);
});

test('emails with a new link cannot be requested without limit', async () => {
  const id = await aWaitingUser(shop, 'carl@example.com');
  const resend = () => callAs(shop, admin, 'POST', `/api/users/${id}/verification-email`);
  const statuses = (await Promise.all(Array.from({ length: 20 }, resend))).map(
    ({ statusCode }) => statusCode,
  );
  expect(passed(statuses)).toBeLessThanOrEqual(PER_ACCOUNT);
  const other = await aWaitingUser(shop, 'dora@example.com');
  expect((await callAs(shop, admin, 'POST', `/api/users/${other}/verification-email`)).statusCode).toBe(200);
  shop.advance(30_000);
  expect((await resend()).statusCode).toBe(200);
});

/** Accepts a field named like a secret, and checks none. */
const NO_DOORS: readonly string[] = [
  // The client secret at the identity provider, which is stored.
  'PUT /api/openid/settings',
  // A password that is set for another user.
  'PUT /api/users/:id/reset-password',
  // The token identifies a reviewed plan; it gives no access.
  'POST /api/engine/go-live',
  'POST /api/engine/resume',
  'POST /api/listings/apply',
  'POST /api/listings/limits',
];

/** The fields of a route that could contain a secret. */
function secretsOf({ access, schema }: DeclaredRoute): string[] {
  if (access === 'operator') return ['authorization'];
  return [schema?.body, schema?.params, schema?.querystring].flatMap((part) => {
    if (!(part instanceof z.ZodType)) return [];
    // Without the names of the description, behind which their fields would be.
    const json = z.toJSONSchema(part, { io: 'input', unrepresentable: 'any', metadata: z.registry() });
    const forms = [json, ...(json.anyOf ?? [])];
    const fields = forms.flatMap(({ properties = {} }) => Object.keys(properties));
    return fields.filter((field) => /password|^(setup|twoFactor)?token$|^code$|recovery/i.test(field));
  });
}

test('every call that accepts a secret is one of these', () => {
  const able = shop.app.declaredRoutes
    .filter((route) => secretsOf(route).length > 0)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => !NO_DOORS.includes(call));
  const doors = new Set([...DOORS, ...CODE_DOORS].map(({ route }) => route)).add(CONFIRM);
  expect(able.sort()).toEqual([...doors].sort());
});

test('the correct password passes after four wrong ones, and resets the count', async () => {
  const [login] = DOORS;
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < PER_ACCOUNT - 1; n += 1) await login?.guess(n, {});
    const right = { username: ANN, password: PASSWORD, twoFactorToken: '' };
    expect((await shop.post('/api/login', right)).json()).toMatchObject({ id: ann });
  }
});

import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DeclaredRoute } from '#server/access.ts';
import { aReadyUser, aWaitingUser, callAs } from '#tests/support/people.ts';
import { aRegistration, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import type { PasswordHasher } from '#usecases/accounts/password-hasher.ts';

const AT_ONCE = 300;
const PER_ACCOUNT = 5;
const PER_ADDRESS = 50;
const ANN = 'ann@example.com';
const WRONG = 'not the password';

let shop: TestApp;
let admin: string;
let ann: string;
/** How many passwords were looked at. */
let looks: number;

/** Counts what comes through, and never makes anybody wait or go away: what stops a guesser is the limit alone. */
const counting: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  verify: async (stored, password) => {
    looks += 1;
    return stored === `hash of ${password}`;
  },
  needsRehash: () => false,
};

beforeEach(async () => {
  shop = await createTestApp({ passwords: counting });
  admin = await shop.admin();
  ann = await aReadyUser(shop, ANN);
  looks = 0;
});
afterEach(() => shop.close());

/** One that nobody else has. */
const addressNo = (n: number): string => `203.0.${113 + Math.floor(n / 250)}.${(n % 250) + 1}`;

interface Door {
  readonly name: string;
  /** The call that tests a secret. */
  readonly route: string;
  /** Tries a wrong one; `n` tells the tries apart. */
  readonly guess: (
    n: number,
    over: { remoteAddress?: string; name?: string },
  ) => Promise<LightMyRequestResponse>;
  /** What limits it: the account that is tried, the address it comes from, or both. */
  readonly limits: readonly ('account' | 'address')[];
}

const DOORS: readonly Door[] = [
  {
    name: 'the sign-in',
    route: 'POST /api/login',
    guess: (_, { name: username = ANN, ...over }) =>
      shop.post('/api/login', { username, password: WRONG, twoFactorToken: '' }, over),
    limits: ['account', 'address'],
  },
  {
    name: 'the change of a password',
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
    name: 'the link that verifies an address',
    route: 'GET /api/verify-email/:token',
    guess: (n) => shop.get(`/api/verify-email/${String(n).padStart(43, 'x')}`),
    limits: ['address'],
  },
  {
    name: 'the set-up link',
    route: 'POST /api/register',
    guess: (n) =>
      shop.post('/api/register', aRegistration({ email: `a${n}@example.com`, setupToken: `guess-${n}` })),
    limits: ['address'],
  },
];

/** Lets go of all tries in the same moment. */
async function allAtOnce(guess: (n: number) => Promise<LightMyRequestResponse>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => guess(n)));
  return answers.map(({ statusCode }) => statusCode);
}
const passed = (statuses: readonly number[]): number => statuses.filter((status) => status !== 429).length;
const isLimitedBy = (kind: 'account' | 'address') => DOORS.filter(({ limits }) => limits.includes(kind));

describe.each(isLimitedBy('account'))('$name', ({ guess }) => {
  test(`of ${AT_ONCE} tries at once for one account, from ${AT_ONCE} addresses, ${PER_ACCOUNT} are looked at`, async () => {
    const statuses = await allAtOnce((n) => guess(n, { remoteAddress: addressNo(n) }));
    expect(passed(statuses)).toBe(PER_ACCOUNT);
    expect(looks).toBe(PER_ACCOUNT);
  });
});

describe.each(isLimitedBy('address'))('$name', ({ guess }) => {
  test(`of ${AT_ONCE} tries at once from one address, for ${AT_ONCE} accounts, ${PER_ADDRESS} are looked at`, async () => {
    const earlier = looks;
    const statuses = await allAtOnce((n) => guess(n, { name: `a${n}@example.com` }));
    expect(passed(statuses)).toBeLessThanOrEqual(PER_ADDRESS);
    expect(passed(statuses)).toBeGreaterThan(PER_ADDRESS - 5);
    expect(looks - earlier).toBeLessThanOrEqual(PER_ADDRESS);
  });
});

test.each(DOORS)('$route remembers its tries over a restart', async ({ guess, limits }) => {
  for (let n = 0; n < (limits.includes('account') ? PER_ACCOUNT : PER_ADDRESS); n += 1) await guess(n, {});
  const first = shop;
  shop = await createTestApp({ db: first.db, passwords: counting });
  expect((await guess(999, {})).statusCode).toBe(429);
  await shop.close();
  shop = first;
});

test('a mail with a new link cannot be ordered without end', async () => {
  const id = await aWaitingUser(shop, 'carl@example.com');
  const resend = () => callAs(shop, admin, 'POST', `/api/users/${id}/verification-mail`);
  const statuses = (await Promise.all(Array.from({ length: 20 }, resend))).map(
    ({ statusCode }) => statusCode,
  );
  expect(passed(statuses)).toBe(PER_ACCOUNT);
  const other = await aWaitingUser(shop, 'dora@example.com');
  expect((await callAs(shop, admin, 'POST', `/api/users/${other}/verification-mail`)).statusCode).toBe(200);
  shop.advance(30_000);
  expect((await resend()).statusCode).toBe(200);
});

/** Takes something that is called a secret, and tests none. */
const NO_DOORS: readonly string[] = [
  // A password that is chosen for somebody.
  'PUT /api/users/:id/reset-password',
  // The token names the plan that was looked at; it opens nothing.
  'POST /api/engine/arm',
  'POST /api/listings/apply',
];

/** The fields by which a route could be told a secret. */
function secretsOf({ schema }: DeclaredRoute): string[] {
  return [schema?.body, schema?.params, schema?.querystring].flatMap((part) => {
    if (!(part instanceof z.ZodType)) return [];
    const { properties = {} } = z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' });
    return Object.keys(properties).filter((field) =>
      /password|^(setup|twoFactor)?token$|^code$|recovery/i.test(field),
    );
  });
}

test('every call that could be told a secret is one of these doors', () => {
  const able = shop.app.declaredRoutes
    .filter((route) => secretsOf(route).length > 0)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => !NO_DOORS.includes(call));
  expect(able.sort()).toEqual(DOORS.map(({ route }) => route).sort());
});

test('the right password passes after four slips, and makes them forgotten', async () => {
  const [login] = DOORS;
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < PER_ACCOUNT - 1; n += 1) await login?.guess(n, {});
    const right = { username: ANN, password: PASSWORD, twoFactorToken: '' };
    expect((await shop.post('/api/login', right)).json()).toMatchObject({ id: ann });
  }
});

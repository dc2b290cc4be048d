import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUserByUsername } from '#db/queries/identity/users.ts';
import { aRegistration, cookieOf, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createSetupToken } from '#usecases/identity/accounts/setup-link.ts';

const HOUR = 60 * 60_000;
const BEHIND_PROXY = { headers: { 'x-forwarded-for': '203.0.113.9' } };

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

test('the first to register on the machine itself is the administrator and logged in', async () => {
  const answer = await shop.post('/api/register', aRegistration());
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toEqual({ username: 'ann@example.com', role: 'admin', approved: true });
  const user = await shop.get('/api/user', cookieOf(answer));
  expect(user.json()).toEqual({
    id: expect.any(String),
    username: 'ann@example.com',
    email: 'ann@example.com',
    fullName: 'Ann Arbor',
    phoneNumber: '+1 555 0100',
    role: 'admin',
    approved: true,
    emailVerified: true,
    twoFactorEnabled: false,
    isProviderOnly: false,
  });
});

test('all later ones wait for approval', async () => {
  await shop.admin();
  const answer = await shop.post('/api/register', aRegistration());
  expect(answer.json()).toEqual({
    username: 'ann@example.com',
    role: 'user',
    approved: false,
    message: expect.any(String),
  });
  expect(answer.cookies).toEqual([]);
  const row = await findUserByUsername(shop.db, 'ann@example.com');
  expect(row).toMatchObject({ role: 'user', approved: false, emailVerified: false });
});

test.each([
  ['came through a proxy', BEHIND_PROXY],
  ['came from another machine', { remoteAddress: '10.0.0.9' }],
])(
  'a first registration that %s waits too, and the next local one is still the administrator',
  async (_, over) => {
    const stranger = await shop.post('/api/register', aRegistration(), over);
    expect(stranger.json()).toMatchObject({ role: 'user', approved: false });
    const owner = await shop.post('/api/register', aRegistration({ email: 'boss@example.com' }));
    expect(owner.json()).toMatchObject({ role: 'admin', approved: true });
  },
);

test('of registrations at once exactly one becomes administrator', async () => {
  const emails = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.com`);
  const answers = await Promise.all(
    emails.map((email) => shop.post('/api/register', aRegistration({ email }))),
  );
  expect(answers.map((answer) => answer.json().role).sort()).toEqual([
    'admin',
    ...Array.from({ length: 5 }, () => 'user'),
  ]);
});

test('the setup link makes its holder administrator from anywhere, once', async () => {
  const setupToken = (await createSetupToken(shop.db, shop.deps.now())) ?? '';
  const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
  const answers = await Promise.all(
    emails.map((email) => shop.post('/api/register', aRegistration({ email, setupToken }), BEHIND_PROXY)),
  );
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 403, 403]);
  expect(await createSetupToken(shop.db, shop.deps.now())).toBeNull();
});

test('of the setup link and the machine itself at the same time, many times each, one makes an administrator', async () => {
  const setupToken = (await createSetupToken(shop.db, shop.deps.now())) ?? '';
  const answers = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((n) => {
      const email = `a${n}@example.com`;
      return n % 2 === 0
        ? shop.post('/api/register', aRegistration({ email }))
        : shop.post('/api/register', aRegistration({ email, setupToken }), BEHIND_PROXY);
    }),
  );
  expect(answers.filter((answer) => answer.json().role === 'admin')).toHaveLength(1);
  const { rows } = await shop.db.execute(sql`select username from users where role = 'admin' or approved`);
  expect(rows).toHaveLength(1);
  // A late caller with the link gets an error, and has not created an account.
  const late = answers.filter((answer) => answer.statusCode === 403);
  expect(late.length).toBeGreaterThanOrEqual(2);
  expect((await shop.db.execute(sql`select from users`)).rows).toHaveLength(6 - late.length);
});

test('a new installation has no user', async () => {
  const { rows } = await shop.db.execute(sql`select (select count(*)::int from users) as users,
    (select count(*)::int from sessions) as sessions, (select count(*)::int from one_time_tokens) as links`);
  expect(rows).toEqual([{ users: 0, sessions: 0, links: 0 }]);
});

test('a setup link expires after 24 hours', async () => {
  const setupToken = (await createSetupToken(shop.db, shop.deps.now())) ?? '';
  shop.advance(24 * HOUR);
  const answer = await shop.post('/api/register', aRegistration({ setupToken }), BEHIND_PROXY);
  expect(answer.json()).toMatchObject({ code: 'not_allowed' });
});

test('a taken address does not use up the setup link, and is reported', async () => {
  await shop.post('/api/register', aRegistration(), BEHIND_PROXY);
  const setupToken = (await createSetupToken(shop.db, shop.deps.now())) ?? '';
  const taken = await shop.post('/api/register', aRegistration({ setupToken }), BEHIND_PROXY);
  expect(taken.json()).toMatchObject({ code: 'conflict' });
  const other = await shop.post(
    '/api/register',
    aRegistration({ email: 'b@example.com', setupToken }),
    BEHIND_PROXY,
  );
  expect(other.json()).toMatchObject({ role: 'admin' });
});

test('a taken address gets the same response as a new one, in any case of letters', async () => {
  await shop.admin();
  await shop.post('/api/register', aRegistration());
  const fresh = await shop.post('/api/register', aRegistration({ email: 'new@example.com' }));
  const taken = await shop.post('/api/register', aRegistration({ email: 'ANN@example.com' }));
  expect(taken.statusCode).toBe(fresh.statusCode);
  expect(taken.json()).toEqual({ ...fresh.json(), username: 'ANN@example.com' });
  expect(Object.keys(taken.headers).sort()).toEqual(Object.keys(fresh.headers).sort());
  const { rows } = await shop.db.execute(sql`select count(*)::int as n from users`);
  expect(rows).toEqual([{ n: 3 }]);
});

test('a registration with any other field is refused, and makes no account', async () => {
  await shop.admin();
  for (const more of [
    { role: 'admin' },
    { approved: true },
    { emailVerified: true },
    { id: '00000000-0000-4000-8000-000000000000' },
    { twoFactorEnabled: false },
    { twoFactorSecret: 'JBSWY3DPEHPK3PXP' },
    { mustChangePassword: false },
    { email_verified: true },
    { createdAt: '2020-01-01T00:00:00Z' },
  ] as const) {
    const answer = await shop.post('/api/register', { ...aRegistration(), ...more });
    expect(answer.statusCode, JSON.stringify(more)).toBe(400);
    expect(answer.json().message, JSON.stringify(more)).toBe(`Unknown: ${Object.keys(more)[0]}.`);
    expect(await findUserByUsername(shop.db, 'ann@example.com')).toBeNull();
  }
});

test('of concurrent registrations of one address in different case, one creates an account', async () => {
  await shop.admin();
  const forms = [
    'ann@example.com',
    'ANN@example.com',
    'Ann@Example.Com',
    ' ann@example.com ',
    'anN@EXAMPLE.com',
  ];
  const answers = await Promise.all(
    forms.map((username) => shop.post('/api/register', aRegistration({ email: username.trim(), username }))),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
  const { rows } = await shop.db.execute(
    sql`select role, approved, email_verified from users where role = 'user'`,
  );
  expect(rows).toEqual([{ role: 'user', approved: false, email_verified: false }]);
});

test('a name that differs only in its Unicode form is the same name', async () => {
  await shop.admin();
  // One code point, a letter with combining dots, and a full-width letter.
  const names = ['J\u00fcrgen', 'Ju\u0308rgen', '\uff2a\u00fcrgen'];
  for (const [n, username] of names.entries()) {
    await shop.post('/api/register', aRegistration({ email: `j${n}@example.com`, username }));
  }
  const { rows } = await shop.db.execute(sql`select username from users where role = 'user'`);
  expect(rows).toEqual([{ username: 'J\u00fcrgen' }]);
  await shop.db.execute(sql`update users set approved = true, email_verified = true`);
  for (const username of names) expect(await shop.logIn(username)).toMatch(/^pricewright=/);
});

test('a password may have up to 128 characters, and every one of them counts', async () => {
  const password = `${'long enough '.repeat(10)}12345678`;
  expect(password).toHaveLength(128);
  await shop.post('/api/register', aRegistration({ password }));
  const login = (typed: string) =>
    shop.post('/api/login', { username: 'ann@example.com', password: typed, twoFactorToken: '' });
  expect((await login(password.slice(0, -1))).statusCode).toBe(401);
  expect((await login(`${password} `)).statusCode).toBe(401);
  expect((await login(password)).statusCode).toBe(200);
});

test('an invalid value is refused at its field', async () => {
  for (const [what, over, field] of [
    ['a short password', { password: 'short12' }, 'password'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, 'password'],
    ['a common password', { password: 'Password123' }, 'password'],
    [
      'a password made from the email address',
      { email: 'annabel.lee@example.com', password: 'annabel.lee1' },
      'password',
    ],
    ['no full name', { fullName: ' ' }, 'fullName'],
    ['no phone number', { phoneNumber: ' ' }, 'phoneNumber'],
    ['a phone number of letters', { phoneNumber: 'abc' }, 'phoneNumber'],
    ['no address', { email: 'ann' }, 'email'],
    ["another user's address as name", { username: 'bob@example.com' }, 'username'],
  ] as const) {
    const answer = await shop.post('/api/register', aRegistration(over));
    expect(answer.json(), what).toMatchObject({
      code: 'validation_failed',
      fields: { [field]: expect.any(String) },
    });
  }
});

test('registrations of one address are limited like logins', async () => {
  const freeAt = new Date(shop.deps.now() + 45_000).toISOString();
  await shop.db.execute(sql`insert into login_attempts (kind, subject, count, window_started_at, blocked_until)
    values ('register', 'address:127.0.0.1', 50, ${freeAt}, ${freeAt})`);
  const answer = await shop.post('/api/register', aRegistration());
  expect(answer.statusCode).toBe(429);
  expect(answer.headers['retry-after']).toBe('45');
  expect(answer.json()).toMatchObject({ message: 'Too many attempts. Try again in 45 seconds.' });
});

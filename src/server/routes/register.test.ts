import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUserByUsername } from '#db/queries/users.ts';
import { aRegistration, cookieOf, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createSetupToken } from '#usecases/accounts/setup-link.ts';

const HOUR = 60 * 60_000;
const BEHIND_PROXY = { headers: { 'x-forwarded-for': '203.0.113.9' } };

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

test('the first to register on the machine itself is the administrator and signed in', async () => {
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
  });
});

test('everybody after that waits for approval', async () => {
  await shop.admin();
  const answer = await shop.post('/api/register', aRegistration());
  expect(answer.json()).toEqual({
    username: 'ann@example.com',
    role: 'user',
    approved: false,
    message: 'Please wait for administrator approval.',
  });
  expect(answer.cookies).toEqual([]);
  const row = await findUserByUsername(shop.db, 'ann@example.com');
  expect(row).toMatchObject({ role: 'user', approved: false, emailVerified: false });
});

test.each([
  ['came through a proxy', BEHIND_PROXY],
  ['was sent to another host name', { headers: { host: 'evil.example' } }],
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

test('the set-up link makes its bearer administrator from anywhere, once', async () => {
  const setupToken = (await createSetupToken(shop.db, shop.deps.now())) ?? '';
  const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
  const answers = await Promise.all(
    emails.map((email) => shop.post('/api/register', aRegistration({ email, setupToken }), BEHIND_PROXY)),
  );
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 403, 403]);
  expect(await createSetupToken(shop.db, shop.deps.now())).toBeNull();
});

test('a set-up link is dead after 24 hours', async () => {
  const setupToken = (await createSetupToken(shop.db, shop.deps.now())) ?? '';
  shop.advance(24 * HOUR);
  const answer = await shop.post('/api/register', aRegistration({ setupToken }), BEHIND_PROXY);
  expect(answer.json()).toMatchObject({ code: 'not_allowed' });
});

test('a taken address leaves the set-up link good, and says so', async () => {
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

test('a taken address answers like a fresh one, in any case of letters', async () => {
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

test.each(['role', 'approved', 'emailVerified', 'id', 'twoFactorEnabled', 'password2'])(
  'a registration with the field %s is refused',
  async (field) => {
    const answer = await shop.post('/api/register', { ...aRegistration(), [field]: true });
    expect(answer.statusCode).toBe(400);
    expect(await findUserByUsername(shop.db, 'ann@example.com')).toBeNull();
  },
);

test.each([
  ['a short password', { password: 'short12' }, 'password'],
  ['a common password', { password: 'Password123' }, 'password'],
  [
    'a password made of the mail name',
    { email: 'annabel.lee@example.com', password: 'annabel.lee1' },
    'password',
  ],
  ['no full name', { fullName: ' ' }, 'fullName'],
  ['no address', { email: 'ann' }, 'email'],
  ["somebody else's address as name", { username: 'bob@example.com' }, 'username'],
])('%s is refused at its field', async (_, over, field) => {
  const answer = await shop.post('/api/register', aRegistration(over));
  expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { [field]: expect.any(String) } });
});

test('registrations of one address are limited like sign-ins', async () => {
  const freeAt = new Date(shop.deps.now() + 45_000).toISOString();
  await shop.db.execute(sql`insert into login_attempts (door, subject, count, window_started_at, blocked_until)
    values ('register', 'address:127.0.0.1', 50, ${freeAt}, ${freeAt})`);
  const answer = await shop.post('/api/register', aRegistration());
  expect(answer.statusCode).toBe(429);
  expect(answer.headers['retry-after']).toBe('45');
  expect(answer.json()).toMatchObject({ message: 'Too many tries. Try again in 45 seconds.' });
});

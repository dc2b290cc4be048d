import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUserByEmail } from '#db/queries/identity/users.ts';
import { aWaitingUser, callAs, deliver, tokenIn } from '#tests/support/people.ts';
import { aRegistration, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';
import { createSetupToken } from '#usecases/identity/accounts/setup-link.ts';
import { makeVerificationLink } from '#usecases/identity/accounts/verification-link.ts';

const HOUR = 60 * 60_000;
const DEAD = expect.stringMatching(/^This link no longer works/);

let shop: TestApp;
let admin: string;
beforeEach(async () => {
  shop = await createTestApp({ sendsEmail: true, home: () => 'https://prices.example.com' });
  admin = await shop.admin();
});
afterEach(() => shop.close());

const open = (token: string) => shop.get(`/api/verify-email/${token}`);

test('a registration sends a link to its address, and the link verifies it', async () => {
  const answer = await shop.post('/api/register', aRegistration());
  expect(answer.json()).toMatchObject({ message: expect.stringMatching(/^Open the link in the email/) });
  const [email, ...others] = await deliver(shop);
  expect(others).toEqual([]);
  expect(email?.to).toBe('ann@example.com');
  expect(email?.text).toContain('https://prices.example.com/verify-email?token=');

  const verified = await open(tokenIn(email?.text));
  expect(verified.statusCode).toBe(200);
  expect(verified.json()).toEqual({
    message: 'Your email address is verified. Your account is now pending administrator approval.',
  });
  expect(verified.cookies).toEqual([]);
  expect(await findUserByEmail(shop.db, 'ann@example.com')).toMatchObject({
    emailVerified: true,
    approved: false,
  });
});

test('the first administrator needs no link', async () => {
  expect(await deliver(shop)).toEqual([]);
});

test('opened again the link reports that the address is verified', async () => {
  await aWaitingUser(shop, 'ann@example.com');
  const [email] = await deliver(shop);
  const token = tokenIn(email?.text);
  await open(token);
  const again = await open(token);
  expect(again.statusCode).toBe(200);
  expect(again.json().message).toMatch(/^Your email address is already verified\./);
  await approveUser(shop.deps, 'ann@example.com', false);
  expect((await open(token)).json().message).toMatch(/You can log in now\.$/);
});

test('of two concurrent clicks both succeed, and one audit row is written', async () => {
  await aWaitingUser(shop, 'ann@example.com');
  const [email] = await deliver(shop);
  const answers = await Promise.all([1, 2, 3, 4].map(() => open(tokenIn(email?.text))));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const { rows } = await shop.db.execute(
    sql`select actor, after from audit_log where action = 'user.verified'`,
  );
  expect(rows).toEqual([{ actor: 'ann@example.com', after: { emailVerified: true } }]);
});

test('a link expires after 24 hours, and its error is in both members', async () => {
  await aWaitingUser(shop, 'ann@example.com');
  const [email] = await deliver(shop);
  shop.advance(24 * HOUR);
  const late = await open(tokenIn(email?.text));
  expect(late.statusCode).toBe(404);
  expect(late.json()).toEqual({
    error: DEAD,
    message: DEAD,
    code: 'not_found',
    requestId: late.headers['x-request-id'],
  });
});

test('a newer link replaces the one before', async () => {
  const id = await aWaitingUser(shop, 'ann@example.com');
  const [first] = await deliver(shop);
  const resent = await callAs(shop, admin, 'POST', `/api/users/${id}/verification-email`);
  expect(resent.statusCode).toBe(200);
  const [second] = await deliver(shop);
  expect((await open(tokenIn(first?.text))).statusCode).toBe(404);
  expect((await open(tokenIn(second?.text))).statusCode).toBe(200);
});

test.each(['x', 'a'.repeat(43), '%00', '..%2Fusers'])('%s is no link', async (token) => {
  const answer = await open(token);
  expect([400, 404]).toContain(answer.statusCode);
  expect(answer.json().message).toEqual(expect.any(String));
});

test('the database stores only the hash of a link, and the log nothing', async () => {
  await aWaitingUser(shop, 'ann@example.com');
  const order = JSON.stringify(shop.queue.sent);
  const [email] = await deliver(shop);
  const token = tokenIn(email?.text);
  await open(token);
  const { rows } = await shop.db.execute(
    sql`select row_to_json(u) u, (select json_agg(a) from audit_log a) a from users u`,
  );
  expect(JSON.stringify(rows)).toContain(createHash('sha256').update(token).digest('hex'));
  for (const place of [JSON.stringify(rows), shop.log.join(''), order]) expect(place).not.toContain(token);
});

test('the owner of a taken address is notified, at a limited rate', async () => {
  await aWaitingUser(shop, 'ann@example.com');
  await deliver(shop);
  const answers = [];
  for (let n = 0; n < 5; n += 1) answers.push(await shop.post('/api/register', aRegistration()));
  const fresh = await shop.post('/api/register', aRegistration({ email: 'new@example.com' }));
  for (const answer of answers) {
    expect(answer.json()).toEqual({ ...fresh.json(), username: 'ann@example.com' });
  }
  const emails = await deliver(shop);
  const reported = emails.filter(({ to }) => to === 'ann@example.com');
  expect(reported.map(({ subject }) => subject)).toEqual([
    'You already have a Pricewright account',
    'You already have a Pricewright account',
  ]);
});

test('a rolled back registration queues no email, and no queued email is without its account', async () => {
  const broken = await createTestApp({
    db: shop.db,
    queue: { ...shop.queue, send: async () => Promise.reject(new Error('the queue is away')) },
  });
  expect((await broken.post('/api/register', aRegistration())).statusCode).toBe(500);
  expect(await findUserByEmail(shop.db, 'ann@example.com')).toBeNull();
  await broken.close();
});

test('an account that is approved and not verified can log in once it is', async () => {
  const id = await aWaitingUser(shop, 'ann@example.com');
  const [email] = await deliver(shop);
  await callAs(shop, admin, 'PUT', `/api/users/${id}/approve`);
  const login = { username: 'ann@example.com', password: PASSWORD, twoFactorToken: '' };
  expect((await shop.post('/api/login', login)).json()).toMatchObject({ code: 'not_verified' });
  await open(tokenIn(email?.text));
  expect((await shop.post('/api/login', login)).statusCode).toBe(200);
});

test('invalid links are limited per address, valid ones are not', async () => {
  await aWaitingUser(shop, 'ann@example.com');
  const [email] = await deliver(shop);
  for (let n = 0; n < 60; n += 1) await open(tokenIn(email?.text));
  const statuses: number[] = [];
  for (let n = 0; n < 51; n += 1) statuses.push((await open('guess')).statusCode);
  expect(statuses.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 404));
  expect(statuses[50]).toBe(429);
});

test('a link has one purpose: the setup link verifies no address, and this one sets nothing up', async () => {
  const empty = await createTestApp();
  const setupToken = (await createSetupToken(empty.db, empty.deps.now())) ?? '';
  await empty.post('/api/register', aRegistration(), { remoteAddress: '203.0.113.9' });
  expect((await empty.get(`/api/verify-email/${setupToken}`)).statusCode).toBe(404);
  const ann = await findUserByEmail(empty.db, 'ann@example.com');
  if (ann === null) throw new Error('Ann is not there');
  const link = await makeVerificationLink(empty.db, ann, 'http://127.0.0.1:5000', empty.deps.now());
  const other = aRegistration({ email: 'carl@example.com', setupToken: tokenIn(link?.url) });
  expect((await empty.post('/api/register', other)).statusCode).toBe(403);
  expect(await findUserByEmail(empty.db, 'carl@example.com')).toBeNull();
  await empty.close();
});

test('a link verifies the account it was made for, and no other', async () => {
  await aWaitingUser(shop, 'ann@example.com');
  await aWaitingUser(shop, 'carl@example.com');
  const emails = await deliver(shop);
  const anns = emails.find(({ to }) => to === 'ann@example.com');
  await open(tokenIn(anns?.text));
  expect(await findUserByEmail(shop.db, 'ann@example.com')).toMatchObject({ emailVerified: true });
  expect(await findUserByEmail(shop.db, 'carl@example.com')).toMatchObject({ emailVerified: false });
});

test('no header of a request gets into a link', async () => {
  const evil = {
    host: 'evil.example',
    origin: 'http://evil.example',
    referer: 'http://evil.example/',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
    'x-original-host': 'evil.example',
    'x-host': 'evil.example',
    'sec-fetch-site': 'same-origin',
  };
  const byEmail = await createTestApp({
    db: shop.db,
    queue: shop.queue,
    home: shop.deps.home,
    sendsEmail: true,
    publicUrl: 'http://127.0.0.1:5000',
  });
  const byHand = await createTestApp({
    db: shop.db,
    queue: shop.queue,
    trustedProxies: ['127.0.0.1'],
    publicUrl: 'http://127.0.0.1:5000',
  });
  await byEmail.post('/api/register', aRegistration(), { headers: evil });
  const registered = await deliver(shop);
  const ann = await findUserByEmail(shop.db, 'ann@example.com');
  const headers = { ...evil, cookie: admin };
  await byEmail.post(`/api/users/${ann?.id}/verification-email`, undefined, { headers });
  const emails = [...registered, ...(await deliver(shop))];
  expect(emails).toHaveLength(2);
  for (const { text } of emails) {
    expect(text).toContain('https://prices.example.com/verify-email?token=');
    expect(text).not.toContain('evil');
  }
  const { url } = (
    await byHand.post(`/api/users/${ann?.id}/verification-link`, undefined, { headers })
  ).json();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:5000\/verify-email\?token=/);
  await byEmail.close();
  await byHand.close();
});

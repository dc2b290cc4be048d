import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { findUserByUsername } from '#db/queries/identity/users.ts';
import { instant } from '#domain/units.ts';
import { buildApp } from '#server/app.ts';
import { aRegistration, cookieOf, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';
import { openSession } from '#usecases/identity/accounts/sessions.ts';
import { createSetupToken } from '#usecases/identity/accounts/setup-link.ts';

const MINUTE = 60_000;
const login = (username: string, password = PASSWORD) => ({ username, password, twoFactorToken: '' });

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

/** An approved user in addition to the administrator. */
async function anApprovedUser(): Promise<void> {
  await shop.admin();
  await shop.post('/api/register', aRegistration());
  await approveUser(shop.deps, 'ann@example.com', false);
}

test('the login is case-insensitive and sets an HttpOnly cookie', async () => {
  await anApprovedUser();
  const answer = await shop.post('/api/login', login('Ann@Example.com'));
  expect(answer.json()).toMatchObject({ username: 'ann@example.com', role: 'user' });
  expect(answer.cookies.slice(0, 1)).toEqual([
    {
      name: 'pricewright',
      value: expect.stringMatching(/^[\w-]{43}$/),
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: 86_400,
    },
  ]);
});

test('the database keeps no token and no password', async () => {
  const cookie = await shop.admin();
  const { rows } = await shop.db.execute(
    sql`select row_to_json(s) s, row_to_json(u) u from sessions s, users u`,
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
  expect(JSON.stringify(rows)).not.toContain(PASSWORD);
});

test('logging out ends the session on the server', async () => {
  const cookie = await shop.admin();
  expect((await shop.post('/api/logout', undefined, { headers: { cookie } })).statusCode).toBe(200);
  const replayed = await shop.get('/api/user', cookie);
  expect(replayed.statusCode).toBe(401);
  expect(replayed.json()).toMatchObject({ code: 'not_signed_in' });
});

test('the end of a session is in the audit log: a logout, or another login in its browser', async () => {
  const first = await shop.admin();
  const boss = await findUserByUsername(shop.db, 'boss@example.com');
  const again = await shop.post('/api/login', login('boss@example.com'), { headers: { cookie: first } });
  const out = await shop.post('/api/logout', undefined, { headers: { cookie: cookieOf(again) } });
  // Already ended: nothing happens.
  await shop.post('/api/logout', undefined, { headers: { cookie: first } });
  const { rows } = await shop.db.execute(
    sql`select action, actor_id, actor, address, request_id, extract(epoch from at) * 1000 as at
      from audit_log where action in ('logout', 'session.replaced') order by id`,
  );
  const who = { actor_id: boss?.id, actor: 'boss@example.com', address: '127.0.0.1' };
  const row = (action: string, answer: typeof out) => ({
    ...who,
    action,
    request_id: answer.headers['x-request-id'],
    at: expect.stringMatching(new RegExp(`^${shop.deps.now()}(\\.0+)?$`)),
  });
  expect(rows).toEqual([row('session.replaced', again), row('logout', out)]);
});

test('logging in again creates a new token and ends the one in the browser', async () => {
  const before = await shop.admin();
  const again = await shop.post('/api/login', login('boss@example.com'), { headers: { cookie: before } });
  expect(cookieOf(again)).not.toBe(before);
  expect((await shop.get('/api/user', before)).statusCode).toBe(401);
  expect((await shop.get('/api/user', cookieOf(again))).statusCode).toBe(200);
});

test('a token made up by the client is never adopted', async () => {
  const invented = `pricewright=${'a'.repeat(43)}`;
  const answer = await shop.post('/api/register', aRegistration(), { headers: { cookie: invented } });
  expect(cookieOf(answer)).not.toBe(invented);
  expect((await shop.get('/api/user', invented)).statusCode).toBe(401);
});

test('a session ends after 60 minutes without activity', async () => {
  const cookie = await shop.admin();
  shop.advance(59 * MINUTE);
  expect((await shop.get('/api/user', cookie)).statusCode).toBe(200);
  shop.advance(59 * MINUTE);
  expect((await shop.get('/api/user', cookie)).statusCode).toBe(200);
  shop.advance(60 * MINUTE);
  expect((await shop.get('/api/user', cookie)).statusCode).toBe(401);
});

test('a session ends after 24 hours, however active', async () => {
  const cookie = await shop.admin();
  for (let half = 1; half < 48; half += 1) {
    shop.advance(30 * MINUTE);
    expect((await shop.get('/api/user', cookie)).statusCode).toBe(200);
  }
  shop.advance(30 * MINUTE);
  expect((await shop.get('/api/user', cookie)).statusCode).toBe(401);
});

test.each([-60, 60])(
  'a server whose clock is %i minutes off goes by the one of the database',
  async (minutes) => {
    const clocks = { now: () => instant(Date.now()), sessionClock: () => 'database' as const };
    const here = await createTestApp(clocks);
    const elsewhere = await buildApp({ ...here.deps, now: () => instant(Date.now() + minutes * MINUTE) });
    const headers = { host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', cookie: await here.admin() };
    const user = async (of = headers) =>
      (await elsewhere.inject({ url: '/api/user', headers: of })).statusCode;
    expect(await user()).toBe(200);
    // The password that was entered at the other server counts here, too.
    const sensitive = await elsewhere.inject({ method: 'DELETE', url: '/api/users/unknown', headers });
    expect(sensitive.json()).toMatchObject({ code: 'not_found' });
    // The other way round as well.
    const payload = login('boss@example.com');
    const begun = await elsewhere.inject({ method: 'POST', url: '/api/login', headers, payload });
    expect((await here.get('/api/user', cookieOf(begun))).statusCode).toBe(200);
    await here.db.execute(sql`UPDATE sessions SET last_seen_at = last_seen_at - interval '60 minutes'`);
    expect(await user({ ...headers, cookie: cookieOf(begun) })).toBe(401);
    await elsewhere.close();
    await here.close();
  },
);

test('an account has at most twenty sessions: the oldest ends', async () => {
  const first = await shop.admin();
  for (let more = 0; more < 20; more += 1) {
    shop.advance(1_000);
    await shop.logIn('boss@example.com');
  }
  const { rows } = await shop.db.execute(sql`select count(*)::int as n from sessions`);
  expect(rows).toEqual([{ n: 20 }]);
  expect((await shop.get('/api/user', first)).statusCode).toBe(401);
});

test('a withdrawn approval applies from the next request', async () => {
  await anApprovedUser();
  const cookie = await shop.logIn('ann@example.com');
  await shop.db.execute(sql`update users set approved = false where role = 'user'`);
  expect((await shop.get('/api/user', cookie)).statusCode).toBe(401);
});

test.each([
  ['on this machine', {}, /^pricewright=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/],
  [
    'of the demo, next to the real installation,',
    { isDemo: true },
    /^pricewright_demo=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
  ],
  [
    'behind https',
    { publicUrl: 'https://prices.example.com' },
    /^__Host-pricewright=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ],
])('the cookie %s has its own name and no attribute too few or too many', async (_, over, form) => {
  const mode = await createTestApp(over);
  const setupToken = (await createSetupToken(mode.db, mode.deps.now())) ?? '';
  const answer = await mode.post('/api/register', aRegistration({ setupToken }));
  expect(answer.headers['set-cookie']).toMatch(form);
  // Nor is it accepted under the name of another mode.
  const token = cookieOf(answer).split('=')[1];
  const names = ['pricewright', 'pricewright_demo', '__Host-pricewright'];
  const statuses = await Promise.all(names.map((name) => mode.get('/api/user', `${name}=${token}`)));
  expect(statuses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  // The mark of the browser differs only in its name and lifetime.
  const again = await mode.post('/api/login', {
    username: 'ann@example.com',
    password: PASSWORD,
    twoFactorToken: '',
  });
  const [session = '', mark = ''] = [again.headers['set-cookie'] ?? []].flat();
  expect(session).toMatch(form);
  expect(mark.replace('_browser=', '=').replace(`Max-Age=${180 * 86_400};`, 'Max-Age=86400;')).toMatch(form);
  expect(mark).toContain('_browser=');
  const out = await mode.post('/api/logout', undefined, { headers: { cookie: cookieOf(answer) } });
  expect(out.headers['set-cookie']).toMatch(/=; Max-Age=0; Path=\/; Expires=[^;]+1970[^;]+; HttpOnly/);
  await mode.close();
});

test.each([
  ['the hash that the database keeps', 'hash'],
  ['an id of a session', 'id'],
  ['a token with more behind it', 'longer'],
  ['nothing', 'empty'],
])('%s is no token', async (_, kind) => {
  const cookie = await shop.admin();
  const { rows } = await shop.db.execute<{ hash: string; id: string }>(
    sql`select token_hash as hash, id from sessions`,
  );
  const forged = { hash: rows[0]?.hash, id: rows[0]?.id, longer: `${cookie.split('=')[1]}A`, empty: '' };
  const value = forged[kind as keyof typeof forged];
  expect((await shop.get('/api/user', `pricewright=${value}`)).statusCode).toBe(401);
});

test('every login creates a new token', async () => {
  await anApprovedUser();
  const tokens = [await shop.logIn('ann@example.com'), await shop.logIn('ann@example.com')];
  const change = { username: 'ann@example.com', password: PASSWORD, newPassword: 'eleven quiet owls listen' };
  const invented = `pricewright=${'b'.repeat(43)}`;
  tokens.push(cookieOf(await shop.post('/api/change-password', change, { headers: { cookie: invented } })));
  expect(new Set([...tokens, invented]).size).toBe(4);
  expect((await shop.get('/api/user', invented)).statusCode).toBe(401);
});

test('a new role ends all existing sessions', async () => {
  await anApprovedUser();
  const cookie = await shop.logIn('ann@example.com');
  await approveUser(shop.deps, 'ann@example.com', false);
  expect((await shop.get('/api/user', cookie)).statusCode).toBe(200);
  await approveUser(shop.deps, 'ann@example.com', true);
  expect((await shop.get('/api/user', cookie)).statusCode).toBe(401);
});

test('two concurrent logins leave twenty sessions too', async () => {
  await anApprovedUser();
  for (let n = 0; n < 20; n += 1) await shop.logIn('ann@example.com');
  const ann = await findUserByUsername(shop.db, 'ann@example.com');
  const caller = { address: '127.0.0.1', userAgent: null, requestId: 'r', browser: null };
  const open = (tx: Db) => openSession(tx, ann?.id ?? '', caller, shop.deps.now());
  let second: Promise<string> | undefined;
  await shop.db.transaction(async (tx) => {
    await open(tx);
    second = shop.db.transaction(open);
    await vi.waitUntil(async () => {
      const { rows } = await shop.db.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
  });
  await second;
  const { rows } = await shop.db.execute(
    sql`select count(*)::int as n from sessions where user_id = ${ann?.id}`,
  );
  expect(rows).toEqual([{ n: 20 }]);
});

import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aToken, callWith } from '#tests/support/api-tokens.ts';
import { aReadyUser } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { purgeExpired } from '#usecases/identity/accounts/purge-expired.ts';
import { newApiToken } from '#usecases/identity/tokens/token-form.ts';
import { STREAM_LOOK_INTERVAL } from './session-streams.ts';

const ANN = 'ann@example.com';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let shop: TestApp;
let boss: string;
beforeEach(async () => {
  shop = await createTestApp();
  boss = await shop.admin();
  await aReadyUser(shop, ANN);
});
afterEach(() => shop.close());

const inDays = (days: number): string => new Date(shop.deps.now() + days * DAY).toISOString();
const FORM = { name: 'Nightly', scopes: ['read'] };
const make = (form: object, cookie = boss) =>
  shop.post('/api/tokens', { ...FORM, expiresAt: inDays(30), ...form }, { headers: { cookie } });
const revoke = (id: string, cookie = boss) =>
  shop.post(`/api/tokens/${id}`, undefined, { method: 'DELETE', headers: { cookie } });
const newRule = (over: object = {}) => ({
  payload: { name: 'One', fulfillmentType: 'All', strategy: 'Beat Competitor', minimumMargin: '15', ...over },
});

test('a token is shown once, works at once, and is stored and logged nowhere', async () => {
  const made = await make({ scopes: ['read', 'prices'], callsPerMinute: 60 });
  expect(made.statusCode).toBe(201);
  const { id, token } = made.json();
  expect(token).toMatch(/^pwt_[\w-]{43}$/);
  expect((await callWith(shop, token, 'GET', '/api/stats')).statusCode).toBe(200);
  const [listed] = (await shop.get('/api/tokens', boss)).json();
  expect(listed).toEqual({
    id,
    name: 'Nightly',
    scopes: ['read', 'prices'],
    callsPerMinute: 60,
    createdAt: inDays(0),
    expiresAt: inDays(30),
    isExpired: false,
    lastUsedAt: inDays(0),
    lastNetwork: '127.0.0.1',
    username: 'boss@example.com',
    isOwn: true,
  });
  const { rows } = await shop.db.execute<{ text: string }>(sql`
    SELECT (SELECT string_agg(t::text, ' ') FROM api_tokens t) || (SELECT string_agg(a::text, ' ') FROM audit_log a) AS text`);
  for (const place of [String(rows[0]?.text), shop.log.join('\n')]) expect(place).not.toContain(token);
});

test('the hour of the last call is kept, and the network, not more', async () => {
  const token = await aToken(shop, ANN);
  shop.advance(47 * MINUTE);
  const from = { remoteAddress: '2001:db8:1:2:3:4:5:6' };
  expect((await callWith(shop, token, 'GET', '/api/stats', from)).statusCode).toBe(200);
  const [listed] = (await shop.get('/api/tokens/all', boss)).json();
  expect([listed.lastUsedAt, listed.lastNetwork]).toEqual(['2026-01-15T12:00:00.000Z', '2001:db8:1:2::/64']);
});

test.each([
  ['no name', { name: ' ' }, 400],
  ['no scope', { scopes: [] }, 400],
  ['an unknown scope', { scopes: ['admin'] }, 400],
  ['one scope twice', { scopes: ['read', 'read'] }, 400],
  ['an end in the past', { expiresAt: '2026-01-15T11:00:00Z' }, 400],
  ['a life of more than a year', { expiresAt: '2027-01-17T12:00:00Z' }, 400],
  ['too many calls', { callsPerMinute: 601 }, 400],
  ['a name that is taken', { name: 'USED' }, 409],
])('a token with %s is not made', async (_name, form, status) => {
  await make({ name: 'Used' });
  expect((await make(form)).statusCode).toBe(status);
  expect((await shop.get('/api/tokens', boss)).json()).toHaveLength(1);
});

test('making one needs a recent password, and no account has more than 20', async () => {
  shop.advance(11 * MINUTE);
  expect((await make({})).json().code).toBe('step_up_required');
  const ann = await shop.logIn(ANN);
  const answers = await Promise.all(Array.from({ length: 22 }, (_, n) => make({ name: `t${n}` }, ann)));
  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20);
});

test('users see and revoke their own, administrators those of all users', async () => {
  const ann = await shop.logIn(ANN);
  const annsToken = (await make({}, ann)).json();
  const bossToken = (await make({})).json();
  expect((await shop.get('/api/tokens/all', ann)).statusCode).toBe(403);
  expect((await shop.get('/api/tokens', ann)).json()).toMatchObject([{ id: annsToken.id }]);
  expect((await revoke(bossToken.id, ann)).statusCode).toBe(404);
  expect((await revoke('x', ann)).statusCode).toBe(404);
  expect((await shop.get('/api/tokens/all', boss)).json()).toMatchObject([
    { username: ANN, isOwn: false },
    { username: 'boss@example.com', isOwn: true },
  ]);
  expect((await revoke(annsToken.id)).statusCode).toBe(200);
  expect((await revoke(annsToken.id)).statusCode).toBe(404);
  const answer = await callWith(shop, annsToken.token, 'GET', '/api/stats');
  expect([answer.json().code, answer.headers['www-authenticate']]).toEqual([
    'token_invalid',
    'Bearer error="invalid_token"',
  ]);
});

test('a program writes without an origin, and the audit log says with which token', async () => {
  const token = await aToken(shop, ANN);
  const made = await callWith(shop, token, 'POST', '/api/rules', newRule());
  expect(made.statusCode, made.body).toBe(201);
  const halted = await callWith(shop, token, 'POST', '/api/engine/halt');
  expect(halted.statusCode, halted.body).toBe(200);
  const { rows } = await shop.get('/api/audit?size=25', boss).then((answer) => answer.json());
  expect(rows.slice(0, 2)).toMatchObject([
    { action: 'engine.halted', actor: ANN, token: 'Nightly' },
    { action: 'rule.created', actor: ANN, token: 'Nightly' },
  ]);
  const ofBrowsers = rows.slice(2).filter((row: { token: unknown }) => row.token !== null);
  expect(ofBrowsers).toEqual([]);
});

test('a refused call is in the audit log with its token', async () => {
  const token = await aToken(shop, ANN, { scopes: ['read'] });
  const answer = await callWith(shop, token, 'POST', '/api/rules', newRule());
  expect([answer.statusCode, answer.json().code, answer.headers['www-authenticate']]).toEqual([
    403,
    'scope_missing',
    'Bearer error="insufficient_scope"',
  ]);
  const { rows } = (await shop.get('/api/audit?group=refusals&size=25', boss)).json();
  expect(rows).toMatchObject([{ action: 'access.refused', actor: ANN, token: 'Nightly' }]);
});

test('what needs a password of users with some values only is refused with these values', async () => {
  const token = await aToken(shop, ANN);
  const usual = await callWith(shop, token, 'POST', '/api/rules', newRule());
  expect(usual.statusCode).toBe(201);
  const lower = newRule({ name: 'Two', minimumMargin: '14' });
  const low = await callWith(shop, token, 'POST', '/api/rules', lower);
  expect([low.statusCode, low.json().code]).toEqual([403, 'not_for_tokens']);
});

test('an import by a program names no sellers of yours', async () => {
  const token = await aToken(shop, 'boss@example.com');
  const answer = await callWith(shop, token, 'POST', '/api/imports/1/run', {
    payload: { checkId: '1', allOrNothing: true, ownSellers: [{ marketplace: 'amazon', name: 'Olive Co' }] },
  });
  expect([answer.statusCode, answer.json().code], answer.body).toEqual([403, 'not_for_tokens']);
});

test('calls of a minute are counted for all processes together', async () => {
  const token = await aToken(shop, ANN, { callsPerMinute: 5 });
  const other = await createTestApp({ db: shop.db });
  const call = (app: TestApp) => callWith(app, token, 'GET', '/api/stats');
  const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => call(n % 2 === 0 ? shop : other)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
  shop.advance(20_000);
  const refused = await call(shop);
  expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
    429,
    'too_many_requests',
    '40',
  ]);
  shop.advance(40_000);
  expect((await call(shop)).statusCode).toBe(200);
  await other.close();
});

test('wrong tokens of a network are limited, and a right one from there still works', async () => {
  const token = await aToken(shop, ANN);
  const guess = () => callWith(shop, newApiToken(), 'GET', '/api/stats');
  const answers = await Promise.all(Array.from({ length: 60 }, guess));
  expect(answers.filter(({ statusCode }) => statusCode === 401).length).toBeLessThanOrEqual(50);
  expect((await guess()).statusCode).toBe(429);
  expect((await callWith(shop, token, 'GET', '/api/stats')).statusCode).toBe(200);
});

const ENDS = [
  ['revoked', sql`DELETE FROM api_tokens`, 'token_invalid'],
  ['expired', sql`UPDATE api_tokens SET expires_at = created_at + interval '1 second'`, 'token_expired'],
  ['left without its scope', sql`UPDATE api_tokens SET scopes = ARRAY['read']`, 'scope_missing'],
  ['of a user without approval', sql`UPDATE users SET approved = false`, 'token_invalid'],
] as const;

test.each(ENDS)('a token %s while the body arrives changes nothing', async (_name, end, code) => {
  const token = await aToken(shop, ANN);
  const { payload } = newRule();
  const body = async function* parts() {
    yield '{';
    await shop.db.execute(end);
    yield JSON.stringify(payload).slice(1);
  };
  const answer = await callWith(shop, token, 'POST', '/api/rules', {
    payload: Readable.from(body()),
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.json().code).toBe(code);
  expect((await shop.db.execute(sql`SELECT FROM repricing_rules`)).rows).toEqual([]);
});

test.each(ENDS)('a token %s right before the transaction changes nothing', async (_name, end, code) => {
  const token = await aToken(shop, ANN);
  const begin = shop.db.transaction.bind(shop.db);
  vi.spyOn(shop.db, 'transaction').mockImplementationOnce(async (work, config) => {
    await shop.db.execute(end);
    return begin(work, config);
  });
  const answer = await callWith(shop, token, 'POST', '/api/rules', newRule());
  expect(answer.json().code).toBe(code);
  expect((await shop.db.execute(sql`SELECT FROM repricing_rules`)).rows).toEqual([]);
});

test('a long response is aborted within seconds of the end of its token', async () => {
  const token = await aToken(shop, ANN);
  const revokeSoon = async () => {
    await shop.db.execute(sql`DELETE FROM api_tokens`);
    other.advance(STREAM_LOOK_INTERVAL);
    return 'two';
  };
  const other = await createTestApp({ db: shop.db });
  other.app.addHook('preHandler', async (_request, reply) =>
    reply.type('text/csv').send(Readable.from([Promise.resolve('one,'), revokeSoon()])),
  );
  await expect(callWith(other, token, 'GET', '/api/stats')).rejects.toThrow();
  await other.close();
});

test('an administrator without a required second factor cannot get around it with a token', async () => {
  await shop.close();
  shop = await createTestApp({ requiresTwoFactor: true });
  boss = await shop.admin();
  const token = await aToken(shop, 'boss@example.com');
  const answer = await callWith(shop, token, 'PUT', '/api/costs/estimates', { payload: {} });
  expect(answer.json().code).toBe('two_factor_missing');
});

test('expired tokens are listed for a month, then deleted', async () => {
  await aToken(shop, ANN, { minutes: 1 });
  shop.advance(2 * MINUTE);
  const read = async () => (await shop.get('/api/tokens', await shop.logIn(ANN))).json();
  expect(await read()).toMatchObject([{ isExpired: true }]);
  shop.advance(31 * DAY);
  expect(await purgeExpired(shop.db, shop.deps.now())).toMatchObject({ apiTokens: 1 });
  expect(await read()).toEqual([]);
});

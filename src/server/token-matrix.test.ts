import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_SCOPES } from '#domain/api-scopes.ts';
import { aToken } from '#tests/support/api-tokens.ts';
import { aReadyUser } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { DeclaredRoute } from './access.ts';
import { TOKEN_SCOPES } from './token-scopes.ts';

const BOSS = 'boss@example.com';
const ANN = 'ann@example.com';
const LEN = 'len@example.com';

let shop: TestApp;
/** The administrator's session, which every call sends too: a call with a token must not use it. */
let cookie: string;
let tokens: Readonly<Record<string, string>>;

/** One token for each scope and one for all others, by the scope; and those that no call takes. */
beforeAll(async () => {
  shop = await createTestApp({ metricsToken: 'a token for scrapers only' });
  cookie = await shop.admin();
  for (const email of [ANN, LEN]) await aReadyUser(shop, email);
  const made: Record<string, string> = {};
  for (const scope of API_SCOPES) {
    const others = API_SCOPES.filter((each) => each !== scope);
    made[scope] = await aToken(shop, BOSS, { name: scope, scopes: [scope] });
    made[`not ${scope}`] = await aToken(shop, BOSS, { name: `not ${scope}`, scopes: others });
  }
  made.every = await aToken(shop, BOSS, { name: 'every' });
  made.expired = await aToken(shop, BOSS, { name: 'expired', minutes: -1 });
  made.revoked = await aToken(shop, BOSS, { name: 'revoked' });
  await shop.db.execute(sql`delete from api_tokens where name = 'revoked'`);
  made.user = await aToken(shop, ANN);
  made.unapproved = await aToken(shop, LEN);
  await shop.db.execute(sql`update users set approved = false where email = ${LEN}`);
  tokens = made;
});
afterAll(() => shop.close());

const nameOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;
const REFUSALS = ['token_invalid', 'token_expired', 'scope_missing', 'not_for_tokens', 'not_allowed'];
let calls = 0;

/** The refusal of a call with a token; "in" when the checks let it in, whatever it then answers. */
async function ask({ method, path }: DeclaredRoute, authorization: string): Promise<string> {
  calls += 1;
  // Neither the calls of a minute nor the wrong tokens of an address are what this is about.
  if (calls % 100 === 0) shop.advance(60_001);
  const answer = await shop.app.inject({
    method: method as 'GET',
    url: path.replaceAll(/:\w+/g, 'x').replace('*', 'x'),
    remoteAddress: `10.0.${Math.floor(calls / 250)}.${calls % 250}`,
    headers: { host: '127.0.0.1:5000', cookie, authorization },
    payloadAsStream: true,
  });
  if (answer.statusCode !== 401 && answer.statusCode !== 403) {
    answer.stream().destroy();
    return 'in';
  }
  const { code } = JSON.parse(Buffer.concat(await answer.stream().toArray()).toString());
  return REFUSALS.includes(code) ? code : `refused as ${code}`;
}

/** What a route answers to each kind of token. */
function expected({ access, scope }: DeclaredRoute): Record<string, string> {
  const dead = { expired: 'token_expired', revoked: 'token_invalid', unapproved: 'token_invalid' };
  if (scope === null) return { ...dead, every: 'not_for_tokens', user: 'not_for_tokens' };
  return {
    ...dead,
    [scope]: 'in',
    [`not ${scope}`]: 'scope_missing',
    user: access === 'admin' ? 'not_allowed' : 'in',
  };
}

test('every call that is not public says which scope a token needs, or that none may call', () => {
  const wanted = shop.app.declaredRoutes.filter(({ access }) => ['loggedIn', 'admin'].includes(access));
  expect(Object.keys(TOKEN_SCOPES).sort()).toEqual(wanted.map(nameOf).sort());
});

test('every call answers every kind of token as its scope says, whatever cookie comes with it', async () => {
  const routes = shop.app.declaredRoutes.filter(
    ({ access, method }) => ['loggedIn', 'admin'].includes(access) && method !== 'HEAD',
  );
  const wrong: string[] = [];
  for (const route of routes) {
    for (const [kind, reported] of Object.entries(expected(route))) {
      const answer = await ask(route, `Bearer ${tokens[kind]}`);
      if (answer !== reported) wrong.push(`${nameOf(route)} with ${kind}: ${answer}, not ${reported}`);
    }
  }
  expect(wrong).toEqual([]);
  // They have no body that could say why.
  const heads = shop.app.declaredRoutes.filter(({ method }) => method === 'HEAD');
  expect(heads.filter(({ scope }) => scope !== null)).toEqual([]);
  expect(calls).toBeGreaterThan(900);
});

test.each([
  ['nothing', 'Bearer'],
  ['a space', 'Bearer '],
  ['two tokens', `Bearer pwt_${'a'.repeat(43)} pwt_${'b'.repeat(43)}`],
  ['another form', 'bearer eyJhbGciOiJIUzI1NiJ9.e30.x'],
  ['a NUL', 'Bearer pwt_%00'],
])('a header with %s is a wrong token, and no login by the cookie', async (_name, authorization) => {
  const stats = shop.app.declaredRoutes.find(({ path }) => path === '/api/stats');
  if (stats === undefined) throw new Error('no such route');
  expect(await ask(stats, authorization)).toBe('token_invalid');
});

test('no public call and no call of the operator knows tokens', async () => {
  const others = shop.app.declaredRoutes.filter(({ access }) => !['loggedIn', 'admin'].includes(access));
  expect(others.filter(({ scope }) => scope !== null)).toEqual([]);
  const metrics = others.filter(({ access }) => access === 'operator');
  for (const route of metrics) expect(await ask(route, `Bearer ${tokens.every}`)).toBe('not_allowed');
});

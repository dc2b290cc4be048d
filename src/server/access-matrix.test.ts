import { sql } from 'drizzle-orm';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireDeclaredAccess } from '#server/access.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { fakeIdentityProvider } from '#tests/support/fake-identity-provider.ts';
import { aRegistration, cookieOf, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';

const MATRIX = 'tests/architecture/access-matrix.md';
const CALLERS = ['anonymous', 'unverified', 'unapproved', 'user', 'admin'] as const;
type Caller = (typeof CALLERS)[number];
const INTRODUCTION = [
  '# Who may call what',
  '',
  'Made by `src/server/access-matrix.test.ts`, which calls every route as every kind of caller and fails when',
  'the answer differs from this page. After a change on purpose: `npx vitest run --project db access-matrix -u`.',
  'Token: the scope that an API token needs; "no": none may call. `src/server/token-matrix.test.ts` calls them all.',
  '"unverified" and "unapproved" hold a session from before they lost that state. Seen from another machine.',
  '',
];
const REFUSALS: Record<number, string> = { 401: 'log in', 403: 'no' };

let shop: TestApp;
const cookies: Partial<Record<Caller, string>> = {};
/** The same accounts, logged in with the identity provider. */
const providerCookies: Partial<Record<Caller, string>> = {};
/** Whom the identity provider sends. */
const person = { subject: '', email: '' };

/** A session of each kind of account; the incomplete ones logged in before they lost what they had. */
beforeAll(async () => {
  const identityProvider = fakeIdentityProvider(person);
  shop = await createTestApp({ metricsToken: 'a token for scrapers only', identityProvider });
  cookies.admin = await shop.admin();
  for (const caller of ['unverified', 'unapproved', 'user'] as const) {
    const email = `${caller}@example.com`;
    await shop.post('/api/register', aRegistration({ email }));
    await approveUser(shop.deps, email, false);
    cookies[caller] = await shop.logIn(email);
  }
  await turnProviderOn(cookies.admin);
  for (const caller of ['admin', 'unverified', 'unapproved', 'user'] as const)
    providerCookies[caller] = await logInWithProvider(caller);
  await shop.db.execute(sql`update users set email_verified = false where email = 'unverified@example.com'`);
  await shop.db.execute(sql`update users set approved = false where email = 'unapproved@example.com'`);
});
afterAll(() => shop.close());

async function turnProviderOn(cookie: string): Promise<void> {
  const values = {
    isOn: true,
    issuer: 'https://login.example.com',
    clientId: 'pricewright',
    clientSecret: '',
    label: 'Shop login',
    scopes: [],
    groupsClaim: 'groups',
    adminGroups: [],
    userGroups: [],
    linksAccounts: true,
    createsAccounts: false,
    secondFactor: 'reported',
    factorAcrs: [],
    directLogin: 'all',
    version: null,
  };
  const saved = await shop.post('/api/openid/settings', values, { method: 'PUT', headers: { cookie } });
  expect(saved.statusCode, saved.body).toBe(200);
}

async function logInWithProvider(caller: Caller): Promise<string> {
  const email = caller === 'admin' ? 'boss@example.com' : `${caller}@example.com`;
  Object.assign(person, { subject: caller, email });
  const started = await shop.post('/api/openid/login', { returnTo: '/' });
  const query = new URL(started.json().address).search.slice(1);
  const answer = await shop.post('/api/openid/answer', { query }, { headers: { cookie: cookieOf(started) } });
  const session = answer.cookies.find(({ name }) => name === 'pricewright');
  return `pricewright=${session?.value}`;
}

/** The result of the access checks for a caller: only whether it was let in, not the response itself. */
async function ask(method: string, path: string, caller: Caller, own = cookies): Promise<string> {
  const cookie = own[caller];
  const answer = await shop.app.inject({
    method: method as 'GET',
    url: path.replaceAll(/:\w+/g, 'x').replace('*', 'x'),
    // Not from the machine itself, so that operator routes are called from outside.
    remoteAddress: '203.0.113.5',
    headers: { host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) },
    payloadAsStream: true,
  });
  const refusal = REFUSALS[answer.statusCode] ?? 'yes';
  answer.stream().destroy();
  return refusal;
}

async function matrix(): Promise<string> {
  const routes = [...shop.app.declaredRoutes].sort((a, b) =>
    `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1,
  );
  const rows = [['Route', 'Level', 'Token', ...CALLERS]];
  for (const { method, path, access, scope } of routes) {
    const row = [`${method} ${path}`, access, scope ?? 'no'];
    // Logging out would end the sessions that the rows below still need.
    for (const caller of CALLERS)
      row.push(await ask(method, path, path === '/api/logout' ? 'anonymous' : caller));
    rows.push(row);
  }
  return `${[...INTRODUCTION, ...table(rows)].join('\n')}\n`;
}

/** Lines of a Markdown table. */
function table([head = [], ...rows]: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

test('every route answers every kind of caller as in the matrix', async () => {
  await expect(await matrix()).toMatchFileSnapshot(`../../${MATRIX}`);
});

test.runIf(IS_ALL)(
  'a session of the identity provider is answered like one of a password, in every cell',
  async () => {
    // The calls above ended them with those of the same user.
    for (const caller of ['user', 'admin'] as const)
      providerCookies[caller] = await logInWithProvider(caller);
    expect(new Set(Object.values(providerCookies)).size).toBe(4);
    const wrong: string[] = [];
    for (const { method, path, access } of shop.app.declaredRoutes) {
      // One of two sessions would end the other.
      if (access === 'public' || access === 'operator' || path === '/api/sessions/end-others') continue;
      for (const caller of ['unverified', 'unapproved', 'user', 'admin'] as const) {
        const [one, other] = [
          await ask(method, path, caller),
          await ask(method, path, caller, providerCookies),
        ];
        if (one !== other) wrong.push(`${method} ${path} as ${caller}: ${other}, not ${one}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

test.each(['GET', 'POST', 'PUT', 'DELETE'] as const)(
  'a %s route without a level stops the start',
  (method) => {
    const app = Fastify();
    requireDeclaredAccess(app);
    const add = () => app.route({ method, url: '/api/forgotten', handler: async () => 'open to all' });
    expect(add).toThrow(/declares no access level/);
  },
);

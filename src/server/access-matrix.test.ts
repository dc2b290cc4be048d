import { sql } from 'drizzle-orm';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireDeclaredAccess } from '#server/access.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-user.ts';

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
const REFUSALS: Record<number, string> = { 401: 'sign in', 403: 'no' };

let shop: TestApp;
const cookies: Partial<Record<Caller, string>> = {};

/** A session of each kind of account; the incomplete ones logged in before they lost what they had. */
beforeAll(async () => {
  shop = await createTestApp({ metricsToken: 'a token for scrapers only' });
  cookies.admin = await shop.admin();
  for (const caller of ['unverified', 'unapproved', 'user'] as const) {
    const email = `${caller}@example.com`;
    await shop.post('/api/register', aRegistration({ email }));
    await approveUser(shop.deps, email, false);
    cookies[caller] = await shop.signIn(email);
  }
  await shop.db.execute(sql`update users set email_verified = false where email = 'unverified@example.com'`);
  await shop.db.execute(sql`update users set approved = false where email = 'unapproved@example.com'`);
});
afterAll(() => shop.close());

/** The result of the access checks for a caller: only whether it was let in, not the response itself. */
async function ask(method: string, path: string, caller: Caller): Promise<string> {
  const cookie = cookies[caller];
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

/** Lines of a Markdown table, aligned as the formatter requires. */
function table([head = [], ...rows]: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

test('every route answers every kind of caller as in the matrix', async () => {
  await expect(await matrix()).toMatchFileSnapshot(`../../${MATRIX}`);
});

test.each(['GET', 'POST', 'PUT', 'DELETE'] as const)(
  'a %s route without a level stops the start',
  (method) => {
    const app = Fastify();
    requireDeclaredAccess(app);
    const add = () => app.route({ method, url: '/api/forgotten', handler: async () => 'open to all' });
    expect(add).toThrow(/declares no access level/);
  },
);

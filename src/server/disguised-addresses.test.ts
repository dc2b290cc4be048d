import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeclaredRoute } from '#server/access.ts';
import { asMany } from '#tests/support/breadth.ts';
import { aReadyUser } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let user: string;
let admin: string;
let routes: DeclaredRoute[];
beforeAll(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
  await aReadyUser(shop, 'ann@example.com');
  user = await shop.logIn('ann@example.com');
  routes = shop.app.declaredRoutes.filter(
    ({ access, path }) => access !== 'public' && path.startsWith('/api/'),
  );
});
afterAll(() => shop.close());

/** The same address in another encoding, as a proxy, a browser or an attacker may send it. */
const DRESSES: Readonly<Record<string, (path: string) => string>> = {
  'a slash at the end': (path) => `${path}/`,
  'two slashes at the beginning': (path) => `/${path}`,
  'two slashes inside': (path) => path.replace('/api/', '/api//'),
  'capital letters': (path) => path.toUpperCase(),
  'one capital letter': (path) => path.replace('/api', '/Api'),
  'an encoded letter': (path) => path.replace('/api', '/%61pi'),
  'an encoded slash': (path) => path.replace('/api/', '/api%2f'),
  'a slash encoded twice': (path) => path.replace('/api/', '/api%252f'),
  'a backslash': (path) => path.replace('/api/', '/api\\'),
  'a dot inside': (path) => path.replace('/api/', '/api/./'),
  'a way up and down again': (path) => path.replace('/api/', '/api/stats/../'),
  'an encoded way up': (path) => path.replace('/api/', '/api/logout/%2e%2e/'),
  'a parameter behind a semicolon': (path) => `${path};x=1`,
  'a question mark': (path) => `${path}?`,
  'an encoded question mark': (path) => `${path}%3fx`,
  'a number sign': (path) => `${path}#x`,
  'an ending': (path) => `${path}.json`,
  'a space': (path) => `${path}%20`,
  'a NUL': (path) => `${path}%00`,
  'a whole address': (path) => `http://127.0.0.1:5000${path}`,
};

/** Headers that make several servers use another address, method or user. */
const TALK: Readonly<Record<string, string>> = {
  'x-original-url': '/healthz',
  'x-rewrite-url': '/healthz',
  'x-http-method-override': 'GET',
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-user': 'boss@example.com',
  'x-real-ip': '127.0.0.1',
  authorization: 'Basic Ym9zczpib3Nz',
};

async function ask(
  method: string,
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const answer = await shop.app.inject({
    method: method as 'GET',
    url,
    remoteAddress: '203.0.113.5',
    headers: { host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', ...headers },
    payloadAsStream: true,
  });
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
  let body = '';
  if (isStream) answer.stream().destroy();
  else for await (const part of answer.stream()) body += String(part);
  return { status: answer.statusCode, body };
}

const plain = (path: string): string => path.replaceAll(/:\w+/g, '1').replace('*', 'x');
const isRefusal = (status: number): boolean => [401, 403, 404, 405].includes(status);

/** A part of the routes for each encoding and others for the next, so that each has several; all of them with --all. */
const STEP = 9;
const NAMES = Object.keys(DRESSES);
/** The same of a few values for each route. */
const some = <T>(all: readonly T[], place: number, step: number): T[] =>
  all.filter((_, at) => (at + place) % asMany(step, 1) === 0);

describe.each(Object.entries(DRESSES))('%s', (name, dressed) => {
  test('lets no caller in without a session, and no user into administrator routes', async () => {
    const open: string[] = [];
    for (const { method, path, access } of some(routes, NAMES.indexOf(name), STEP)) {
      const url = dressed(plain(path));
      const callers = access === 'admin' ? [{}, { cookie: user }] : [{}];
      for (const headers of callers) {
        const { status } = await ask(method, url, headers);
        if (!isRefusal(status)) open.push(`${method} ${url}: ${status}`);
      }
    }
    expect(open).toEqual([]);
  });
});

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

test('another method than the declared one gives no access either', async () => {
  const open: string[] = [];
  for (const [place, path] of [...new Set(routes.map((route) => route.path))].entries()) {
    for (const method of some(METHODS, place, 3)) {
      const { status, body } = await ask(method, plain(path), {});
      if (!isRefusal(status)) open.push(`${method} ${path}: ${status}`);
      if (method === 'HEAD') expect(body).toBe('');
    }
  }
  expect(open).toEqual([]);
});

test('no header gives access', async () => {
  const open: string[] = [];
  for (const { method, path, access } of routes) {
    const callers = access === 'admin' ? [TALK, { ...TALK, cookie: user }] : [TALK];
    for (const headers of callers) {
      const { status } = await ask(method, plain(path), headers);
      if (status !== 401 && status !== 403) open.push(`${method} ${path}: ${status}`);
    }
  }
  expect(open).toEqual([]);
});

const QUERIES = ['include=users', 'fields=password', 'expand=settings', 'userId=1'];

test('a query or a body that the call does not have adds nothing', async () => {
  const taken: string[] = [];
  const ours = routes.filter((route) => !route.path.startsWith('/api/docs'));
  for (const [place, { method, path }] of ours.entries()) {
    for (const query of some(QUERIES, place, QUERIES.length)) {
      const { status } = await ask(method, `${plain(path)}?${query}`, { cookie: admin });
      if (status < 400) taken.push(`${method} ${path}?${query}: ${status}`);
    }
  }
  expect(taken).toEqual([]);
});

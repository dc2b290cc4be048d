import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminByLink } from '#tests/support/people.ts';
import { addListing, addOffer, addRule, addSku } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { exampleOf } from './api-docs/examples.ts';

let root: string;
let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'answers-'));
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'index.html'), '<!doctype html><script>1</script>');
  await writeFile(join(root, 'assets', 'app-1a2b.js'), `console.log(1);${' '.repeat(2_000)}`);
  await writeFile(join(root, 'assets', 'app-1a2b.css'), 'a{}');
  shop = await createTestApp({ webRoot: root, publicUrl: 'https://prices.example.com' });
  shop.app.get('/api/broken', { config: { access: 'public' } }, async () => {
    throw new Error('relation "secrets" does not exist at /srv/app.ts:7');
  });
  cookie = await adminByLink(shop);
  await addSku(shop.db, 'A-1');
  const id = await addListing(shop.db, 'A-1');
  await addOffer(shop.db, id, 18);
  await addRule(shop.db);
});
afterAll(async () => {
  await shop.close();
  await rm(root, { recursive: true });
});

/** The response to an administrator's browser, with its body unread. */
async function ask(options: InjectOptions) {
  const answer = await shop.app.inject({
    ...options,
    headers: { host: 'prices.example.com', 'sec-fetch-site': 'same-origin', cookie, ...options.headers },
    payloadAsStream: true,
  });
  answer.stream().destroy();
  return answer;
}

const json = { 'content-type': 'application/json' };
const page = { accept: 'text/html' };

/** Every kind of response, and its type. */
const KINDS: readonly [string, number, InjectOptions, RegExp | null][] = [
  ['JSON', 200, { url: '/api/user' }, /^application\/json; charset=utf-8$/],
  ['a list', 200, { url: '/api/listings' }, /^application\/json; charset=utf-8$/],
  ['a file that is being written', 200, { url: '/api/skus/export.csv' }, /^text\/csv; charset=utf-8$/],
  ['a template', 200, { url: '/api/imports/template/skus.csv' }, /^text\/csv; charset=utf-8$/],
  ['a stream of events', 200, { url: '/api/events' }, /^text\/event-stream; charset=utf-8$/],
  ['the page', 200, { url: '/listings', headers: page }, /^text\/html; charset=utf-8$/],
  ['a script', 200, { url: '/assets/app-1a2b.js' }, /^application\/javascript; charset=utf-8$/],
  ['a style sheet', 200, { url: '/assets/app-1a2b.css' }, /^text\/css; charset=utf-8$/],
  ['the head of a script', 200, { method: 'HEAD', url: '/assets/app-1a2b.js' }, /^application\/javascript/],
  ['the description of the API', 200, { url: '/api/docs/json' }, /^application\/json; charset=utf-8$/],
  ['its page', 200, { url: '/api/docs', headers: page }, /^text\/html; charset=utf-8$/],
  ['a file of its page', 200, { url: '/api/docs/static/swagger-ui.css' }, /^text\/css; charset=utf-8$/],
  ['the metrics', 403, { url: '/metrics' }, /^application\/json; charset=utf-8$/],
  ['health', 200, { url: '/healthz' }, /^application\/json; charset=utf-8$/],
  ['a wrong value', 400, { url: '/api/listings?page=x' }, /^application\/json; charset=utf-8$/],
  [
    'broken JSON',
    400,
    { method: 'POST', url: '/api/login', headers: json, payload: '{' },
    /^application\/json; charset=utf-8$/,
  ],
  ['no user logged in', 401, { url: '/api/user', headers: { cookie: '' } }, /^application\/json/],
  [
    'another site',
    403,
    { method: 'POST', url: '/api/logout', headers: { 'sec-fetch-site': 'cross-site' } },
    /^application\/json; charset=utf-8$/,
  ],
  ['no such call', 404, { url: '/api/nothing', headers: page }, /^application\/json; charset=utf-8$/],
  ['no such script', 404, { url: '/assets/missing.js' }, /^application\/json; charset=utf-8$/],
  ['an unreadable address', 404, { url: '/%zz' }, /^application\/json; charset=utf-8$/],
  ['the wrong method', 405, { method: 'DELETE', url: '/api/user' }, /^application\/json; charset=utf-8$/],
  ['TRACE', 405, { method: 'TRACE' as 'GET', url: '/healthz' }, /^application\/json; charset=utf-8$/],
  ['OPTIONS', 405, { method: 'OPTIONS', url: '/api/login' }, /^application\/json; charset=utf-8$/],
  [
    'a large body',
    413,
    { method: 'POST', url: '/api/login', headers: json, payload: `"${'x'.repeat(1_048_576)}"` },
    /^application\/json; charset=utf-8$/,
  ],
  [
    'another type of body',
    415,
    { method: 'POST', url: '/api/login', headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
    /^application\/json; charset=utf-8$/,
  ],
  ['a mistake of ours', 500, { url: '/api/broken' }, /^application\/json; charset=utf-8$/],
];

describe('every kind of response', () => {
  test.each(KINDS)(
    '%s (%i) carries all security headers, says its type, names no framework and lets no other site read it',
    async (_, status, options, type) => {
      const { statusCode, headers } = await ask(options);
      expect(statusCode).toBe(status);
      const policy = String(headers['content-security-policy']);
      for (const part of [
        "style-src 'self'",
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy.split('; ')).toContain(part);
      }
      expect(policy).toMatch(/; script-src 'self'( 'sha256-[\w+/]{43}=')*; /);
      expect(policy).not.toMatch(/unsafe/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      if (type !== null) expect(headers['content-type']).toMatch(type);
      const reported = Object.keys(headers).filter(
        (name) => name.startsWith('access-control-') || ['server', 'x-powered-by', 'via'].includes(name),
      );
      expect(reported).toEqual([]);
    },
  );

  test('except pages and files must not be cached', async () => {
    for (const [, status, options] of KINDS) {
      const isKept = status === 200 && /^\/(listings|assets\/)/.test(String(options.url));
      const { headers } = await ask(options);
      const isStored = !String(headers['cache-control']).includes('no-store');
      const isOfDocs = String(options.url).startsWith('/api/docs/static/');
      expect(isStored, String(options.url)).toBe(isKept || isOfDocs);
    }
  });
});

/**
 * Rows that a download writes on purpose: which prices a price file had, and who downloaded it.
 * `tests/architecture/security-exceptions.md` has the reason.
 */
const KEPT_OF_DOWNLOADS = ['public.price_files', 'public.audit_log'];

/** A hash of every row of every table, which any write changes. Sessions without their last use. */
async function fingerprint(): Promise<Record<string, string>> {
  const { rows: tables } = await shop.db.execute<{ name: string }>(sql`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`);
  const marks: Record<string, string> = {};
  for (const { name } of tables) {
    if (KEPT_OF_DOWNLOADS.includes(name)) continue;
    const row = name === 'public.sessions' ? sql`id::text` : sql`t.xmin::text || t.ctid::text`;
    const { rows } = await shop.db.execute<{ mark: string }>(
      sql`SELECT count(*) || ' ' || md5(coalesce(string_agg(${row}, ' ' ORDER BY t.ctid), '')) AS mark
        FROM ${sql.raw(name)} t`,
    );
    marks[name] = rows[0]?.mark ?? '';
  }
  return marks;
}

describe('reading', () => {
  test('changes no row of any table, for every read', async () => {
    // The link of an email is the one exception: it marks an address as verified.
    const reads = shop.app.declaredRoutes.filter(
      ({ method, path }) =>
        ['GET', 'HEAD'].includes(method) && !path.startsWith('/api/verify-email/') && path !== '/api/broken',
    );
    const before = await fingerprint();
    expect(Object.keys(before).length).toBeGreaterThan(20);
    const statuses = new Map<number, number>();
    for (const { method, path } of reads) {
      const seen = exampleOf(`${method} ${path}`)?.url ?? path;
      for (const url of [seen, path].map((each) => each.replaceAll(/:\w+/g, '1').replace('*', 'x'))) {
        const answer = await shop.app.inject({
          method: method as 'GET',
          url,
          headers: { host: 'prices.example.com', cookie },
          payloadAsStream: true,
        });
        // Read to the end where the response ends, so that background work is done.
        if (path === '/api/events') answer.stream().destroy();
        else await answer.stream().toArray();
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      }
    }
    expect(await fingerprint()).toEqual(before);
    expect(statuses.get(200)).toBeGreaterThan(40);
    expect(statuses.get(500)).toBeUndefined();
  });

  test('is distinguished from writing: a save is detected', async () => {
    const before = await fingerprint();
    await shop.post(
      '/api/engine/halt',
      {},
      { headers: { host: 'prices.example.com', 'sec-fetch-site': 'same-origin', cookie } },
    );
    expect(await fingerprint()).not.toEqual(before);
  });
});

import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOSSES } from '#tests/support/held-calls.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { STREAM_LOOK_INTERVAL } from './session-streams.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

/** This many administrators, each logged in with a token of 43 times the same number of two letters. */
async function seedAdmins(count: number): Promise<{ id: string; cookie: string }[]> {
  const tokens = Array.from({ length: count }, (_none, at) => String(at).padStart(43, '0'));
  const hashes = JSON.stringify(tokens.map(tokenHash));
  const now = new Date(shop.deps.now()).toISOString();
  await shop.db.execute(sql`
    INSERT INTO users (id, username, password, full_name, email, phone_number, email_verified, role, approved)
    SELECT 'held-' || n, 'held-' || n, 'none', 'Held', 'held-' || n, '', true, 'admin', true
    FROM generate_series(0, ${count - 1}::int) n`);
  await shop.db.execute(sql`
    INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at, expires_at, step_up_at)
    SELECT hash, 'held-' || at - 1, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz + interval '1 day', ${now}::timestamptz
    FROM jsonb_array_elements_text(${hashes}::jsonb) WITH ORDINALITY t (hash, at)`);
  return tokens.map((token, at) => ({ id: `held-${at}`, cookie: `pricewright=${token}` }));
}

/** A body that arrives in chunks; an action happens before the last of them. */
function bodyThat(pieces: readonly string[], happens: () => Promise<unknown>): Readable {
  return Readable.from(
    (async function* parts() {
      yield* pieces.slice(0, -1);
      await happens();
      yield pieces.at(-1) ?? '';
    })(),
  );
}

/** What a route takes: JSON, or the bytes of a file. */
function bodyOf(path: string): { url: string; type: string; pieces: readonly string[] } {
  if (path === '/api/imports')
    return { url: `${path}?kind=skus&name=skus.csv`, type: 'text/csv', pieces: UPLOAD };
  return { url: path.replaceAll(/:\w+/g, '1'), type: 'application/json', pieces: ['{', '}'] };
}
const UPLOAD = ['sku,name,productCost,weight\n', 'B-1,Mug,4.00,8\n'];

const isWrite = (method: string): boolean => !['GET', 'HEAD'].includes(method);

describe('a delayed request', () => {
  test.each(LOSSES)('of a $name account is refused in every writing route', async (loss) => {
    await shop.app.ready();
    const routes = shop.app.declaredRoutes.filter(
      ({ method, access }) => isWrite(method) && ['loggedIn', 'admin'].includes(access),
    );
    expect(routes.length).toBeGreaterThan(80);
    const concerned = routes.filter((route) => loss.concerns?.(route) ?? true);
    expect(concerned.length).toBeGreaterThan(20);
    const admins = await seedAdmins(concerned.length);
    const codes: string[] = [];
    for (const [at, { method, path }] of concerned.entries()) {
      const { id, cookie } = admins[at] ?? { id: '', cookie: '' };
      const { url, type, pieces } = bodyOf(path);
      const answer = await shop.post(url, undefined, {
        method: method as 'POST',
        headers: { cookie, 'content-type': type },
        payload: bodyThat(pieces, () => shop.db.execute(loss.take(id))),
      });
      const { code } = answer.json();
      codes.push(code === loss.code ? code : `${method} ${path}: ${code}`);
    }
    expect([...new Set(codes)]).toEqual([loss.code]);
  });

  test('that uploads a file is refused, and nothing of it is stored', async () => {
    const [admin = { id: '', cookie: '' }] = await seedAdmins(1);
    const { url, type, pieces } = bodyOf('/api/imports');
    const refused = await shop.post(url, undefined, {
      headers: { cookie: admin.cookie, 'content-type': type },
      payload: bodyThat(pieces, () => shop.db.execute(sql`DELETE FROM sessions`)),
    });
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'not_signed_in']);
    const { rows } = await shop.db.execute(sql`SELECT id FROM imports`);
    expect(rows).toEqual([]);
  });

  test('of an administrator who loses the second factor changes nothing where one is required', async () => {
    await shop.close();
    shop = await createTestApp({ requiresTwoFactor: true });
    const [admin = { id: '', cookie: '' }] = await seedAdmins(1);
    await shop.db.execute(sql`UPDATE users SET two_factor_enabled = true`);
    const answer = await shop.post('/api/engine/resume', undefined, {
      headers: { cookie: admin.cookie, 'content-type': 'application/json' },
      payload: bodyThat(['{', '}'], () => shop.db.execute(sql`UPDATE users SET two_factor_enabled = false`)),
    });
    expect(answer.json().code).toBe('two_factor_missing');
  });
});

test('saving a view while its owner is removed is completed before the removal, or refused', async () => {
  const boss = await shop.admin();
  const layout = { order: [], hidden: [], widths: {}, density: null };
  const admins = await seedAdmins(8);
  await shop.db.execute(sql`UPDATE users SET role = 'user' WHERE id LIKE 'held-%'`);
  for (const { id, cookie } of admins) {
    const view = { list: 'listings', name: 'Mine', query: {}, layout, isShared: false };
    const [saved, removed] = await Promise.all([
      shop.post('/api/views', view, { headers: { cookie } }),
      shop.post(`/api/users/${id}`, undefined, { method: 'DELETE', headers: { cookie: boss } }),
    ]);
    expect([201, 401]).toContain(saved.statusCode);
    expect(removed.statusCode).toBe(200);
  }
});

test('a long response is aborted within seconds of the end of its session', async () => {
  let happens: () => Promise<unknown> = async () => undefined;
  shop.app.get('/api/long', { config: { access: 'loggedIn' } }, async (_request, reply) =>
    reply.type('text/csv').send(Readable.from([Promise.resolve('one,'), happens().then(() => 'two')])),
  );
  const [one = { cookie: '' }] = await seedAdmins(1);
  const read = () => shop.get('/api/long', one.cookie);
  happens = async () => shop.advance(STREAM_LOOK_INTERVAL);
  expect((await read()).body).toBe('one,two');
  happens = async () => {
    await shop.db.execute(sql`DELETE FROM sessions`);
    shop.advance(STREAM_LOOK_INTERVAL);
  };
  const broken: Promise<LightMyRequestResponse> = read();
  await expect(broken).rejects.toThrow();
});

test('a transaction of a request that started outside of one is a bug, and so is a write without one', async () => {
  const { permittedDb } = await import('#db/permitted.ts');
  const db = permittedDb(shop.db);
  await expect(db.transaction(async () => 'done')).rejects.toThrow(/outside/);
  expect(() => db.delete(undefined as never)).toThrow(/transact/);
  const skus = "SET name = 'x' WHERE false";
  for (const write of [
    sql`UPDATE skus ${sql.raw(skus)}`,
    sql`WITH one AS (UPDATE "skus" AS s ${sql.raw(skus)} RETURNING 1) SELECT * FROM one`,
    sql`DELETE FROM skus WHERE false`,
    'TRUNCATE skus',
    '-- a comment\nINSERT INTO skus (sku) SELECT sku FROM skus WHERE false',
  ])
    expect(() => db.execute(write)).toThrow(/transact/);
  const reads = sql`-- a set\n WITH one AS (SELECT ${'DELETE FROM'}::text AS word) SELECT word FROM one`;
  expect((await db.execute(reads)).rows).toEqual([{ word: 'DELETE FROM' }]);
});

import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { IMPORT_KINDS, type ImportKind } from '#contract/imports.ts';
import { importDesk } from '#tests/support/import-file.ts';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

import { templateOf } from '#usecases/catalog/imports/import-downloads.ts';
import { MAX_KEPT_BYTES, MAX_KEPT_FILES } from '#usecases/catalog/imports/upload-quota.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

async function untilLockWait(): Promise<void> {
  for (;;) {
    const { rows } = await shop.db.execute(sql`SELECT FROM pg_locks WHERE NOT granted`);
    if (rows.length > 0) return;
  }
}

test('columns changed in another tab are not imported: the reviewed counts were different', async () => {
  const desk = importDesk(shop, cookie);
  const looked = await desk.check('skus', 'sku,productCost,other\nA-1,50.00,1.00\n');
  expect(looked).toMatchObject({ counts: { create: 1 }, mapping: { productCost: 1 } });
  // The other tab.
  const chosen = await desk.map(looked.id, { ...looked.mapping, productCost: 2 });
  expect(chosen).toMatchObject({ state: 'checked', counts: { create: 1 } });
  const late = await shop.post(
    `/api/imports/${looked.id}/run`,
    { checkId: looked.checkId, allOrNothing: false },
    desk.signed,
  );
  expect(late.statusCode).toBe(409);
  expect((await shop.db.execute(sql`SELECT FROM skus`)).rows).toEqual([]);
  // The way to continue: the new check was reviewed.
  expect((await desk.run(looked.id)).state).toBe('done');
  expect((await shop.db.execute(sql`SELECT product_cost::text AS cost FROM skus`)).rows).toEqual([
    { cost: '1.00' },
  ]);
});

test('a file is changed and imported by the user who uploaded it, and by administrators', async () => {
  await aReadyUser(shop, 'bob@example.com');
  await aReadyUser(shop, 'eve@example.com');
  const bob = importDesk(shop, await shop.logIn('bob@example.com'));
  const eve = await shop.logIn('eve@example.com');
  const file = await bob.check('skus', 'sku,productCost\nA-1,50.00\n');
  const { id, checkId, mapping } = file;
  const calls = [
    ['PUT', `/api/imports/${id}/mapping`, { mapping, defaults: {} }],
    ['POST', `/api/imports/${id}/run`, { checkId, allOrNothing: false }],
  ] as const;
  for (const [method, url, payload] of calls) {
    expect((await callAs(shop, eve, method, url, payload)).statusCode).toBe(403);
  }
  expect((await importDesk(shop, cookie).run(id)).state).toBe('done');
});

/** A row of each kind, and one that is rejected. */
const FILES: Readonly<Record<ImportKind, string>> = Object.fromEntries(
  IMPORT_KINDS.map((kind) => [kind, `${templateOf(`${kind}.csv`)}\n`]),
) as Record<ImportKind, string>;

test('every route of an import requires the role of what is imported', async () => {
  await aReadyUser(shop, 'bob@example.com');
  const bob = await shop.logIn('bob@example.com');
  const routes = shop.app.declaredRoutes.filter(({ path }) => path.startsWith('/api/imports/:id'));
  expect(routes.length).toBeGreaterThanOrEqual(5);
  for (const kind of IMPORT_KINDS) {
    const { id, checkId, mapping } = await importDesk(shop, cookie).check(kind, FILES[kind]);
    for (const { method, path } of routes) {
      const url = `${path.replace(':id', id)}${path.endsWith('/lines') ? '?status=create' : ''}`;
      const payload = path.endsWith('/run') ? { checkId, allOrNothing: false } : { mapping, defaults: {} };
      const answer = await callAs(
        shop,
        bob,
        method as 'GET',
        url,
        ['GET', 'DELETE'].includes(method) ? undefined : payload,
      );
      const isChange = method !== 'GET';
      const refused = kind === 'fees' || isChange;
      expect([kind, method, path, answer.statusCode === 403]).toEqual([kind, method, path, refused]);
    }
    const { rows } = await shop.db.execute<{ jobId: number }>(
      sql`SELECT job_id::int AS "jobId" FROM imports WHERE id = ${id}`,
    );
    const job = `/api/jobs/${rows[0]?.jobId}`;
    const isHidden = kind === 'fees';
    const jobs = (await shop.get('/api/jobs', bob)).json().map(({ link }: { link: string }) => link);
    expect([kind, jobs.includes(`/imports/${id}`)]).toEqual([kind, !isHidden]);
    for (const path of ['', '/refusals', '/refusals.csv'])
      expect([kind, path, (await shop.get(`${job}${path}`, bob)).statusCode]).toEqual([
        kind,
        path,
        isHidden ? 404 : 200,
      ]);
    const stopped = await callAs(shop, bob, 'POST', `${job}/cancel`);
    expect([kind, stopped.statusCode]).toEqual([kind, isHidden ? 404 : 403]);
    const listed = (await shop.get('/api/imports', bob)).json().map((file: { id: string }) => file.id);
    expect([kind, listed.includes(id)]).toEqual([kind, kind !== 'fees']);
  }
});

test('columns changed in one tab while another tab starts the import are too late, and do not stop it', async () => {
  const { id } = await importDesk(shop, cookie).check('skus', 'sku,name\nA-1,Mug\n');
  const { answer } = await shop.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM imports WHERE id = ${id} FOR UPDATE`);
    const mapping = shop.post(
      `/api/imports/${id}/mapping`,
      { mapping: { sku: 1 }, defaults: {} },
      { method: 'PUT', headers: { cookie } },
    );
    // Sent now, not when it is awaited.
    const sent = Promise.resolve(mapping);
    sent.catch(() => undefined);
    await untilLockWait();
    await tx.execute(sql`UPDATE imports SET state = 'importing' WHERE id = ${id}`);
    return { answer: sent };
  });
  expect((await answer).statusCode).toBe(409);
  const { rows } = await shop.db.execute(sql`SELECT state FROM imports`);
  expect(rows).toEqual([{ state: 'importing' }]);
});

describe("the storage of a user's uploads", () => {
  const MUG = 'sku,productCost\nMUG,4.00\n';
  const keep = (bytes: number, files: number, by: string) =>
    shop.db.execute(sql`
      INSERT INTO imports (kind, file_name, size, state, created_by_id, created_by, created_at)
      SELECT 'skus', 'old.csv', ${bytes}::int, 'done', u.id, u.full_name, ${new Date(shop.deps.now()).toISOString()}::timestamptz
      FROM users u, generate_series(1, ${files}::int) WHERE u.username = ${by}`);
  let bob: ReturnType<typeof importDesk>;
  beforeEach(async () => {
    await aReadyUser(shop, 'bob@example.com');
    bob = importDesk(shop, await shop.logIn('bob@example.com'));
  });

  test('ends at 2 GB, with what to do, and another user can still upload', async () => {
    await keep(MAX_KEPT_BYTES / 2 - 5, 2, 'bob@example.com');
    const { rows } = await shop.db.execute<{ id: string }>(sql`SELECT min(id)::text AS id FROM imports`);
    const refused = await bob.upload('skus', MUG);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().fields).toMatchObject({ bytes: String(MAX_KEPT_BYTES - 10) });
    const again = `/api/imports?kind=skus&from=${rows[0]?.id}&name=x.csv`;
    expect((await shop.post(again, undefined, bob.signed)).statusCode).toBe(409);
    expect((await importDesk(shop, cookie).upload('skus', MUG)).statusCode).toBe(201);
    // The two existing files, and the administrator's: the refused upload left nothing.
    expect((await shop.db.execute(sql`SELECT FROM imports`)).rows).toHaveLength(3);
    const deletion = await callAs(shop, bob.cookie, 'DELETE', `/api/imports/${rows[0]?.id}`);
    expect(deletion.statusCode).toBe(204);
    expect((await bob.upload('skus', MUG)).statusCode).toBe(201);
  });

  test('ends at 1,000 files; those of others are deleted by administrators only, and none in progress', async () => {
    await keep(10, MAX_KEPT_FILES - 1, 'bob@example.com');
    const { id } = (await bob.upload('skus', MUG)).json();
    expect((await bob.upload('skus', MUG)).statusCode).toBe(409);
    const remove = (as: string) => callAs(shop, as, 'DELETE', `/api/imports/${id}`);
    // Its check waits for a worker.
    expect((await remove(bob.cookie)).statusCode).toBe(409);
    await bob.work();
    await aReadyUser(shop, 'eve@example.com');
    expect((await remove(await shop.logIn('eve@example.com'))).statusCode).toBe(403);
    expect((await remove(cookie)).statusCode).toBe(204);
    expect((await remove(cookie)).statusCode).toBe(404);
    expect((await bob.upload('skus', MUG)).statusCode).toBe(201);
  });
});

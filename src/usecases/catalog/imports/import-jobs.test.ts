import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { permittedDb } from '#db/permitted.ts';
import { type ImportDesk, importDesk } from '#tests/support/import-file.ts';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type JobHandler, JobInterrupted } from '#usecases/background/job-handler.ts';
import { requeueLostJobs } from '#usecases/background/requeue-lost-jobs.ts';
import { importHandler } from './import-handler.ts';

let shop: TestApp;
let cookie: string;
let desk: ImportDesk;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  desk = importDesk(shop, cookie);
});
afterEach(() => shop.close());

const count = async (table: string) =>
  (await shop.db.execute<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n;
const newestJob = async (): Promise<Job> => (await shop.get('/api/jobs', cookie)).json()[0];
const read = async (id: string) => (await shop.get(`/api/imports/${id}`, cookie)).json();

/** 5,000 rows in three batches; every hundredth is bad. */
const FILE = [
  'sku,title,currentPrice,fulfillmentType',
  ...Array.from(
    { length: 5_000 },
    (_none, at) => `S-${at},Mug ${at},${at % 100 === 99 ? 'free' : '9.99'},FBM`,
  ),
  '',
].join('\n');

const handler = () => importHandler({ db: permittedDb(shop.db), now: shop.deps.now });
/** The same handler with an observed progress, stopped by an error that `at` throws. */
const watched =
  (at: (rows: number) => void | Promise<void>): JobHandler =>
  (run) =>
    handler()({
      ...run,
      progress: async (progress) => {
        await at(progress.done + progress.failed);
        await run.progress(progress);
      },
    });

test('progress is exact, and the end shows how many rows of each status', async () => {
  const checked = await desk.check('listings', FILE);
  expect(checked.counts).toEqual({ rows: 5_000, create: 4_950, update: 0, unchanged: 0, rejected: 50 });
  await shop.post(
    `/api/imports/${checked.id}/run`,
    { checkId: checked.checkId, allOrNothing: false },
    { headers: { cookie } },
  );
  const seen: [number, number | undefined][] = [];
  await desk.work(
    watched(async (rows) => {
      shop.advance(1_000);
      seen.push([rows, await count('listings')]);
    }),
  );
  expect(seen).toEqual([
    [0, 0],
    [2_000, 1_980],
    [4_000, 3_960],
    [5_000, 4_950],
  ]);
  expect(await newestJob()).toMatchObject({
    kind: 'import',
    title: 'Import listings.csv',
    state: 'partly_done',
    link: `/imports/${checked.id}`,
    done: 4_950,
    failed: 50,
    total: 5_000,
    summary: '4,950 created, 0 changed, 0 unchanged, 50 rejected.',
  });
  // One group for the same error, and no more than 200 samples.
  expect(await read(checked.id)).toMatchObject({ problems: [{ column: 'currentPrice', count: 50 }] });
  expect((await desk.lines(checked.id, 'create')).lines).toHaveLength(200);
  expect((await desk.rejected(checked.id)).trim().split('\r\n')).toHaveLength(51);
});

test.each([
  ['while it waits', null, 0],
  ['between two batches', 2_000, 1_980],
])(
  'an administrator’s import of another’s file stops when they become a user %s',
  async (_, at, imported) => {
    await aReadyUser(shop, 'ann@example.com');
    const id = await aReadyUser(shop, 'otto@example.com', true);
    const ofAnn = importDesk(shop, await shop.logIn('ann@example.com'));
    const checked = await ofAnn.check('listings', FILE);
    const headers = { cookie: await shop.logIn('otto@example.com') };
    const run = { checkId: checked.checkId, allOrNothing: false };
    expect((await shop.post(`/api/imports/${checked.id}/run`, run, { headers })).statusCode).toBe(200);
    const demote = () => callAs(shop, cookie, 'PUT', `/api/users/${id}/role`, { role: 'user' });
    if (at === null) await demote();
    await desk.work(
      watched(async (rows) => {
        if (rows === at) await demote();
      }),
    );
    expect(await count('listings')).toBe(imported);
    const why = expect.stringMatching(/^Stopped: .* is no longer allowed to do this\.$/);
    expect(await newestJob()).toMatchObject({ state: 'failed', summary: why });
    expect(await read(checked.id)).toMatchObject({ state: 'failed', error: why });
    const stopped = await shop.db.execute(`SELECT after FROM audit_log WHERE action = 'import.stopped'`);
    expect(stopped.rows).toMatchObject([{ after: { reason: why } }]);
  },
);

test('an interrupted import continues exactly after its last batch', async () => {
  const checked = await desk.check('listings', FILE);
  await shop.post(
    `/api/imports/${checked.id}/run`,
    { checkId: checked.checkId, allOrNothing: false },
    { headers: { cookie } },
  );
  // As after kill -9: the second batch is committed, and the job has no end.
  await desk.work(
    watched((rows) => {
      if (rows === 4_000) throw new JobInterrupted('lost');
    }),
  );
  expect(await count('listings')).toBe(3_960);
  expect(await newestJob()).toMatchObject({ state: 'running' });
  expect(await requeueLostJobs(shop.deps)).toBe(1);
  await desk.work();
  expect(await count('listings')).toBe(4_950);
  const done = await read(checked.id);
  expect(done).toMatchObject({
    state: 'done',
    counts: { rows: 5_000, create: 4_950, update: 0, unchanged: 0, rejected: 50 },
  });
  expect((await desk.rejected(checked.id)).trim().split('\r\n')).toHaveLength(51);
  expect((await desk.lines(checked.id, 'rejected')).problems).toHaveLength(50);
});

test('a canceled import keeps its finished batches, and shows it', async () => {
  const checked = await desk.check('listings', FILE);
  await shop.post(
    `/api/imports/${checked.id}/run`,
    { checkId: checked.checkId, allOrNothing: false },
    { headers: { cookie } },
  );
  const { id } = await newestJob();
  await desk.work(
    watched(async (rows) => {
      if (rows === 2_000) await shop.post(`/api/jobs/${id}/cancel`, undefined, { headers: { cookie } });
    }),
  );
  expect(await newestJob()).toMatchObject({ state: 'cancelled', summary: 'Canceled after 1,980 of 5,000.' });
  const done = await read(checked.id);
  expect(done).toMatchObject({ state: 'done', counts: { rows: 2_000, create: 1_980 } });
  expect(done.notes).toEqual([
    'Canceled after 2,000 rows. Those stay imported; the others were not checked.',
  ]);
  expect(await count('listings')).toBe(1_980);
});

test('an import that is canceled before it starts imports nothing', async () => {
  const checked = await desk.check('listings', FILE);
  await shop.post(
    `/api/imports/${checked.id}/run`,
    { checkId: checked.checkId, allOrNothing: false },
    { headers: { cookie } },
  );
  await shop.post(`/api/jobs/${(await newestJob()).id}/cancel`, undefined, { headers: { cookie } });
  await desk.work();
  expect(await read(checked.id)).toMatchObject({
    state: 'failed',
    error: 'Canceled. Nothing was imported.',
  });
  expect(await count('listings')).toBe(0);
});

test('choosing other columns during a check supersedes it', async () => {
  const file = 'key,label,asking,fulfillmentType\nA-1,Mug,9.99,FBM\n';
  const { id, state, missingColumns } = (await desk.upload('listings', file)).json();
  expect({ state, missingColumns }).toEqual({ state: 'uploaded', missingColumns: ['sku', 'currentPrice'] });
  expect(shop.queue.sent).toEqual([]);
  const choose = (mapping: object) =>
    shop.post(
      `/api/imports/${id}/mapping`,
      { mapping, defaults: {} },
      { method: 'PUT', headers: { cookie } },
    );
  await choose({ sku: 1, currentPrice: 2, fulfillmentType: 3 });
  await choose({ sku: 0, title: 1, currentPrice: 2, fulfillmentType: 3 });
  expect(shop.queue.sent).toHaveLength(2);
  await desk.work();
  expect(await read(id)).toMatchObject({ state: 'checked', counts: { create: 1 } });
  expect((await desk.lines(id, 'create')).lines).toMatchObject([{ label: 'walmart A-1' }]);
});

test('a file is imported once, and only after its check', async () => {
  const { id } = (await desk.upload('listings', FILE)).json();
  const run = async () => {
    const { checkId } = await read(id);
    const choice = { checkId: checkId ?? '1', allOrNothing: false };
    return shop.post(`/api/imports/${id}/run`, choice, { headers: { cookie } });
  };
  expect((await run()).json().message).toMatch(/not checked yet/);
  await desk.work();
  expect((await run()).statusCode).toBe(200);
  expect((await run()).statusCode).toBe(409);
  await desk.work();
  expect((await run()).json().message).toMatch(/already imported/);
  const audit = await shop.db.execute("SELECT actor, after FROM audit_log WHERE action = 'import.done'");
  expect(audit.rows).toMatchObject([
    { actor: 'boss@example.com', after: { kind: 'listings', create: 4_950 } },
  ]);
});

test('a price that changes between reading and writing is read again', async () => {
  await desk.bringIn('listings', 'sku,currentPrice,fulfillmentType\nA-1,9.99,FBM\n');
  const checked = await desk.check('listings', 'sku,currentPrice,fulfillmentType\nA-1,8.88,FBM\n');
  await shop.db.execute(`INSERT INTO price_history (listing_id, old_price, new_price, reason, source)
    SELECT id, 9.99, 7.77, 'Seen', 'observed' FROM listings`);
  expect((await desk.run(checked.id)).counts).toMatchObject({ update: 1 });
  const { rows } = await shop.db.execute(
    'SELECT old_price, new_price FROM price_history ORDER BY id DESC LIMIT 1',
  );
  expect(rows).toEqual([{ old_price: '7.77', new_price: '8.88' }]);
});

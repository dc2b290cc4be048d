import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { permittedDb } from '#db/permitted.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { readEveryPrice } from '#tests/support/seed.ts';
import { watchedDatabase } from '#tests/support/watched-database.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { listingJob } from '#usecases/catalog/bulk-actions/run-bulk-action.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

const action = (kind: string, payload: object) => shop.send('POST', `/api/listings/${kind}`, payload);
const SHOWN = (expected: number) => ({ selection: { filter: {}, expected } });

describe('more than 200 listings', () => {
  beforeEach(async () => {
    await shop.app.db.execute(
      sql`INSERT INTO skus (sku, name, product_cost) SELECT 'B-' || n, 'B', 10 FROM generate_series(1, 450) n`,
    );
    await shop.app.db.execute(sql`
      INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price, shipping_cost, max_price)
      SELECT 'B-' || n, 'B', 'FBM', 20, 20, 0, CASE WHEN n = 7 THEN 12 END FROM generate_series(1, 450) n`);
    await shop.app.db.execute(sql`
      INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
      SELECT id, 'Corner Store', 'corner store', 18, 'FBM', ${new Date(shop.app.deps.now()).toISOString()}::timestamptz FROM listings WHERE sku LIKE 'B-%'`);
  });

  async function runTheJob(stopping = new AbortController().signal): Promise<Record<string, unknown>> {
    const { db, url, deps, queue } = shop.app;
    const jobs = { db, url, now: deps.now, onUnexpectedError: () => undefined, stopping };
    const handlers = { edit_listings: listingJob(deps), apply: listingJob(deps) };
    for (const { data } of queue.sent) await runJob(jobs, (data as { jobId: number }).jobId, handlers);
    const { rows } = await db.execute(sql`SELECT kind, title, state, done, failed, total, summary FROM jobs`);
    return rows[0] ?? {};
  }

  test('are edited as a job that lists the skipped ones', async () => {
    const answer = (await action('edit', { ...SHOWN(451), fields: { minPrice: '15.00' } })).json();
    expect(answer).toMatchObject({ done: 0, refusedCount: 0, jobId: expect.any(String) });
    expect(await runTheJob()).toMatchObject({
      kind: 'edit_listings',
      title: 'Edit 451 listings',
      state: 'partly_done',
      done: 450,
      failed: 1,
      total: 451,
      summary: expect.stringContaining('450 done, 1 skipped. B-7: The minimum price $15.00 would be above'),
    });
    const link = `/jobs/${answer.jobId}`;
    expect((await shop.get(`/api${link}`)).json()).toMatchObject({ link, runId: null, failed: 1 });
    expect((await shop.get(`/api${link}/refusals`)).json()).toEqual({
      rows: [{ listingId: expect.any(String), sku: 'B-7', message: expect.stringContaining('$15.00') }],
      total: 1,
    });
    const file = await shop.get(`/api${link}/refusals.csv`);
    expect(file.body).toMatch(/^\ufeffmarketplace,sku,reason\nwalmart,B-7,The minimum price \$15\.00/);
  });

  test('are applied as a job of one run', async () => {
    await shop.engineRuns();
    await action('apply', { selection: { filter: { state: 'recommended' }, expected: 450 } });
    expect(await runTheJob()).toMatchObject({
      kind: 'apply',
      state: 'done',
      done: 450,
      summary: '450 done.',
    });
    const moves = await shop.app.db.select().from(priceHistory).where(sql`source = 'apply'`);
    expect(new Set(moves.map(({ runId }) => runId)).size).toBe(1);
    const run = (await shop.app.db.select().from(repricingRuns)).find(({ trigger }) => trigger === 'apply');
    expect(run).toMatchObject({ planned: 450, evaluated: 450, changed: 450 });
  });

  test('whose prices are sent to a marketplace first are not reported as changed', async () => {
    await shop.app.db.execute(
      sql`UPDATE app_settings SET walmart_client_id = 'id', walmart_client_secret = 'v1.ciphertext'`,
    );
    await readEveryPrice(shop.app.db);
    await shop.engineRuns();
    await action('apply', { selection: { filter: { state: 'recommended' }, expected: 450 } });
    expect(await runTheJob()).toMatchObject({
      summary: '450 done, all of them on the way to their marketplace; the run shows the results.',
    });
    await shop.app.db.execute(sql`
      UPDATE price_intents SET state = 'expired', marketplace_message = 'No.', settled_at = created_at WHERE listing_id % 2 = 0`);
    const [run] = await shop.app.db.select().from(repricingRuns).where(sql`trigger = 'apply'`);
    expect((await shop.get(`/api/runs/${run?.id}`)).json().sent).toEqual({
      confirmed: 0,
      inProgress: 226,
      notApplied: 224,
    });
    const { failed, failedTotal } = (await shop.get('/api/history')).json();
    expect([failed.length, failedTotal]).toEqual([20, 224]);
  });

  test.each([
    ['while it waits', 'remove', 0],
    ['between two batches', 'remove', 200],
    ['in the middle of a batch', 'remove', 0],
    ['between two batches', 'withdraw-approval', 200],
  ])('stop when their person loses access %s (%s)', async (when, way, done) => {
    const { app } = shop;
    const id = await aReadyUser(app, 'ann@example.com');
    const ann = await app.logIn('ann@example.com');
    const edited = await callAs(app, ann, 'POST', '/api/listings/edit', {
      ...SHOWN(451),
      fields: { maxPrice: '90.00' },
    });
    let answer: Promise<unknown> | null = null;
    const loseAccess = () => {
      const url = `/api/users/${id}`;
      answer ??= (
        way === 'remove'
          ? callAs(app, shop.cookie, 'DELETE', url)
          : callAs(app, shop.cookie, 'PUT', `${url}/${way}`)
      ).then(({ statusCode }) => expect(statusCode).toBe(200));
      return answer.then(() => undefined);
    };
    const open = openDatabase(app.url, 2);
    try {
      const isInside = (statement: string) =>
        when === 'in the middle of a batch' && statement.startsWith('update "listings"');
      const before = (statement: string) => (isInside(statement) ? loseAccess() : undefined);
      const handler = listingJob({ ...app.deps, db: permittedDb(watchedDatabase(open.pool, { before })) });
      if (when === 'while it waits') await loseAccess();
      const jobs = { db: app.db, url: app.url, now: app.deps.now, onUnexpectedError: () => undefined };
      const stopping = new AbortController().signal;
      await runJob({ ...jobs, stopping }, Number(edited.json().jobId), {
        edit_listings: (run) =>
          handler({
            ...run,
            progress: async (progress) => {
              if (when === 'between two batches' && progress.done === done) await loseAccess();
              await run.progress(progress);
            },
          }),
      });
    } finally {
      await open.close();
    }
    expect(answer).not.toBeNull();
    const job = (await shop.get(`/api/jobs/${edited.json().jobId}`)).json();
    expect(job).toMatchObject({
      state: 'failed',
      done,
      summary: expect.stringMatching(/^Stopped: .*ann@example.com/),
    });
    const { rows } = await app.db.execute(sql`SELECT FROM listings WHERE max_price = 90`);
    expect(rows).toHaveLength(done);
    const { rows: removals } = await app.db.execute(
      sql`SELECT after FROM audit_log WHERE action = 'user.removed'`,
    );
    expect(removals).toEqual(way === 'remove' ? [{ after: { endedSessions: 1, stoppedJobs: 1 } }] : []);
  });

  test('continue in the next process when one stops in between', async () => {
    await shop.engineRuns();
    await action('apply', { selection: { filter: { state: 'recommended' }, expected: 450 } });
    let requested = 0;
    const afterOneBatch = {
      get aborted() {
        requested += 1;
        return requested > 1;
      },
    } as AbortSignal;
    expect((await runTheJob(afterOneBatch)).state).toBe('queued');
    const applied = () => shop.app.db.select().from(priceHistory).where(sql`source = 'apply'`);
    expect(await applied()).toHaveLength(200);
    expect(await runTheJob()).toMatchObject({ state: 'done', done: 450 });
    expect(await applied()).toHaveLength(450);
    expect(new Set((await applied()).map(({ runId }) => runId)).size).toBe(1);
  });

  test('are those that were shown: one that matches the filter later is not changed', async () => {
    await action('delete', { selection: { filter: { q: 'B-' }, expected: 450 } });
    await shop.app.db.execute(sql`INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price)
      VALUES ('B-new', 'B', 'FBM', 20, 20)`);
    expect(await runTheJob()).toMatchObject({ state: 'done', done: 450, failed: 0, total: 450 });
    const { rows } = await shop.app.db.execute(
      sql`SELECT sku FROM listings WHERE deleted_at IS NULL AND sku LIKE 'B-%'`,
    );
    expect(rows).toEqual([{ sku: 'B-new' }]);
  });

  test('are not changed by a job that was canceled while it waited', async () => {
    const { jobId } = (await action('delete', { selection: { filter: { q: 'B-' }, expected: 450 } })).json();
    expect((await shop.send('POST', `/api/jobs/${jobId}/cancel`, {})).statusCode).toBe(200);
    expect(await runTheJob()).toMatchObject({ state: 'cancelled', summary: 'Canceled after 0 of 450.' });
    const { rows } = await shop.app.db.execute(sql`SELECT id FROM listings WHERE deleted_at IS NOT NULL`);
    expect(rows).toEqual([]);
  });
});

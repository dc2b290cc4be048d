import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ActionResult } from '#contract/listings.ts';
import { listings } from '#db/schema/listings.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { usd } from '#tests/builders/facts.ts';
import { aReadyUser } from '#tests/support/people.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addListing } from '#tests/support/seed.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { listingJob } from '#usecases/catalog/bulk-actions/run-bulk-action.ts';

let shop: PricedShop;
let second: number;
beforeEach(async () => {
  shop = await createPricedShop();
  second = await shop.addAnother('A-2', 18, { minPrice: usd(16), autoRepricingEnabled: false });
});
afterEach(() => shop.app.close());

const HOUR = 3_600_000;
const BOTH = () => ({ selection: { ids: [String(shop.id), String(second)] } });
async function action(kind: string, payload: object): Promise<ActionResult> {
  return (await shop.send('POST', `/api/listings/${kind}`, payload)).json();
}
const undo = ({ undoId, jobId }: ActionResult) => shop.send('POST', '/api/listings/undo', { undoId, jobId });
const one = (id: number) => ({ selection: { ids: [String(id)] } });

describe('undoing a bulk action', () => {
  test('reverts applied prices under a halt once that is confirmed', async () => {
    await shop.engineRuns();
    const { undoId, jobId } = await action('apply', one(shop.id));
    expect((await shop.listing()).currentPrice).not.toBe(usd(20));
    await shop.halt();
    expect((await undo({ undoId, jobId } as ActionResult)).json().code).toBe('halted');
    const body = { undoId, jobId, whileHalted: true };
    expect((await shop.send('POST', '/api/listings/undo', body)).json()).toMatchObject({ done: 1 });
    expect((await shop.listing()).currentPrice).toBe(usd(20));
  });

  test("restores each listing's own values, and does not change what another user changed after it", async () => {
    const third = await shop.addAnother('A-3', 18);
    const selection = { ids: [shop.id, second, third].map(String) };
    const fields = { minPrice: '17.00', autoRepricingEnabled: true };
    const done = await action('edit', { selection, fields });
    await action('edit', { ...one(third), fields: { minPrice: '18.00' } });
    const answer = await undo(done);
    expect(answer.json()).toEqual({
      done: 2,
      refusedCount: 1,
      jobId: null,
      refused: [
        {
          listingId: String(third),
          sku: 'A-3',
          message: 'A-3 was changed since then and is left as is.',
        },
      ],
    });
    expect(await shop.listing()).toMatchObject({ minPrice: null, autoRepricingEnabled: true, version: 3 });
    expect(await shop.listing(second)).toMatchObject({ minPrice: usd(16), autoRepricingEnabled: false });
    expect((await shop.listing(third)).minPrice).toBe(usd(18));
    expect(await shop.auditOf('listing.restored', second)).toMatchObject([
      { before: { minPrice: '17.00' }, after: { minPrice: '16.00', autoRepricingEnabled: false } },
    ]);
  });

  test('a fee that was an estimate is one again', async () => {
    await shop.app.db
      .update(listings)
      .set({ fulfillmentCost: usd(3), fulfillmentCostIsEstimate: true })
      .where(eq(listings.id, shop.id));
    const done = await action('edit', { ...one(shop.id), fields: { fulfillmentCost: '4.00' } });
    expect((await undo(done)).json().done).toBe(1);
    expect(await shop.listing()).toMatchObject({ fulfillmentCost: usd(3), fulfillmentCostIsEstimate: true });
  });

  test('a rule that was deleted in between is not restored', async () => {
    const [rule] = await shop.app.db.select().from(repricingRules);
    await action('edit', { ...one(shop.id), fields: { ruleId: String(rule?.id) } });
    const done = await action('edit', { ...one(shop.id), fields: { ruleId: null } });
    await shop.send('POST', '/api/rules/delete', { ids: [String(rule?.id)] });
    expect((await undo(done)).json().refused).toMatchObject([{ message: 'Its earlier rule was deleted.' }]);
  });

  test('limits that would contradict each other now stay', async () => {
    const done = await action('edit', { ...one(second), fields: { minPrice: null } });
    await action('edit', { ...one(second), fields: { maxPrice: '12.00' } });
    expect((await undo(done)).json().refused[0].message).toContain('$16.00 would be above');
  });

  test('a hold ends, or is the earlier one; an ended hold is restored', async () => {
    await action('hold', { ...one(second), hours: 48, reason: 'Sale' });
    const was = await shop.listing(second);
    const held = await action('hold', { ...BOTH(), hours: null, reason: 'Stock-taking' });
    expect((await undo(held)).json()).toMatchObject({ done: 2, refusedCount: 0 });
    expect((await shop.listing()).heldBy).toBeNull();
    expect(await shop.listing(second)).toMatchObject({ holdReason: 'Sale', heldUntil: was.heldUntil });
    const resumed = await action('resume', one(second));
    expect((await shop.listing(second)).heldBy).toBeNull();
    await undo(resumed);
    expect(await shop.listing(second)).toMatchObject({ holdReason: 'Sale', heldUntil: was.heldUntil });
  });

  test('a mark "to upload" is restored', async () => {
    await shop.send('PUT', `/api/listings/${shop.id}/price`, { price: '25.00', from: '20.00' });
    const { awaitingUploadSince } = await shop.listing();
    const done = await action('uploaded', one(shop.id));
    expect((await undo(done)).json().done).toBe(1);
    expect((await shop.listing()).awaitingUploadSince).toBe(awaitingUploadSince);
  });

  test('deleted listings are restored, except for those that were listed again', async () => {
    const done = await action('delete', { selection: { filter: {}, expected: 2 } });
    await addListing(shop.app.db, 'A-2');
    expect((await undo(done)).json()).toMatchObject({
      done: 1,
      refused: [{ sku: 'A-2', message: 'A-2 was added again, so it was not restored.' }],
    });
    expect((await shop.listing()).deletedAt).toBeNull();
  });

  test('applied prices are reverted as a run of their own', async () => {
    await shop.engineRuns();
    const done = await action('apply', one(shop.id));
    expect((await shop.listing()).currentPrice).toBe(usd(17.99));
    expect((await undo(done)).json()).toMatchObject({ done: 1, refusedCount: 0 });
    expect(await shop.lastMove()).toMatchObject({ newPrice: usd(20), source: 'undo' });
  });

  test('twice changes nothing more', async () => {
    const done = await action('edit', { ...BOTH(), fields: { minPrice: '17.00' } });
    await undo(done);
    expect((await undo(done)).json()).toMatchObject({ done: 2, refusedCount: 0 });
    expect((await shop.listing()).version).toBe(3);
  });

  test('is refused after two hours, and for the action of another user', async () => {
    const done = await action('edit', { ...BOTH(), fields: { minPrice: '17.00' } });
    await aReadyUser(shop.app, 'ann@example.com');
    const cookie = await shop.app.logIn('ann@example.com');
    const payload = { undoId: done.undoId, jobId: null };
    const other = await shop.app.post('/api/listings/undo', payload, { method: 'POST', headers: { cookie } });
    expect(other.statusCode).toBe(404);
    // A user who stays active stays logged in.
    for (let part = 0; part < 3; part += 1) {
      shop.app.advance(HOUR * 0.7);
      await shop.get('/api/user');
    }
    expect((await undo(done)).json().message).toContain('Cannot undo: the action is more than two hours old');
  });

  test('an action without effect has none', async () => {
    expect((await action('edit', { ...one(999), fields: { minPrice: '17.00' } })).undoId).toBeNull();
  });
});

describe('undoing a job', () => {
  beforeEach(async () => {
    await shop.app.db.execute(sql`
      INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price, min_price)
      SELECT 'B-' || n, 'B', 'FBM', 20, 20, 5 + n % 3 FROM generate_series(1, 230) n`);
  });

  async function runJobs(): Promise<void> {
    const { db, url, deps, queue } = shop.app;
    const jobs = {
      db,
      url,
      now: deps.now,
      onUnexpectedError: () => undefined,
      stopping: new AbortController().signal,
    };
    const handlers = { edit_listings: listingJob(deps) };
    for (const { data } of queue.sent) await runJob(jobs, (data as { jobId: number }).jobId, handlers);
  }
  const minimums = async () =>
    (
      await shop.app.db.execute(
        sql`SELECT min_price, count(*)::int AS n FROM listings WHERE sku LIKE 'B-%' AND deleted_at IS NULL GROUP BY 1 ORDER BY 1`,
      )
    ).rows;

  test("waits for its end, then is a job itself that restores every listing's own values", async () => {
    const before = await minimums();
    const selection = { filter: { q: 'B-' }, expected: 230 };
    const done = await action('edit', { selection, fields: { minPrice: '9.00' } });
    const early = await undo(done);
    expect(early.statusCode).toBe(409);
    expect(early.json().message).toContain('Its job is still running.');
    await runJobs();
    expect(await minimums()).toEqual([{ min_price: '9.00', n: 230 }]);
    expect((await undo(done)).json()).toMatchObject({ done: 0, jobId: expect.any(String) });
    await runJobs();
    expect(await minimums()).toEqual(before);
    const { rows } = await shop.app.db.execute(
      sql`SELECT title, state, done FROM jobs ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ title: 'Undo the change of 230 listings', state: 'done', done: 230 }]);
  });

  test('restores what it deleted', async () => {
    const before = await minimums();
    const done = await action('delete', { selection: { filter: { q: 'B-' }, expected: 230 } });
    await runJobs();
    expect(await minimums()).toEqual([]);
    await undo(done);
    await runJobs();
    expect(await minimums()).toEqual(before);
  });
});

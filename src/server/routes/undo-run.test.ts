import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { skus } from '#db/schema/catalog.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { parseBulkAction, storedBulkAction } from '#usecases/catalog/bulk-actions/bulk-action.ts';
import { listingJob } from '#usecases/catalog/bulk-actions/run-bulk-action.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
  await shop.app.db.execute(sql`UPDATE marketplace_modes SET mode = 'live'`);
});
afterEach(() => shop.app.close());

const undo = (run: number, confirmed: object = {}) => shop.send('POST', `/api/runs/${run}/undo`, confirmed);
const undoRuns = () =>
  shop.app.db.select().from(repricingRuns).where(eq(repricingRuns.trigger, 'undo')).orderBy(repricingRuns.id);

/** One finished run of the engine. */
async function aRun(): Promise<number> {
  await shop.engineRuns();
  const [run] = await shop.app.db
    .update(repricingRuns)
    .set({ state: 'done', endedAt: shop.app.deps.now() })
    .where(eq(repricingRuns.state, 'running'))
    .returning();
  return run?.id ?? 0;
}

describe('undoing a run', () => {
  test('reverts its prices in a run of its own, and puts them on hold', async () => {
    const run = await aRun();
    expect((await shop.listing()).currentPrice).toBe(usd(17.99));
    const answer = await undo(run);
    expect(answer.json()).toEqual({ done: 1, refusedCount: 0, refused: [], jobId: null });
    const [undone] = await undoRuns();
    expect(undone).toMatchObject({
      state: 'done',
      undoesRunId: run,
      startedBy: 'boss@example.com',
      planned: 1,
      evaluated: 1,
      changed: 1,
      kept: 0,
    });
    // Both runs name the other one in the API.
    const undoesOf = async (id: number | undefined) =>
      (await shop.get(`/api/runs/${id}`)).json().undoesRunId as unknown;
    expect(await undoesOf(undone?.id)).toBe(String(run));
    expect(await undoesOf(run)).toBeNull();
    const { rows } = (await shop.get('/api/runs')).json();
    expect(rows).toContainEqual(
      expect.objectContaining({ id: String(undone?.id), undoesRunId: String(run) }),
    );
    expect(await shop.lastMove()).toMatchObject({
      source: 'undo',
      oldPrice: usd(17.99),
      newPrice: usd(20),
      runId: undone?.id,
      marginFloor: usd(14.29),
      actor: 'boss@example.com',
      reason: `Reverted to the price before run ${run} by boss@example.com.`,
    });
    const listing = await shop.listing();
    expect(listing).toMatchObject({
      heldBy: 'boss@example.com',
      holdReason: 'Run undone by boss@example.com',
    });
    expect(listing.awaitingUploadSince).not.toBeNull();
    expect(await shop.auditOf('price.reverted')).toMatchObject([
      { before: { price: '17.99' }, after: { price: '20.00', run: undone?.id } },
    ]);
    // It has an explanation like every price, and can be undone too.
    const { id } = await shop.lastMove();
    expect((await shop.get(`/api/history/${shop.id}/${id}/explanation`)).statusCode).toBe(200);
    expect((await undo(undone?.id ?? 0)).json()).toMatchObject({ done: 1 });
    expect((await shop.listing()).currentPrice).toBe(usd(17.99));
  });

  test('skips and lists what changed after it, was deleted, or would be below its margin floor today', async () => {
    const typed = await shop.addAnother('A-2', 18);
    const deleted = await shop.addAnother('A-3', 18);
    const dear = await shop.addAnother('A-4', 18);
    const run = await aRun();
    await shop.send('PUT', `/api/listings/${typed}/price`, { price: '19.00', from: '17.99' });
    await shop.send('POST', '/api/listings/delete', { selection: { ids: [String(deleted)] } });
    await shop.app.db
      .update(skus)
      .set({ productCost: usd(15) })
      .where(eq(skus.sku, 'A-4'));
    const answer = (await undo(run)).json();
    expect(answer).toMatchObject({ done: 1, refusedCount: 3 });
    expect(answer.refused).toEqual([
      { listingId: String(typed), sku: 'A-2', message: 'The price has changed since that run.' },
      { listingId: String(deleted), sku: 'A-3', message: 'This listing was deleted.' },
      { listingId: String(dear), sku: 'A-4', message: expect.stringContaining('$21.43') },
    ]);
    expect((await shop.listing(typed)).currentPrice).toBe(usd(19));
    expect((await shop.listing(dear)).currentPrice).toBe(usd(17.99));
    expect((await undoRuns())[0]).toMatchObject({ evaluated: 4, changed: 1, kept: 3 });
  });

  test('a second time finds nothing left, and creates no run', async () => {
    const run = await aRun();
    const answers = await Promise.all([undo(run), undo(run)]);
    expect(answers.map((answer) => answer.json().done).sort()).toEqual([0, 1]);
    expect(await undoRuns()).toHaveLength(1);
  });

  test('happens under a halt once that is confirmed, also as a job', async () => {
    const run = await aRun();
    await shop.halt();
    expect((await undo(run)).json().code).toBe('halted');
    expect((await shop.listing()).currentPrice).toBe(usd(17.99));
    expect((await undo(run, { whileHalted: true })).json()).toMatchObject({ done: 1, refusedCount: 0 });
    expect((await shop.listing()).currentPrice).toBe(usd(20));
    const work = storedBulkAction({
      kind: 'undo',
      undoesRunId: run,
      pastHalt: shop.app.deps.now(),
      despiteReasons: [],
    });
    expect(parseBulkAction(JSON.parse(JSON.stringify(work)))).toEqual(parseBulkAction(work));
  });

  test('is refused while the run is active, without a price, and for an unknown run', async () => {
    await shop.engineRuns();
    const [running] = await shop.app.db.select().from(repricingRuns);
    expect((await undo(running?.id ?? 0)).json()).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('still in progress'),
    });
    const idle = await aRun();
    expect((await undo(idle)).json().message).toBe(`Run ${idle} changed no prices.`);
    expect((await undo(999)).statusCode).toBe(404);
    expect((await shop.listing()).currentPrice).toBe(usd(17.99));
  });

  test('of more than 200 prices continues as a job, in one run', async () => {
    const { db, url, deps, queue } = shop.app;
    await db.execute(
      sql`INSERT INTO skus (sku, name, product_cost) SELECT 'B-' || n, 'B', 10 FROM generate_series(1, 450) n`,
    );
    await db.execute(sql`INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price, shipping_cost)
      SELECT 'B-' || n, 'B', 'FBM', 20, 20, 0 FROM generate_series(1, 450) n`);
    await db.execute(sql`INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
      SELECT id, 'Corner Store', 'corner store', 18, 'FBM', ${new Date(deps.now()).toISOString()}::timestamptz FROM listings WHERE sku LIKE 'B-%'`);
    const run = await aRun();
    const { jobId } = (await undo(run)).json();
    expect(jobId).not.toBeNull();
    const jobs = {
      db,
      url,
      now: deps.now,
      onUnexpectedError: () => undefined,
      stopping: new AbortController().signal,
    };
    const jobIds = queue.sent.map(({ data }) => (data as { jobId: number }).jobId);
    for (const id of jobIds) await runJob(jobs, id, { apply: listingJob(deps) });
    const [undone] = await undoRuns();
    expect((await shop.get(`/api/jobs/${jobId}`)).json()).toMatchObject({
      title: 'Undo the price changes of 451 listings',
      state: 'done',
      done: 451,
      summary: '451 done.',
      link: `/jobs/${jobId}`,
      runId: String(undone?.id),
    });
    const back = await db.select().from(priceHistory).where(eq(priceHistory.source, 'undo'));
    expect(back).toHaveLength(451);
    expect(new Set(back.map(({ newPrice }) => newPrice))).toEqual(new Set([usd(20)]));
    expect(await undoRuns()).toMatchObject([{ undoesRunId: run, planned: 451, changed: 451 }]);
  });
});

import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { repricingRuns, runItems } from '#db/schema/runs.ts';
import { hours, instant } from '#domain/units.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addRun } from '#tests/support/seed.ts';
import { purgeRuns } from './purge-runs.ts';

const fixture = engineFixture();
const before = (days: number) => instant(fixture.now - days * hours(24));
const runIds = async (): Promise<number[]> => {
  const rows = await fixture.db
    .select({ id: repricingRuns.id })
    .from(repricingRuns)
    .orderBy(repricingRuns.id);
  return rows.map(({ id }) => id);
};
const dueRun = async (
  days: number,
  over: Partial<typeof repricingRuns.$inferInsert> = {},
): Promise<number> => {
  const startedAt = before(days);
  const [row] = await fixture.db
    .insert(repricingRuns)
    .values({ trigger: 'data_change', state: 'done', startedAt, endedAt: startedAt, ...over })
    .returning({ id: repricingRuns.id });
  return row?.id ?? 0;
};

test.each([1, 1_000])(
  'a decision of 90 days ago goes, unless it is still the last one of its listing (%d at a time)',
  async (batch) => {
    const listingId = await addListing(fixture.db, `A-${batch}`);
    const runOf = (days: number) => addRun(fixture.db, before(days), 'done');
    const [old, current, recent] = [await runOf(200), await runOf(100), await runOf(89)];
    const item = (runId: number, days: number) => ({
      runId,
      listingId,
      outcome: 'blocked' as const,
      reasonCode: 'unknown_cost',
      at: before(days),
    });
    await fixture.db.insert(runItems).values([item(old, 200), item(current, 100), item(recent, 89)]);
    await fixture.db.insert(listingMetrics).values({ listingId, runId: current, decidedAt: fixture.now });
    expect(await purgeRuns(fixture.db, fixture.now, batch)).toEqual({ items: 1, runs: 1 });
    const left = await fixture.db
      .select({ runId: runItems.runId })
      .from(runItems)
      .orderBy(runItems.listingId);
    expect(left.map(({ runId }) => runId)).toEqual([current, recent]);
    expect(await runIds()).toEqual([current, recent]);
  },
);

test.each([1, 1_000])(
  'runs of what was due go after a week when nothing came of them (%d at a time)',
  async (batch) => {
    const young = await dueRun(6);
    await dueRun(8);
    await dueRun(30);
    const stopped = await dueRun(30, { state: 'stopped', stopReason: 'Halted by Ann.' });
    const sweep = await dueRun(30, { trigger: 'full_check' });
    const running = await dueRun(30, { state: 'running', endedAt: null });
    expect(await purgeRuns(fixture.db, fixture.now, batch)).toEqual({ items: 0, runs: 2 });
    expect(await runIds()).toEqual([young, stopped, sweep, running]);
    await fixture.db.execute(sql`UPDATE repricing_runs SET started_at = started_at - interval '70 days'`);
    // After 90 days those go too; the one under way stays.
    expect(await purgeRuns(fixture.db, fixture.now, batch)).toEqual({ items: 0, runs: 3 });
    expect(await runIds()).toEqual([running]);
  },
);

test('a run stays as long as a price of the history, or the run that undid it, names it', async () => {
  const listingId = await addListing(fixture.db, 'B-1');
  const [moved, undone] = [await dueRun(200), await dueRun(200)];
  await fixture.db.execute(sql`
    INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp, run_id)
    VALUES (${listingId}, 20, 19, 'Beat', 'rule', 15, ${new Date(fixture.now).toISOString()}::timestamptz, ${moved})`);
  const undo = await dueRun(1, { trigger: 'undo', undoesRunId: undone });
  expect(await purgeRuns(fixture.db, fixture.now)).toEqual({ items: 0, runs: 0 });
  expect(await runIds()).toEqual([moved, undone, undo]);
});

test('the newest runs that the circuit breaker compares stay, however old', async () => {
  const compared = await dueRun(200, { mayChange: 40 });
  await dueRun(200);
  expect(await purgeRuns(fixture.db, fixture.now)).toEqual({ items: 0, runs: 1 });
  expect(await runIds()).toEqual([compared]);
});

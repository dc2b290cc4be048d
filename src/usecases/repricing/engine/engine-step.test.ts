import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { readEngineFigures } from '#db/queries/repricing/engine-status.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import type { Millis } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { ANN, engineFixture, MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS, beatenPrice, countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { slowDatabase } from '#tests/support/slow-database.ts';
import { engineStep } from './engine-loop.ts';
import { repriceNow } from './reprice-now.ts';

const fixture = engineFixture();

describe('due listings', () => {
  test('are decided, change, and are no longer due', async () => {
    await seedEngineShop(fixture.db, 3);
    await fixture.sweptJustNow();
    expect(await fixture.due()).toHaveLength(3);
    expect(await fixture.untilIdle()).toBe(1);
    expect(await fixture.prices()).toEqual([1, 2, 3].map(beatenPrice));
    expect(await fixture.due()).toEqual([]);
    const [, run] = await fixture.runs();
    expect(run).toMatchObject({
      trigger: 'data_change',
      state: 'done',
      planned: 3,
      evaluated: 3,
      changed: 3,
      kept: 0,
      mayChange: 3,
      startedAt: NOW,
      endedAt: NOW,
      stopReason: null,
    });
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
  });

  /** Raises a cost after the marks are read: before the facts are, or after. */
  const raiseCostBefore = (words: string) =>
    slowDatabase(fixture.db, words, async () => {
      await fixture.open.pool.query(`UPDATE skus SET product_cost = product_cost + 1 WHERE sku = 'A-2'`);
    });

  test.each(['bundle_components', 'price_history (listing_id', 'listing_metrics (listing_id'])(
    'whose facts change before "%s" get no price from them, and stay due',
    async (words) => {
      await seedEngineShop(fixture.db, 3);
      await fixture.sweptJustNow();
      expect(await engineStep(fixture.deps({ db: raiseCostBefore(words) }))).toBe('worked');
      expect(await fixture.prices()).toEqual([beatenPrice(1), usd(20.02), beatenPrice(3)]);
      expect(await fixture.due()).toEqual([2]);
      await fixture.untilIdle();
      expect(await fixture.prices()).toEqual([1, 2, 3].map(beatenPrice));
      expect(await countMoves(fixture.db)).toMatchObject({ most: 1 });
      const [second] = await fixture.db.select().from(listingMetrics).where(eq(listingMetrics.listingId, 2));
      expect(second?.totalCost).toBe(usd(11));
    },
  );

  test('that get no new price stay due when they change while they are decided', async () => {
    await seedEngineShop(fixture.db, 3);
    await fixture.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
    await fixture.sweptJustNow();
    await engineStep(fixture.deps({ db: raiseCostBefore('listing_metrics (listing_id') }));
    expect((await fixture.runs())[1]).toMatchObject({ evaluated: 3, recommended: 3 });
    expect(await fixture.due()).toEqual([2]);
  });

  test('that are being edited wait, and delay no others', async () => {
    await seedEngineShop(fixture.db, 2);
    await fixture.sweptJustNow();
    const editor = await fixture.open.pool.connect();
    await editor.query(`BEGIN; UPDATE skus SET product_cost = 11 WHERE sku = 'A-1'`);
    expect(await fixture.untilIdle()).toBe(1);
    expect(await fixture.due()).toEqual([1]);
    // Only the one being edited is left: no run is stored for an unsuccessful check.
    const before = await fixture.runs();
    expect(await engineStep(fixture.deps())).toBe('idle');
    expect(await fixture.runs()).toEqual(before);
    await editor.query('COMMIT');
    editor.release();
    expect(await fixture.untilIdle()).toBe(1);
    expect(await fixture.due()).toEqual([]);
  });

  test('that were deleted are forgotten', async () => {
    await seedEngineShop(fixture.db, 2);
    await fixture.sweptJustNow();
    await fixture.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = 1`);
    await fixture.untilIdle();
    expect(await fixture.due()).toEqual([]);
    expect((await fixture.prices())[0]).toBe(usd(20.01));
  });

  test('a manual price during a batch makes it decide again', async () => {
    await seedEngineShop(fixture.db, 2);
    await fixture.sweptJustNow();
    const slow = slowDatabase(fixture.db, 'price_history (listing_id', async () => {
      await fixture.open.pool.query(`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor)
        VALUES (1, 20.01, 25, 'Typed', 'person', 1)`);
    });
    expect(await engineStep(fixture.deps({ db: slow }))).toBe('worked');
    const { rows } = await fixture.db.execute(
      sql`SELECT old_price, source FROM price_history WHERE listing_id = 1 ORDER BY id`,
    );
    expect(rows).toEqual([
      { old_price: null, source: 'import' },
      { old_price: '20.01', source: 'person' },
      { old_price: '25.00', source: 'rule' },
    ]);
  });
});

describe('what runs when', () => {
  test('a full check covers all listings at each interval', async () => {
    await seedEngineShop(fixture.db, 3);
    await fixture.untilIdle();
    const before = await fixture.runs();
    expect(before.map(({ trigger }) => trigger)).toEqual(['data_change', 'full_check']);
    fixture.advance((15 * MINUTE - 1) as Millis);
    expect(await fixture.untilIdle()).toBe(0);
    fixture.advance(1 as Millis);
    // Opened, then done in one batch.
    expect(await fixture.untilIdle()).toBe(2);
    expect((await fixture.runs()).slice(2)).toMatchObject([
      { trigger: 'full_check', state: 'done', planned: 3, kept: 3 },
    ]);
  });

  test('a full check started by a clock a day ahead does not delay the next one for a day', async () => {
    await seedEngineShop(fixture.db, 3);
    fixture.advance(24 * 60 * MINUTE);
    await fixture.untilIdle();
    fixture.advance(-24 * 60 * MINUTE);
    await fixture.untilIdle();
    expect((await fixture.runs()).at(-1)).toMatchObject({
      trigger: 'full_check',
      state: 'done',
      startedAt: NOW,
    });
    expect(await fixture.untilIdle()).toBe(0);
    const { figures } = await readEngineFigures(fixture.db, fixture.now);
    expect(figures.lastFullRunAt).toBe(NOW);
  });

  test('an endless stream of changes does not delay the full check forever', async () => {
    await seedEngineShop(fixture.db, 3);
    await fixture.untilIdle();
    fixture.advance((30 * MINUTE) as Millis);
    await fixture.db.execute(sql`UPDATE skus SET product_cost = 11`);
    await engineStep(fixture.deps());
    expect((await fixture.runs()).at(-1)).toMatchObject({ trigger: 'full_check', state: 'running' });
  });

  test('an empty store has no runs', async () => {
    expect(await engineStep(fixture.deps())).toBe('idle');
    expect(await fixture.runs()).toEqual([]);
  });

  test('"Reprice now" runs before due listings, and a second request adds no run', async () => {
    await seedEngineShop(fixture.db, 3);
    const first = await repriceNow(fixture.deps(), ANN);
    const second = await repriceNow(fixture.deps(), { id: 'bob', name: 'Bob' });
    expect(second.id).toBe(first.id);
    fixture.advance(MINUTE);
    await fixture.untilIdle();
    expect(await fixture.runs()).toMatchObject([
      { trigger: 'manual', startedBy: 'Ann', state: 'done', startedAt: NOW + MINUTE, planned: 3, changed: 3 },
    ]);
    expect(await fixture.due()).toEqual([]);
  });
});

import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { runItems } from '#db/schema/runs.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture, MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS, beatenPrice, countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { engineStep } from './engine-loop.ts';
import { PlannedPages } from './planned-pages.ts';

const fixture = engineFixture();
const BEATEN = [1, 2, 3, 4, 5, 6].map(beatenPrice);
/** Lowers competitor offers by 50 cents without a due mark: only a repeated decision can see it. */
const lowerUnmarked = async (): Promise<void> => {
  await asOwner(
    fixture.db,
    `ALTER TABLE competitor_offers DISABLE TRIGGER USER;
    UPDATE competitor_offers SET price = price - 0.5;
    ALTER TABLE competitor_offers ENABLE TRIGGER USER`,
  );
};
const lower = (price: number): number => price - usd(0.5);

describe('a run that was planned', () => {
  /** Six listings in pages of two, planned and not recorded. */
  async function planned() {
    await seedEngineShop(fixture.db, 6);
    await fixture.sweptJustNow();
    const engine = fixture.deps({ batchSize: 2 });
    await engineStep(engine);
    await engineStep(engine);
    expect((await fixture.runs())[1]?.plan).toMatchObject({ changed: 6 });
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 0 });
    return engine;
  }

  test('records what its plan decided, with all that belongs to it', async () => {
    const engine = await planned();
    await lowerUnmarked();
    await fixture.untilIdle(engine);
    expect(await fixture.prices()).toEqual(BEATEN);
    const [, run] = await fixture.runs();
    expect(run).toMatchObject({ state: 'done', evaluated: 6, changed: 6, mayChange: 6, competitive: 6 });
    expect(await fixture.db.$count(runItems, eq(runItems.runId, run?.id ?? 0))).toBe(6);
    expect(await fixture.due()).toEqual([]);
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
  });

  test('decides a page again when a listing of it was touched, and no other', async () => {
    const engine = await planned();
    await lowerUnmarked();
    await fixture.db.execute(
      sql`UPDATE listings SET fee_category = NULL, shipping_charge = 0, min_price = 1 WHERE id = 3`,
    );
    await fixture.untilIdle(engine);
    // The pages are 1 and 2, 3 and 4, 5 and 6.
    expect(await fixture.prices()).toEqual(
      BEATEN.map((price, n) => (n === 2 || n === 3 ? lower(price) : price)),
    );
    expect((await fixture.runs())[1]).toMatchObject({ state: 'done', evaluated: 6, changed: 6 });
  });

  test('decides again what was planned more than two minutes ago', async () => {
    const engine = await planned();
    await lowerUnmarked();
    fixture.advance(3 * MINUTE);
    await fixture.untilIdle(engine);
    expect(await fixture.prices()).toEqual(BEATEN.map(lower));
  });

  test('decides again in a process that has not planned it', async () => {
    await planned();
    await lowerUnmarked();
    await fixture.untilIdle(fixture.deps({ batchSize: 2, planned: new PlannedPages() }));
    expect(await fixture.prices()).toEqual(BEATEN.map(lower));
  });

  test('decides again when a price moved under it', async () => {
    const engine = await planned();
    await fixture.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
      SELECT id, current_price, 21, 'Imported', 'import', ${new Date(fixture.now).toISOString()}::timestamptz
      FROM listings WHERE id = 2`);
    await fixture.untilIdle(engine);
    expect(await fixture.prices()).toEqual(BEATEN);
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
  });

  test("decides again when the store's facts change, also where no listing was marked for it", async () => {
    const engine = await planned();
    await lowerUnmarked();
    await asOwner(
      fixture.db,
      `ALTER TABLE repricing_rules DISABLE TRIGGER USER;
      UPDATE repricing_rules SET competitor_offset = 0.02;
      ALTER TABLE repricing_rules ENABLE TRIGGER USER`,
    );
    await fixture.untilIdle(engine);
    expect(await fixture.prices()).toEqual(BEATEN.map((price) => lower(price) - 1));
  });

  test('decides again when a marketplace was switched off, also where no listing was marked for it', async () => {
    const engine = await planned();
    await fixture.db.execute(
      sql`UPDATE integrations SET price_channel = 'paused' WHERE marketplace = 'walmart'`,
    );
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 0 });
  });

  test('skips a deleted listing', async () => {
    const engine = await planned();
    await fixture.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = 4`);
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toMatchObject({ listings: 5, moves: 5 });
  });
});

describe('a full check without changes', () => {
  test('counts everything and writes nothing', async () => {
    await seedEngineShop(fixture.db, 6);
    const engine = fixture.deps({ batchSize: 2 });
    await fixture.untilIdle(engine);
    const { rows: before } = await fixture.db.execute(
      sql`SELECT xmin, listing_id FROM listing_metrics ORDER BY listing_id`,
    );
    fixture.advance(20 * MINUTE);
    await fixture.untilIdle(engine);
    const last = (await fixture.runs()).at(-1);
    expect(last).toMatchObject({ trigger: 'full_check', state: 'done', evaluated: 6, kept: 6, changed: 0 });
    const { rows: after } = await fixture.db.execute(
      sql`SELECT xmin, listing_id FROM listing_metrics ORDER BY listing_id`,
    );
    expect(after).toEqual(before);
  });
});

describe('a batch that is exactly full', () => {
  test('is the last when nothing is behind it', async () => {
    await seedEngineShop(fixture.db, 4);
    await fixture.sweptJustNow();
    const engine = fixture.deps({ batchSize: 4 });
    expect(await fixture.untilIdle(engine)).toBe(1);
    expect((await fixture.runs())[1]).toMatchObject({ state: 'done', evaluated: 4, changed: 4 });
  });

  test('ends a run of several', async () => {
    await seedEngineShop(fixture.db, 4);
    await fixture.sweptJustNow();
    // The run, its plan, two batches.
    expect(await fixture.untilIdle(fixture.deps({ batchSize: 2 }))).toBe(4);
    expect((await fixture.runs())[1]).toMatchObject({ state: 'done', evaluated: 4, changed: 4 });
  });
});

import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { listings } from '#db/schema/listings.ts';
import { ANN, engineFixture, MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS, countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { slowDatabase } from '#tests/support/slow-database.ts';
import { engineStep } from './engine-loop.ts';
import { haltEngine } from './halt.ts';
import { resumeEngine } from './resume.ts';

const fixture = engineFixture();

describe('a run of several batches', () => {
  test('goes on from its cursor, each price once', async () => {
    await seedEngineShop(fixture.db, 12);
    const engine = fixture.deps({ batchSize: 5 });
    // Due run opened, planned, three batches; the sweep opened, planned, three batches.
    expect(await fixture.untilIdle(engine)).toBe(10);
    expect(await countMoves(fixture.db)).toEqual({ listings: 12, moves: 12, most: 1 });
    const [first, sweep] = await fixture.runs();
    expect(first).toMatchObject({
      trigger: 'data_change',
      state: 'done',
      planned: 12,
      evaluated: 12,
      changed: 12,
    });
    expect(first?.plan).toMatchObject({ changed: 12, mayChange: 12, isReviewed: false });
    expect(sweep).toMatchObject({
      trigger: 'full_check',
      state: 'done',
      evaluated: 12,
      changed: 0,
      kept: 12,
      sweptTo: 12,
    });
  });

  test('includes what becomes due during the run, and its plan counts it', async () => {
    await seedEngineShop(fixture.db, 12);
    await fixture.sweptJustNow();
    await fixture.db.execute(sql`DELETE FROM due_listings WHERE listing_id > 6`);
    const engine = fixture.deps({ batchSize: 5 });
    await engineStep(engine);
    expect((await fixture.runs())[1]).toMatchObject({ state: 'running', planned: 6 });
    await fixture.db.execute(
      sql`INSERT INTO due_listings (listing_id, cause) SELECT id, 'offers' FROM listings WHERE id > 6`,
    );
    await fixture.untilIdle(engine);
    expect((await fixture.runs())[1]).toMatchObject({ state: 'done', planned: 12, evaluated: 12 });
  });

  test.each([1, 2, 3])('that dies in batch %d is finished by the next engine', async (died) => {
    await seedEngineShop(fixture.db, 12);
    await fixture.sweptJustNow();
    const engine = fixture.deps({ batchSize: 5 });
    await engineStep(engine);
    await engineStep(engine);
    for (let done = 1; done < died; done++) await engineStep(engine);
    const dying = slowDatabase(fixture.db, 'pricewright_engine', async () => {
      throw Object.assign(new Error('Connection terminated'), { code: '57P01' });
    });
    await expect(engineStep({ ...engine, db: dying })).rejects.toThrow('Connection terminated');
    const [, cut] = await fixture.runs();
    expect(cut).toMatchObject({ state: 'running', evaluated: (died - 1) * 5 });
    expect(await countMoves(fixture.db)).toMatchObject({ moves: (died - 1) * 5 });
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toEqual({ listings: 12, moves: 12, most: 1 });
    expect((await fixture.runs())[1]).toMatchObject({ state: 'done', evaluated: 12, changed: 12 });
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
  });

  test('that is halted stops with the reason, and the other listings stay due', async () => {
    await seedEngineShop(fixture.db, 12);
    await fixture.sweptJustNow();
    const engine = fixture.deps({ batchSize: 5 });
    for (let step = 0; step < 3; step++) await engineStep(engine);
    fixture.advance(MINUTE);
    await haltEngine(engine, 'costs are wrong', ANN);
    await engineStep(engine);
    const [, run] = await fixture.runs();
    expect(run).toMatchObject({ state: 'stopped', stopReason: 'Halted by Ann: costs are wrong', changed: 5 });
    expect(await fixture.due()).toHaveLength(7);
    // Under the halt the rest is still decided, as recommendations.
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 5 });
    expect(await fixture.db.$count(listings, sql`recommended_price is not null`)).toBe(7);
    expect(await fixture.due()).toEqual([]);
    fixture.advance(MINUTE);
    await resumeEngine(engine, null, ANN);
    expect(await fixture.due()).toHaveLength(12);
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toEqual({ listings: 12, moves: 12, most: 1 });
  });

  test('a halt during a batch rolls the batch back', async () => {
    await seedEngineShop(fixture.db, 12);
    await fixture.sweptJustNow();
    const engine = fixture.deps({ batchSize: 5 });
    await engineStep(engine);
    await engineStep(engine);
    fixture.advance(MINUTE);
    const slow = slowDatabase(fixture.db, 'price_history (listing_id', () =>
      haltEngine({ db: fixture.db, now: () => fixture.now }, null, ANN),
    );
    await engineStep({ ...engine, db: slow });
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 0 });
    expect((await fixture.runs())[1]).toMatchObject({
      state: 'stopped',
      stopReason: 'Halted by Ann.',
      evaluated: 0,
    });
    expect(await fixture.due()).toHaveLength(12);
  });

  test('a halt while it is planned stops it', async () => {
    await seedEngineShop(fixture.db, 12);
    await fixture.sweptJustNow();
    await engineStep(fixture.deps({ batchSize: 5 }));
    fixture.advance(MINUTE);
    let requested = 0;
    const isStopping = () => {
      requested++;
      return false;
    };
    await haltEngine(fixture.deps(), 'x', ANN);
    await fixture.db.execute(sql`UPDATE repricing_state SET halted = false`);
    const slow = slowDatabase(fixture.db, 'competitor_offers', () =>
      haltEngine({ db: fixture.db, now: () => fixture.now }, 'x', ANN),
    );
    await engineStep(fixture.deps({ db: slow, batchSize: 5, isStopping }));
    expect(requested).toBe(2);
    expect((await fixture.runs())[1]).toMatchObject({ state: 'stopped', plan: null, evaluated: 0 });
  });
});

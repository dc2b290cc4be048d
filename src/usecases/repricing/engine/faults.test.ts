import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { engineFixture, MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS, countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { engineStep } from './engine-loop.ts';

const fixture = engineFixture();

/** Simulates an internal error: the database rejects the rows of these listings. */
async function refuse(ids: string): Promise<void> {
  await asOwner(
    fixture.db,
    `ALTER TABLE run_items ADD CONSTRAINT refused CHECK (listing_id NOT IN (${ids}))`,
  );
}
const stopRefusing = () => asOwner(fixture.db, 'ALTER TABLE run_items DROP CONSTRAINT refused');
const reported = () => fixture.faults.map((error) => (error instanceof Error ? error.message : ''));

describe('a listing that cannot be recorded', () => {
  test.each([
    ['one batch', 1_000],
    ['several batches', 7],
  ])('is set aside, and the others of %s go on', async (_, batchSize) => {
    await seedEngineShop(fixture.db, 20);
    await fixture.sweptJustNow();
    await refuse('9, 14');
    const engine = fixture.deps({ batchSize });
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toEqual({ listings: 18, moves: 18, most: 1 });
    expect((await fixture.due()).sort()).toEqual([14, 9]);
    expect(reported()).toEqual([
      'Listing 9 could not be saved. It is skipped for 10 minutes.',
      'Listing 14 could not be saved. It is skipped for 10 minutes.',
    ]);
    expect((await fixture.runs())[1]).toMatchObject({ trigger: 'data_change', state: 'done', evaluated: 18 });
    // They are skipped, and later listings do not wait for them.
    await fixture.db.execute(sql`UPDATE skus SET product_cost = 10.5 WHERE sku = 'A-20'`);
    await fixture.untilIdle(engine);
    expect((await fixture.due()).sort()).toEqual([14, 9]);
    expect(fixture.faults).toHaveLength(2);
    await stopRefusing();
    fixture.advance(10 * MINUTE);
    await fixture.untilIdle(engine);
    expect(await fixture.due()).toEqual([]);
    expect(await countMoves(fixture.db)).toEqual({ listings: 20, moves: 20, most: 1 });
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
  });
});

test('an error with every listing fails the run, shows it, and leaves everything due', async () => {
  await seedEngineShop(fixture.db, 12);
  await fixture.sweptJustNow();
  await asOwner(fixture.db, 'ALTER TABLE run_items RENAME COLUMN binding_limit TO binding_limits');
  await expect(engineStep(fixture.deps())).rejects.toThrow();
  const [, run] = await fixture.runs();
  expect(run).toMatchObject({ state: 'failed', evaluated: 0 });
  expect(run?.stopReason).toBe(
    'Internal error: column "binding_limit" of relation "run_items" does not exist',
  );
  expect(fixture.faults).toHaveLength(5);
  expect(await fixture.due()).toHaveLength(12);
  await asOwner(fixture.db, 'ALTER TABLE run_items RENAME COLUMN binding_limits TO binding_limit');
  fixture.advance(10 * MINUTE);
  await fixture.untilIdle();
  expect(await fixture.due()).toEqual([]);
});

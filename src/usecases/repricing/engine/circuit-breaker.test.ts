import { eq, lt, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { listings } from '#db/schema/listings.ts';
import { ANN, engineFixture, MINUTE } from '#tests/support/engine-fixture.ts';
import { countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { addRule } from '#tests/support/seed.ts';
import { engineStep } from './engine-loop.ts';
import { goLive } from './go-live.ts';
import { previewRun } from './preview-run.ts';

const fixture = engineFixture();

describe('the circuit breaker', () => {
  /** Every competitor at $10 below: prices would fall by the step limit, 15 %. */
  const crash = () => fixture.db.execute(sql`UPDATE competitor_offers SET price = price - 10`);

  test.each([1_000, 4])('stops a wild run before it records anything (batches of %d)', async (batchSize) => {
    await seedEngineShop(fixture.db, 10);
    await fixture.sweptJustNow();
    await crash();
    const engine = fixture.deps({ batchSize });
    for (let step = 0; step < (batchSize === 4 ? 2 : 1); step++) await engineStep(engine);
    const reason =
      '10 of 10 listings that may change (100%) would drop by 10% or more. The limit is 20%. All 10 changes are on Walmart, by the rule "Beat everybody".';
    expect((await fixture.runs())[1]).toMatchObject({
      state: 'stopped',
      stopReason: reason,
      evaluated: 0,
      changed: 0,
    });
    expect(await fixture.engineSwitch()).toMatchObject({
      halted: true,
      changedBy: 'circuit breaker',
      reason,
    });
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 0 });
    expect(await fixture.due()).toHaveLength(10);
    const audit = await fixture.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'engine.halted'))
      .orderBy(auditLog.id);
    expect(audit).toMatchObject([{ actor: 'circuit breaker', after: { reason } }]);
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 0 });
  });

  test('says which rule most of the changes come from', async () => {
    await seedEngineShop(fixture.db, 10);
    const milder = await addRule(fixture.db, { name: 'Milder' });
    await fixture.db.update(listings).set({ ruleId: milder }).where(lt(listings.id, 4));
    await fixture.sweptJustNow();
    await crash();
    await engineStep(fixture.deps());
    expect((await fixture.engineSwitch())?.reason).toMatch(
      / 7 of the 10 changes are on Walmart, by the rule "Beat everybody"\.$/,
    );
  });

  test.each([1_000, 4])('lets a reviewed plan pass (batches of %d)', async (batchSize) => {
    await seedEngineShop(fixture.db, 10);
    await crash();
    const { plan, breaker } = await previewRun(fixture.db, ['walmart'], fixture.now);
    expect(breaker).toMatch(/^10 of 10 listings/);
    await goLive(fixture.deps(), { marketplaces: ['walmart'], token: plan.token() }, ANN);
    const engine = fixture.deps({ batchSize });
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 10 });
    expect((await fixture.runs())[0]).toMatchObject({
      trigger: 'manual',
      dropped: 10,
      plan: { isReviewed: true },
    });
    // The rolling hour does not count it either: the next small change passes.
    fixture.advance(MINUTE);
    await fixture.db.execute(sql`UPDATE listings SET awaiting_upload_since = NULL WHERE id = 1`);
    await fixture.db.execute(sql`UPDATE listings SET shipping_charge = 0.05 WHERE id = 1`);
    await fixture.untilIdle(engine);
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 11 });
    expect(await fixture.engineSwitch()).toMatchObject({ halted: false });
  });

  test('stops a run with the prices of a reviewed plan, but from far above', async () => {
    await seedEngineShop(fixture.db, 10);
    const { plan } = await previewRun(fixture.db, ['walmart'], fixture.now);
    await goLive(fixture.deps(), { marketplaces: ['walmart'], token: plan.token() }, ANN);
    await fixture.untilIdle();
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 10 });
    await fixture.db.execute(sql`UPDATE listings SET awaiting_upload_since = NULL`);
    // An import raises prices by 14 %: the rule would restore the reviewed ones.
    await fixture.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
      SELECT id, current_price, round(current_price * 1.14, 2), 'Imported', 'import', ${new Date(fixture.now).toISOString()}::timestamptz
      FROM listings`);
    await fixture.untilIdle();
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 10 });
    expect(await fixture.engineSwitch()).toMatchObject({ halted: true, changedBy: 'circuit breaker' });
  });

  test('lets the same run pass in recommend only mode', async () => {
    await seedEngineShop(fixture.db, 10);
    await crash();
    await fixture.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
    await fixture.untilIdle();
    expect(await fixture.engineSwitch()).toMatchObject({ halted: false });
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 0 });
    expect(await fixture.db.$count(listings, sql`recommended_price is not null`)).toBe(10);
  });

  test('adds up an hour of small runs', async () => {
    await seedEngineShop(fixture.db, 20);
    await fixture.untilIdle();
    await fixture.db.execute(sql`UPDATE listings SET awaiting_upload_since = NULL`);
    await fixture.untilIdle();
    const drop = async (id: number) => {
      await fixture.db.execute(sql`DELETE FROM competitor_offers WHERE listing_id = ${id}`);
      await fixture.db.execute(sql`INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
        VALUES (${id}, 'Corner Store', 'corner store', 10, 'FBM', ${new Date(fixture.now).toISOString()}::timestamptz)`);
      await fixture.untilIdle();
    };
    for (let id = 1; id <= 4; id++) await drop(id);
    expect(await fixture.engineSwitch()).toMatchObject({ halted: false });
    await drop(5);
    expect(await fixture.engineSwitch()).toMatchObject({
      halted: true,
      reason: expect.stringMatching(/^Over one hour, 5 of 20 listings/),
    });
  });

  test('goes by the limits in the settings, and its reason names them', async () => {
    await seedEngineShop(fixture.db, 20);
    await fixture.sweptJustNow();
    await fixture.db.execute(sql`UPDATE app_settings SET breaker_drop_share = 25, breaker_drop_depth = 2`);
    // Beaten prices lie less than 3 % below the old ones, and more than 2 %.
    await fixture.untilIdle();
    const reason =
      '20 of 20 listings that may change (100%) would drop by 2% or more. The limit is 25%. All 20 changes are on Walmart, by the rule "Beat everybody".';
    expect(await fixture.engineSwitch()).toMatchObject({ halted: true, reason });
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 0 });
  });

  test('adds up an hour by the depth that is set', async () => {
    await seedEngineShop(fixture.db, 20);
    await fixture.db.execute(sql`UPDATE app_settings SET breaker_drop_depth = 2`);
    await fixture.db.execute(sql`UPDATE listings SET auto_repricing_enabled = id <= 4`);
    await fixture.untilIdle();
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 4 });
    await fixture.db.execute(sql`UPDATE listings SET auto_repricing_enabled = true WHERE id = 5`);
    await fixture.untilIdle();
    expect(await fixture.engineSwitch()).toMatchObject({
      halted: true,
      reason: expect.stringMatching(/^Over one hour, 5 of 5 listings .* by 2% or more/),
    });
  });

  test('checks again when a long run exceeds its plan', async () => {
    await seedEngineShop(fixture.db, 20);
    await fixture.sweptJustNow();
    const engine = fixture.deps({ batchSize: 10 });
    await engineStep(engine);
    await engineStep(engine);
    await engineStep(engine);
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 10 });
    await crash();
    await engineStep(engine);
    expect(await countMoves(fixture.db)).toMatchObject({ moves: 10 });
    expect((await fixture.runs())[1]).toMatchObject({ state: 'stopped', evaluated: 10 });
    expect(await fixture.engineSwitch()).toMatchObject({ halted: true });
  });
});

import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { updateSettings } from '#db/queries/marketplaces/connections/settings.ts';
import { listings } from '#db/schema/listings.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { beatenPrice, seedEngineShop } from '#tests/support/engine-shop.ts';
import { engineStep } from './engine-loop.ts';

const fixture = engineFixture();

const recommended = async () =>
  (await fixture.db.select().from(listings).orderBy(listings.id)).map((row) => [
    row.recommendedPrice,
    row.recommendedPriceReason,
  ]);

/** Prices that wait to be sent. */
const onTheirWay = async () =>
  (await fixture.db.select().from(priceIntents).orderBy(priceIntents.id)).map(({ price }) => price);

const KEYS = { walmartClientId: 'c', walmartClientSecret: 'v1.ciphertext' };

describe('a live marketplace with stored credentials', () => {
  test('only recommends while a credential is missing', async () => {
    await seedEngineShop(fixture.db, 1);
    await updateSettings(
      fixture.db,
      { walmartEnabled: true, walmartClientSecret: 'v1.ciphertext' },
      fixture.now,
    );
    await fixture.untilIdle();
    expect(await fixture.prices()).toEqual([usd(20.01)]);
  });

  test('only recommends once it is disabled, and shows why', async () => {
    await seedEngineShop(fixture.db, 1);
    await updateSettings(fixture.db, { walmartEnabled: false, ...KEYS }, fixture.now);
    await fixture.untilIdle();
    expect(await fixture.prices()).toEqual([usd(20.01)]);
    expect(await recommended()).toEqual([[beatenPrice(1), expect.stringContaining('paused')]]);
  });

  test('switched off between two batches of a run, the second one changes nothing', async () => {
    await seedEngineShop(fixture.db, 2);
    const engine = fixture.deps({ batchSize: 1 });
    // Open the run, make its plan, record its first batch.
    for (let step = 0; (await fixture.prices())[0] === usd(20.01); step++) {
      expect(step).toBeLessThan(10);
      await engineStep(engine);
    }
    await updateSettings(fixture.db, { walmartEnabled: false, ...KEYS }, fixture.now);
    await fixture.untilIdle(engine);
    expect(await fixture.prices()).toEqual([beatenPrice(1), usd(20.02)]);
  });
});

test('with automatic repricing off it only recommends; on again it changes prices', async () => {
  await seedEngineShop(fixture.db, 1);
  await updateSettings(fixture.db, { autoRepricing: false }, fixture.now);
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([usd(20.01)]);
  expect(await onTheirWay()).toEqual([]);
  expect(await recommended()).toEqual([
    [beatenPrice(1), expect.stringContaining('Automatic repricing is off')],
  ]);
  await updateSettings(fixture.db, { autoRepricing: true }, fixture.now);
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([beatenPrice(1)]);
});

test('a marketplace that may only be read gets recommendations, whatever its mode', async () => {
  await seedEngineShop(fixture.db, 1);
  await fixture.db.execute(
    sql`UPDATE integrations SET price_channel = 'read_only' WHERE marketplace = 'walmart'`,
  );
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([usd(20.01)]);
  expect(await onTheirWay()).toEqual([]);
  expect(await recommended()).toEqual([[beatenPrice(1), expect.stringContaining('turned off')]]);
});

test('a marketplace without a key changes prices by file whether it is on or off', async () => {
  await seedEngineShop(fixture.db, 1);
  await updateSettings(fixture.db, { walmartEnabled: false }, fixture.now);
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([beatenPrice(1)]);
});

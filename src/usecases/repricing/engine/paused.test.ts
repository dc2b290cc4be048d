import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { updateSettings } from '#db/queries/marketplaces/settings.ts';
import { listings } from '#db/schema/listings.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineRig } from '#tests/support/engine-fixture.ts';
import { beatenPrice, seedEngineShop } from '#tests/support/engine-shop.ts';
import { engineStep } from './engine-step.ts';

const rig = engineRig();

const recommended = async () =>
  (await rig.db.select().from(listings)).map((row) => [row.recommendedPrice, row.recommendedPriceReason]);

/** Prices that wait to be sent. */
const onTheirWay = async () => (await rig.db.select().from(priceIntents)).map(({ price }) => price);

const KEYS = { walmartClientId: 'c', walmartClientSecret: 'v1.ciphertext' };

describe('an armed marketplace with a stored key', () => {
  test('only recommends while one of its keys is missing', async () => {
    await seedEngineShop(rig.db, 1);
    await updateSettings(rig.db, { walmartEnabled: true, walmartClientSecret: 'v1.ciphertext' }, rig.now);
    await rig.untilIdle();
    expect(await rig.prices()).toEqual([usd(20.01)]);
  });

  test('only recommends once it is switched off, and says why', async () => {
    await seedEngineShop(rig.db, 1);
    await updateSettings(rig.db, { walmartEnabled: false, ...KEYS }, rig.now);
    await rig.untilIdle();
    expect(await rig.prices()).toEqual([usd(20.01)]);
    expect(await recommended()).toEqual([
      [
        beatenPrice(1),
        expect.stringContaining('Walmart is paused in Settings, so this price needs your review.'),
      ],
    ]);
  });

  test('switched off between two batches of a run, the second one changes nothing', async () => {
    await seedEngineShop(rig.db, 2);
    const engine = rig.deps({ batchSize: 1 });
    // Open the run, make its plan, record its first batch.
    for (let step = 0; (await rig.prices())[0] === usd(20.01); step++) {
      expect(step).toBeLessThan(10);
      await engineStep(engine);
    }
    await updateSettings(rig.db, { walmartEnabled: false, ...KEYS }, rig.now);
    await rig.untilIdle(engine);
    expect(await rig.prices()).toEqual([beatenPrice(1), usd(20.02)]);
  });
});

test('with automatic repricing off it only recommends; on again it changes prices', async () => {
  await seedEngineShop(rig.db, 1);
  await updateSettings(rig.db, { autoRepricing: false }, rig.now);
  await rig.untilIdle();
  expect(await rig.prices()).toEqual([usd(20.01)]);
  expect(await onTheirWay()).toEqual([]);
  expect(await recommended()).toEqual([
    [beatenPrice(1), expect.stringContaining('Automatic repricing is off')],
  ]);
  await updateSettings(rig.db, { autoRepricing: true }, rig.now);
  await rig.untilIdle();
  expect(await rig.prices()).toEqual([beatenPrice(1)]);
});

test('a marketplace that may only be read gets recommendations, whatever its mode', async () => {
  await seedEngineShop(rig.db, 1);
  await rig.db.execute(
    sql`UPDATE integrations SET price_channel = 'read_only' WHERE marketplace = 'walmart'`,
  );
  await rig.untilIdle();
  expect(await rig.prices()).toEqual([usd(20.01)]);
  expect(await onTheirWay()).toEqual([]);
  expect(await recommended()).toEqual([
    [
      beatenPrice(1),
      expect.stringContaining(
        'Sending prices to Walmart is turned off under Settings, Marketplace Integrations, so this price needs your review.',
      ),
    ],
  ]);
});

test('a marketplace without a key changes prices by file whether it is on or off', async () => {
  await seedEngineShop(rig.db, 1);
  await updateSettings(rig.db, { walmartEnabled: false }, rig.now);
  await rig.untilIdle();
  expect(await rig.prices()).toEqual([beatenPrice(1)]);
});

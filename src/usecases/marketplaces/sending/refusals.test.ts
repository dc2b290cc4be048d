import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { noteNewCredentials } from '#db/queries/marketplaces/integrations.ts';
import { auditLog } from '#db/schema/audit.ts';
import { hours, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { EDITOR, sendingRig } from '#tests/support/sending-fixture.ts';
import { purgeRuns } from '#usecases/repricing/engine/purge-runs.ts';
import { retryPrice } from '#usecases/repricing/prices/retry-price.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

const rig = sendingRig();
const WANTED = beatenPrice(1);

const deps = () => ({ db: rig.db, now: () => rig.now });
/** Everything is looked at once more, and what comes of it is sent. */
async function sweep(): Promise<void> {
  rig.advance(15 * MINUTE);
  await rig.db.execute(sql`SELECT mark_due(array_agg(id), 'test') FROM listings`);
  await rig.untilIdle();
  await rig.send();
}
const rivalAsks = (price: number) => rig.db.execute(sql`UPDATE competitor_offers SET price = ${price}`);
const sentPrices = () => rig.market.sent.map(({ price }) => price);
const decided = async () =>
  (
    await rig.db.execute<{ outcome: string; reason: string }>(
      sql`SELECT outcome, reason_code AS reason FROM listing_metrics`,
    )
  ).rows;

beforeEach(async () => {
  await rig.seed(1);
  rig.market.reactionTo = () => 'reject';
  await rig.untilIdle();
  await rig.send();
  expect(sentPrices()).toEqual([WANTED]);
});

describe('a refused price', () => {
  test('is not asked again, however often everything is looked at', async () => {
    for (let round = 0; round < 3; round++) await sweep();
    expect(sentPrices()).toEqual([WANTED]);
    expect(await decided()).toEqual([{ outcome: 'keep', reason: 'refused' }]);
    expect(await rig.states()).toEqual(['rejected']);
  });

  test('is asked again once the listing is another one there or here', async () => {
    await rig.db.execute(sql`UPDATE listings SET title = 'A better title' WHERE id = 1`);
    expect(await rig.due()).toContain(1);
    await rig.untilIdle();
    await rig.send();
    expect(sentPrices()).toEqual([WANTED, WANTED]);
    // What was read again and is the same changes nothing.
    await rig.db.execute(sql`UPDATE marketplace_listings SET keys = '{}', is_active = true, seen_at = now()`);
    await sweep();
    expect(sentPrices()).toHaveLength(2);
    await rig.db.execute(sql`UPDATE marketplace_listings SET is_active = false`);
    await sweep();
    expect(sentPrices()).toHaveLength(3);
  });

  test('is asked again with other credentials of its marketplace, and of no other one', async () => {
    await rig.db.transaction((tx) => noteNewCredentials(tx, ['amazon']));
    await sweep();
    expect(sentPrices()).toHaveLength(1);
    await rig.db.transaction((tx) => noteNewCredentials(tx, ['walmart']));
    await rig.untilIdle();
    await rig.send();
    expect(sentPrices()).toEqual([WANTED, WANTED]);
  });

  test('leaves another price to be asked; back at the first one it is still refused', async () => {
    await rivalAsks(19.4);
    await sweep();
    const other = sentPrices()[1];
    expect(other).toBeLessThan(WANTED);
    await rivalAsks(19.51);
    await sweep();
    await rivalAsks(19.4);
    await sweep();
    expect(sentPrices()).toEqual([WANTED, other]);
    // From another price in force it is another question.
    rig.market.reactionTo = () => 'live';
    await rivalAsks(19.2);
    await sweep();
    expect(await rig.states()).toEqual(['rejected', 'rejected', 'confirmed']);
    await rivalAsks(19.4);
    await sweep();
    expect(sentPrices().at(-1)).toBe(other);
  });

  test('is remembered for as long as it keeps the price from being asked', async () => {
    await rivalAsks(19.4);
    await sweep();
    expect(await rig.states()).toEqual(['rejected', 'rejected']);
    await purgeRuns(rig.db, instant(rig.now + hours(40 * 24)));
    expect(await rig.states()).toEqual(['rejected', 'rejected']);
    await rig.db.execute(sql`UPDATE listings SET title = 'Another one'`);
    await purgeRuns(rig.db, instant(rig.now + hours(40 * 24)));
    expect(await rig.states()).toEqual(['rejected']);
  });

  test('that a reading tells of is one too, and so is a listing that is gone there', async () => {
    await rig.db.execute(sql`UPDATE listings SET title = 'Another one'`);
    rig.market.reactionTo = () => 'accept';
    await rig.untilIdle();
    await rig.send();
    rig.market.refusals.set(1, 'Too low');
    rig.advance(MINUTE);
    await rig.send();
    expect((await rig.intents()).at(-1)).toMatchObject({ state: 'rejected', isRefusalActive: true });
    rig.market.refusals.clear();
    await sweep();
    expect(sentPrices()).toHaveLength(2);
    await rivalAsks(19.4);
    await sweep();
    rig.market.gone.add(1);
    rig.advance(MINUTE);
    await rig.send();
    await sweep();
    expect(sentPrices()).toHaveLength(3);
    expect((await rig.intents()).at(-1)).toMatchObject({ state: 'rejected', isRefusalActive: true });
  });

  test('that waited while it was refused does not leave any more', async () => {
    await rig.db.execute(sql`UPDATE listings SET title = 'Another one'`);
    await rig.untilIdle();
    expect(await rig.states()).toEqual(['rejected', 'queued']);
    await rig.db.execute(sql`UPDATE price_intents SET is_refusal_active = true WHERE state = 'rejected'`);
    await rig.send();
    expect(await rig.intents()).toMatchObject([
      { state: 'rejected' },
      { state: 'expired', marketplaceMessage: 'The marketplace rejected the price while it was waiting.' },
    ]);
  });
});

describe('"Try again"', () => {
  test('sends the price once more, with a row of the audit log', async () => {
    rig.market.reactionTo = () => 'live';
    await retryPrice(deps(), 1, WANTED, EDITOR);
    await rig.send();
    expect(sentPrices()).toEqual([WANTED, WANTED]);
    expect(await rig.ledger()).toMatchObject([{ newPrice: WANTED, source: 'apply', actor: 'Ann' }]);
    expect((await rig.listing(1)).heldBy).toBeNull();
    expect(await rig.db.select().from(auditLog)).toMatchObject([
      {
        action: 'price.retried',
        actor: 'Ann',
        targetId: '1',
        before: { price: '20.01', answer: 'The price is too low for this item.' },
      },
    ]);
  });

  test('is refused again, and rests again', async () => {
    await retryPrice(deps(), 1, WANTED, EDITOR);
    await rig.send();
    for (let round = 0; round < 2; round++) await sweep();
    expect(sentPrices()).toEqual([WANTED, WANTED]);
    expect(await rig.states()).toEqual(['rejected', 'rejected']);
  });

  test('of what a person typed stays what a person typed; typing it again is a try too', async () => {
    const type = () => setPrice(deps(), 1, { price: usd(19.5), from: usd(20.01) }, EDITOR);
    await type();
    await rig.send();
    await retryPrice(deps(), 1, usd(19.5), EDITOR);
    await rig.send();
    await type();
    await rig.send();
    expect(sentPrices()).toEqual([WANTED, usd(19.5), usd(19.5), usd(19.5)]);
    expect((await rig.intents()).map(({ source }) => source)).toEqual(['rule', 'person', 'person', 'person']);
  });

  test('is for the price that was refused, where prices are sent, and keeps the minimum margin', async () => {
    await expect(retryPrice(deps(), 1, usd(19), EDITOR)).rejects.toThrow('no longer the last rejected price');
    await expect(retryPrice(deps(), 9, WANTED, EDITOR)).rejects.toThrow('There is no listing 9');
    await rig.db.execute(sql`UPDATE skus SET product_cost = product_cost * 2`);
    await expect(retryPrice(deps(), 1, WANTED, EDITOR)).rejects.toMatchObject({ code: 'validation_failed' });
    await rig.db.execute(sql`UPDATE integrations SET price_channel = 'paused'`);
    await expect(retryPrice(deps(), 1, WANTED, EDITOR)).rejects.toThrow('No prices are sent to Walmart now');
    await rig.db.execute(sql`UPDATE repricing_state SET halted = true`);
    await expect(retryPrice(deps(), 1, WANTED, EDITOR)).rejects.toThrow('halted');
    expect(await rig.states()).toEqual(['rejected']);
  });
});

import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordNewCredentials } from '#db/queries/marketplaces/connections/integrations.ts';
import { auditLog } from '#db/schema/audit.ts';
import { hours, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { ANN, MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { refusedFinally } from '#tests/support/fake-marketplace.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { haltEngine } from '#usecases/repricing/engine/halt.ts';
import { purgeRuns } from '#usecases/repricing/engine/purge-runs.ts';
import { retryPrice } from '#usecases/repricing/prices/retry-price.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

const fixture = sendingFixture();
const WANTED = beatenPrice(1);

const deps = () => ({ db: fixture.db, now: () => fixture.now });
/** Checks all listings again and sends the results. */
async function sweep(): Promise<void> {
  fixture.advance(15 * MINUTE);
  await fixture.db.execute(sql`SELECT mark_due(array_agg(id), 'test') FROM listings`);
  await fixture.untilIdle();
  await fixture.send();
}
const setCompetitorPrice = (price: number) =>
  fixture.db.execute(sql`UPDATE competitor_offers SET price = ${price}`);
const sentPrices = () => fixture.market.sent.map(({ price }) => price);
const decided = async () =>
  (
    await fixture.db.execute<{ outcome: string; reason: string }>(
      sql`SELECT outcome, reason_code AS reason FROM listing_metrics`,
    )
  ).rows;

beforeEach(async () => {
  await fixture.seed(1);
  fixture.market.reactionTo = () => 'reject';
  await fixture.untilIdle();
  await fixture.send();
  expect(sentPrices()).toEqual([WANTED]);
});

describe('a rejected price', () => {
  test('is not sent again, however often everything is checked', async () => {
    for (let round = 0; round < 3; round++) await sweep();
    expect(sentPrices()).toEqual([WANTED]);
    expect(await decided()).toEqual([{ outcome: 'keep', reason: 'refused' }]);
    expect(await fixture.states()).toEqual(['rejected']);
  });

  test('is sent again once the listing changed there or here', async () => {
    await fixture.db.execute(sql`UPDATE listings SET title = 'A better title' WHERE id = 1`);
    expect(await fixture.due()).toContain(1);
    await fixture.untilIdle();
    await fixture.send();
    expect(sentPrices()).toEqual([WANTED, WANTED]);
    // What was read again and is the same changes nothing.
    await fixture.db.execute(
      sql`UPDATE marketplace_listings SET keys = '{}', is_active = true, seen_at = now()`,
    );
    await sweep();
    expect(sentPrices()).toHaveLength(2);
    await fixture.db.execute(sql`UPDATE marketplace_listings SET is_active = false`);
    await sweep();
    expect(sentPrices()).toHaveLength(3);
  });

  test('is sent again with other credentials of its marketplace, and of no other one', async () => {
    await fixture.db.transaction((tx) => recordNewCredentials(tx, ['amazon']));
    await sweep();
    expect(sentPrices()).toHaveLength(1);
    await fixture.db.transaction((tx) => recordNewCredentials(tx, ['walmart']));
    await fixture.untilIdle();
    await fixture.send();
    expect(sentPrices()).toEqual([WANTED, WANTED]);
  });

  test('does not block another price; the first one is still rejected afterwards', async () => {
    await setCompetitorPrice(19.4);
    await sweep();
    const other = sentPrices()[1];
    expect(other).toBeLessThan(WANTED);
    await setCompetitorPrice(19.51);
    await sweep();
    await setCompetitorPrice(19.4);
    await sweep();
    expect(sentPrices()).toEqual([WANTED, other]);
    // From another current price it counts as another request.
    fixture.market.reactionTo = () => 'live';
    await setCompetitorPrice(19.2);
    await sweep();
    expect(await fixture.states()).toEqual(['rejected', 'rejected', 'confirmed']);
    await setCompetitorPrice(19.4);
    await sweep();
    expect(sentPrices().at(-1)).toBe(other);
  });

  test('is stored for as long as it blocks the price', async () => {
    await setCompetitorPrice(19.4);
    await sweep();
    expect(await fixture.states()).toEqual(['rejected', 'rejected']);
    await purgeRuns(fixture.db, instant(fixture.now + hours(40 * 24)));
    expect(await fixture.states()).toEqual(['rejected', 'rejected']);
    await fixture.db.execute(sql`UPDATE listings SET title = 'Another one'`);
    await purgeRuns(fixture.db, instant(fixture.now + hours(40 * 24)));
    expect(await fixture.states()).toEqual(['rejected']);
  });

  test('found by a read-back is one too, and so is a listing that is missing there', async () => {
    await fixture.db.execute(sql`UPDATE listings SET title = 'Another one'`);
    fixture.market.reactionTo = () => 'accept';
    await fixture.untilIdle();
    await fixture.send();
    fixture.market.refusals.set(1, refusedFinally('Too low'));
    fixture.advance(MINUTE);
    await fixture.send();
    expect((await fixture.intents()).at(-1)).toMatchObject({ state: 'rejected', isRefusalActive: true });
    fixture.market.refusals.clear();
    await sweep();
    expect(sentPrices()).toHaveLength(2);
    await setCompetitorPrice(19.4);
    await sweep();
    fixture.market.missing.add(1);
    fixture.advance(MINUTE);
    await fixture.send();
    fixture.advance(10 * MINUTE);
    await fixture.send();
    await sweep();
    expect(sentPrices()).toHaveLength(3);
    expect((await fixture.intents()).at(-1)).toMatchObject({ state: 'rejected', isRefusalActive: true });
  });

  test('that was queued before the rejection is no longer sent', async () => {
    await fixture.db.execute(sql`UPDATE listings SET title = 'Another one'`);
    await fixture.untilIdle();
    expect(await fixture.states()).toEqual(['rejected', 'queued']);
    await fixture.db.execute(sql`UPDATE price_intents SET is_refusal_active = true WHERE state = 'rejected'`);
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      { state: 'rejected' },
      { state: 'expired', marketplaceMessage: 'The marketplace rejected the price while it was waiting.' },
    ]);
  });
});

describe('"Try again"', () => {
  test('sends the price again, with an audit entry', async () => {
    fixture.market.reactionTo = () => 'live';
    await retryPrice(deps(), 1, { price: WANTED }, EDITOR);
    await fixture.send();
    expect(sentPrices()).toEqual([WANTED, WANTED]);
    expect(await fixture.ledger()).toMatchObject([{ newPrice: WANTED, source: 'apply', actor: 'Ann' }]);
    expect((await fixture.listing(1)).heldBy).toBeNull();
    expect(await fixture.db.select().from(auditLog).orderBy(auditLog.id)).toMatchObject([
      {
        action: 'price.retried',
        actor: 'Ann',
        targetId: '1',
        before: { price: '20.01', answer: expect.stringContaining('too low') },
      },
    ]);
  });

  test('is rejected again, and blocked again', async () => {
    await retryPrice(deps(), 1, { price: WANTED }, EDITOR);
    await fixture.send();
    for (let round = 0; round < 2; round++) await sweep();
    expect(sentPrices()).toEqual([WANTED, WANTED]);
    expect(await fixture.states()).toEqual(['rejected', 'rejected']);
  });

  test('of a manual price stays a manual price; entering it again is a retry too', async () => {
    const type = () => setPrice(deps(), 1, { price: usd(19.5), from: usd(20.01) }, EDITOR);
    await type();
    await fixture.send();
    await retryPrice(deps(), 1, { price: usd(19.5) }, EDITOR);
    await fixture.send();
    await type();
    await fixture.send();
    expect(sentPrices()).toEqual([WANTED, usd(19.5), usd(19.5), usd(19.5)]);
    expect((await fixture.intents()).map(({ source }) => source)).toEqual([
      'rule',
      'person',
      'person',
      'person',
    ]);
  });

  test('during a halt sends what a user set, once that is confirmed, and nothing that repricing decided', async () => {
    await setPrice(deps(), 1, { price: usd(19.5), from: usd(20.01) }, EDITOR);
    await fixture.send();
    await haltEngine(deps(), null, ANN);
    const again = (whileHalted: boolean) => retryPrice(deps(), 1, { price: usd(19.5), whileHalted }, EDITOR);
    await expect(again(false)).rejects.toMatchObject({ code: 'halted' });
    fixture.market.reactionTo = () => 'live';
    await again(true);
    await fixture.send();
    expect(sentPrices()).toEqual([WANTED, usd(19.5), usd(19.5)]);
    expect(await fixture.ledger()).toMatchObject([{ newPrice: usd(19.5), source: 'person' }]);
  });

  test('is for the rejected price, where prices are sent, and keeps the minimum margin', async () => {
    await expect(retryPrice(deps(), 1, { price: usd(19) }, EDITOR)).rejects.toThrow(
      'no longer the last rejected price',
    );
    await expect(retryPrice(deps(), 9, { price: WANTED }, EDITOR)).rejects.toThrow('There is no listing 9');
    await fixture.db.execute(sql`UPDATE skus SET product_cost = product_cost * 2`);
    await expect(retryPrice(deps(), 1, { price: WANTED }, EDITOR)).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await fixture.db.execute(sql`UPDATE repricing_state SET halted = true`);
    await expect(retryPrice(deps(), 1, { price: WANTED, whileHalted: true }, EDITOR)).rejects.toMatchObject({
      code: 'conflict',
    });
    await fixture.db.execute(sql`UPDATE integrations SET price_channel = 'paused'`);
    await expect(retryPrice(deps(), 1, { price: WANTED }, EDITOR)).rejects.toThrow(
      'No prices are sent to Walmart now',
    );
    expect(await fixture.states()).toEqual(['rejected']);
  });
});

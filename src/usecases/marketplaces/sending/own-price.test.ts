import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { hours } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { refusedFinally } from '#tests/support/fake-marketplace.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';
import { compareShownPrices } from './compare-shown-prices.ts';

const fixture = sendingFixture();
const OURS = beatenPrice(1);

beforeEach(async () => {
  await fixture.seed(1);
  fixture.market.reactionTo = () => 'accept';
  await fixture.untilIdle();
  await fixture.send();
});

const later = async (time: number) => {
  fixture.advance(time);
  await fixture.send();
};
/** The marketplace says that it refused the price that is out, rightly or not. */
const refuse = async () => {
  fixture.market.refusals.set(1, refusedFinally('Below your minimum.'));
  await later(MINUTE);
  fixture.market.refusals.clear();
  expect(await fixture.intents()).toMatchObject([{ state: 'rejected', isRefusalActive: true }]);
};
const readItem = (price: number) => {
  const from = { source: 'item' as const, readAt: fixture.now };
  return compareShownPrices(fixture.db, 'walmart', [{ listingId: 1, price: usd(price) }], from, fixture.now);
};

describe('a price of ours that buyers see', () => {
  test.each([
    ['a minute', MINUTE],
    ['a night without a read-back', hours(7)],
  ])('was not refused, whatever else is said, after %s', async (_, after) => {
    fixture.market.goLive();
    fixture.market.refusals.set(1, refusedFinally('Took too long.'));
    await later(after);
    expect(await fixture.intents()).toMatchObject([{ state: 'confirmed', isRefusalActive: false }]);
    expect(await fixture.ledger()).toMatchObject([{ newPrice: OURS, source: 'rule' }]);
  });

  test('after a reported rejection is our own: no external edit, no hold', async () => {
    await refuse();
    fixture.advance(9 * MINUTE);
    expect(await readItem(OURS / 100)).toMatchObject({ compared: 1, drifted: [] });
    expect(await fixture.intents()).toMatchObject([
      { state: 'confirmed', isRefusalActive: false, marketplaceMessage: null, settledAt: fixture.now },
    ]);
    expect(await fixture.ledger()).toMatchObject([
      { oldPrice: usd(20.01), newPrice: OURS, source: 'rule', timestamp: fixture.now },
    ]);
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: OURS, heldBy: null });
    expect(await fixture.due()).toEqual([1]);
  });

  test('while a later one is open keeps the later one open', async () => {
    await refuse();
    await setPrice(
      { db: fixture.db, now: () => fixture.now },
      1,
      { price: usd(19.8), from: usd(20.01) },
      EDITOR,
    );
    await fixture.send();
    fixture.market.live.set(1, OURS);
    await later(MINUTE);
    expect(await fixture.states()).toEqual(['confirmed', 'accepted']);
    fixture.market.goLive(
      new Set(fixture.market.waiting.slice(1).map(({ idempotencyKey }) => idempotencyKey)),
    );
    await later(5 * MINUTE);
    expect(await fixture.states()).toEqual(['confirmed', 'confirmed']);
    expect(await fixture.ledger()).toMatchObject([
      { newPrice: OURS, source: 'rule' },
      { oldPrice: OURS, newPrice: usd(19.8), source: 'person', actor: 'Ann' },
    ]);
  });

  test.each([
    ['another price than the refused one', usd(19.49), 9 * MINUTE],
    ['the refused one, but a day later', OURS, hours(25)],
  ])('is not %s: that is an edit there', async (_, price, after) => {
    await refuse();
    fixture.advance(after);
    expect(await readItem(price / 100)).toMatchObject({ compared: 1, drifted: [1] });
    expect(await fixture.ledger()).toMatchObject([{ newPrice: price, source: 'observed' }]);
    expect((await fixture.listing(1)).heldBy).toBe('Pricewright');
  });

  test.each([
    ['is set again', usd(19.7), true],
    ['stays replaced where it is not allowed, and the hold says so', usd(10.5), false],
  ])('that arrives after a change on the marketplace: the change %s', async (_, edited, isAllowed) => {
    await fixture.db.execute(sql`UPDATE marketplace_modes SET external_edits = 'hold'`);
    fixture.market.live.set(1, edited);
    await later(MINUTE);
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: edited, heldBy: 'Pricewright' });
    const { holdReason } = await fixture.listing(1);
    // The document with our price is worked off.
    fixture.market.goLive();
    fixture.advance(5 * MINUTE);
    await readItem(OURS / 100);
    const [, restored] = await fixture.intents();
    if (isAllowed) expect(restored).toMatchObject({ price: edited, source: 'undo', state: 'queued' });
    else expect(restored).toBeUndefined();
    expect((await fixture.listing(1)).holdReason === holdReason).toBe(isAllowed);
    await fixture.send();
    fixture.market.goLive();
    await later(MINUTE);
    expect((await fixture.ledger()).map(({ newPrice, source }) => [newPrice, source])).toEqual([
      [edited, 'observed'],
      [OURS, 'rule'],
      ...(isAllowed ? [[edited, 'undo']] : []),
    ]);
  });

  test('is not one that was never sent', async () => {
    await refuse();
    await fixture.db.execute(
      sql`UPDATE price_intents SET state = 'expired', is_refusal_active = false, sent_at = NULL`,
    );
    fixture.advance(MINUTE);
    expect(await readItem(OURS / 100)).toMatchObject({ compared: 1, drifted: [1] });
  });
});

test('an order that failed without a message about its price is repriced immediately', async () => {
  fixture.market.failures.set(1, 'Walmart failed.');
  await later(MINUTE);
  expect(await fixture.intents()).toMatchObject([
    { state: 'rejected', isRefusalActive: false, marketplaceMessage: 'Walmart failed.' },
  ]);
  expect(await fixture.due()).toEqual([1]);
});

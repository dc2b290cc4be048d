import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lockKnownListings } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { transact } from '#db/transact.ts';
import { hours, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { STOPPED_BY } from '#tests/support/fake-marketplace.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';
import { holdExternallyPriced } from './hold-externally-priced.ts';

const fixture = sendingFixture();

async function saidThere(notRepriceableReason: string | null): Promise<void> {
  await transact(fixture.db, async (tx) => {
    const { sku } = await fixture.listing(1);
    const [listing] = await lockKnownListings(tx, 'walmart', [sku]);
    if (listing === undefined) throw new Error('There is no such listing.');
    await holdExternallyPriced(tx, 'walmart', [{ item: { notRepriceableReason }, listing }], fixture.now);
  });
}

test('a price that is stopped right before the call expires, and holds its listing until that is over (C10)', async () => {
  await fixture.seed(2);
  await fixture.untilIdle();
  fixture.market.reactionTo = ({ ref }) => (ref.listingId === 1 ? 'stop' : 'live');
  await fixture.send();
  const [stopped, other] = (await fixture.intents()).toSorted((a, b) => a.listingId - b.listingId);
  expect(stopped).toMatchObject({
    state: 'expired',
    marketplaceMessage: STOPPED_BY,
    isRefusalActive: false,
    sentAt: null,
  });
  expect(other).toMatchObject({ state: 'confirmed' });
  const heldUntil = instant(fixture.now + hours(1));
  expect(await fixture.listing(1)).toMatchObject({ heldBy: 'Walmart', holdReason: STOPPED_BY, heldUntil });
  // Decided anew, and not sent again while it lasts.
  await fixture.untilIdle();
  await fixture.send();
  expect(fixture.market.sent.filter(({ listingId }) => listingId === 1)).toHaveLength(1);

  fixture.market.reactionTo = () => 'live';
  await saidThere(null);
  expect(await fixture.listing(1)).toMatchObject({ heldBy: null });
  await fixture.untilIdle();
  await fixture.send();
  expect(fixture.market.sent.at(-1)).toMatchObject({ listingId: 1, price: beatenPrice(1) });
});

test('a listing whose sync never reports that it is over is tried again an hour later', async () => {
  await fixture.seed(1);
  await fixture.untilIdle();
  fixture.market.reactionTo = () => 'stop';
  await fixture.send();
  fixture.advance(hours(1));
  await fixture.db.execute(
    sql`UPDATE competitor_offers SET seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`,
  );
  await fixture.untilIdle();
  fixture.market.reactionTo = () => 'live';
  await fixture.send();
  expect(await fixture.listing(1)).toMatchObject({ currentPrice: beatenPrice(1) });
});

/** A user sets a price of the first listing. */
const type = (despiteReasons: readonly string[] = []) =>
  setPrice(
    { db: fixture.db, now: () => fixture.now },
    1,
    { price: usd(19.9), from: usd(20.01), despiteReasons },
    EDITOR,
  );

test('a user who sets a price of a stopped listing is asked first', async () => {
  await fixture.seed(1);
  await fixture.untilIdle();
  fixture.market.found.set(1, { kind: 'not_repriceable', isConfirmable: true });
  fixture.market.reactionTo = () => 'stop';
  await fixture.send();
  await expect(type()).rejects.toMatchObject({
    code: 'not_repriceable',
    reasons: [{ reason: STOPPED_BY, isSent: true }],
  });
  fixture.market.reactionTo = () => 'live';
  await type([STOPPED_BY]);
  await fixture.send();
  expect(fixture.market.orders.at(-1)).toMatchObject({ price: usd(19.9), pastReason: STOPPED_BY });
});

test('an hour after its price was stopped a user is asked nothing', async () => {
  await fixture.seed(1);
  await fixture.untilIdle();
  fixture.market.reactionTo = () => 'stop';
  await fixture.send();
  fixture.advance(hours(1));
  fixture.market.reactionTo = () => 'live';
  await type();
  await fixture.send();
  expect(fixture.market.orders.at(-1)).toMatchObject({ price: usd(19.9), pastReason: null });
});

test('a hold of a user stays, and the price of one that was deleted in between only expires', async () => {
  await fixture.seed(2);
  await fixture.untilIdle();
  fixture.market.reactionTo = () => 'stop';
  fixture.market.whileSending = async () => {
    await fixture.db.execute(sql`UPDATE listings SET held_by = 'Ann', hold_reason = 'Mine' WHERE id = 1`);
    await fixture.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = 2`);
  };
  await fixture.send();
  expect(await fixture.states()).toEqual(['expired', 'expired']);
  expect(await fixture.listing(1)).toMatchObject({ heldBy: 'Ann', holdReason: 'Mine' });
  expect(await fixture.listing(2)).toMatchObject({ heldBy: null });
});

test("a user's price that is set while the marketplace holds its listing keeps its own hold after that", async () => {
  await fixture.seed(1);
  await saidThere('A promotion runs on Walmart.');
  await type();
  await fixture.send();
  const heldUntil = instant(fixture.now + hours(24));
  for (const reason of ['A promotion runs on Walmart.', null]) {
    await saidThere(reason);
    expect(await fixture.listing(1)).toMatchObject({ heldBy: 'Ann', heldUntil });
  }
});

test('limits found right before the call are part of the next decision (C12)', async () => {
  await fixture.seed(2);
  await fixture.untilIdle();
  const [wanted] = await fixture.intents();
  const min = usd(20);
  fixture.market.found.set(1, { kind: 'outside_limits', limits: { min, max: null, map: null } });
  fixture.market.reactionTo = ({ ref, price }) => (ref.listingId === 1 && price < min ? 'stop' : 'live');
  expect(wanted?.price).toBeLessThan(min);
  await fixture.send();
  await fixture.untilIdle();
  await fixture.send();
  expect(fixture.market.sent.filter(({ listingId }) => listingId === 1).map(({ price }) => price)).toEqual([
    beatenPrice(1),
    min,
  ]);
  expect(await fixture.listing(1)).toMatchObject({ currentPrice: min, heldBy: null });
});

test('another price found right before the call is adopted as an external edit', async () => {
  await fixture.seed(2);
  await fixture.untilIdle();
  fixture.advance(1_000);
  fixture.market.edit(1, usd(23));
  fixture.market.found.set(1, { kind: 'other_price', price: usd(23), readAt: fixture.now, source: 'item' });
  fixture.market.reactionTo = ({ ref }) => (ref.listingId === 1 ? 'stop' : 'live');
  fixture.market.whileSending = async () => fixture.advance(1_000);
  await fixture.send();
  expect(await fixture.listing(1)).toMatchObject({ currentPrice: usd(23), heldBy: 'Pricewright' });
  const rows = (await fixture.ledger()).filter(({ listingId }) => listingId === 1);
  expect(rows).toMatchObject([{ source: 'observed', newPrice: usd(23) }]);
});

test('another price that only a list shows right before the call is checked by the item', async () => {
  await fixture.seed(1);
  await fixture.untilIdle();
  fixture.advance(1_000);
  const { currentPrice } = await fixture.listing(1);
  fixture.market.live.set(1, currentPrice);
  fixture.market.found.set(1, { kind: 'other_price', price: usd(23), readAt: fixture.now, source: 'list' });
  fixture.market.reactionTo = () => 'stop';
  fixture.market.whileSending = async () => fixture.advance(1_000);
  await fixture.send();
  expect(await fixture.listing(1)).toMatchObject({ currentPrice, heldBy: null });
  fixture.market.reactionTo = () => 'live';
  await fixture.untilIdle();
  await fixture.send();
  expect(fixture.market.sent.at(-1)).toMatchObject({ listingId: 1, price: beatenPrice(1) });
  expect(await fixture.ledger()).toMatchObject([{ source: 'rule' }]);
});

test('another price that a list goes on showing stops a listing three times, and then is ignored', async () => {
  await fixture.seed(1);
  fixture.advance(1_000);
  fixture.market.found.set(1, { kind: 'other_price', price: usd(23), readAt: fixture.now, source: 'list' });
  fixture.market.reactionTo = ({ ignoredPrices }) => (ignoredPrices?.includes(usd(23)) ? 'live' : 'stop');
  fixture.market.whileSending = async () => fixture.advance(1_000);
  for (let round = 1; round <= 5; round++) {
    await fixture.untilIdle();
    await fixture.send();
  }
  expect(fixture.market.sent).toHaveLength(4);
  expect(await fixture.listing(1)).toMatchObject({ currentPrice: beatenPrice(1), heldBy: null });
});

test('a former price found right before the call is read again before the next price is sent', async () => {
  await fixture.seed(1);
  await fixture.untilIdle();
  await fixture.send();
  fixture.advance(hours(2));
  await fixture.db.execute(sql`UPDATE competitor_offers SET price = 19.3,
    seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`);
  fixture.market.live.set(1, usd(20.01));
  fixture.market.found.set(1, {
    kind: 'other_price',
    price: usd(20.01),
    readAt: fixture.now,
    source: 'item',
  });
  fixture.market.reactionTo = () => 'stop';
  await fixture.untilIdle();
  await fixture.send();
  expect(fixture.market.sent).toHaveLength(2);
  expect(await fixture.due()).toEqual([1]);
  await fixture.untilIdle();
  await fixture.send();
  // Decided again, and waiting.
  expect(fixture.market.sent).toHaveLength(2);
  fixture.advance(10 * MINUTE);
  await fixture.send();
  expect(await fixture.listing(1)).toMatchObject({ currentPrice: usd(20.01), heldBy: null });
});

test('a price of a user goes with the reason that the user was shown; one of the engine never does', async () => {
  await fixture.seed(2);
  await fixture.db
    .update(marketplaceListings)
    .set({ notRepriceableReason: STOPPED_BY })
    .where(eq(marketplaceListings.listingId, 1));
  await fixture.untilIdle();
  await type([STOPPED_BY]);
  await fixture.send();
  const byListing = fixture.market.orders.toSorted((a, b) => a.ref.listingId - b.ref.listingId);
  expect(byListing.map(({ pastReason }) => pastReason)).toEqual([STOPPED_BY, null]);
});

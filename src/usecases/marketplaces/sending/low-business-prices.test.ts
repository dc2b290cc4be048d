import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { businessGaps, businessOffers } from '#db/schema/marketplace-syncs.ts';
import { sendPauses } from '#db/schema/prices.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { type Bps, hours, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

const fixture = sendingFixture();
const deps = () => ({ db: fixture.db, now: () => fixture.now });
const pauses = () => fixture.db.select().from(sendPauses);

/** A tier without a distance of its own cannot follow: it stays on the marketplace as it is. */
async function stays(price: number): Promise<void> {
  const at = fixture.now;
  await fixture.db.update(marketplaceModes).set({ businessPrices: 'follow' });
  await fixture.db.insert(businessGaps).values({
    listingId: 1,
    priceDiscount: null,
    tiers: [{ from: 20, discount: 0 as Bps }],
    takenAt: at,
  });
  await fixture.db.insert(businessOffers).values({
    listingId: 1,
    price: null,
    tiers: [{ from: 20, price: usd(price) }],
    lowestPrice: usd(price),
    readAt: at,
  });
}
beforeEach(() => fixture.seed(2));

test('a price is not lowered while a business price stays below the lowest allowed one, and says which', async () => {
  await stays(2);
  await fixture.untilIdle();
  await fixture.send();
  expect(fixture.market.sent.map(({ listingId }) => listingId)).toEqual([2]);
  expect(await pauses()).toMatchObject([
    { listingId: 1, why: 'business_price', until: instant(fixture.now + hours(1)), allowsRepairs: true },
  ]);
  const [intent] = (await fixture.intents()).filter(({ listingId }) => listingId === 1);
  expect(intent).toMatchObject({ state: 'expired' });
  expect(intent?.marketplaceMessage).toContain('$2.00');
  // Decided again: the price stays, for that reason.
  await fixture.untilIdle();
  await fixture.send();
  expect(fixture.market.sent).toHaveLength(1);
});

test('a higher price goes, and so does a lower one once the business price is high enough', async () => {
  await stays(2);
  await setPrice(deps(), 1, { price: usd(20.5), from: usd(20.01) }, EDITOR);
  await fixture.send();
  expect(fixture.market.sent).toMatchObject([{ listingId: 1, price: usd(20.5) }]);
  await fixture.db
    .update(businessOffers)
    .set({ tiers: [{ from: 20, price: usd(19.5) }] })
    .where(eq(businessOffers.listingId, 1));
  await setPrice(deps(), 1, { price: beatenPrice(1), from: usd(20.5) }, EDITOR);
  await fixture.send();
  expect(fixture.market.sent.at(-1)).toMatchObject({ listingId: 1, price: beatenPrice(1) });
  expect(await pauses()).toEqual([]);
});

import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MarketplaceConnector } from '#connectors/connector.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { anAccount, anOrder, never } from '#tests/support/connector-fixture.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';
import type { MarketplaceSender } from './sending-deps.ts';

const fixture = sendingFixture();
const type = (listingId: number, price: number, from: number) =>
  setPrice(
    { db: fixture.db, now: () => fixture.now },
    listingId,
    { price: usd(price), from: usd(from) },
    EDITOR,
  );

describe('a manual price, and one that ends a loss', () => {
  test('goes before larger changes', async () => {
    await fixture.seed(3);
    await fixture.untilIdle();
    await type(2, 20, 20.02);
    await fixture.db.execute(sql`UPDATE skus SET product_cost = 14.5 WHERE sku = 'A-3'`);
    await fixture.untilIdle();
    await fixture.send();
    expect(fixture.market.sent.map(({ listingId }) => listingId)).toEqual([3, 2, 1]);
    expect(fixture.market.orders.map(({ isUrgent }) => isUrgent)).toEqual([true, true, false]);
  });
});

describe('at a Walmart that takes no more feeds for now', () => {
  let fake: FakeWalmart;
  let walmart: MarketplaceConnector;
  let desk: MarketplaceSender;
  const account = anAccount(WALMART_PAIR);
  beforeEach(async () => {
    await fixture.seed(12);
    fake = await startFakeWalmart();
    walmart = createWalmart({
      baseUrl: fake.url,
      now: () => fixture.now,
      wait: async (milliseconds) => fixture.advance(milliseconds),
    });
    const connection = { marketplace: 'walmart', connector: walmart, account, generation: 1 } as const;
    desk = fixture.desk({ connections: { stateOf: async () => ({ kind: 'connected', connection }) } });
    const orders = Array.from({ length: 11 }, (_, at) => ({
      ...anOrder(at + 1, 1999),
      notAfter: instant(fixture.now + MINUTE),
    }));
    // Other programs of the account have used up the feeds, also the one that is kept for urgent prices.
    const headers = { 'x-current-token-count': '0' };
    fake.on('POST', /^\/v3\/feeds/, () => ({ body: { feedId: 'FEED-1@AB' }, headers }));
    await walmart.sendPrices(account, orders, never);
    expect(fake.askedOf(/feeds/)).toHaveLength(1);
    await fixture.untilIdle();
  });
  afterEach(() => fake.close());

  const sentSingly = () => fake.askedOf(/price$/).map(({ json }) => (json as { readonly sku: string }).sku);
  const stateOf = async (listingId: number) =>
    (await fixture.intents()).findLast((intent) => intent.listingId === listingId)?.state;

  test('a manual price is sent by a call of its own, the others wait', async () => {
    await type(5, 19.5, 20.05);
    await fixture.send(desk);
    expect(sentSingly()).toEqual(['A-5']);
    expect(await stateOf(5)).toBe('accepted');
    expect(new Set((await fixture.states()).filter((state) => state !== 'accepted'))).toEqual(
      new Set(['queued', 'expired']),
    );
  });

  test('one that comes later does not wait for the feed either, nor does a repair', async () => {
    await fixture.send(desk);
    expect(sentSingly()).toEqual([]);
    await type(5, 19.5, 20.05);
    await fixture.send(desk);
    expect(sentSingly()).toEqual(['A-5']);
    await fixture.db.execute(sql`UPDATE skus SET product_cost = 14.5 WHERE sku = 'A-3'`);
    await fixture.untilIdle();
    await fixture.send(desk);
    expect(sentSingly()).toEqual(['A-5', 'A-3']);
    expect(await stateOf(3)).toBe('accepted');
  });

  test('more of them than single calls are left go one after the other, as calls come back', async () => {
    for (let listing = 1; listing <= 12; listing++)
      await type(listing, 19.6 + listing / 100, 20 + listing / 100);
    await fixture.send(desk);
    expect(sentSingly()).toHaveLength(10);
    fixture.advance(45_000);
    await fixture.send(desk);
    expect(sentSingly()).toHaveLength(11);
    fixture.advance(45_000);
    await fixture.send(desk);
    expect(new Set(sentSingly()).size).toBe(12);
  });
});

import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createWalmartWebhooks } from '#connectors/walmart/walmart-webhooks.ts';
import { lockKnownListings, writePriceLimits } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { transact } from '#db/transact.ts';
import { hours, type Instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { amazonAccount, amazonItem, amazonOffer, US } from '#tests/support/fake-amazon.ts';
import { startFakeService } from '#tests/support/fake-service.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';
import { receiveEvent } from '#usecases/marketplaces/events/receive-event.ts';

/*
 * Cases from what a marketplace says to what it is sent: engine, sender and connector together.
 */
const fixture = sendingFixture();
const decided = async () =>
  (
    await fixture.db.execute<{ outcome: string; reason: string }>(
      sql`SELECT outcome, reason_code AS reason FROM listing_metrics`,
    )
  ).rows;
const seenNow = () =>
  fixture.db.execute(
    sql`UPDATE competitor_offers SET seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`,
  );

test('a signed event names a seller at our former price, who is a competitor (C6)', async () => {
  await fixture.seed(1);
  await fixture.untilIdle();
  await fixture.send();
  expect(await fixture.prices()).toEqual([beatenPrice(1)]);
  fixture.advance(hours(2));
  const at = fixture.now;
  const offer = (sellerName: string, price: number) => ({
    sellerName,
    sellerOfferPrice: price,
    sellerShippingPrice: 0,
    isWFS: false,
  });
  const [other, ours] = [offer('Competitor A', 20.01), offer('Our Shop', beatenPrice(1) / 100)];
  const body = Buffer.from(
    JSON.stringify({
      source: { eventType: 'BUY_BOX_CHANGED', eventTime: new Date(at).toISOString() },
      payload: {
        itemInfo: { sku: 'A-1', itemCondition: 'New', totalNumberOfOffers: 2 },
        offer: { currentOffer: ours, winningOffer: other, offers: [other, ours] },
      },
    }),
  );
  const secret = createHmac('sha256', 'ours').update('Pricewright signs events with this').digest('hex');
  const credentials = { clientId: 'id', clientSecret: 'ours' };
  const state = await fixture.market.connections().stateOf('walmart');
  if (state.kind !== 'connected') throw new Error('Walmart is not connected.');
  const account = { credentials, tokens: memoryVault() };
  const isSigned = await receiveEvent(
    {
      db: fixture.db,
      now: () => at,
      connections: { stateOf: async () => ({ ...state, connection: { ...state.connection, account } }) },
      marketplaceEvents: {
        walmart: createWalmartWebhooks({ baseUrl: 'https://marketplace.walmartapis.com' }),
      },
      publicUrl: 'https://prices.example.com',
    },
    'walmart',
    {
      headers: { 'x-pricewright-signature': createHmac('sha256', secret).update(body).digest('hex') },
      body,
    },
  );
  expect(isSigned).toBe(true);
  await fixture.untilIdle();
  await fixture.send();
  expect(fixture.market.sent.at(-1)).toMatchObject({ listingId: 1, price: usd(20) });
});

test("nothing is sent where the seller's maximum there is below the floor, not even what was queued (C13)", async () => {
  await fixture.seed(1);
  await fixture.untilIdle();
  expect(await fixture.states()).toEqual(['queued']);
  await transact(fixture.db, async (tx) => {
    await lockKnownListings(tx, 'walmart', ['A-1']);
    await writePriceLimits(tx, 1, { min: null, max: usd(11), map: null });
  });
  await fixture.send();
  expect(await fixture.states()).toEqual(['expired']);
  for (let round = 0; round < 2; round++) {
    fixture.advance(15 * MINUTE);
    await seenNow();
    await fixture.db.execute(sql`SELECT mark_due(array_agg(id), 'test') FROM listings`);
    await fixture.untilIdle();
    await fixture.send();
  }
  expect(await decided()).toEqual([{ outcome: 'blocked', reason: 'bounds_conflict' }]);
  expect(fixture.market.sent).toEqual([]);
});

test('a sale that begins between decision and call: it is read, and nothing is written until it is over (C10)', async () => {
  const service = await startFakeService();
  try {
    let isRunning = true;
    const sale = { discounted_price: [{ schedule: [{ start_at: '2020-01-01', value_with_tax: 18 }] }] };
    service.on('POST', /^\/auth/, () => ({
      body: { access_token: 't', token_type: 'bearer', expires_in: 3_600 },
    }));
    service.on('GET', /^\/listings/, () => {
      const offer = { marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount: '20.01' } };
      const attributes = { purchasable_offer: [amazonOffer('20.01', isRunning ? sale : {})] };
      return { body: amazonItem(1, { sku: 'A-1', offers: [offer], attributes }) };
    });
    service.on('PATCH', /^\/listings/, () => ({ body: { sku: 'A-1', status: 'ACCEPTED', issues: [] } }));
    const connector = createAmazon({ baseUrl: service.url, now: (): Instant => fixture.now });
    const connection = {
      marketplace: 'walmart',
      connector,
      account: amazonAccount(),
      generation: 1,
    } as const;
    const desk = fixture.desk({ connections: { stateOf: async () => ({ kind: 'connected', connection }) } });
    const calls = () => service.asked.map(({ method }) => method).filter((method) => method !== 'POST');

    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.advance(2 * MINUTE);
    await fixture.send(desk);
    expect(calls()).toEqual(['GET']);
    expect(await fixture.intents()).toMatchObject([
      {
        state: 'expired',
        isRefusalActive: false,
        sentAt: null,
      },
    ]);
    isRunning = false;
    fixture.advance(hours(1));
    await seenNow();
    await fixture.untilIdle();
    await fixture.send(desk);
    expect(calls()).toEqual(['GET', 'GET', 'PATCH']);
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired' },
      { state: 'accepted', price: beatenPrice(1) },
    ]);
  } finally {
    await service.close();
  }
});

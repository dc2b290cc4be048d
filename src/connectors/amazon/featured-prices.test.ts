import { afterEach, beforeEach, expect, test } from 'vitest';
import { allOf } from '#tests/support/all-of.ts';
import {
  amazonAccount,
  amazonRef,
  type FakeAmazon,
  OUR_SELLER,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';

let fake: FakeAmazon;
beforeEach(async () => {
  fake = await startFakeAmazon();
});
afterEach(() => fake.close());

const never = new AbortController().signal;

test.each([
  ['of another seller', 'A3COMPETITOR', { price: 1_199, status: 'VALID_FOEP' }],
  ['of ours, which must not be undercut', OUR_SELLER, { price: null, status: 'OWN_COMPETING_OFFER' }],
])('the price that would beat an offer %s', async (_, sellerId, reported) => {
  const result = {
    resultStatus: 'VALID_FOEP',
    featuredOfferExpectedPrice: { listingPrice: { amount: 11.99, currencyCode: 'USD' } },
    competingFeaturedOffer: { offerIdentifier: { asin: 'B000000001', marketplaceId: US, sellerId } },
  };
  const body = { offerIdentifier: { marketplaceId: US }, featuredOfferExpectedPriceResults: [result] };
  const response = { status: { statusCode: 200 }, request: { sku: 'SKU-1' }, body };
  fake.service.on('POST', /featuredOfferExpectedPrice$/, () => ({ body: { responses: [response] } }));
  const read = await allOf(fake.amazon.readFeaturedPrices?.(amazonAccount(), [amazonRef(1)], never));
  expect(read).toMatchObject([{ kind: 'featured_price', listingId: 1, ...reported }]);
});

import { expect, test } from 'vitest';
import { hours, type Instant } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, NOW, usd } from '#tests/builders/facts.ts';
import { marketPrices } from './market-prices.ts';
import type { Offer } from './offer.ts';

const pricesOf = (...offers: readonly Offer[]) => marketPrices(aListing({ offers }), aPolicy());

test('each kind of seller has its lowest landed price', () => {
  expect(
    pricesOf(
      anOffer(21, { isMarketplace: true }),
      anOffer(19, { fulfillmentType: 'FBA/WFS', shipping: usd(2) }),
      anOffer(20, { fulfillmentType: 'FBA/WFS' }),
      anOffer(18, { fulfillmentType: 'FBM' }),
    ),
  ).toEqual({ marketplace: usd(21), thirdPartyWarehouse: usd(20), thirdPartyMerchant: usd(18) });
});

test('an offer with an unknown fulfillment type is shown with those of merchants', () => {
  expect(pricesOf(anOffer(17, { fulfillmentType: null }), anOffer(18, { fulfillmentType: 'FBM' }))).toEqual({
    marketplace: null,
    thirdPartyWarehouse: null,
    thirdPartyMerchant: usd(17),
  });
});

test.each<[string, Partial<Offer>]>([
  ['ours', { isOurs: true }],
  ['without a time', { seenAt: null }],
  ['too old', { seenAt: (NOW - hours(25)) as Instant }],
])('an offer that is %s is not shown', (_, offer) => {
  expect(pricesOf(anOffer(18, { fulfillmentType: null, ...offer })).thirdPartyMerchant).toBeNull();
});

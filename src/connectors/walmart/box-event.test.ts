import { expect, test } from 'vitest';
import { offersOfEvent } from './box-event.ts';

const OFFERS = [
  { sellerName: 'Walmart.com', sellerOfferPrice: 18.49, sellerShippingPrice: 0, isWFS: false },
  { sellerName: 'Competitor A', sellerOfferPrice: 17.0, sellerShippingPrice: 3.5, isWFS: true },
  { sellerName: 'Our Shop', sellerOfferPrice: 19.99, sellerShippingPrice: 0, isWFS: false },
];
const [FIRST, SECOND, OURS] = OFFERS;

function event(over: { itemInfo?: object; offer?: object; partnerId?: string } = {}): object {
  return {
    source: { eventType: 'BUY_BOX_CHANGED', eventTime: '2026-11-20T10:00:00.000Z' },
    payload: {
      partnerId: over.partnerId ?? '10000000001',
      itemInfo: { sku: 'W-1', itemCondition: 'New', totalNumberOfOffers: 3, ...over.itemInfo },
      offer: { currentOffer: OURS, winningOffer: FIRST, offers: OFFERS, ...over.offer },
    },
  };
}

test('names the sellers, the marketplace itself, the winner and us', () => {
  expect(offersOfEvent(event())).toMatchObject({
    coverage: 'all',
    offers: [
      { sellerName: 'Walmart.com', isMarketplace: true, isFeatured: true, isOurs: false, price: 1_849 },
      {
        sellerName: 'Competitor A',
        isMarketplace: false,
        isFeatured: false,
        isOurs: false,
        price: 1_700,
        shipping: 350,
        fulfillmentType: 'FBA/WFS',
      },
      { sellerName: 'Our Shop', isOurs: true, isFeatured: false, fulfillmentType: 'FBM' },
    ],
  });
});

test('by the ID of the partner where the offers have one', () => {
  const offers = [
    { ...SECOND, partnerId: 10_000_000_001 },
    { ...OURS, partnerId: '77' },
  ];
  expect(offersOfEvent(event({ offer: { offers } }))?.offers.map(({ isOurs }) => isOurs)).toEqual([
    true,
    false,
  ]);
});

test.each(['Walmart.com', ' WALMART . COM ', 'walmart'])('%j is the marketplace itself', (sellerName) => {
  const found = offersOfEvent(event({ offer: { offers: [{ ...FIRST, sellerName }] } }));
  expect(found?.offers).toMatchObject([{ isMarketplace: true }]);
});

test.each([
  ['an amount in words', { ...SECOND, sellerOfferPrice: 'seventeen' }],
  ['shipping in words', { ...SECOND, sellerShippingPrice: 'free' }],
  ['no row at all', null],
])('one that cannot be read (%s) stops no other, and they are not all', (_, odd) => {
  const found = offersOfEvent(event({ offer: { offers: [FIRST, odd, OURS] } }));
  expect(found).toMatchObject({
    coverage: 'top',
    offers: [
      { sellerName: 'Walmart.com', isFeatured: true },
      { sellerName: 'Our Shop', isOurs: true },
    ],
  });
  // Nor where Walmart counts as many as could be read.
  const two = event({ itemInfo: { totalNumberOfOffers: 2 }, offer: { offers: [FIRST, odd, OURS] } });
  expect(offersOfEvent(two)?.coverage).toBe('top');
  // Ours alone say nothing about the one that is missing.
  expect(offersOfEvent(event({ offer: { offers: [odd, OURS], winningOffer: OURS } }))).toBeNull();
});

test('five of nine are the first ones', () => {
  expect(offersOfEvent(event({ itemInfo: { totalNumberOfOffers: 9 } }))?.coverage).toBe('top');
});

test('ours alone says that there is no other only where one offer is counted', () => {
  const alone = { offers: [OURS], winningOffer: OURS };
  expect(offersOfEvent(event({ offer: alone, itemInfo: { totalNumberOfOffers: 1 } }))).toMatchObject({
    coverage: 'all',
    offers: [{ isOurs: true, isFeatured: true }],
  });
  for (const totalNumberOfOffers of [2, null]) {
    expect(offersOfEvent(event({ offer: alone, itemInfo: { totalNumberOfOffers } }))).toBeNull();
  }
});

test.each([
  ['of a used item', event({ itemInfo: { itemCondition: 'Used' } })],
  ['without an offer list', event({ offer: { offers: null } })],
  ['with a price that is no price', event({ offer: { offers: [{ ...FIRST, sellerOfferPrice: -1 }] } })],
  ['of used offers', event({ offer: { offers: [{ ...FIRST, itemCondition: 'Used' }] } })],
  ['without a shipping charge', event({ offer: { offers: [{ ...FIRST, sellerShippingPrice: null }] } })],
])('an event %s tells no offers', (_, body) => {
  expect(offersOfEvent(body)).toBeNull();
});

test('an offer without a price or a shipping charge is skipped, and the others are not all', () => {
  const offers = [{ ...FIRST, sellerShippingPrice: null }, SECOND, OURS];
  expect(offersOfEvent(event({ offer: { offers } }))).toMatchObject({
    coverage: 'top',
    offers: [{ sellerName: 'Competitor A' }, { isOurs: true }],
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, MAX_CENTS } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import type { SellerKey } from './offer.ts';
import { type SummedOffer, summarizeOffers } from './offer-summary.ts';

const US = new Set(['our shop' as SellerKey]);
const offer = (seller: string | null, price: number, over: Partial<SummedOffer> = {}): SummedOffer => ({
  seller,
  price: usd(price),
  shipping: cents(0),
  isMarketplace: false,
  isFeatured: false,
  isOurs: false,
  ...over,
});

describe('competitor prices', () => {
  test('prices are landed, and the average is rounded half up', () => {
    const { thirdParty } = summarizeOffers(
      [offer('A', 10, { shipping: usd(2.5) }), offer('B', 11.01), offer('C', 12)],
      'walmart',
      US,
    );
    // (12.50 + 11.01 + 12.00) / 3 = 11.836...
    expect(thirdParty).toEqual({ lowest: usd(11.01), highest: usd(12.5), average: usd(11.84), sellers: 3 });
    expect(summarizeOffers([offer('A', 10), offer('B', 10.01)], 'ebay', US).thirdParty.average).toBe(
      usd(10.01),
    );
  });

  test('our own offers never count, by name in any spelling or as marked by the source', () => {
    const summary = summarizeOffers(
      [offer(' OUR Shop ', 5), offer('Our Second Shop', 6, { isOurs: true }), offer('Corner Store', 20)],
      'walmart',
      US,
    );
    expect(summary.thirdParty).toEqual({ lowest: usd(20), highest: usd(20), average: usd(20), sellers: 1 });
    expect([summary.lowest, summary.highest]).toEqual([usd(20), usd(20)]);
  });

  test('the marketplace itself is direct on its own marketplace only, and no third party', () => {
    const offers = [offer('Walmart', 15, { isMarketplace: true }), offer('Corner Store', 18)];
    expect(summarizeOffers(offers, 'walmart', US)).toMatchObject({
      walmartDirect: usd(15),
      amazonDirect: null,
      lowest: usd(15),
      highest: usd(18),
      thirdParty: { sellers: 1, lowest: usd(18) },
    });
    expect(summarizeOffers(offers, 'amazon', US)).toMatchObject({
      walmartDirect: null,
      amazonDirect: usd(15),
    });
  });

  test('a seller with two offers is one; offers without a name are one each', () => {
    const offers = [offer('Corner Store', 10), offer('CORNER STORE', 11), offer(null, 12), offer('  ', 13)];
    expect(summarizeOffers(offers, 'walmart', US).thirdParty.sellers).toBe(3);
  });

  test('without offers prices are unknown, never zero', () => {
    expect(summarizeOffers([offer('our shop', 10)], 'walmart', US)).toEqual({
      amazonDirect: null,
      walmartDirect: null,
      lowest: null,
      highest: null,
      buyBox: null,
      thirdParty: { lowest: null, highest: null, average: null, sellers: 0 },
    });
  });
});

describe('the buy box', () => {
  test('is the featured offer, ours too', () => {
    const offers = [offer('Our Shop', 10, { isFeatured: true }), offer('Corner Store', 9)];
    expect(summarizeOffers(offers, 'walmart', US).buyBox).toEqual({
      price: usd(10),
      seller: 'Our Shop',
      isOurs: true,
    });
  });

  test('of several featured offers the one with the lowest landed price counts', () => {
    const offers = [
      offer('A', 9, { isFeatured: true, shipping: usd(3) }),
      offer('B', 10, { isFeatured: true }),
    ];
    expect(summarizeOffers(offers, 'walmart', US).buyBox).toMatchObject({ seller: 'B', price: usd(10) });
  });
});

test('whatever the offers, the average lies between lowest and highest, and all of them are whole cents', () => {
  const amount = fc.integer({ min: 1, max: MAX_CENTS }).map(cents);
  const offers = fc.array(
    fc
      .tuple(amount, fc.integer({ min: 0, max: MAX_CENTS }).map(cents))
      .map(([price, shipping]) => offer('Corner Store', 1, { price, shipping })),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(offers, (given) => {
      const { lowest, average, highest } = summarizeOffers(given, 'walmart', US).thirdParty;
      if (lowest === null || average === null || highest === null) throw new Error('there is an offer');
      expect(Number.isInteger(average)).toBe(true);
      expect(lowest <= average && average <= highest && highest <= MAX_CENTS).toBe(true);
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowedPricesOf } from '#domain/decision/decide.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { aCost, aListing, fees, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { type BusinessOffer, isBelowAllowed, unitPrices } from './business-prices.ts';

const cents = fc.integer({ min: 1, max: 10_000_000 }).map((amount) => amount as Cents);
const tiers = fc
  .uniqueArray(fc.integer({ min: 2, max: 1_000 }), { maxLength: 5 })
  .map((all) => all.toSorted((a, b) => a - b));
const offers: fc.Arbitrary<BusinessOffer> = fc
  .record({
    price: fc.option(cents),
    from: tiers,
    amounts: fc.array(
      fc.oneof(
        cents.map((price) => ({ price })),
        share(),
      ),
      { minLength: 5, maxLength: 5 },
    ),
  })
  .map(({ price, from, amounts }) => ({
    price,
    tiers: from.map((quantity, i) => ({ from: quantity, ...(amounts[i] ?? { discount: 0 as Bps }) })),
  }));

function share() {
  return fc.integer({ min: 0, max: 9_999 }).map((discount) => ({ discount: discount as Bps }));
}

describe('what businesses pay for a unit', () => {
  test('is the business price, and that of each tier', () => {
    const offer = {
      price: usd(28),
      tiers: [
        { from: 5, price: usd(27) },
        { from: 20, discount: 1_500 as Bps },
      ],
    };
    expect(unitPrices(offer, usd(29.99))).toEqual([
      { from: 1, price: usd(28) },
      { from: 5, price: usd(27) },
      { from: 20, price: usd(23.8) },
    ]);
  });

  test('is a share of the regular price where there is no business price, rounded down', () => {
    const offer = { price: null, tiers: [{ from: 10, discount: 333 as Bps }] };
    expect(unitPrices(offer, usd(19.99))).toEqual([{ from: 10, price: usd(19.32) }]);
  });

  law(
    'is a price for every tier, in their order, and no share raises it',
    fc.tuple(offers, cents),
    ([offer, regular]) => {
      const found = unitPrices(offer, regular);
      const base = offer.price ?? regular;
      expect(found.map(({ from }) => from)).toEqual([
        ...(offer.price === null ? [] : [1]),
        ...offer.tiers.map(({ from }) => from),
      ]);
      for (const tier of offer.tiers) {
        const price = found.find(({ from }) => from === tier.from)?.price ?? -1;
        if (tier.price !== undefined) expect(price).toBe(tier.price);
        else expect(base - price).toBeGreaterThanOrEqual(Math.floor((base * tier.discount) / 10_000));
        if (tier.discount !== undefined) expect(price).toBeLessThanOrEqual(base);
      }
    },
  );
});

describe('a business price that is too low', () => {
  const allowed = allowedPricesOf(
    aListing({ currentPrice: usd(20), cost: aCost(10), fees: fees([{ percent: 15 }]) }),
    1_500 as Bps,
  );

  test.each([
    [14.28, true],
    [14.29, false],
    [20, false],
    // Above the price ceiling is not too low.
    [99, false],
  ])('%d: %s', (price, isLow) => {
    expect(isBelowAllowed(usd(price), allowed)).toBe(isLow);
  });

  test('is every price where none is allowed', () => {
    expect(isBelowAllowed(usd(20), { marginFloor: null, priceCeiling: null, ranges: [] })).toBe(true);
  });
});

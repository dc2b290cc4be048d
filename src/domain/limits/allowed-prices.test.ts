import { describe, expect, it } from 'vitest';
import { MAX_CENTS } from '#domain/units.ts';
import { APPAREL, fees, pct, usd } from '#tests/builders/facts.ts';
import {
  allowedPrices,
  highestAllowedTo,
  isAllowed,
  lowestAllowedFrom,
  type PriceTerms,
} from './allowed-prices.ts';

/** Cost $10.00, 15% fee, margin 15%, nothing else. */
function terms(overrides: Partial<PriceTerms> = {}): PriceTerms {
  return {
    totalCost: usd(10),
    shippingCharge: usd(0),
    fees: fees([{ percent: 15 }]),
    minimumMargin: pct(15),
    minPrice: null,
    maxPrice: null,
    anchorPrice: null,
    ...overrides,
  };
}

const apparel = (overrides: Partial<PriceTerms> = {}) =>
  allowedPrices(terms({ totalCost: usd(12.5), minimumMargin: pct(10), fees: APPAREL, ...overrides }));

describe('the lowest allowed price', () => {
  it('is exact when the division has no remainder', () => {
    expect(allowedPrices(terms({ totalCost: usd(7) })).marginFloor).toBe(usd(10));
  });

  it('is kept after the greatest discount, and the limits bound the price itself', () => {
    const discounted = allowedPrices(terms({ greatestDiscount: pct(20), maxPrice: usd(18) }));
    expect(discounted).toEqual({ marginFloor: usd(17.87), priceCeiling: usd(18), ranges: [1_787, 1_800] });
  });

  it('covers the minimum fee where the percentage is lower', () => {
    const table = fees([{ percent: 15, minimum: 0.3 }]);
    expect(allowedPrices(terms({ totalCost: usd(0.5), fees: table })).marginFloor).toBe(usd(0.95));
  });

  it('covers fixed fee and minimum together', () => {
    const table = fees([{ percent: 10, fixed: 0.4, minimum: 1 }]);
    expect(allowedPrices(terms({ totalCost: usd(1), minimumMargin: pct(0), fees: table })).marginFloor).toBe(
      usd(2.4),
    );
  });

  it('counts the shipping charge as revenue', () => {
    expect(allowedPrices(terms({ shippingCharge: usd(4.99) })).marginFloor).toBe(usd(9.3));
    expect(allowedPrices(terms({ shippingCharge: usd(99) })).marginFloor).toBe(usd(0.01));
  });

  it('is cost / (1 - margin) without fees', () => {
    expect(allowedPrices(terms({ fees: fees([{ percent: 0 }]) })).marginFloor).toBe(usd(11.77));
  });

  it('does not exist where fee and margin take all revenue', () => {
    for (const minimumMargin of [pct(85), pct(99.99)]) {
      expect(allowedPrices(terms({ minimumMargin }))).toEqual({
        marginFloor: null,
        priceCeiling: null,
        ranges: [],
      });
    }
    expect(allowedPrices(terms({ minimumMargin: pct(84.99) })).marginFloor).toBe(usd(100_000));
  });

  it('does not exist above the largest amount', () => {
    expect(allowedPrices(terms({ totalCost: MAX_CENTS })).marginFloor).toBeNull();
    const noFee = { fees: fees([{ percent: 0 }]), minimumMargin: pct(0) };
    expect(allowedPrices(terms({ totalCost: MAX_CENTS, ...noFee }))).toEqual({
      marginFloor: MAX_CENTS,
      priceCeiling: MAX_CENTS,
      ranges: [MAX_CENTS, MAX_CENTS],
    });
  });
});

describe('fee bands leave gaps', () => {
  it('apparel, cost $12.50, margin 10%: 14.71 to 15.00, and 15.63 and up', () => {
    expect(apparel({ maxPrice: usd(19) }).ranges).toEqual([1471, 1500, 1563, 1900]);
    expect(apparel().ranges).toEqual([1471, 1500, 1563, 2942]);
  });

  it('keeps the lower band when no price above it keeps the margin', () => {
    const table = fees([{ upTo: 15, percent: 5 }, { percent: 95 }]);
    expect(allowedPrices(terms({ fees: table })).ranges).toEqual([1250, 1500]);
  });

  it('lets lower marginal bands cover a band that takes all further revenue', () => {
    // 0% to $20.00, then 90%: with a 15% margin every dollar above $20.00 loses 5 cents of the $7.00 left over.
    const table = fees([{ upTo: 20, percent: 0 }, { percent: 90 }], 'marginal');
    expect(allowedPrices(terms({ fees: table, maxPrice: usd(500) })).ranges).toEqual([1177, 16_000]);
  });

  it('stops at the last whole cent they can cover', () => {
    const table = fees([{ upTo: 20, percent: 0 }, { percent: 88 }], 'marginal');
    expect(allowedPrices(terms({ fees: table, maxPrice: usd(500) })).ranges).toEqual([1177, 25_333]);
  });

  it('stops far away where a band takes slightly more than all further revenue', () => {
    const table = fees([{ upTo: 20, percent: 0 }, { percent: 85.01 }], 'marginal');
    expect(allowedPrices(terms({ fees: table, maxPrice: usd(90_000) })).ranges).toEqual([1177, 7_002_000]);
  });

  it('is not covered if one ten-thousandth of a cent is missing', () => {
    const table = fees([{ upTo: 0.01, percent: 0 }, { percent: 99.99 }], 'marginal');
    const almost = { totalCost: usd(0.01), minimumMargin: pct(0.01), fees: table };
    expect(allowedPrices(terms(almost)).marginFloor).toBeNull();
  });

  it('lets them cover a band that takes exactly all further revenue, without end', () => {
    const table = fees([{ upTo: 20, percent: 0 }, { percent: 85 }], 'marginal');
    expect(allowedPrices(terms({ fees: table, maxPrice: usd(500) })).ranges).toEqual([1177, 50_000]);
    expect(allowedPrices(terms({ fees: table, totalCost: usd(17), maxPrice: usd(500) })).ranges).toEqual([
      2000, 50_000,
    ]);
    expect(
      allowedPrices(terms({ fees: table, totalCost: usd(17.01), maxPrice: usd(500) })).marginFloor,
    ).toBeNull();
  });

  it('joins adjacent bands', () => {
    const table = fees([{ upTo: 20, percent: 15 }, { percent: 15 }]);
    expect(allowedPrices(terms({ fees: table })).ranges).toEqual([1429, 2858]);
  });

  it('finds a price only in the second band', () => {
    const table = fees([{ upTo: 10, percent: 5 }, { percent: 15 }]);
    expect(allowedPrices(terms({ fees: table })).ranges).toEqual([1429, 2858]);
  });
});

describe("the ceiling and the seller's own bounds", () => {
  it('is the larger of 1.5 x anchor, rounded down, and 2 x the floor', () => {
    expect(allowedPrices(terms()).priceCeiling).toBe(usd(28.58));
    expect(allowedPrices(terms({ anchorPrice: usd(19.05) })).priceCeiling).toBe(usd(28.58));
    expect(allowedPrices(terms({ anchorPrice: usd(19.99) })).priceCeiling).toBe(usd(29.98));
  });

  it('never passes the largest amount', () => {
    expect(allowedPrices(terms({ anchorPrice: MAX_CENTS })).priceCeiling).toBe(MAX_CENTS);
  });

  it('is replaced by the maximum price, higher or lower', () => {
    expect(allowedPrices(terms({ maxPrice: usd(20), anchorPrice: usd(40) })).ranges).toEqual([1429, 2000]);
    expect(allowedPrices(terms({ maxPrice: usd(90) })).ranges).toEqual([1429, 9000]);
    expect(allowedPrices(terms({ maxPrice: usd(14.29) })).ranges).toEqual([1429, 1429]);
    expect(allowedPrices(terms({ maxPrice: usd(14.28) }))).toEqual({
      marginFloor: 1429,
      priceCeiling: 1428,
      ranges: [],
    });
  });

  it('starts at the minimum price; the floor does not move', () => {
    expect(allowedPrices(terms({ minPrice: usd(18) }))).toEqual({
      marginFloor: 1429,
      priceCeiling: 2858,
      ranges: [1800, 2858],
    });
    expect(allowedPrices(terms({ minPrice: usd(1) })).ranges).toEqual([1429, 2858]);
    expect(allowedPrices(terms({ minPrice: usd(28.59) })).ranges).toEqual([]);
  });

  it('can lie within a gap', () => {
    expect(apparel({ minPrice: usd(15.01), maxPrice: usd(15.62) }).ranges).toEqual([]);
    expect(apparel({ minPrice: usd(15), maxPrice: usd(15.63) }).ranges).toEqual([1500, 1500, 1563, 1563]);
  });
});

describe('questions to the set', () => {
  const set = apparel({ maxPrice: usd(19) });

  it.each([
    [1470, false, null, 1471],
    [1471, true, 1471, 1471],
    [1499, true, 1499, 1499],
    [1500, true, 1500, 1500],
    [1501, false, 1500, 1563],
    [1562, false, 1500, 1563],
    [1563, true, 1563, 1563],
    [1900, true, 1900, 1900],
    [1901, false, 1900, null],
    [-50, false, null, 1471],
  ])('%d: allowed %s, highest at or below %s, lowest at or above %s', (price, allowed, below, above) => {
    expect(isAllowed(set, price)).toBe(allowed);
    expect(highestAllowedTo(set, price)).toBe(below);
    expect(lowestAllowedFrom(set, price)).toBe(above);
  });

  it('have no answer where nothing is allowed', () => {
    const none = allowedPrices(terms({ minimumMargin: pct(99.99) }));
    expect([isAllowed(none, 1500), highestAllowedTo(none, 1500), lowestAllowedFrom(none, 1500)]).toEqual([
      false,
      null,
      null,
    ]);
  });
});

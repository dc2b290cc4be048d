import { describe, expect, test } from 'vitest';
import type { AllowedPrices } from '#domain/limits/allowed-prices.ts';
import { type Cents, cents } from '#domain/units.ts';
import { raisedAutoAccept } from './raised-auto-accept.ts';

const allowedFrom = (...ranges: number[]): AllowedPrices => ({
  marginFloor: (ranges[0] ?? null) as Cents | null,
  priceCeiling: (ranges.at(-1) ?? null) as Cents | null,
  ranges,
});

describe('the price from which Best Offers are accepted', () => {
  test.each([
    ['follows up to the lowest allowed price', 2_100, 2_500, [2_240, 9_000], 2_240],
    ['stays where it is high enough', 2_240, 2_500, [2_240, 9_000], null],
    ['is never lowered', 2_400, 2_500, [2_240, 9_000], null],
    ['stays below the price', 2_100, 2_240, [2_240, 9_000], 2_239],
    ['stays where it is one cent below the price already', 2_239, 2_240, [2_240, 9_000], null],
    ['leaves a gap between allowed prices', 2_100, 2_900, [2_000, 2_050, 2_300, 9_000], 2_300],
    ['stays while no price is allowed', 2_100, 2_500, [], null],
    ['stays above all allowed prices', 9_100, 9_500, [2_240, 9_000], null],
  ])('%s', (_, autoAccept, price, ranges, raised) => {
    expect(
      raisedAutoAccept({
        autoAccept: cents(autoAccept),
        price: cents(price),
        allowed: allowedFrom(...ranges),
      }),
    ).toBe(raised);
  });
});

import { describe, expect, test } from 'vitest';
import { hours, minutes } from '#domain/units.ts';
import { offerRound, reachableOfferAge } from './offer-budgets.ts';

describe('a round over all listings takes', () => {
  test.each([
    ['amazon', 10_000, minutes(20) + 50_000],
    ['amazon', 1, 2_500],
    ['walmart', 10_000, minutes(5)],
    ['ebay', 3_600, hours(24)],
    ['ebay', 0, 0],
    ['etsy', 10_000, null],
  ] as const)('%s, %i listings: %s ms', (marketplace, listings, expected) => {
    expect(offerRound(marketplace, listings)).toBe(expected);
  });
});

describe('the offer age that the budget reaches is', () => {
  test.each([
    ['ebay', 0, 0],
    ['ebay', 1, 6],
    // 19.2 of 24 hours.
    ['ebay', 2_880, 24],
    ['ebay', 2_881, 30],
    ['ebay', 8_640, 72],
    ['ebay', 100_000, 72],
    ['amazon', 100_000, 6],
  ] as const)('%s, %i listings: %i h', (marketplace, listings, expected) => {
    expect(reachableOfferAge(marketplace, listings)).toBe(hours(expected));
  });

  test('none where competitors cannot be read', () => {
    expect(reachableOfferAge('shopify', 10)).toBeNull();
  });
});

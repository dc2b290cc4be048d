import { describe, expect, test } from 'vitest';
import { cents } from '#domain/units.ts';
import { splitCents } from './split-cents.ts';

describe('an amount split over lines', () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [101, [1, 3], [25, 76]],
    [7, [0, 0], [4, 3]],
    [7, [0, 5], [0, 7]],
    [0, [3, 4], [0, 0]],
    [9_999_999_999, [9_999_999_999, 1], [9_999_999_998, 1]],
    [5, [], []],
  ])('%i by %j', (amount, weights, parts) => {
    expect(splitCents(cents(amount), weights)).toEqual(parts);
  });

  test('adds up, whatever the weights are', () => {
    for (let amount = 0; amount < 200; amount++) {
      const parts = splitCents(cents(amount), [amount % 7, 13, amount % 11, 1]);
      expect(parts.reduce<number>((sum, part) => sum + part, 0)).toBe(amount);
    }
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ouncesOf, WEIGHT_UNITS } from './weight-units.ts';

test.each([
  [0.55, 'lb', 8.8],
  [1, 'lb', 16],
  [453.59237, 'g', 16],
  [0.45359237, 'kg', 16],
  [250, 'g', 8.8185],
  [12.5, 'oz', 12.5],
  [0, 'kg', 0],
] as const)('%d %s are %d oz', (amount, unit, expected) => {
  expect(ouncesOf(amount, unit)).toBe(expected);
});

test('the heavier of two weights is never the lighter in ounces, and none has more than four decimals', () => {
  const weight = fc.integer({ min: 0, max: 9_999_999 }).map((steps) => steps / 1_000);
  fc.assert(
    fc.property(weight, weight, fc.constantFrom(...WEIGHT_UNITS), (a, b, unit) => {
      const [light, heavy] = [Math.min(a, b), Math.max(a, b)].map((each) => ouncesOf(each, unit));
      expect(light).toBeLessThanOrEqual(heavy ?? 0);
      expect(Number(light?.toFixed(4))).toBe(light);
    }),
  );
});

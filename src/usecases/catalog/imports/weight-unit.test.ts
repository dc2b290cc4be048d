import { expect, test } from 'vitest';
import { unitInHeading } from './weight-unit.ts';

test.each([
  ['Weight (lb)', 'lb'],
  ['weight_lbs', 'lb'],
  ['Item Weight Pounds', 'lb'],
  ['weightKg', 'kg'],
  ['Weight in g', 'g'],
  ['itemWeightGrams', 'g'],
  ['Variant Grams', 'g'],
  ['Weight value (grams)', 'g'],
  ['weightOz', 'oz'],
  ['Weight ounces', 'oz'],
  ['weight', null],
  ['weight lb/oz', null],
  ['Package weight', null],
  ['GRoss weight', null],
  ['', null],
])('a heading of "%s" says %s', (heading, unit) => {
  expect(unitInHeading(heading)).toBe(unit);
});

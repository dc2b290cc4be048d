import { expect, test } from 'vitest';
import { otherUnitNote } from './weight-unit.ts';

test.each([
  ['Weight (lb)', 'pounds, multiply them by 16 '],
  ['weight_lbs', 'pounds'],
  ['Item Weight Pounds', 'pounds'],
  ['weightKg', 'kilograms, multiply them by 35.274 '],
  ['Weight in g', 'grams, multiply them by 0.035274 '],
  ['itemWeightGrams', 'grams'],
])('a heading of "%s" is told to be taken for ounces', (heading, words) => {
  expect(otherUnitNote(heading)).toContain(
    `The numbers of "${heading}" are taken for ounces. If they are ${words}`,
  );
});

test.each([
  'weight',
  'weightOz',
  'Weight (oz)',
  'weight lb/oz',
  'Weight ounces',
  'Package weight',
  'GRoss weight',
  '',
])('a heading of "%s" is told nothing', (heading) => {
  expect(otherUnitNote(heading)).toBeNull();
});

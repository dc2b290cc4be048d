import { expect, test } from 'vitest';
import {
  formatClock,
  formatCount,
  formatMoney,
  formatOunces,
  formatPercent,
  formatWholeDollars,
  shortPercent,
} from './format.ts';

test.each([
  ['0.00', '$0.00'],
  ['1234.50', '$1,234.50'],
  ['-0.05', '\u2212$0.05'],
  ['90071992547409931.07', '$90,071,992,547,409,931.07'],
])('%s is shown as %s', (amount, shown) => expect(formatMoney(amount)).toBe(shown));

test.each([
  ['0.00', '$0'],
  ['1284930.49', '$1,284,930'],
  ['1284930.50', '$1,284,931'],
  ['-2.50', '\u2212$3'],
])('%s in whole dollars is %s', (amount, shown) => expect(formatWholeDollars(amount)).toBe(shown));

test.each(['', '12,50', '1e3', 'NaN', ' 1'])('%o is rejected, never shown as a price', (amount) =>
  expect(() => formatMoney(amount)).toThrow(RangeError),
);

test('counts have thousands separators', () => expect(formatCount(12_408)).toBe('12,408'));

test('the clock has 24 hours, midnight as 00:00', () => {
  expect(formatClock(Date.UTC(2026, 0, 5, 14, 5))).toBe('14:05');
  expect(formatClock(Date.UTC(2026, 0, 5, 0, 0))).toBe('00:00');
});

test.each([
  [0, '0.0'],
  [16.25, '16.25'],
  [1000, '1,000.0'],
  [Math.fround(16.3), '16.3'],
])('%d oz reads %s', (weight, text) => expect(formatOunces(weight)).toBe(text));

test.each([
  ['15.00', '15'],
  ['12.50', '12.5'],
  ['0.00', '0'],
  ['100.00', '100'],
  ['99.99', '99.99'],
  ['10.05', '10.05'],
])('a field shows %s percent as %s', (wire, shown) => expect(shortPercent(wire)).toBe(shown));

test.each([
  ['15.00', '15.0%'],
  ['-999.00', '\u2212999.0%'],
  ['-999.01', 'below \u2212999%'],
  ['-7031.08', 'below \u2212999%'],
  ['-9999999999999.99', 'below \u2212999%'],
  ['7061.62', '7,062%'],
  ['100000.00', 'above 99,999%'],
])('a margin of %s reads %s', (margin, text) => expect(formatPercent(margin)).toBe(text));

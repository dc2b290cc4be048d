import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bpsFromDecimal,
  centsFromDecimal,
  decimalFromBps,
  decimalFromCents,
  decimalFromMargin,
  marginFromDecimal,
  parseBps,
  parseCents,
} from './decimal.ts';
import { type Bps, type Cents, MAX_CENTS } from './units.ts';

describe('money as a decimal string', () => {
  test.each([
    ['0', 0],
    ['19.99', 1_999],
    ['19.9', 1_990],
    ['19', 1_900],
    ['0.07', 7],
    ['-0.05', -5],
    ['007.10', 710],
    ['99999999.99', 9_999_999_999],
    // In binary fractions 1.15 x 100 is 114.99999999999999.
    ['1.15', 115],
  ])('%s is %d cents', (text, expected) => expect(parseCents(text)).toBe(expected));

  test('minus zero is zero', () => expect(Object.is(parseCents('-0.00'), 0)).toBe(true));

  test.each([
    '',
    ' ',
    '.5',
    '5.',
    '1.999',
    '1e3',
    '12,99',
    '$5',
    '+5',
    '1,299.00',
    'NaN',
    'Infinity',
    '123456789',
    ' 5',
    '5\n',
    '٣',
  ])('%j is not money', (text) => {
    expect(parseCents(text)).toBeNull();
    expect(() => centsFromDecimal(text)).toThrow(RangeError);
  });

  test.each([
    [0, '0.00'],
    [1, '0.01'],
    [-1, '-0.01'],
    [100, '1.00'],
    [MAX_CENTS, '99999999.99'],
    [-MAX_CENTS, '-99999999.99'],
  ])('%d cents are written %s', (amount, text) => {
    expect(decimalFromCents(amount as Cents)).toBe(text);
  });

  test('shares beyond numeric(5,2) are never written, losses neither', () => {
    expect(decimalFromBps(-99_999 as Bps)).toBe('-999.99');
    for (const share of [100_000, -100_000, 0.5])
      expect(() => decimalFromBps(share as Bps)).toThrow(RangeError);
  });

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, MAX_CENTS + 1, -MAX_CENTS - 1])(
    '%d cents are never written',
    (amount) => expect(() => decimalFromCents(amount as Cents)).toThrow(RangeError),
  );

  test('what is written reads back as the same cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_CENTS, max: MAX_CENTS }), (amount) => {
        const text = decimalFromCents(amount as Cents);
        expect(text).toMatch(/^-?\d{1,8}\.\d{2}$/);
        expect(centsFromDecimal(text)).toBe(amount);
      }),
    );
  });
});

describe('a margin', () => {
  test.each([
    [-703_108, '-7031.08'],
    [0, '0.00'],
    [-999_999_999_999_999, '-9999999999999.99'],
  ])('%d basis points are written and read as %s', (margin, text) => {
    expect(decimalFromMargin(margin as Bps)).toBe(text);
    expect(marginFromDecimal(text)).toBe(margin);
  });

  test.each(['', '12', '-1e3', '10000000000000.00'])('%j is refused', (text) => {
    expect(() => marginFromDecimal(text)).toThrow(RangeError);
  });

  test.each([0.5, Number.NaN, 1e15])('%d basis points are never written', (margin) => {
    expect(() => decimalFromMargin(margin as Bps)).toThrow(RangeError);
  });
});

describe('a share as a percentage', () => {
  test.each([
    ['12.5', 1_250],
    ['-999.99', -99_999],
    ['0', 0],
  ])('%s is %d basis points', (text, expected) => {
    expect(parseBps(text)).toBe(expected);
    expect(bpsFromDecimal(decimalFromBps(expected as Bps))).toBe(expected);
  });

  test.each(['1000', '-1000.00', '12.345', '', '12%'])('%j is refused', (text) => {
    expect(parseBps(text)).toBeNull();
    expect(() => bpsFromDecimal(text)).toThrow(RangeError);
  });

  test('a share beyond 999.99 % is never written', () =>
    expect(() => decimalFromBps(100_000 as Bps)).toThrow(RangeError));
});

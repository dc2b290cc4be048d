import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, MAX_CENTS } from '#domain/units.ts';
import { readAmount, readCount, readOffset, readPercent, readWeight } from './numbers.ts';

function amount(text: string): number | null {
  const bytes = Buffer.from(`x${text}9`);
  return readAmount(bytes, 1, bytes.length - 1);
}

const GRAMMAR = /^\$?(\d{1,8}|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/;

describe('amounts', () => {
  test.each([
    ['19.99', 1999],
    ['$19.99', 1999],
    ['1,299.00', 129_900],
    ['$1,299', 129_900],
    ['0', 0],
    ['0.1', 10],
    ['007', 700],
    ['99999999.99', MAX_CENTS],
    ['99,999,999.99', MAX_CENTS],
  ])('%s is read', (text, value) => expect(amount(text)).toBe(value));

  test.each([
    '',
    '$',
    '.',
    '.99',
    '19.',
    '12,99',
    '1e3',
    '1.999',
    '-1.00',
    '+1',
    '1 000',
    '1,2345',
    '12,34,567',
    '1,',
    ',100',
    '1234,567',
    '100000000',
    '100,000,000',
    '$$1',
    '1$',
    'NaN',
    'Infinity',
    '0x10',
    '１',
    '1.-1',
    '1.0a',
  ])('%j is refused', (text) => expect(amount(text)).toBeNull());

  test('agree with the grammar on anything', () => {
    const text = fc
      .array(fc.constantFrom(...'00123456789.,,$-e '), { maxLength: 14 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (text) => {
        const isAmount = GRAMMAR.test(text) && text.replace(/\D.*$/s, '').length <= 8;
        const digits = text.replace(/[$,]/g, '');
        const isSmallEnough =
          isAmount &&
          digits.split('.')[0]?.length !== undefined &&
          (digits.split('.')[0] as string).length <= 8;
        expect(amount(text)).toBe(isSmallEnough ? Math.round(Number(digits) * 100) : null);
      }),
      { numRuns: 20_000 },
    );
  });
});

test.each([
  ['-0.05', -5],
  ['-$0.05', -5],
  ['0.05', 5],
  ['-0', 0],
  ['--1', null],
  ['$-1', null],
])('an offset of %s is %s', (text, value) => {
  const bytes = Buffer.from(text);
  expect(readOffset(bytes, 0, bytes.length)).toBe(value === null ? null : cents(value));
});

test.each([
  ['15', 1_500],
  ['13.6', 1_360],
  ['12.34%', 1_234],
  ['100', 10_000],
  ['100.01', null],
  ['-1', null],
  ['$5', null],
  ['5.123', null],
  ['%', null],
])('a share of %s is %s', (text, value) => {
  const bytes = Buffer.from(text);
  expect(readPercent(bytes, 0, bytes.length)).toBe(value);
});

test.each([
  ['12', 12],
  ['12.5', 12.5],
  ['0', 0],
  ['0.1', 0.1],
  ['9999999.9999', 9_999_999.9999],
  ['12345678', null],
  ['1.', null],
  ['.5', null],
  ['-1', null],
  ['1e3', null],
  ['1,000', null],
  ['NaN', null],
])('a weight of %s is %s', (text, value) => {
  const bytes = Buffer.from(text);
  expect(readWeight(bytes, 0, bytes.length)).toBe(value);
});

test.each([
  ['0', 0],
  ['12', 12],
  ['999999999', 999_999_999],
  ['1234567890', null],
  ['1.0', null],
  ['-1', null],
  ['', null],
])('a count of %j is %s', (text, value) => {
  const bytes = Buffer.from(text);
  expect(readCount(bytes, 0, bytes.length)).toBe(value);
});

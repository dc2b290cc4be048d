import { describe, expect, test } from 'vitest';
import { typedMoney, typedNumber, typedPercent } from './typed-numbers.ts';

describe('what people type', () => {
  test.each([
    ['19.99', '19.99'],
    ['$1,299', '1299.00'],
    [' 1 299.5 ', '1299.50'],
    ['-3', '-3.00'],
    ['-0', null],
    ['-0.00', null],
    ['', null],
    ['12,99', null],
    ['0,250', null],
    ['1.005', null],
    ['1e3', null],
    ['abc', null],
  ])('money %j is %j', (text, wire) => expect(typedMoney(text)).toBe(wire));

  test.each([
    ['13.6', '13.60'],
    ['13.6 %', '13.60'],
    ['100', '100.00'],
    ['-0', null],
    ['', null],
    ['1.005', null],
  ])('percent %j is %j', (text, wire) => expect(typedPercent(text)).toBe(wire));

  test.each([
    ['16.5', 16.5],
    ['1,440', 1440],
    ['0', 0],
    ['', null],
    ['-1', null],
    ['1,4', null],
    ['0,250', null],
    ['Infinity', null],
  ])('number %j is %j', (text, number) => expect(typedNumber(text)).toBe(number));
});

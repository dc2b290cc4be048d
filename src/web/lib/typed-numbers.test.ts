import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typedMoney, typedNumber, typedPercent } from './typed-numbers.ts';
import { tagsText, typedTags } from './typed-tags.ts';

describe('typed text', () => {
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

describe('tags', () => {
  test('are read back as they were written', () => {
    const tag = fc
      .array(fc.constantFrom(...'ab",\' ;'), { minLength: 1, maxLength: 8 })
      .map((letters) => letters.join('').trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(fc.uniqueArray(tag, { maxLength: 4 }), (tags) => {
        expect(typedTags(tagsText(tags))).toEqual(tags);
      }),
    );
  });

  test.each([
    ['kitchen, blue,, kitchen ', ['kitchen', 'blue']],
    ['5" pipe, "a, b"', ['5" pipe', 'a, b']],
    ['"open, b', ['"open', 'b']],
    ['', []],
  ])('%j is %j', (text, tags) => expect(typedTags(text)).toEqual(tags));
});

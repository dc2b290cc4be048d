import { expect, test } from 'vitest';
import { bigMoveText, readAmountText, readTypedPrice } from './typed-price.ts';

test.each([
  ['19.99', '19.99'],
  ['$1,299.5', '1299.50'],
  [' 20 ', '20.00'],
  ['7.', '7.00'],
  ['99,999,999.99', '99999999.99'],
])('%s is the price %s', (typed, price) => {
  expect(readTypedPrice(typed)).toEqual({ price, problem: null });
});

test.each(['', '0', '-5', '12,50', '1,2345', '1e3', '12.5O', '100000000'])('%s is not a price', (typed) => {
  expect(readTypedPrice(typed).price).toBeNull();
});

test('a third decimal has its own message', () => {
  expect(readTypedPrice('19.999').problem).toBe('Enter up to two decimals, such as 19.99.');
});

test('an amount may be zero or less', () => {
  expect(readAmountText('0')).toBe(0);
  expect(readAmountText('-$1,000.05')).toBe(-100_005);
});

test.each([
  ['20.00', '24.00', null],
  ['20.00', '24.01', 'That is 20% more than $20.00.'],
  ['20.00', '16.00', null],
  ['20.00', '5.00', 'That is 75% less than $20.00.'],
])('from %s to %s: %s', (from, to, text) => {
  expect(bigMoveText(from, to)).toBe(text);
});

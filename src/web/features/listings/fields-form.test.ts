import { expect, test } from 'vitest';
import { readFields } from './fields-form.ts';

test('fields outside the form are not sent; empty clears, an empty charge is zero', () => {
  expect(
    readFields({ minPrice: ' $9.5 ', maxPrice: '', shippingCharge: '', feeCategory: ' Toys ', ruleId: '' }),
  ).toEqual({
    fields: { minPrice: '9.50', maxPrice: null, shippingCharge: '0.00', feeCategory: 'Toys', ruleId: null },
    problems: {},
  });
  expect(readFields({ feeCategory: ' ', ruleId: '7' }).fields).toEqual({ feeCategory: null, ruleId: '7' });
  expect(readFields({})).toEqual({ fields: {}, problems: {} });
});

test('a percentage is below 100, with or without its sign; blank clears', () => {
  expect(readFields({ feeRate: ' 12.5 % ', adShare: '', returnShare: '0' })).toEqual({
    fields: { feeRate: '12.5', adShare: null, returnShare: '0' },
    problems: {},
  });
  expect(Object.keys(readFields({ feeRate: '100', adShare: '-1', returnShare: 'x' }).problems)).toHaveLength(
    3,
  );
});

test('days are in order; blank clears', () => {
  expect(readFields({ mapPrice: '18', mapFrom: ' 2026-11-20 ', mapUntil: '' })).toEqual({
    fields: { mapPrice: '18.00', mapFrom: '2026-11-20', mapUntil: null },
    problems: {},
  });
  expect(Object.keys(readFields({ mapFrom: '11/20/2026' }).problems)).toEqual(['mapFrom']);
  expect(Object.keys(readFields({ mapFrom: '2026-11-21', mapUntil: '2026-11-20' }).problems)).toEqual([
    'mapUntil',
  ]);
});

test('a price is more than zero, a cost may be zero', () => {
  expect(readFields({ minPrice: '0', fulfillmentCost: '0' })).toEqual({
    fields: { fulfillmentCost: '0.00' },
    problems: { minPrice: 'Enter an amount above zero such as 19.99' },
  });
  expect(readFields({ shippingCost: '4x' }).problems).toEqual({
    shippingCost: 'Enter an amount such as 19.99',
  });
});

test('a maximum below the minimum is an error of the maximum', () => {
  expect(readFields({ minPrice: '10', maxPrice: '9.99' }).problems.maxPrice).toContain(
    'at or above the minimum price',
  );
  expect(readFields({ minPrice: '10', maxPrice: '10' }).problems).toEqual({});
});

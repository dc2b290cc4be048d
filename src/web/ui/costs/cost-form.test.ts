import { expect, test } from 'vitest';
import type { ListingCosts } from '#contract/costs.ts';
import { readCosts } from './cost-form.ts';

const part = (name: ListingCosts['parts'][number]['part'], amount: string | null) => ({
  part: name,
  amount,
  source: 'sku' as const,
  sourceText: 'SKU A-1',
  readOnly: null,
});
const COSTS: ListingCosts = {
  listingId: '4',
  marketplace: 'walmart',
  sku: 'A-1',
  title: 'Mug',
  fulfillmentType: 'FBM',
  currentPrice: '20.00',
  isBundle: false,
  version: 2,
  skuVersion: 5,
  parts: [
    part('product', '10.00'),
    part('shipping', '3.99'),
    part('fulfillment', '0.00'),
    part('packaging', '0.25'),
    part('misc', '0.10'),
  ],
  totalCost: '14.34',
  missing: [],
  gaps: [],
  others: [],
};

test('untouched, the total is the sum of the parts and there is nothing to save', () => {
  expect(readCosts(COSTS, {})).toEqual({
    total: '14.34',
    empty: [],
    errors: {},
    form: { version: 2, skuVersion: 5 },
    isChanged: false,
  });
});

test('only changed parts are sent', () => {
  expect(readCosts(COSTS, { product: '$11', misc: '0.1' })).toMatchObject({
    total: '15.34',
    form: { version: 2, skuVersion: 5, product: '11.00' },
    isChanged: true,
  });
});

test('from an earlier day a part that was typed again counts, though its amount is stored already', () => {
  const costSince = '2026-11-01T00:00:00.000Z';
  expect(readCosts(COSTS, { shipping: '3.99' }, costSince)).toMatchObject({
    form: { version: 2, skuVersion: 5, shipping: '3.99', costSince },
    isChanged: true,
  });
});

test("a cleared shipping cost is the tier's again, a cleared packaging cost is rejected", () => {
  expect(readCosts(COSTS, { shipping: '' })).toMatchObject({
    total: '10.35',
    empty: ['shipping'],
    form: { version: 2, skuVersion: 5, shipping: null },
  });
  expect(readCosts(COSTS, { packaging: '' })).toMatchObject({
    form: null,
    errors: { packaging: expect.any(String) },
  });
});

test.each(['abc', '1.005', '-1'])('%s counts as zero, is marked and cannot be saved', (text) => {
  const reading = readCosts(COSTS, { product: text });
  expect(reading.total).toBe('4.34');
  expect(reading.errors.product).toContain('0.00 or more');
  expect(reading.form).toBeNull();
});

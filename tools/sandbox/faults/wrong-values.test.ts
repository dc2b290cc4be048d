import { expect, test } from 'vitest';
import { changedBody } from './wrong-values.ts';

const BODY = JSON.stringify({
  sku: 'A-1',
  currentPrice: 19.99,
  count: 3,
  at: '2026-03-02T08:00:00.000Z',
  price: { currency: 'USD', amount: '5.00' },
  offers: [{ price: { value: '7.50', currency: 'USD' }, quantity: 2 }],
  attributes: [{ value: '12', name: 'size' }],
  our_price: [{ schedule: [{ value_with_tax: 3 }] }],
});

test.each([
  ['negative_price', [-19.99, '-5.00', '-7.50', -3]],
  ['na_price', ['N/A', 'N/A', 'N/A', 'N/A']],
  ['nan_price', ['NaN', 'NaN', 'NaN', 'NaN']],
] as const)('%s changes all amounts of money and nothing else', (kind, amounts) => {
  const body = JSON.parse(changedBody(kind, BODY));
  const found = [
    ...[body.currentPrice, body.price.amount, body.offers[0].price.value],
    body.our_price[0].schedule[0].value_with_tax,
  ];
  expect(found).toEqual(amounts);
  expect(body).toMatchObject({
    sku: 'A-1',
    count: 3,
    offers: [{ quantity: 2 }],
    attributes: [{ value: '12' }],
  });
});

test('another currency is in every price', () => {
  const body = changedBody('other_currency', BODY);
  expect(body).not.toContain('USD');
  expect(body.match(/EUR/g)).toHaveLength(2);
});

test('duplicates agree, contradictions do not', () => {
  const twice = JSON.parse(changedBody('duplicates', BODY)).offers;
  expect(twice).toEqual([twice[0], twice[0]]);
  const [one, other] = JSON.parse(changedBody('contradictions', BODY)).offers;
  expect([one.price.value, other.price.value]).toEqual(['7.50', '8.50']);
});

test('a skewed clock shifts every timestamp', () => {
  expect(JSON.parse(changedBody('skewed_clock', BODY)).at).toBe('2026-03-03T10:00:00.000Z');
});

test('a body that is not JSON is changed as lines of text', () => {
  const lines = 'sku,price\nA-1,19.99\n';
  expect(changedBody('na_price', lines)).toBe('sku,price\nA-1,N/A\n');
  expect(changedBody('duplicates', lines)).toBe(`${lines}\n${lines}`);
  expect(changedBody('answer_lost', lines)).toBe(lines);
});

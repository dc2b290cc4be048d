import { expect, it } from 'vitest';
import { pct } from '#tests/builders/facts.ts';
import { countedSalesTax, learnedSalesTax } from './sales-tax.ts';

it.each([
  ['is unknown before 30 orders', { orders: 29, revenue: 100_000, tax: 7_580 }, null],
  ['is that of 30 orders, rounded up', { orders: 30, revenue: 100_000, tax: 7_501 }, pct(7.6)],
  ['is exact where it needs no rounding', { orders: 30, revenue: 100_000, tax: 7_500 }, pct(7.5)],
  ['may be none', { orders: 30, revenue: 100_000, tax: 0 }, pct(0)],
  ['is unknown without revenue', { orders: 30, revenue: 0, tax: 0 }, null],
  ['is unknown where it is beyond every tax', { orders: 30, revenue: 100_000, tax: 30_001 }, null],
])('%s', (_, orders, share) => expect(learnedSalesTax(orders)).toBe(share));

it.each([
  ['8% is assumed', null, null, { share: pct(8), source: 'assumed' }],
  ['the learned one counts', null, pct(7.6), { share: pct(7.6), source: 'learned' }],
  ['an entered one comes before it', pct(7.25), pct(7.6), { share: pct(7.25), source: 'entered' }],
  ['an entered 8% comes before it as well', pct(8), pct(9.5), { share: pct(8), source: 'entered' }],
  ['an entered 0% is entered', pct(0), pct(9.5), { share: pct(0), source: 'entered' }],
])('%s', (_, entered, learned, counted) => expect(countedSalesTax(entered, learned)).toEqual(counted));

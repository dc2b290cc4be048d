import { expect, test } from 'vitest';
import type { Cents } from '#domain/units.ts';
import { fees, usd } from '#tests/builders/facts.ts';
import { profitOf } from './profit.ts';

test.each([
  // 20.00 - 15% - 10.00 = 7.00
  [20, 0, 10, 7],
  // 20.00 + 4.99 - 3.7485 - 10.00 = 11.2415
  [20, 4.99, 10, 11.24],
  // 10.01 - 1.5015 - 10.00 = -1.4915: a loss is rounded down too
  [10.01, 0, 10, -1.5],
])('%d with %d shipping charged at a cost of %d leaves %d', (price, charge, cost, profit) => {
  expect(profitOf(usd(price), usd(charge), usd(cost), fees([{ percent: 15 }]))).toBe(usd(profit));
});

test('is unknown without fees that can be read', () => {
  const unread = { ...fees([{ percent: 15 }]), pieces: [] };
  expect(profitOf(usd(20), 0 as Cents, usd(10), unread)).toBeNull();
});

import { expect, test } from 'vitest';
import { type Instant, instant } from '#domain/units.ts';
import { RateBudget } from './rate-budget.ts';

let time: Instant = instant(0);
const budgetOf = () => new RateBudget({ prices: { perSecond: 1, burst: 1 } }, () => time);

test('a rate that the service reports applies from then on', () => {
  const budget = budgetOf();
  expect(budget.take('prices')).toBe(0);
  expect(budget.take('prices')).toBe(1_000);
  budget.pace('prices', 4);
  expect(budget.take('prices')).toBe(250);
  time = instant(time + 250);
  expect(budget.take('prices')).toBe(0);
});

test.each([0, -1, Number.NaN])('a rate of %s is ignored', (perSecond) => {
  const budget = budgetOf();
  budget.take('prices');
  budget.pace('prices', perSecond);
  expect(budget.take('prices')).toBe(1_000);
});

test('a rate for an unknown operation is ignored', () => {
  const budget = budgetOf();
  budget.pace('elsewhere', 3);
  expect(budget.take('elsewhere')).toBe(0);
});

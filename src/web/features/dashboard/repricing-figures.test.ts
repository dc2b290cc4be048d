import { expect, test } from 'vitest';
import { daysWithin, percentBetween, pointsBetween, repricingSums } from './repricing-figures.ts';

const DAYS = [
  { day: '2026-11-19', raised: 1, lowered: 0, checks: 10, wins: 5 },
  { day: '2026-11-20', raised: 0, lowered: 3, checks: 0, wins: 0 },
  { day: '2026-11-21', raised: 2, lowered: 1, checks: 30, wins: 25 },
];

test('the share is of all checks, not the average of the days', () => {
  expect(repricingSums(DAYS)).toEqual({ raised: 3, lowered: 4, checks: 40, share: 75 });
});

test('a share of days without a check is unknown, and so is a change from it', () => {
  const { share } = repricingSums(daysWithin(DAYS, { from: '2026-11-20', to: '2026-11-20' }));
  expect(share).toBeNull();
  expect(pointsBetween(75, share)).toBeNull();
  expect(pointsBetween(75, 50)).toBe('25.00');
});

test('a count has no change in percent from nothing', () => {
  expect(percentBetween(7, 0)).toBeNull();
  expect(percentBetween(7, 14)).toBe('-50.00');
});

import { expect, test } from 'vitest';
import { withOwnMap } from '#domain/limits/marketplace-limits.ts';
import { hours, type Instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { isStillKnown, mapInForce } from './entered-facts.ts';

test('what was entered counts for 7 days, and not from the future', () => {
  const known = (hoursAgo: number) => isStillKnown((NOW - hours(hoursAgo)) as Instant, NOW);
  expect([0, 168, 168.1, -0.1].map(known)).toEqual([true, true, false, false]);
});

test('a MAP price holds from its first to its last day', () => {
  const map = { price: usd(18), from: '2026-11-20', until: '2026-11-22' };
  const days = ['2026-11-19', '2026-11-20', '2026-11-22', '2026-11-23'];
  expect(days.map((day) => mapInForce(map, day))).toEqual([null, usd(18), usd(18), null]);
  expect(mapInForce({ ...map, from: null, until: null }, '2020-01-01')).toBe(usd(18));
});

test('of our MAP price and that of the marketplace the higher one counts', () => {
  const theirs = { min: usd(10), max: usd(40), map: usd(18) };
  expect(withOwnMap(theirs, null)).toBe(theirs);
  expect(withOwnMap(theirs, usd(18))).toBe(theirs);
  expect(withOwnMap(theirs, usd(19))).toEqual({ ...theirs, map: usd(19), isMapOurs: true });
  expect(withOwnMap(null, usd(19))).toEqual({ min: null, max: null, map: usd(19), isMapOurs: true });
});

import { expect, test } from 'vitest';
import { formatDay, formatDuration, formatMoment, formatRelative, formatUntil } from './moments.ts';

const NOON = Date.parse('2026-11-03T12:00:00.000Z');
const at = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString();

test.each([
  [0, 'just now'],
  [-12, '12 min ago'],
  [-180, '3 h ago'],
])('%i minutes from now is %s', (minutes, words) => {
  expect(formatRelative(at(minutes), NOON)).toBe(words);
});

test('after a day the date, and the year once it is another', () => {
  expect(formatRelative('2026-10-31T12:30:00.000Z', NOON)).toMatch(/^Oct 31, \d\d:30$/);
  expect(formatRelative('2025-10-31T12:30:00.000Z', NOON)).toMatch(/^Oct 31, 2025, \d\d:30$/);
  expect(formatMoment('2026-10-31T12:30:05.000Z', 'exact')).toMatch(/2026.*30:05/);
});

test('a day of the calendar is the same everywhere, and has its year once it is another', () => {
  expect(formatDay('2026-11-02', NOON)).toBe('Nov 2');
  expect(formatDay('2025-12-31', NOON)).toBe('Dec 31, 2025');
});

test.each([
  [-1, 'now'],
  [6.2, 'in 7 min'],
  [180, 'in 3 h'],
])('%f minutes ahead is %s', (minutes, words) => {
  expect(formatUntil(at(minutes), NOON)).toBe(words);
});

test.each([
  [4_000, '4 s'],
  [125_000, '2 min 5 s'],
  [4_320_000, '1 h 12 min'],
])('%i ms lasted %s', (millis, words) => {
  expect(formatDuration(millis)).toBe(words);
});

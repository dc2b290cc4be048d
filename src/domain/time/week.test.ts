import { expect, test } from 'vitest';
import { mondayOf } from './week.ts';

test.each([
  ['2026-11-23', '2026-11-23'],
  ['2026-11-22', '2026-11-16'],
  ['2026-11-26', '2026-11-23'],
  ['1970-01-01', '1969-12-29'],
])('the week of %s starts on %s', (day, monday) => {
  expect(mondayOf(day)).toBe(monday);
});

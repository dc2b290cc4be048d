import { expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { mondayOf } from './week.ts';

test.each([
  ['2026-11-23T00:00:00.000Z', '2026-11-23'],
  ['2026-11-22T23:59:59.999Z', '2026-11-16'],
  ['2026-11-26T12:00:00.000Z', '2026-11-23'],
  ['1970-01-01T00:00:00.000Z', '1969-12-29'],
])('the week of %s starts on %s', (moment, monday) => {
  expect(new Date(mondayOf(instant(Date.parse(moment)))).toISOString()).toBe(`${monday}T00:00:00.000Z`);
});

import { expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { localTimeOf, storeTimeText } from './local-time.ts';

test.each([
  ['2026-11-21T12:00:00Z', 'UTC', 720, 6, '2026-11-21'],
  ['2026-11-21T12:00:00Z', 'America/New_York', 420, 6, '2026-11-21'],
  ['2026-07-05T03:59:00Z', 'America/New_York', 1_439, 6, '2026-07-04'],
  ['2026-07-05T04:00:00Z', 'America/New_York', 0, 7, '2026-07-05'],
  ['2026-12-31T18:30:00Z', 'Asia/Kolkata', 0, 5, '2027-01-01'],
])('%s in %s', (at, zone, minuteOfDay, weekday, day) => {
  expect(localTimeOf(instant(Date.parse(at)), zone)).toEqual({ minuteOfDay, weekday, day });
});

test.each([
  ['America/New_York', '2026-11-28 at 09:05 America/New_York'],
  [null, '2026-11-28 at 14:05 UTC'],
])('a moment in a sentence, in %s', (zone, text) => {
  expect(storeTimeText(instant(Date.parse('2026-11-28T14:05:59Z')), zone)).toBe(text);
});

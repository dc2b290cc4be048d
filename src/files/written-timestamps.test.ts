import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readWrittenMoment } from './written-timestamps.ts';

const NEW_YORK = { order: 'mdy', zone: 'America/New_York' } as const;

test.each([
  ['1/15/2026 3:04 PM', '2026-01-15T20:04:00.000Z'],
  ['01/15/26 15:04', '2026-01-15T20:04:00.000Z'],
  ['7/4/2026, 12:00:30 am', '2026-07-04T04:00:30.000Z'],
  ['7/4/2026 12 p.m.', '2026-07-04T16:00:00.000Z'],
  ['Jan 15, 2026 3:04 PM', '2026-01-15T20:04:00.000Z'],
  ['2026-01-15 15:04', '2026-01-15T20:04:00.000Z'],
  ['2026-01-15 15:04:05 PST', '2026-01-15T23:04:05.000Z'],
  ['1/15/2026', '2026-01-15T05:00:00.000Z'],
  ['2026-01-15', '2026-01-15T00:00:00.000Z'],
  ['2026-01-15T15:04:00Z', '2026-01-15T15:04:00.000Z'],
  // Clocks go back: shown twice, the earlier counts. Clocks go forward: shown never.
  ['11/1/2026 1:30 AM', '2026-11-01T05:30:00.000Z'],
  ['3/8/2026 2:30 AM', '2026-03-08T06:30:00.000Z'],
])('%s in New York is %s', (text, iso) => {
  expect(new Date(readWrittenMoment(text, NEW_YORK) ?? 0).toISOString()).toBe(iso);
});

test.each([
  '13/1/2026',
  '2/30/2026 3 PM',
  '1/15/2026 3',
  '1/15/2026 13:00 PM',
  '1/15/2026 24:00',
  'soon',
  '',
])('%s is no moment there', (text) => expect(readWrittenMoment(text, NEW_YORK)).toBeNull());

test('day and month are distinguished by the answer alone, and without one nothing is read', () => {
  const text = '03/04/2026 10:00 UTC';
  const at = (order: 'mdy' | 'dmy' | null) => readWrittenMoment(text, { order, zone: null });
  expect(at('mdy')).toBe(Date.parse('2026-03-04T10:00:00Z'));
  expect(at('dmy')).toBe(Date.parse('2026-04-03T10:00:00Z'));
  expect(at(null)).toBeNull();
  expect(readWrittenMoment('03/04/2026 10:00', { order: 'mdy', zone: null })).toBeNull();
});

test('whatever a clock in UTC shows is read as that moment', () => {
  const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (date) => {
      const written = date.toLocaleString('en-US', { timeZone: 'UTC' }).replace(/\u202f/g, ' ');
      expect(readWrittenMoment(written, { order: 'mdy', zone: 'UTC' })).toBe(
        Math.floor(date.getTime() / 1000) * 1000,
      );
    }),
  );
});

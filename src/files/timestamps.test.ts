import fc from 'fast-check';
import { expect, test } from 'vitest';
import { momentFrom } from './timestamps.ts';

test('any moment is read as JavaScript reads it', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      const text = date.toISOString();
      expect(momentFrom(text)).toBe(date.getTime());
      expect(momentFrom(text.slice(0, 10))).toBe(Date.parse(text.slice(0, 10)));
      expect(momentFrom(text.replace('Z', '-05:30'))).toBe(Date.parse(text.replace('Z', '-05:30')));
    }),
  );
});

test.each([
  ['2026-11-21T12:00Z', '2026-11-21T12:00:00.000Z'],
  ['2026-11-21t12:00:00z', '2026-11-21T12:00:00.000Z'],
  ['2026-11-21 12:00:00+0100', '2026-11-21T11:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-11-21T12:00:00.5Z', '2026-11-21T12:00:00.500Z'],
  ['2026-11-21T12:00:00.999999Z', '2026-11-21T12:00:00.999Z'],
])('%s is %s', (text, moment) => expect(new Date(momentFrom(text) ?? Number.NaN).toISOString()).toBe(moment));

test.each([
  '',
  '2026-11-21T12:00:00',
  '2026-02-29',
  '2026-13-01',
  '2026-00-01',
  '2026-11-31',
  '2026-11-21T24:00Z',
  '2026-11-21T12:60Z',
  '2026-11-21T12:00:60Z',
  '2026-11-21T12:00:00.Z',
  '2026-11-21T12:00:00+25:00',
  '2026-11-21T12:00:00ZZ',
  '21.11.2026',
  '11/21/2026',
  '1763726400',
  '1969-12-31',
])('%j is refused', (text) => expect(momentFrom(text)).toBeNull());

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { daySpan, dayStarts } from './day-span.ts';

const at = (text: string) => instant(Date.parse(text));
const startOf = (now: string, zone: string) =>
  new Date(dayStarts(at(now), zone, 1)[0]?.start ?? 0).toISOString();

describe('where days begin', () => {
  test('the last days, the oldest first, up to the day of that moment', () => {
    expect(dayStarts(at('2026-11-21T12:00:00Z'), 'UTC', 3)).toEqual([
      { day: '2026-11-19', start: at('2026-11-19T00:00:00Z') },
      { day: '2026-11-20', start: at('2026-11-20T00:00:00Z') },
      { day: '2026-11-21', start: at('2026-11-21T00:00:00Z') },
    ]);
  });

  test('the day is that of the place', () => {
    expect(dayStarts(at('2026-11-21T02:00:00Z'), 'America/New_York', 1)).toEqual([
      { day: '2026-11-20', start: at('2026-11-20T05:00:00Z') },
    ]);
    expect(startOf('2026-11-21T12:00:00Z', 'Asia/Kolkata')).toBe('2026-11-20T18:30:00.000Z');
    expect(startOf('2026-11-21T12:00:00Z', 'Pacific/Kiritimati')).toBe('2026-11-21T10:00:00.000Z');
  });

  test('days of 23 and 25 hours, when the clocks change', () => {
    const spring = dayStarts(at('2026-03-09T12:00:00Z'), 'America/New_York', 2).map(({ start }) => start);
    expect((spring[1] ?? 0) - (spring[0] ?? 0)).toBe(23 * 3_600_000);
    const autumn = dayStarts(at('2026-11-02T12:00:00Z'), 'America/New_York', 2).map(({ start }) => start);
    expect((autumn[1] ?? 0) - (autumn[0] ?? 0)).toBe(25 * 3_600_000);
  });

  test('where there is no midnight, the day begins when the clocks are put forward', () => {
    // Santiago goes from 23:59 to 01:00 on 6 September 2026.
    expect(startOf('2026-09-06T12:00:00Z', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z');
  });

  test('a span of days goes from its first moment until before the next day, and may be open', () => {
    expect(daySpan({ from: '2026-11-01', to: '2026-11-01' }, 'America/New_York')).toEqual({
      since: at('2026-11-01T04:00:00Z'),
      until: at('2026-11-02T05:00:00Z'),
    });
    expect(daySpan({ to: '2026-11-21' }, 'UTC')).toEqual({ until: at('2026-11-22T00:00:00Z') });
    expect(daySpan({}, 'Asia/Kolkata')).toEqual({});
  });

  test('a day of the chart and the same day of the history begin and end together', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) });
    fc.assert(
      fc.property(zones, moments, (zone, moment) => {
        const [first, second] = dayStarts(instant(moment), zone, 2);
        const span = daySpan({ from: first?.day, to: first?.day }, zone);
        expect(span).toEqual({ since: first?.start, until: second?.start });
      }),
      { numRuns: 100 },
    );
  });

  test('in every zone and season each day begins at its first moment', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) });
    fc.assert(
      fc.property(zones, moments, (zone, moment) => {
        const dayOf = (time: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(time);
        for (const { day, start } of dayStarts(instant(moment), zone, 2)) {
          expect(dayOf(start)).toBe(day);
          expect(dayOf(start - 1) < day).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Weekday } from '#domain/lines/line.ts';
import { isInSchedule, minutesUntilOpen, parseWindow, type ScheduleWindow, windowText } from './schedule.ts';

const at = (weekday: Weekday, time: string, day = '2026-11-25') => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { weekday, minuteOfDay: hour * 60 + minute, day };
};
const open = (window: string, weekday: Weekday, time: string): boolean =>
  isInSchedule(
    { activeFrom: null, activeUntil: null, windows: [parseWindow(window) as ScheduleWindow] },
    at(weekday, time),
  );

describe('the next time', () => {
  const until = (windows: readonly string[], activeFrom: string | null, activeUntil: string | null = null) =>
    minutesUntilOpen(
      { activeFrom, activeUntil, windows: windows.map((text) => parseWindow(text) as ScheduleWindow) },
      // A Wednesday.
      at(3, '20:00', '2026-11-25'),
    );

  test.each<[readonly string[], string | null, string | null, number | null]>([
    [['mon-fri 08:00-18:00'], null, null, 12 * 60],
    [['mon-fri 08:00-18:00', 'wed 21:30-22:00'], null, null, 90],
    [['wed 08:00-18:00'], null, null, 7 * 24 * 60 - 12 * 60],
    [['mon-fri 08:00-22:00'], null, null, null],
    [[], '2026-12-01', null, 5 * 24 * 60 + 4 * 60],
    [['fri 22:00-04:00'], '2026-12-05', null, 9 * 24 * 60 + 4 * 60],
    [['mon-fri 08:00-18:00'], '2026-12-05', null, 11 * 24 * 60 + 12 * 60],
    [['mon-fri 08:00-18:00'], null, '2026-11-26', null],
    [[], null, '2026-11-01', null],
  ])('%j from %s until %s', (windows, from, end, minutes) => {
    expect(until(windows, from, end)).toBe(minutes);
  });
});

describe('a weekly window', () => {
  test.each<[string, Weekday, string, boolean]>([
    ['mon-fri 08:00-18:00', 1, '08:00', true],
    ['mon-fri 08:00-18:00', 5, '17:59', true],
    ['mon-fri 08:00-18:00', 5, '18:00', false],
    ['mon-fri 08:00-18:00', 1, '07:59', false],
    ['mon-fri 08:00-18:00', 6, '12:00', false],
    ['sat-mon 10:00-14:00', 7, '10:00', true],
    ['sat-mon 10:00-14:00', 2, '10:00', false],
    ['fri 22:00-04:00', 5, '22:00', true],
    ['fri 22:00-04:00', 6, '03:59', true],
    ['fri 22:00-04:00', 6, '04:00', false],
    ['fri 22:00-04:00', 5, '03:00', false],
    ['sun 22:00-04:00', 1, '02:00', true],
    ['wed 00:00-24:00', 3, '23:59', true],
    ['wed 20:00-00:00', 4, '00:00', false],
  ])('%s on day %i at %s: %s', (window, weekday, time, isOpen) => {
    expect(open(window, weekday, time)).toBe(isOpen);
  });

  it('reads back as it is written', () => {
    const day = fc.integer({ min: 1, max: 7 }) as fc.Arbitrary<Weekday>;
    const windows = fc
      .record({
        fromDay: day,
        toDay: day,
        from: fc.integer({ min: 0, max: 1_439 }),
        to: fc.integer({ min: 1, max: 1_440 }),
      })
      .filter(({ from, to }) => from !== to);
    fc.assert(
      fc.property(windows, (window) => {
        expect(parseWindow(windowText(window))).toEqual(window);
      }),
    );
  });

  test.each([
    '',
    'mon',
    'mon 8-18',
    'mon-fri 08:00-08:00',
    'mon 25:00-26:00',
    'mon 08:60-09:00',
    'day 08:00-09:00',
  ])('is not %j', (text) => {
    expect(parseWindow(text)).toBeNull();
  });
});

describe('days', () => {
  const schedule = { activeFrom: '2026-11-20', activeUntil: '2026-12-24', windows: [] };
  test.each([
    ['2026-11-19', false],
    ['2026-11-20', true],
    ['2026-12-23', true],
    ['2026-12-24', false],
  ])('%s: %s', (day, isActive) => {
    expect(isInSchedule(schedule, at(3, '12:00', day))).toBe(isActive);
  });

  it('never match while the time of the shop is not known', () => {
    expect([isInSchedule(schedule, null), isInSchedule(null, null)]).toEqual([false, true]);
  });
});

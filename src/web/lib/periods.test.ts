import { expect, test } from 'vitest';
import { completeDays, daysOf, eachDay, namedPeriod, type PeriodName, periodBefore } from './periods.ts';

test.each<[PeriodName, string, string[], string[]]>([
  ['7', '2026-11-23', ['2026-11-17', '2026-11-23'], ['2026-11-10', '2026-11-16']],
  ['30', '2026-01-15', ['2025-12-17', '2026-01-15'], ['2025-11-17', '2025-12-16']],
  ['month', '2026-11-23', ['2026-11-01', '2026-11-23'], ['2026-10-01', '2026-10-23']],
  // February has no 30th.
  ['month', '2026-03-30', ['2026-03-01', '2026-03-30'], ['2026-02-01', '2026-02-28']],
  ['last-month', '2026-01-15', ['2025-12-01', '2025-12-31'], ['2025-11-01', '2025-11-30']],
])('%s on %s, and what it is compared with', (name, today, [from, to], [fromBefore, toBefore]) => {
  const period = namedPeriod(name, today);
  expect(period).toEqual({ from, to });
  expect(periodBefore(period, name)).toEqual({ from: fromBefore, to: toBefore });
});

test('chosen days are compared with as many days before them, over a change of the clocks', () => {
  const days = { from: '2026-10-30', to: '2026-11-02' };
  expect(daysOf(days)).toBe(4);
  expect(periodBefore(days, null)).toEqual({ from: '2026-10-26', to: '2026-10-29' });
  expect(eachDay(days)).toEqual(['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02']);
});

test('today is not compared, since it is not over', () => {
  const today = '2026-11-23';
  expect(completeDays({ from: '2026-11-17', to: '2026-11-23' }, today)).toEqual({
    from: '2026-11-17',
    to: '2026-11-22',
  });
  expect(completeDays({ from: '2026-11-01', to: '2026-11-02' }, today)).toEqual({
    from: '2026-11-01',
    to: '2026-11-02',
  });
  expect(completeDays({ from: '2026-11-23', to: '2026-11-23' }, today)).toBeNull();
});

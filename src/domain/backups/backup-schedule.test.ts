import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTimeOf } from '#domain/time/local-time.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import { isBackupDue, isBackupOverdue, isRetryDue, keptBackups, lastBackup } from './backup-schedule.ts';

const at = (text: string): Instant => instant(Date.parse(text));
const NEW_YORK = 'America/New_York';

describe('the backup of a day', () => {
  test.each([
    // 3:00 in New York is 7:00 UTC in summer.
    ['2026-06-01T08:00Z', '2026-06-01T23:00Z', false],
    ['2026-06-01T08:00Z', '2026-06-02T06:59Z', false],
    ['2026-06-01T08:00Z', '2026-06-02T07:00Z', true],
    ['2026-06-01T06:59Z', '2026-06-01T07:00Z', true],
    ['2026-06-01T08:00Z', '2026-06-09T01:00Z', true],
  ])('made at %s is due again at %s: %s', (last, now, isDue) => {
    expect(isBackupDue(at(last), at(now), 180, NEW_YORK)).toBe(isDue);
  });

  test('is due once a day, also on days on which the clocks change', () => {
    const zones = fc.constantFrom(NEW_YORK, 'Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo', null);
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 1439 }), (zone, minuteOfDay) => {
        let last = at('2026-03-01T00:00Z');
        const days: string[] = [];
        for (let now = last; now < at('2026-04-30T00:00Z'); now = instant(now + minutes(30))) {
          if (!isBackupDue(last, now, minuteOfDay, zone)) continue;
          last = now;
          days.push(localTimeOf(now, zone ?? 'UTC').day);
        }
        // A change at midnight may move one to the next day; none is lost or made twice.
        expect(days.length).toBeGreaterThanOrEqual(59);
        expect(days.length).toBeLessThanOrEqual(61);
      }),
      { numRuns: 3 },
    );
  });

  test('is tried again after waits that grow to four hours', () => {
    const waits = [1, 2, 3, 4, 5, 6, 50].map((failures) => {
      let wait = 0;
      while (!isRetryDue(instant(0), failures, instant(wait))) wait += minutes(5);
      return wait / minutes(1);
    });
    expect(waits).toEqual([15, 30, 60, 120, 240, 240, 240]);
  });

  test.each([
    [null, 9, 9],
    [5, 9, 5],
    [9, 5, 5],
    [-1, 9, 9],
    [-1, -2, null],
    [null, -1, null],
  ])(
    'counts from the last one, or the beginning of the schedule, but from no time in the future',
    (taken, since, from) => {
      const now = at('2026-06-09T01:00Z');
      const ago = (days: number) => instant(now - hours(24 * days));
      const last = lastBackup(taken === null ? null : ago(taken), ago(since), now);
      expect(last).toBe(from === null ? 0 : ago(from));
      expect(isBackupDue(last, now, 180, NEW_YORK)).toBe(true);
      expect(isBackupOverdue(last, now)).toBe(true);
    },
  );

  test('is tried again at once where it failed in the future, by a clock that was ahead', () => {
    expect(isRetryDue(instant(1), 5, instant(0))).toBe(true);
  });

  test('is overdue once two were missed', () => {
    expect(isBackupOverdue(instant(0), instant(hours(49)))).toBe(false);
    expect(isBackupOverdue(instant(0), instant(hours(51)))).toBe(true);
  });
});

describe('retention', () => {
  const NOW = at('2026-11-28T08:00Z');
  const backups = (from: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ takenAt: instant(at(from) - index * hours(24)) }));
  const daysOf = (kept: Iterable<{ takenAt: Instant }>) =>
    [...kept].map(({ takenAt }) => new Date(takenAt).toISOString().slice(0, 10)).sort();

  test('keeps the newest of each of the last days, weeks and months', () => {
    // A Saturday.
    const kept = keptBackups(
      backups('2026-11-28T08:00Z', 100),
      { daily: 3, weekly: 3, monthly: 3 },
      null,
      NOW,
    );
    expect(daysOf(kept)).toEqual([
      '2026-09-30',
      '2026-10-31',
      '2026-11-15',
      '2026-11-22',
      '2026-11-26',
      '2026-11-27',
      '2026-11-28',
    ]);
  });

  test('counts days that have a backup, so that a pause deletes nothing', () => {
    const [newest] = backups('2026-11-28T08:00Z', 1);
    const old = backups('2026-06-10T08:00Z', 3);
    const kept = keptBackups(
      [...old, ...(newest ? [newest] : [])],
      { daily: 3, weekly: 0, monthly: 0 },
      null,
      NOW,
    );
    expect(daysOf(kept)).toEqual(['2026-06-09', '2026-06-10', '2026-11-28']);
  });

  test('keeps those of the future, of a clock that was ahead, and counts none of them', () => {
    const all = [...backups('2026-11-28T08:00Z', 3), ...backups('2027-11-28T08:00Z', 2)];
    const kept = keptBackups(all, { daily: 1, weekly: 0, monthly: 0 }, null, NOW);
    expect(daysOf(kept)).toEqual(['2026-11-28', '2027-11-27', '2027-11-28']);
  });

  test('always keeps the newest, and never more than asked for', () => {
    const count = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 * 24 }), { minLength: 1, maxLength: 60 }),
        count,
        count,
        count,
        (ages, daily, weekly, monthly) => {
          const all = ages.map((age) => ({ takenAt: instant(at('2026-11-28T08:00Z') - hours(age)) }));
          const kept = keptBackups(all, { daily, weekly, monthly }, NEW_YORK, NOW);
          const newest = Math.max(...all.map(({ takenAt }) => takenAt));
          expect([...kept].some(({ takenAt }) => takenAt === newest)).toBe(true);
          expect(kept.size).toBeLessThanOrEqual(Math.max(1, daily) + weekly + monthly);
        },
      ),
    );
  });
});

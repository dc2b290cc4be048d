import { dayNumber } from '#domain/time/day-number.ts';
import { shopTime } from '#domain/time/local-time.ts';
import { mondayOf } from '#domain/time/week.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';

const FIRST_WAIT = minutes(15);
const LONGEST_WAIT = hours(4);
/** Two missed days, or two days of failures. */
const OVERDUE = hours(50);

/**
 * Whether the backup of the day is due: the time of day has passed since the last one. Counted by the shop's calendar, so
 * that a change of the clocks neither skips nor repeats one, and what was missed while the machine was off is made up for.
 * @param last when the last backup was made, or when the schedule began
 * @param minuteOfDay 0 to 1439
 * @param zone null: UTC
 */
export function isBackupDue(last: Instant, now: Instant, minuteOfDay: number, zone: string | null): boolean {
  return backupDay(now, minuteOfDay, zone) > backupDay(last, minuteOfDay, zone);
}

/** The day of the shop whose time of day was the last to pass, as a number. */
function backupDay(at: Instant, minuteOfDay: number, zone: string | null): number {
  const local = shopTime(at, zone);
  return dayNumber(local.day) - (local.minuteOfDay >= minuteOfDay ? 0 : 1);
}

/** Whether a backup that failed is tried again now. @param failures in a row, at least one */
export function isRetryDue(failedAt: Instant, failures: number, now: Instant): boolean {
  // A clock that was set back must not delay it.
  return now < failedAt || now - failedAt >= Math.min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT);
}

/**
 * The time from which the next backup counts; long ago where none is known. One in the future, by a clock that was ahead, is
 * none: then a backup is due, and overdue if it is not made.
 * @param since when the schedule was turned on
 */
export function lastBackup(lastTakenAt: Instant | null, since: Instant, now: Instant): Instant {
  const known = [lastTakenAt ?? since, since].filter((at) => at <= now);
  return instant(Math.max(0, ...known));
}

/** Whether there has been no backup for more than two days. @param last as for {@link isBackupDue} */
export function isBackupOverdue(last: Instant, now: Instant): boolean {
  return now - last > OVERDUE;
}

/** How many backups stay. */
export interface Retention {
  /** At least one. */
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

/**
 * The backups that stay: the newest of each of the last days, weeks (from Monday) and months that have one. The newest one
 * of all always does. Those of the future, by a clock that was ahead, stay too and count for nothing: else each new one would be
 * deleted as the oldest.
 * @param zone null: UTC
 */
export function keptBackups<Backup extends { readonly takenAt: Instant }>(
  backups: readonly Backup[],
  { daily, weekly, monthly }: Retention,
  zone: string | null,
  now: Instant,
): ReadonlySet<Backup> {
  const newestFirst = backups.filter(({ takenAt }) => takenAt <= now).sort((a, b) => b.takenAt - a.takenAt);
  const ahead = backups.filter(({ takenAt }) => takenAt > now);
  const kept = new Set([...ahead, ...newestFirst.slice(0, 1)]);
  const periods = [
    [Math.max(1, daily), (day: string) => day],
    [weekly, mondayOf],
    [monthly, (day: string) => day.slice(0, 7)],
  ] as const;
  for (const [count, periodOf] of periods) {
    const seen = new Set<string>();
    for (const backup of newestFirst) {
      const period = periodOf(shopTime(backup.takenAt, zone).day);
      if (seen.has(period)) continue;
      if (seen.size === count) break;
      seen.add(period);
      kept.add(backup);
    }
  }
  return kept;
}

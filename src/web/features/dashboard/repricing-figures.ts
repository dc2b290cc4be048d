import type { RepricingDays } from '#contract/charts.ts';
import type { Period } from '#web/lib/periods.ts';

type Day = RepricingDays['days'][number];

/** Sums of days; a share in percent is null where no buy box was checked. */
export interface RepricingSums {
  readonly raised: number;
  readonly lowered: number;
  readonly checks: number;
  readonly share: number | null;
}

/** The days of a period. */
export function daysWithin(days: readonly Day[], { from, to }: Period): readonly Day[] {
  return days.filter(({ day }) => day >= from && day <= to);
}

/** How often the buy box was ours, in percent; null without a check. */
export function shareOf({ checks, wins }: Pick<Day, 'checks' | 'wins'>): number | null {
  return checks === 0 ? null : (100 * wins) / checks;
}

/** The sums of days. */
export function repricingSums(days: readonly Day[]): RepricingSums {
  const sum = (of: (day: Day) => number): number => days.reduce((total, day) => total + of(day), 0);
  const checks = sum((day) => day.checks);
  return {
    raised: sum(({ raised }) => raised),
    lowered: sum(({ lowered }) => lowered),
    checks,
    share: shareOf({ checks, wins: sum(({ wins }) => wins) }),
  };
}

/** Percentage points between two shares, such as "3.1"; null where one is unknown. */
export function pointsBetween(now: number | null, before: number | null): string | null {
  return now === null || before === null ? null : (now - before).toFixed(2);
}

/** The change of a count in percent, such as "-12.50"; null without an earlier one. */
export function percentBetween(now: number, before: number): string | null {
  return before === 0 ? null : ((100 * (now - before)) / before).toFixed(2);
}

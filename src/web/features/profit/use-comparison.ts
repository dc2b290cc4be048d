import { useQuery } from '@tanstack/react-query';
import type { ProfitSums } from '#contract/sales.ts';
import { completeDays, type Period, type PeriodName, periodBefore } from '#web/lib/periods.ts';
import { dayRangeText } from '#web/ui/day-range.tsx';
import { sumQuery } from './queries.ts';

/** Two sums to compare. */
export interface Comparison {
  readonly now: ProfitSums;
  readonly before: ProfitSums;
  /** "on Oct 2 to Oct 24, without today" */
  readonly since: string;
}

/**
 * The complete days of a period and those before it: a day that is not over would look like a fall.
 * @param now epoch milliseconds
 * @returns null until both are loaded, and for today alone
 */
export function useComparison(
  period: Period & { readonly name: PeriodName | null },
  marketplace: string | undefined,
  now: number,
): Comparison | null {
  const complete = completeDays(period, now);
  const days = complete ?? period;
  const before = periodBefore(days, period.name);
  const sumNow = useQuery({ ...sumQuery(days, marketplace), enabled: complete !== null });
  const sumBefore = useQuery({ ...sumQuery(before, marketplace), enabled: complete !== null });
  if (complete === null || sumNow.data === undefined || sumBefore.data === undefined) return null;
  const isShorter = complete.to !== period.to;
  return {
    now: sumNow.data.sum,
    before: sumBefore.data.sum,
    since: `on ${dayRangeText(before)}${isShorter ? ', without today' : ''}`,
  };
}

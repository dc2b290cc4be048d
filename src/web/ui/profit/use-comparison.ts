import { useQuery } from '@tanstack/react-query';
import type { ProfitSums } from '#contract/profit-sums.ts';
import { completeDays, type Period, type PeriodName, periodBefore } from '#web/lib/periods.ts';
import { dayRangeText } from '#web/ui/day-range.tsx';
import { sumQuery } from './sum-query.ts';

/** Two sums to compare, and those of each marketplace. */
export interface Comparison {
  readonly now: ProfitSums;
  readonly before: ProfitSums;
  readonly byMarketplace: ReadonlyMap<string, { readonly now: ProfitSums; readonly before: ProfitSums }>;
  /** "Oct 2 to Oct 24, without today" */
  readonly since: string;
}

/**
 * The complete days of a period and those before it: a day that is not over would look like a fall.
 * @returns null for today alone and when loading failed, undefined until both are loaded
 */
export function useComparison(
  period: Period & { readonly name: PeriodName | null },
  marketplace: string | undefined,
  today: string,
): Comparison | null | undefined {
  const complete = completeDays(period, today);
  const days = complete ?? period;
  const before = periodBefore(days, period.name);
  const sumNow = useQuery({ ...sumQuery(days, marketplace), enabled: complete !== null });
  const sumBefore = useQuery({ ...sumQuery(before, marketplace), enabled: complete !== null });
  if (complete === null || sumNow.isError || sumBefore.isError) return null;
  if (sumNow.data === undefined || sumBefore.data === undefined) return undefined;
  const earlier = new Map(sumBefore.data.rows.map((row) => [row.key, row]));
  const both = sumNow.data.rows.flatMap((now) => {
    const then = earlier.get(now.key);
    return then === undefined ? [] : [[now.key, { now, before: then }] as const];
  });
  const isShorter = complete.to !== period.to;
  return {
    now: sumNow.data.sum,
    before: sumBefore.data.sum,
    byMarketplace: new Map(both),
    since: `${dayRangeText(before)}${isShorter ? ', without today' : ''}`,
  };
}

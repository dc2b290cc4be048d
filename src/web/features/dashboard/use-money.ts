import { useQuery } from '@tanstack/react-query';
import { completeDays, namedPeriod, periodBefore } from '#web/lib/periods.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { useNow } from '#web/ui/moment-text.tsx';
import { belowMinimumQuery, profitQuery, sumQuery } from '#web/ui/profit/sum-query.ts';
import { useComparison } from '#web/ui/profit/use-comparison.ts';

export const MONEY_PERIODS = ['7', '30', '90'] as const;
export type MoneyPeriod = (typeof MONEY_PERIODS)[number];

/** The sales of the last days: what is shown, and whether it is loading for the first time. */
export function useMoney() {
  const { params, set } = useUrlParams();
  const now = useNow();
  const name = oneOf(MONEY_PERIODS, params.sales, '30');
  const period = namedPeriod(name, now);
  const query = useQuery(sumQuery(period));
  const comparison = useComparison({ ...period, name }, undefined, now);
  const below = useQuery(belowMinimumQuery(period));
  // A day that is not over would look like a fall.
  const days = completeDays(period, now) ?? period;
  const before = periodBefore(days, name);
  const byDay = useQuery(profitQuery({ group: 'day', ...days, size: '100' }));
  const byDayBefore = useQuery(profitQuery({ group: 'day', ...before, size: '100' }));
  const choose = (next: MoneyPeriod): void => set({ sales: next === '30' ? undefined : next });
  const isPending =
    query.isPending ||
    below.isPending ||
    byDay.isPending ||
    byDayBefore.isPending ||
    comparison === undefined;
  return {
    name,
    query,
    comparison: comparison ?? null,
    below: below.data,
    choose,
    isPending,
    days,
    before,
    byDay,
    byDayBefore,
  };
}

export type Money = ReturnType<typeof useMoney>;

/** Whether there is anything to show: a sale, or a charge without one. */
export function hasMoney({ query, name }: Money): boolean {
  const sum = query.data?.sum;
  return sum !== undefined && (sum.sales > 0 || sum.profit !== null || name !== '30');
}

import { useQuery } from '@tanstack/react-query';
import { completeDays, namedPeriod, periodBefore } from '#web/lib/periods.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { belowMinimumQuery, profitQuery, sumQuery } from '#web/ui/profit/sum-query.ts';
import { useComparison } from '#web/ui/profit/use-comparison.ts';
import { useToday } from '#web/ui/shop-days.ts';
import { repricingQuery } from './queries.ts';

export const MONEY_PERIODS = ['7', '30', '90'] as const;
export type MoneyPeriod = (typeof MONEY_PERIODS)[number];

/** The sales and price changes of the last days: what is shown, and whether it is loading for the first time. */
export function useMoney() {
  const { params, set } = useUrlParams();
  const today = useToday();
  const name = oneOf(MONEY_PERIODS, params.sales, '30');
  const period = namedPeriod(name, today);
  const query = useQuery(sumQuery(period));
  const comparison = useComparison({ ...period, name }, undefined, today);
  const below = useQuery(belowMinimumQuery(period));
  // A day that is not over would look like a fall.
  const days = completeDays(period, today) ?? period;
  const before = periodBefore(days, name);
  const belowNow = useQuery(belowMinimumQuery(days));
  const belowBefore = useQuery(belowMinimumQuery(before));
  const repricing = useQuery(repricingQuery({ from: before.from, to: period.to }));
  const byRule = useQuery(profitQuery({ group: 'rule', ...days, size: '25' }));
  const byRuleBefore = useQuery(profitQuery({ group: 'rule', ...before, size: '400' }));
  const byDay = useQuery(profitQuery({ group: 'day', ...days, size: '100' }));
  const byDayBefore = useQuery(profitQuery({ group: 'day', ...before, size: '100' }));
  const choose = (next: MoneyPeriod): void => set({ sales: next === '30' ? undefined : next });
  const isPending =
    query.isPending ||
    below.isPending ||
    byDay.isPending ||
    byDayBefore.isPending ||
    belowNow.isPending ||
    belowBefore.isPending ||
    repricing.isPending ||
    byRule.isPending ||
    byRuleBefore.isPending ||
    comparison === undefined;
  return {
    name,
    query,
    comparison: comparison ?? null,
    below: below.data,
    belowNow: belowNow.data,
    belowBefore: belowBefore.data,
    repricing,
    byRule,
    byRuleBefore,
    period,
    choose,
    isPending,
    days,
    before,
    byDay,
    byDayBefore,
  };
}

export type Money = ReturnType<typeof useMoney>;

/** Whether anything was repriced, or any buy box checked. */
export function hasRepricing({ repricing }: Money): boolean {
  return repricing.data?.days.some(({ raised, lowered, checks }) => raised + lowered + checks > 0) ?? false;
}

/** Whether there is anything to show of sales: a sale, or a charge without one. */
export function hasMoney({ query, name }: Money): boolean {
  const sum = query.data?.sum;
  return sum !== undefined && (sum.sales > 0 || sum.profit !== null || name !== '30');
}

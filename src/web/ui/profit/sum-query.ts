import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { Profit } from '#contract/sales.ts';
import { call } from '#web/lib/api.ts';
import { queryText } from '#web/lib/list-state.ts';
import type { Period } from '#web/lib/periods.ts';

export const PROFIT_KEY = ['profit'] as const;

/** Sums of sales, as asked for. */
export function profitQuery(params: Readonly<Record<string, string | undefined>>) {
  const text = queryText(params);
  return queryOptions({
    queryKey: [...PROFIT_KEY, text] as const,
    queryFn: () => call(Profit, 'GET', `/api/profit${text}`),
    placeholderData: keepPreviousData,
  });
}

/** The sums of a period by marketplace, and of all of them. */
export function sumQuery({ from, to }: Period, marketplace?: string) {
  return profitQuery({ group: 'marketplace', from, to, marketplace, size: '25' });
}

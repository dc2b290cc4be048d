import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { Profit, SalesPage } from '#contract/sales.ts';
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

/** The sales of a period that earned less than their minimum margin: how many, and how much they lack. */
export function belowMinimumQuery({ from, to }: Period) {
  const text = queryText({ below: 'true', from, to, size: '25' });
  return queryOptions({
    queryKey: [...PROFIT_KEY, 'below', text] as const,
    queryFn: () => call(SalesPage, 'GET', `/api/sales${text}`),
    placeholderData: keepPreviousData,
  });
}

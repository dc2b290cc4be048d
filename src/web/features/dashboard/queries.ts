import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Coverage, MoneyLine, Setup } from '#contract/start.ts';
import { Stats } from '#contract/stats.ts';
import { call } from '#web/lib/api.ts';

/** The figures of the Dashboard; null when the server has none. */
export const statsQuery = queryOptions({
  queryKey: ['stats'] as const,
  queryFn: () => call(Stats.nullable(), 'GET', '/api/stats'),
});

export const setupQuery = queryOptions({
  queryKey: ['setup'] as const,
  queryFn: () => call(Setup, 'GET', '/api/setup'),
  // Steps are taken on other screens: whoever comes back wants to see them ticked off.
  staleTime: 0,
});

export const coverageQuery = queryOptions({
  queryKey: ['coverage'] as const,
  queryFn: () => call(Coverage, 'GET', '/api/coverage'),
  staleTime: 0,
});

export const moneyQuery = queryOptions({
  queryKey: ['money'] as const,
  queryFn: () => call(MoneyLine, 'GET', '/api/money'),
  staleTime: 0,
});

/** Closes the set-up card for everybody. */
export function useDismissSetup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(Setup, 'POST', '/api/setup/dismiss'),
    onSuccess: (setup) => client.setQueryData(setupQuery.queryKey, setup),
  });
}

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Attention } from '#contract/attention.ts';
import { type ChartDays, MarginDistribution, PriceDays, RepricingDays, Today } from '#contract/charts.ts';
import { Coverage, Setup } from '#contract/setup.ts';
import { Stats } from '#contract/stats.ts';
import { call } from '#web/lib/api.ts';
import { queryText } from '#web/lib/list-state.ts';
import { readersZone } from '#web/lib/moments.ts';
import type { Period } from '#web/lib/periods.ts';
import { PROFIT_KEY } from '#web/ui/profit/sum-query.ts';

/** The figures of the Dashboard; null if the server has none. */
export const statsQuery = queryOptions({
  queryKey: ['stats'] as const,
  queryFn: () => call(Stats.nullable(), 'GET', '/api/stats'),
});

export const setupQuery = queryOptions({
  queryKey: ['setup'] as const,
  queryFn: () => call(Setup, 'GET', '/api/setup'),
  // Not cached: steps are completed on other screens.
  staleTime: 0,
});

export const coverageQuery = queryOptions({
  queryKey: ['coverage'] as const,
  queryFn: () => call(Coverage, 'GET', '/api/coverage'),
  staleTime: 0,
});

export const attentionQuery = queryOptions({
  queryKey: ['attention'] as const,
  queryFn: () => call(Attention, 'GET', '/api/attention'),
  staleTime: 0,
});

const CHARTS_KEY = ['charts'] as const;

export const marginsQuery = queryOptions({
  queryKey: [...CHARTS_KEY, 'margins'] as const,
  queryFn: () => call(MarginDistribution, 'GET', '/api/charts/margins'),
  staleTime: 0,
});

/** Days start at local midnight. */
export const priceDaysQuery = (days: ChartDays) => {
  const zone = readersZone();
  return queryOptions({
    queryKey: [...CHARTS_KEY, 'price-changes', days, zone] as const,
    queryFn: () => call(PriceDays, 'GET', `/api/charts/price-changes${queryText({ days, zone })}`),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
};

/** Price changes and won buy boxes of each day. */
export const repricingQuery = ({ from, to }: Period) => {
  const zone = readersZone();
  return queryOptions({
    queryKey: [...CHARTS_KEY, 'repricing', from, to, zone] as const,
    queryFn: () => call(RepricingDays, 'GET', `/api/charts/repricing${queryText({ from, to, zone })}`),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
};

/** What runs changed since local midnight. */
export const todayQuery = () => {
  const zone = readersZone();
  return queryOptions({
    queryKey: [...CHARTS_KEY, 'today', zone] as const,
    queryFn: () => call(Today, 'GET', `/api/charts/today${queryText({ zone })}`),
    staleTime: 0,
  });
};

/** Everything on the Dashboard that Refresh reloads, except the figures. */
export const AROUND_STATS = [
  coverageQuery.queryKey,
  attentionQuery.queryKey,
  CHARTS_KEY,
  PROFIT_KEY,
] as const;

/** Hides the setup card for all users. */
export function useDismissSetup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(Setup, 'POST', '/api/setup/dismiss'),
    onSuccess: (setup) => client.setQueryData(setupQuery.queryKey, setup),
  });
}

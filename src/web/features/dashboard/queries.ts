import { queryOptions } from '@tanstack/react-query';
import { Stats } from '#contract/stats.ts';
import { call } from '#web/lib/api.ts';

/** The figures of the Dashboard; null when the server has none. */
export const statsQuery = queryOptions({
  queryKey: ['stats'] as const,
  queryFn: () => call(Stats.nullable(), 'GET', '/api/stats'),
});

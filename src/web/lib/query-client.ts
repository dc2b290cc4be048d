import { QueryClient } from '@tanstack/react-query';

/**
 * Data never goes stale automatically, nothing is retried and nothing refetches on focus: screens show how old
 * their figures are and offer a refresh. `always`: a server on this machine answers without a network.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

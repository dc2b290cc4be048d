import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { ConnectionCheck, ConnectionList } from '#contract/connections.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';

/** How each marketplace is reached, and what its last test found. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections'] as const,
  queryFn: () => call(ConnectionList, 'GET', '/api/connections'),
});

/** Tests a connection with the stored keys. A failure in the answer is an answer. */
export function useConnectionCheck(
  marketplace: Marketplace,
): UseMutationResult<ConnectionCheck, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(ConnectionCheck, 'POST', `/api/connections/${marketplace}/check`),
    onSuccess: () => client.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  });
}

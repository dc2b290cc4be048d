import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { ConnectionCheck, ConnectionList, SyncRequested } from '#contract/connections.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';

/** How each marketplace is reached, what its last test found and what was last read. */
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

/** Asks for a reading of everything that a marketplace tells. It is done in the background. */
export function useAskForReading(marketplace: Marketplace): UseMutationResult<SyncRequested, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(SyncRequested, 'POST', `/api/connections/${marketplace}/read`),
    onSuccess: () => client.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  });
}

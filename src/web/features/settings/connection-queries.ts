import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  ConnectionCheck,
  ConnectionList,
  OfferRefresh,
  PassedOverRows,
  SyncRequested,
} from '#contract/connections.ts';
import { AccountDeletionSettings } from '#contract/webhooks.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';

/** Connection of each marketplace, the result of its last test, and its last syncs. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections'] as const,
  queryFn: () => call(ConnectionList, 'GET', '/api/connections'),
});

/** What eBay's form for messages about deleted accounts asks for. */
export const accountDeletionQuery = queryOptions({
  queryKey: ['connections', 'ebay', 'account-deletion'] as const,
  queryFn: () => call(AccountDeletionSettings, 'GET', '/api/connections/ebay/account-deletion'),
});

/** The rows that the last syncs of a marketplace did not take. @param endedAt of the sync that the user looks at */
export function passedOverQuery(marketplace: Marketplace, endedAt: string) {
  return queryOptions({
    queryKey: ['connections', marketplace, 'passed-over', endedAt] as const,
    queryFn: () => call(PassedOverRows, 'GET', `/api/connections/${marketplace}/passed-over`),
  });
}

/** How often competitors are read on a marketplace, and how long an offer counts there. */
export function offerRefreshQuery(marketplace: Marketplace) {
  return queryOptions({
    queryKey: ['connections', marketplace, 'refresh'] as const,
    queryFn: () => call(OfferRefresh, 'GET', `/api/connections/${marketplace}/refresh`),
  });
}

/** Tests a connection with the stored credentials. A failed test is a result, not an error. */
export function useConnectionCheck(
  marketplace: Marketplace,
): UseMutationResult<ConnectionCheck, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(ConnectionCheck, 'POST', `/api/connections/${marketplace}/check`),
    onSuccess: () => client.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  });
}

/** Requests a full sync of a marketplace, which runs in the background. */
export function useRequestSync(marketplace: Marketplace): UseMutationResult<SyncRequested, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(SyncRequested, 'POST', `/api/connections/${marketplace}/sync`),
    onSuccess: () => client.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  });
}

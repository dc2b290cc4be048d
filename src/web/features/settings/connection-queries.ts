import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  ConnectionCheck,
  ConnectionList,
  OfferRefresh,
  PassedOverRows,
  SyncRequested,
} from '#contract/connections.ts';
import { ListingMigrations, MigrationRequested } from '#contract/listing-migrations.ts';
import { AccountDeletionSettings } from '#contract/marketplace-events.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';

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

/** eBay listings outside of its Inventory model, and what became of those that were to be moved. @param search of the user */
export function migrationsQuery(search = '') {
  return queryOptions({
    queryKey: ['connections', 'ebay', 'migrations', search] as const,
    queryFn: () =>
      call(ListingMigrations, 'GET', `/api/connections/ebay/migrations?search=${encodeURIComponent(search)}`),
  });
}

/** Asks for eBay listings to be moved into its Inventory model, for good. */
export function useRequestMigration(): UseMutationResult<unknown, Error, readonly string[]> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (itemIds) =>
      callWithStepUp(MigrationRequested, 'POST', '/api/connections/ebay/migrations', {
        itemIds,
        count: itemIds.length,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ['connections', 'ebay', 'migrations'] }),
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

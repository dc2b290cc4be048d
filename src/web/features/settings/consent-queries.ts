import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { ConnectionCheck, ConsentPage, ConsentTaken } from '#contract/connections.ts';
import type { Consented } from '#domain/connections/credentials.ts';
import { call } from '#web/lib/api.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { connectionsQuery } from './connection-queries.ts';
import { settingsQuery } from './queries.ts';

/** Opens the marketplace's consent page. */
export function useLeaveForConsent(marketplace: Consented): UseMutationResult<void, Error, void> {
  return useMutation({
    mutationFn: async () => {
      const { address } = await callWithStepUp(
        ConsentPage,
        'POST',
        `/api/connections/${marketplace}/consent`,
      );
      window.location.assign(address);
    },
  });
}

/**
 * Sends the address that the consent page returned to, and tests the connection; null if it could not
 * be tested.
 */
export function useBringConsent(
  marketplace: Consented,
): UseMutationResult<ConnectionCheck | null, Error, { readonly address: string }> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (answer) => {
      await callWithStepUp(ConsentTaken, 'POST', `/api/connections/${marketplace}/consent/answer`, answer);
      // The consent is stored, whatever the result of the test.
      return call(ConnectionCheck, 'POST', `/api/connections/${marketplace}/check`).catch(() => null);
    },
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: settingsQuery.queryKey });
      await client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
    },
  });
}

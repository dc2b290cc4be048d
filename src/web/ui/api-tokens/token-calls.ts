import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type ApiToken, ApiTokens, MadeApiToken, type MakeApiToken } from '#contract/api-tokens.ts';
import { Done } from '#contract/users.ts';
import { call, errorText } from '#web/lib/api.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';

const TOKENS_KEY = ['api-tokens'] as const;

/** The API tokens of the logged-in user. */
export const ownTokensQuery = queryOptions({
  queryKey: [...TOKENS_KEY, 'own'],
  queryFn: () => call(ApiTokens, 'GET', '/api/tokens'),
});

/** The API tokens of all users, for administrators. */
export const allTokensQuery = queryOptions({
  queryKey: [...TOKENS_KEY, 'all'],
  queryFn: () => call(ApiTokens, 'GET', '/api/tokens/all'),
});

/** Creates a token after the password. It is kept only in the dialog that shows it. */
export function useMakeToken(): UseMutationResult<MadeApiToken, Error, z.input<typeof MakeApiToken>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form) => callWithStepUp(MadeApiToken, 'POST', '/api/tokens', form),
    // Not awaited: the token is shown only once, so a failure here must not hide it.
    onSuccess: () => void client.invalidateQueries({ queryKey: TOKENS_KEY }),
    gcTime: 0,
  });
}

/** Revokes a token at once. */
export function useRevokeToken(onDone: () => void): UseMutationResult<unknown, Error, ApiToken> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }) => call(Done, 'DELETE', `/api/tokens/${id}`),
    onSuccess: (_, { name }) => toast('API token revoked', `${name} has no access from now on.`),
    onError: (error) => toast('Could not revoke the API token', errorText(error), 'destructive'),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: TOKENS_KEY });
      onDone();
    },
  });
}

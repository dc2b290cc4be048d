import { queryOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { LoginWays, ProviderPage } from '#contract/identity-provider.ts';
import { call, callOnce } from './api.ts';

/** How users log in here. */
export const loginWaysQuery = queryOptions({
  queryKey: ['login-ways'],
  queryFn: () => callOnce(LoginWays, 'GET', '/api/openid'),
  // The forms come without it: the server may be of an earlier release, or restart.
  retry: false,
});

/** Our page that logs in at the identity provider again to confirm an action, in a tab of its own. */
export const CONFIRM_PATH = '/auth/confirm';

/** Leaves for the login page of the identity provider, and comes back to a page of ours. */
export function useLeaveForProvider(purpose: 'login' | 'step-up'): UseMutationResult<void, Error, string> {
  return useMutation({
    mutationFn: async (returnTo) => {
      const { address } = await call(ProviderPage, 'POST', `/api/openid/${purpose}`, { returnTo });
      window.location.assign(address);
    },
  });
}

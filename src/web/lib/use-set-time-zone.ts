import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { Settings } from '#contract/settings.ts';
import { call } from './api.ts';
import { callWithStepUp } from './step-up.ts';

/** What shows the time zone, or times that count in it. */
const SHOWN_IN = [['settings'], ['rules', 'list'], ['imports']] as const;

/** Sets where the store is and leaves its other settings as they are; for administrators. */
export function useSetTimeZone(): UseMutationResult<Settings, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (timeZone) => {
      const settings = await call(Settings, 'GET', '/api/settings');
      return callWithStepUp(Settings, 'PUT', '/api/settings', { ...settings, timeZone });
    },
    onSuccess: () => Promise.all(SHOWN_IN.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

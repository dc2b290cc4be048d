import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { VeeqoCheck, VeeqoSync } from '#contract/settings.ts';
import { call } from '#web/lib/api.ts';
import { markOld } from '#web/lib/live-changes.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { settingsQuery } from './queries.ts';
import { SYNC_FAILED, syncDoneText, syncFailureText } from './veeqo-sync-text.ts';

/** Syncs the SKUs of Veeqo. A failure reported in the response counts as an error. */
export function useVeeqoSync(): UseMutationResult<VeeqoSync, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const result = await callWithStepUp(VeeqoSync, 'POST', '/api/veeqo/sync');
      if (!result.success) throw new Error(result.error ?? SYNC_FAILED);
      return result;
    },
    onSuccess: async (result) => {
      const { lastSync } = result;
      client.setQueryData(
        settingsQuery.queryKey,
        (stored) =>
          stored && {
            ...stored,
            settings: { ...stored.settings, veeqo: { ...stored.settings.veeqo, lastSync } },
          },
      );
      toast('Sync completed', syncDoneText(result));
      await markOld(client, settingsQuery.queryKey[0]);
    },
    onError: (error) => toast('Sync failed', syncFailureText(error), 'destructive'),
  });
}

/** Whether Veeqo responds and accepts the stored API key. */
export function useVeeqoCheck(): UseMutationResult<VeeqoCheck, Error, void> {
  return useMutation({ mutationFn: () => call(VeeqoCheck, 'POST', '/api/veeqo/check') });
}

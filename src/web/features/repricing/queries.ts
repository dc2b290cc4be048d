import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { call, errorText } from '#web/lib/api.ts';
import { ENGINE_KEY } from '#web/lib/engine.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { HALTED_TEXT } from './halted-text.tsx';

type Act<Sent> = {
  send: (sent: Sent) => Promise<unknown>;
  /** Title of the toast if it fails. */
  failed: string;
  done?: (sent: Sent) => void;
};

// The bar shows the new state before the button stops pending.
function useRepricingAction<Sent>({
  send,
  failed,
  done,
}: Act<Sent>): UseMutationResult<unknown, Error, Sent> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (_, sent) => {
      await client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] });
      done?.(sent);
    },
    onError: (error) => toast(failed, errorText(error), 'destructive'),
  });
}

/** Stops every decision and every send, at once. */
export function useHalt(): UseMutationResult<unknown, Error, void> {
  return useRepricingAction({
    send: () => call(z.unknown(), 'POST', '/api/engine/halt', {}),
    failed: 'Could not halt repricing',
    done: () => toast('Repricing halted', HALTED_TEXT),
  });
}

/** Resumes repricing with the preview that was shown; without one if no marketplace is live. Admins only. */
export function useResume(): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token) =>
      callWithStepUp(z.unknown(), 'POST', '/api/engine/resume', token === null ? {} : { token }),
    onSuccess: () => client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] }),
  });
}

/** Starts a run now instead of at the next check. */
export function useRepriceNow(): UseMutationResult<unknown, Error, void> {
  return useRepricingAction({
    send: () => call(z.unknown(), 'POST', '/api/runs'),
    failed: 'Could not start repricing',
    done: () => toast('Repricing started', 'Follow the progress in the header.'),
  });
}

/** Switches to recommend only: prices need review. */
export function useRecommendOnly(): UseMutationResult<unknown, Error, Marketplace> {
  return useRepricingAction({
    send: (marketplace: Marketplace) =>
      call(z.unknown(), 'POST', '/api/engine/recommend-only', { marketplaces: [marketplace] }),
    failed: 'Could not switch to recommend only',
    done: (marketplace) =>
      toast(
        `${MARKETPLACE_NAMES[marketplace]} is set to recommend only`,
        'New prices are recommended and need your review.',
      ),
  });
}

type GoLiveRequest = { marketplaces: readonly Marketplace[]; token: string; fallen: number };

/** Goes live: prices are applied automatically. The caller handles an error: the preview may have changed. */
export function useGoLive(): UseMutationResult<unknown, Error, GoLiveRequest> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request) => callWithStepUp(z.unknown(), 'POST', '/api/engine/go-live', request),
    onSuccess: async () => {
      // Updates the setup card on the Dashboard, which may have started this.
      void client.invalidateQueries({ queryKey: ['setup'] });
      await client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] });
    },
  });
}

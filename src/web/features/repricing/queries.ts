import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { call, errorText } from '#web/lib/api.ts';
import { ENGINE_KEY } from '#web/lib/engine.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';

type Act<Sent> = {
  send: (sent: Sent) => Promise<unknown>;
  /** The title of the toast when it is refused. */
  failed: string;
  done?: (sent: Sent) => void;
};

// The bar shows the new state before a button says it is done with it.
function useEngineAct<Sent>({ send, failed, done }: Act<Sent>): UseMutationResult<unknown, Error, Sent> {
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

/** What a halt means, said when it begins. */
export const HALTED_WORDS =
  'No new prices are sent until an administrator resumes repricing. Prices already on their way may still go live.';

/** Stops every decision and every send, at once. */
export function useHalt(): UseMutationResult<unknown, Error, void> {
  return useEngineAct({
    send: () => call(z.unknown(), 'POST', '/api/engine/halt', {}),
    failed: 'Could not halt repricing',
    done: () => toast('Repricing halted', HALTED_WORDS),
  });
}

/** Lets the engine go on, with the plan that was looked at; without one where nothing is armed. Admins only. */
export function useResume(): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token) =>
      callWithStepUp(z.unknown(), 'POST', '/api/engine/resume', token === null ? {} : { token }),
    onSuccess: () => client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] }),
  });
}

/** Decides every listing now instead of at the next check. */
export function useRepriceNow(): UseMutationResult<unknown, Error, void> {
  return useEngineAct({
    send: () => call(z.unknown(), 'POST', '/api/runs'),
    failed: 'Could not start repricing',
    done: () => toast('Repricing started', 'Follow the progress in the bar below the header.'),
  });
}

/** Prices are recommended from now on, and need review. */
export function useRecommendOnly(): UseMutationResult<unknown, Error, Marketplace> {
  return useEngineAct({
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

/** Prices are applied automatically from now on. The caller handles a refusal: the plan may have changed. */
export function useGoLive(): UseMutationResult<unknown, Error, GoLiveRequest> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request) => callWithStepUp(z.unknown(), 'POST', '/api/engine/go-live', request),
    onSuccess: async () => {
      // A step of the set-up card on the Dashboard, which this may have been done from.
      void client.invalidateQueries({ queryKey: ['setup'] });
      await client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] });
    },
  });
}

import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { type ArmPlan, PlanLine } from '#contract/engine.ts';
import { PRICE_FILE_HELD_BACK, PRICE_FILE_MOMENT, PriceFileCleared } from '#contract/price-file.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { call, callLines, download, errorText, NoAnswerError } from '#web/lib/api.ts';
import { saveFile } from '#web/lib/download.ts';
import { ENGINE_KEY } from '#web/lib/engine.ts';
import { countOf } from '#web/lib/format.ts';
import { callProved } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';

/** How far a plan is made. */
export type PlanProgress = Extract<PlanLine, { kind: 'progress' }>;

/**
 * What arming these would do now. Made anew each time it is looked at: a plan is only good while nothing moves. Its
 * key stands apart from the engine's, so that no batch of a run makes a plan that somebody reads go away.
 */
export function usePlan(marketplaces: readonly Marketplace[]): {
  plan: UseQueryResult<ArmPlan>;
  /** Null until the first word, and for a plan of one page. */
  progress: PlanProgress | null;
} {
  const [progress, setProgress] = useState<PlanProgress | null>(null);
  const plan = useQuery({
    queryKey: ['engine plan', ...marketplaces] as const,
    queryFn: async ({ signal }) => {
      setProgress(null);
      const path = `/api/engine/plan?marketplaces=${marketplaces.join(',')}`;
      const made: ArmPlan[] = [];
      const onLine = (line: PlanLine): void => {
        if (line.kind === 'plan') made.push(line.plan);
        else setProgress(line);
      };
      await callLines(PlanLine, path, onLine, signal);
      const [whole] = made;
      if (whole === undefined) throw new NoAnswerError(`GET ${path}: the answer has no plan`);
      return whole;
    },
    staleTime: 0,
    gcTime: 0,
  });
  return { plan, progress };
}

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

/** Stops every decision and every send, at once. */
export function useHalt(): UseMutationResult<unknown, Error, void> {
  return useEngineAct({
    send: () => call(z.unknown(), 'POST', '/api/engine/halt', {}),
    failed: 'Could not halt the engine',
    done: () => toast('Engine halted', 'No price moves until an administrator resumes it.'),
  });
}

/** Lets the engine go on, with the plan that was looked at; without one where nothing is armed. Admins only. */
export function useResume(): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token) =>
      callProved(z.unknown(), 'POST', '/api/engine/resume', token === null ? {} : { token }),
    onSuccess: () => client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] }),
  });
}

/** Decides every listing now instead of at the next check. */
export function useRepriceNow(): UseMutationResult<unknown, Error, void> {
  return useEngineAct({
    send: () => call(z.unknown(), 'POST', '/api/runs'),
    failed: 'Could not start repricing',
    done: () => toast('Repricing started', 'The bar under the header shows how far it is.'),
  });
}

/** Back to observing: prices are computed and recommended, and a person applies them. */
export function useDisarm(): UseMutationResult<unknown, Error, Marketplace> {
  return useEngineAct({
    send: (marketplace: Marketplace) =>
      call(z.unknown(), 'POST', '/api/engine/disarm', { marketplaces: [marketplace] }),
    failed: 'Could not disarm',
    done: (marketplace) =>
      toast(
        `${MARKETPLACE_NAMES[marketplace]} is observing`,
        'New prices are recommended and wait for a person.',
      ),
  });
}

type Arming = { marketplaces: readonly Marketplace[]; token: string };

/** Lets the engine take prices there. The caller handles a refusal: the plan may have changed. */
export function useArm(): UseMutationResult<unknown, Error, Arming> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (arming) => callProved(z.unknown(), 'POST', '/api/engine/arm', arming),
    onSuccess: () => client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] }),
  });
}

type PriceFile = { marketplace: Marketplace; name: string };
type SavedPriceFile = {
  /** The moment of the file, which names exactly it; "" when the answer lacks it. */
  upTo: string;
  /** Prices that wait and are not in it. */
  heldBack: number;
};

/** Saves the prices that wait for a marketplace. */
export function useDownloadPriceFile(): UseMutationResult<SavedPriceFile, Error, PriceFile> {
  return useMutation({
    mutationFn: async ({ marketplace, name }) => {
      const answer = await download(`/api/price-file/${marketplace}.csv`);
      saveFile(answer.file, name);
      return {
        upTo: answer.headers.get(PRICE_FILE_MOMENT) ?? '',
        heldBack: Number(answer.headers.get(PRICE_FILE_HELD_BACK) ?? '0'),
      };
    },
    onError: (error) => toast('Could not download the price file', errorText(error), 'destructive'),
  });
}

type Uploaded = { marketplace: Marketplace; upTo: string };

/** Takes the "to upload" marks of a downloaded file off; prices taken since it was made keep theirs. */
export function useMarkUploaded(): UseMutationResult<PriceFileCleared, Error, Uploaded> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ marketplace, upTo }) =>
      call(PriceFileCleared, 'POST', `/api/price-file/${marketplace}/uploaded`, { upTo }),
    onSuccess: async ({ cleared, waiting }, { marketplace }) => {
      await client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] });
      const name = MARKETPLACE_NAMES[marketplace];
      const rest =
        waiting === 0
          ? `No price waits for ${name} any more.`
          : // Taken since the file was made, or left out of it for their margin.
            `${countOf(waiting, 'price that was not in it waits', 'prices that were not in it wait')} for a later file.`;
      toast(`${countOf(cleared, 'price', 'prices')} marked as uploaded`, rest);
    },
    onError: (error) => toast('Could not mark the prices as uploaded', errorText(error), 'destructive'),
  });
}

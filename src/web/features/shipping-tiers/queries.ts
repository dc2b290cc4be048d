import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { CreatedTiers, DeletedTiers, type NewTierForm, Tier, Tiers } from '#contract/tiers.ts';
import { call } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';

const TIERS_KEY = ['shipping-tiers'] as const;
/** Milliseconds; repricing most marketplaces takes less. */
const DECIDED_AFTER = 3_000;

/** All shipping tiers, their gaps, and the listings without a tier. */
export const tiersQuery = queryOptions({
  queryKey: TIERS_KEY,
  queryFn: () => call(Tiers, 'GET', '/api/shipping-tiers'),
});

/** Adds a tier, or changes the one with this id. */
export function useSaveTier(): UseMutationResult<void, Error, { id: string | null; tier: NewTierForm }> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, tier }) => {
      if (id === null) await callWithStepUp(CreatedTiers, 'POST', '/api/shipping-tiers', tier);
      else await callWithStepUp(Tier, 'PUT', `/api/shipping-tiers/${id}`, tier);
    },
    onSettled: () => {
      // Listings without a tier are counted again once the engine has repriced them.
      setTimeout(() => void client.invalidateQueries({ queryKey: TIERS_KEY }), DECIDED_AFTER);
      return client.invalidateQueries({ queryKey: TIERS_KEY });
    },
  });
}

export function useDeleteTiers(): UseMutationResult<number, Error, readonly string[]> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids) =>
      (await callWithStepUp(DeletedTiers, 'POST', '/api/shipping-tiers/delete', { ids })).deleted,
    // Not awaited: the dialog must not stay open over deleted rows.
    onSettled: () => void client.invalidateQueries({ queryKey: TIERS_KEY }),
  });
}

/** Restores deleted tiers, as new rows. Stops at the first one that conflicts, and throws its error. */
export async function restoreTiers(
  client: QueryClient,
  tiers: readonly Tier[],
): Promise<{ title: string; text: string }> {
  try {
    for (const { id: _, ...tier } of tiers)
      await callWithStepUp(CreatedTiers, 'POST', '/api/shipping-tiers', tier);
    return { title: 'Tiers restored', text: `${countOf(tiers.length, 'tier is', 'tiers are')} back.` };
  } finally {
    await client.invalidateQueries({ queryKey: TIERS_KEY });
  }
}

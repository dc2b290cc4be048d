import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type EditListingCosts, ListingCosts, SavedCosts } from '#contract/costs.ts';
import { call } from '#web/lib/api.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';

/** The parts of one listing's cost and the source of each. Never cached: they are about to be edited. */
export const listingCostsQuery = (listingId: string) =>
  queryOptions({
    queryKey: ['listing-costs', listingId] as const,
    queryFn: () => call(ListingCosts, 'GET', `/api/listings/${listingId}/costs`),
    gcTime: 0,
  });

export type CostsForm = z.input<typeof EditListingCosts>;

/** Saves the changed parts of one listing. */
export function saveCosts(listingId: string, form: CostsForm): Promise<SavedCosts> {
  return callWithStepUp(SavedCosts, 'PUT', `/api/listings/${listingId}/costs`, form);
}

/** The same, for its editor. */
export function useSaveCosts(listingId: string): UseMutationResult<SavedCosts, Error, CostsForm> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form) => saveCosts(listingId, form),
    onSuccess: ({ costs }) => client.setQueryData(listingCostsQuery(listingId).queryKey, costs),
  });
}

import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type AcceptCategory, CategorySuggestions } from '#contract/fee-categories.ts';
import { type DecideFeesForm, FeeDrifts, FeesDecided } from '#contract/fee-facts.ts';
import {
  FeeImpact,
  type FeeImpactForm,
  type FeeScheduleForm,
  FeeScheduleView,
  Fees,
  type FeeTermsForm,
} from '#contract/fees.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';

const FEES_KEY = ['fees'] as const;

/** All fee schedules, the number of their listings, and listings without one. */
export const feesQuery = queryOptions({
  queryKey: FEES_KEY,
  queryFn: () => call(Fees, 'GET', '/api/fees'),
});

const CATEGORIES_KEY = ['fee-categories'] as const;

/** Categories with lower fees that wait to be accepted. */
export const categorySuggestionsQuery = queryOptions({
  queryKey: CATEGORIES_KEY,
  queryFn: () => call(CategorySuggestions, 'GET', '/api/fee-categories'),
});

/** Accepts a category for the listings that the user saw. */
export function useAcceptCategory(): UseMutationResult<CategorySuggestions, Error, AcceptCategory> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (accepted) => call(CategorySuggestions, 'POST', '/api/fee-categories/accept', accepted),
    onSettled: () => client.invalidateQueries({ queryKey: CATEGORIES_KEY }),
  });
}

const DRIFT_KEY = ['fee-drift'] as const;

/** Where marketplaces reported other fees, and the readings that wait for an administrator. */
export const feeDriftQuery = queryOptions({
  queryKey: DRIFT_KEY,
  queryFn: () => call(FeeDrifts, 'GET', '/api/fee-drift'),
});

/** Accepts or rejects the fees of a reading, or the lower ones that wait of a pair of rates. */
export function useDecideFees(): UseMutationResult<FeesDecided, Error, DecideFeesForm> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (decided) => callWithStepUp(FeesDecided, 'POST', '/api/fee-facts/decide', decided),
    onSettled: () => client.invalidateQueries({ queryKey: DRIFT_KEY }),
  });
}

/** The effect of deleting a schedule now. Never cached: prices change. */
export const deletionImpactQuery = (id: string) =>
  queryOptions({
    queryKey: ['fee-deletion', id] as const,
    queryFn: () => call(FeeImpact, 'POST', '/api/fees/impact', { id, schedule: null }),
    gcTime: 0,
  });

/** The effect of a draft. Nothing is saved. */
export function useFeeImpact(): UseMutationResult<FeeImpact, Error, FeeImpactForm> {
  return useMutation({ mutationFn: (question) => call(FeeImpact, 'POST', '/api/fees/impact', question) });
}

/** Adds a schedule, or replaces the one with this id. */
export function useSaveFees(): UseMutationResult<
  FeeScheduleView,
  Error,
  { id: string | null; form: FeeScheduleForm }
> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, form }) =>
      id === null
        ? callWithStepUp(FeeScheduleView, 'POST', '/api/fees', form)
        : callWithStepUp(FeeScheduleView, 'PUT', `/api/fees/${id}`, form),
    onSettled: () => client.invalidateQueries({ queryKey: FEES_KEY }),
  });
}

/** Saves the plan with a marketplace, its sales tax, and shares for advertising and returns. */
export function useSaveFeeTerms(marketplace: Marketplace): UseMutationResult<Fees, Error, FeeTermsForm> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (terms) => callWithStepUp(Fees, 'PUT', `/api/fee-terms/${marketplace}`, terms),
    onSettled: () => client.invalidateQueries({ queryKey: FEES_KEY }),
  });
}

/** Deletes a schedule; `deletionBlocks` is the number of blocked listings the user confirmed. */
export function useDeleteFees(): UseMutationResult<null, Error, FeeScheduleView> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, deletionBlocks }) =>
      callWithStepUp(
        z.null(),
        'DELETE',
        `/api/fees/${id}${deletionBlocks === null ? '' : `?blocking=${deletionBlocks}`}`,
      ),
    onSettled: () => client.invalidateQueries({ queryKey: FEES_KEY }),
  });
}

/** Confirms that the fees are right for the account: a step of the setup. */
export function useConfirmFees(): UseMutationResult<unknown, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(z.unknown(), 'POST', '/api/setup/fees-checked'),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: FEES_KEY }),
        client.invalidateQueries({ queryKey: ['setup'] }),
      ]),
  });
}

import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { BulkOutcome } from '#contract/listings.ts';
import { type ChangeFilterForm, UndoPreview } from '#contract/undo-changes.ts';
import { call } from './api.ts';
import { ENGINE_KEY } from './engine.ts';
import { JOBS_KEY } from './jobs.ts';
import { queryText } from './list-state.ts';
import { priceCall } from './price-calls.ts';

/** The effect of undoing these changes now: loaded each time. */
export function undoPreviewQuery(filter: ChangeFilterForm) {
  const text = queryText(filter);
  return queryOptions({
    queryKey: ['undo-preview', text] as const,
    queryFn: () => call(UndoPreview, 'GET', `/api/history/undo-preview${text}`),
    gcTime: 0,
    staleTime: 0,
  });
}

/** Undoes a set of changes as previewed. The caller reports the result or the error. */
export function useUndoChanges(filter: ChangeFilterForm): UseMutationResult<BulkOutcome, Error, UndoPreview> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ through, changes, openThrough }) =>
      priceCall(BulkOutcome, 'POST', '/api/history/undo', { filter, through, changes, openThrough }),
    onSuccess: () => {
      // Every list with prices or runs is outdated now.
      for (const queryKey of [ENGINE_KEY, JOBS_KEY, ['history'], ['listings']]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}

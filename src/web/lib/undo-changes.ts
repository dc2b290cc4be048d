import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { BulkOutcome } from '#contract/listings.ts';
import { type ChangeFilterForm, UndoPreview } from '#contract/undo-changes.ts';
import { call } from './api.ts';
import { ENGINE_KEY } from './engine.ts';
import { JOBS_KEY } from './jobs.ts';
import { queryText } from './list-state.ts';
import { callPastHalt } from './past-halt.ts';

/** What undoing these changes would do now: asked anew for every look. */
export function undoPreviewQuery(filter: ChangeFilterForm) {
  const text = queryText(filter);
  return queryOptions({
    queryKey: ['undo-preview', text] as const,
    queryFn: () => call(UndoPreview, 'GET', `/api/history/undo-preview${text}`),
    gcTime: 0,
    staleTime: 0,
  });
}

/** Takes a set of changes back as it was previewed. The caller shows what was done, and a refusal. */
export function useUndoChanges(filter: ChangeFilterForm): UseMutationResult<BulkOutcome, Error, UndoPreview> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ through, changes, openThrough }) =>
      callPastHalt(BulkOutcome, 'POST', '/api/history/undo', { filter, through, changes, openThrough }),
    onSuccess: () => {
      // Every list that shows a price or a run says something else now.
      for (const queryKey of [ENGINE_KEY, JOBS_KEY, ['history'], ['listings']]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}

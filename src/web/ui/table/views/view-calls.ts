import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { z } from 'zod';
import { type EditView, type NewView, type View, type ViewList, Views } from '#contract/views.ts';
import { call, errorText } from '#web/lib/api.ts';
import { VIEW_TOTALS_KEY } from '#web/lib/live-refresh.ts';
import { reportUndoable } from '#web/lib/recent-actions-store.ts';
import { dismissToasts, toast } from '#web/lib/use-toast.ts';

const VIEWS_KEY = ['views'] as const;

/** A saved view has a number of rows, too. */
async function reloadViews(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: VIEW_TOTALS_KEY });
  await client.invalidateQueries({ queryKey: VIEWS_KEY });
}

const Created = z.object({ id: z.string() });

/** The views of a list: the user's own, then those shared by others. */
export const viewsQuery = (list: ViewList) =>
  queryOptions({
    queryKey: [...VIEWS_KEY, list] as const,
    queryFn: async () => (await call(Views, 'GET', `/api/views?list=${list}`)).views,
  });

/** Saves a new view. @returns the mutation, with the new id as its result */
export function useCreateView(): UseMutationResult<string, Error, NewView> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (view) => (await call(Created, 'POST', '/api/views', view)).id,
    onMutate: dismissToasts,
    onSuccess: async (_, { name }) => {
      await reloadViews(client);
      toast('View saved', `"${name}" appears above the table.`);
    },
  });
}

/** Updates a view: its parameters, its name, or who sees it. */
export function useEditView(): UseMutationResult<unknown, Error, { view: View; change: Partial<EditView> }> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ view: { name, query, layout, isShared, version, id }, change }) =>
      call(z.unknown(), 'PUT', `/api/views/${id}`, { name, query, layout, isShared, version, ...change }),
    onMutate: dismissToasts,
    onSuccess: (_, { view, change }) => toast('View saved', `"${change.name ?? view.name}" is up to date.`),
    // Also after an error: another user may have changed it.
    onSettled: () => reloadViews(client),
  });
}

/**
 * Deletes a view, with Undo.
 * @param onDeleted called even though its button is no longer on screen
 */
export function useDeleteView(onDeleted: () => void): UseMutationResult<unknown, Error, View> {
  const client = useQueryClient();
  const refresh = (): Promise<void> => reloadViews(client);
  const restore = async ({ id, name }: View): Promise<{ title: string; text: string }> => {
    try {
      await call(z.unknown(), 'POST', `/api/views/${id}/restore`);
      return { title: 'Undone', text: `"${name}" is restored.` };
    } finally {
      await refresh();
    }
  };
  return useMutation({
    mutationFn: ({ id }) => call(z.unknown(), 'DELETE', `/api/views/${id}`),
    onMutate: dismissToasts,
    onSuccess: (_, view) => {
      onDeleted();
      reportUndoable({
        title: 'View deleted',
        text: `"${view.name}" was deleted. Its rows are not affected.`,
        undo: () => restore(view),
      });
    },
    onError: (error) => toast('Could not delete the view', errorText(error), 'destructive'),
    onSettled: refresh,
  });
}

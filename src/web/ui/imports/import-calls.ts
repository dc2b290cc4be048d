import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { Import, type ImportKind, ImportLines, type MapColumns, type RunImport } from '#contract/imports.ts';
import { call } from '#web/lib/api.ts';
import { JOBS_KEY } from '#web/lib/jobs.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { uploadFile } from '#web/lib/upload.ts';

const IMPORTS_KEY = ['imports'] as const;

/** While the server works on it. A proxy may hold the live events back, so the page also polls. */
const ASK_AGAIN = 2_000;

export type RowStatus = 'create' | 'update' | 'unchanged' | 'rejected';

/** The newest imports. */
export const importsQuery = queryOptions({
  queryKey: [...IMPORTS_KEY, 'list'] as const,
  queryFn: () => call(z.array(Import), 'GET', '/api/imports'),
});

/** Whether the server is at work on it. */
function isBusy(state: Import['state']): boolean {
  return state === 'checking' || state === 'importing';
}

/** One import with everything that is known of its file. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: [...IMPORTS_KEY, 'one', id] as const,
    queryFn: () => call(Import, 'GET', `/api/imports/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isBusy(state.data.state) ? ASK_AGAIN : false,
  });
}

/** Samples of the rows of one status. */
export function linesQuery(id: string, status: RowStatus) {
  return queryOptions({
    queryKey: [...IMPORTS_KEY, 'one', id, 'lines', status] as const,
    queryFn: () => call(ImportLines, 'GET', `/api/imports/${id}/lines?status=${status}`),
  });
}

type Upload = { kind: ImportKind; file: File; onProgress: (sent: number) => void; signal: AbortSignal };

/** Sends a file; the server reads its header. Nothing of the catalog changes. */
export function useUpload(): UseMutationResult<Import, Error, Upload> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, file, onProgress, signal }) => {
      const search = new URLSearchParams({ kind, name: file.name });
      return uploadFile({ schema: Import, path: `/api/imports?${search}`, file, onProgress, signal });
    },
    onSuccess: (imported) => {
      client.setQueryData(importQuery(imported.id).queryKey, imported);
      return client.invalidateQueries({ queryKey: importsQuery.queryKey });
    },
  });
}

/** Takes the file of an import once more, for another kind of rows. Nothing of the catalog changes. */
export function useImportAgain(): UseMutationResult<
  Import,
  Error,
  { from: string; kind: ImportKind; name: string }
> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (choice) => call(Import, 'POST', `/api/imports?${new URLSearchParams(choice)}`),
    onSuccess: (imported) => {
      client.setQueryData(importQuery(imported.id).queryKey, imported);
      return client.invalidateQueries({ queryKey: importsQuery.queryKey });
    },
  });
}

/** Deletes an uploaded file with its report; what was imported from it stays. */
export function useDeleteImport(): UseMutationResult<null, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id) => call(z.null(), 'DELETE', `/api/imports/${id}`),
    // Not waited for: the dialog that asked must not stay over a deleted file.
    onSettled: () => void client.invalidateQueries({ queryKey: IMPORTS_KEY }),
  });
}

/** Says which column is what, and has the file checked with it. */
export function useMapColumns(id: string): UseMutationResult<Import, Error, z.input<typeof MapColumns>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (choice) => call(Import, 'PUT', `/api/imports/${id}/mapping`, choice),
    onSuccess: (imported) => {
      client.removeQueries({ queryKey: [...IMPORTS_KEY, 'one', id, 'lines'] });
      client.setQueryData(importQuery(id).queryKey, imported);
    },
  });
}

/** Imports the rows. This is the step that writes. */
export function useRunImport(id: string): UseMutationResult<unknown, Error, z.input<typeof RunImport>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (choice) => callWithStepUp(z.unknown(), 'POST', `/api/imports/${id}/run`, choice),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: importQuery(id).queryKey, exact: true });
      void client.invalidateQueries({ queryKey: JOBS_KEY });
    },
    // Other columns may have been chosen since: what is shown is what the file would do now.
    onError: () => client.invalidateQueries({ queryKey: [...IMPORTS_KEY, 'one', id] }),
  });
}

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Import, ImportKind } from '#contract/imports.ts';
import { keepJobInView } from '#web/lib/jobs-in-view.ts';
import { importQuery, useRunImport } from './import-calls.ts';
import { type FileUpload, useFileUpload } from './use-file-upload.ts';

export interface FileImport extends Omit<FileUpload, 'send' | 'cancel' | 'uploaded'> {
  /** What the server makes of the file; undefined until it is uploaded. */
  readonly imported: Import | undefined;
  /** Whether a rejected row keeps every row out. */
  readonly allOrNothing: boolean;
  readonly isStarting: boolean;
  /** Why the import could not be started. */
  readonly runError: Error | null;
  /** Starts the import where the check allows it; asks for a file where there is none. */
  start(): void;
}

/**
 * An import without leaving the screen: a chosen file is sent and checked at once, and imported when asked to.
 * @param onRefused the import could not be started
 */
export function useFileImport(
  kind: ImportKind,
  allOrNothing: boolean,
  onRefused?: (error: Error) => void,
): FileImport {
  const upload = useFileUpload(kind);
  const id = upload.uploaded?.id ?? null;
  const query = useQuery({ ...importQuery(id ?? ''), enabled: id !== null });
  const imported = id === null ? undefined : query.data;
  const run = useRunImport(id ?? '');
  const jobId = imported?.jobId ?? null;
  // What is on screen says how the jobs of the file go: no toast has to.
  useEffect(() => (jobId === null ? undefined : keepJobInView(jobId)), [jobId]);
  return {
    ...upload,
    imported,
    allOrNothing,
    isStarting: run.isPending,
    runError: run.error,
    choose: (file) => {
      run.reset();
      upload.choose(file);
      if (file !== null) upload.send(file);
    },
    start: () => {
      if (imported === undefined) upload.send(upload.file);
      else if (canRun(imported, allOrNothing)) {
        run.mutate(
          { checkId: imported.checkId ?? '0', allOrNothing },
          { onError: (error) => onRefused?.(error) },
        );
      }
    },
  };
}

/** Rows that passed the check. */
export function validRows(imported: Import | undefined): number {
  const counts = imported?.counts ?? null;
  return counts === null ? 0 : counts.rows - counts.rejected;
}

/** Whether the check lets the file be imported. */
export function canRun(imported: Import, allOrNothing: boolean): boolean {
  const isBlocked = allOrNothing && (imported.counts?.rejected ?? 0) > 0;
  return imported.state === 'checked' && validRows(imported) > 0 && !isBlocked;
}

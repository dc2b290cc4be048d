import type { Db } from '#db/client.ts';
import type { JobRow } from '#db/queries/background/jobs.ts';
import { findImport, type ImportRow } from '#db/queries/catalog/imports.ts';

/** The import that a job checks or runs; null for other jobs, and for an import that was deleted. */
export async function importOfJob(
  db: Db,
  { kind, work }: Pick<JobRow, 'kind' | 'work'>,
): Promise<ImportRow | null> {
  return kind === 'import' && typeof work.importId === 'number' ? findImport(db, work.importId) : null;
}

import { findImport, type ImportRow } from '#db/queries/catalog/imports.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';

/** An import whose upload is complete. @throws AppError not_found */
export async function requireImport({ db }: Pick<StartJobDeps, 'db'>, id: number): Promise<ImportRow> {
  const file = await findImport(db, id);
  if (file === null || file.state === 'uploading') throw importNotFound(id);
  return file;
}

/** The error for an import that does not exist or was deleted. */
export function importNotFound(id: number): AppError {
  return new AppError('not_found', `There is no import ${id}. Imports are kept for 30 days.`);
}

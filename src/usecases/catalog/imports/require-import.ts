import { findImport, type ImportRow } from '#db/queries/catalog/imports.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';

/** An import whose bytes are all here. @throws AppError not_found */
export async function requireImport({ db }: Pick<StartJobDeps, 'db'>, id: number): Promise<ImportRow> {
  const file = await findImport(db, id);
  if (file === null || file.state === 'uploading') throw noImport(id);
  return file;
}

/** What is answered for an import that is not there, or not there any more. */
export function noImport(id: number): AppError {
  return new AppError('not_found', `There is no import ${id}. Imports are kept for 30 days.`);
}

import { deleteImport, lockImport } from '#db/queries/catalog/imports.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { actedBy } from '#usecases/editor.ts';
import { requireChange, type Uploader } from './import-roles.ts';
import { importNotFound } from './require-import.ts';

/**
 * Deletes an uploaded file with its check and its report. Imported data is kept.
 * @throws AppError not_found; conflict while a job is using it; not_allowed for another user's file
 */
export async function removeImport(
  { db, now }: Pick<StartJobDeps, 'db' | 'now'>,
  id: number,
  by: Uploader,
): Promise<void> {
  await transact(db, async (tx) => {
    const file = await lockImport(tx, id);
    if (file === null) throw importNotFound(id);
    requireChange(file, by);
    if (['uploading', 'checking', 'importing'].includes(file.state)) {
      throw new AppError(
        'conflict',
        'This file is being processed. Cancel its job or wait until it ends, then delete the file.',
      );
    }
    await deleteImport(tx, id);
    const { kind, fileName, size } = file;
    await insertAudit(tx, {
      ...actedBy(by, now()),
      action: 'import.deleted',
      targetKind: 'import',
      targetId: String(id),
      before: { kind, fileName, bytes: size },
    });
  });
}

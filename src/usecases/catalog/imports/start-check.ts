import { changeImport, lockImport } from '#db/queries/catalog/imports.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { startJob } from '#usecases/background/start-job.ts';

/** Starts the check of a file as a job; a running check is superseded and stops automatically. */
export async function startCheck(
  deps: StartJobDeps,
  importId: number,
  by: { readonly id: string; readonly name: string },
): Promise<void> {
  await transact(deps.db, async (tx) => {
    const file = await lockImport(tx, importId);
    if (file === null) throw new AppError('not_found', `There is no import ${importId}.`);
    const jobId = await startJob(tx, deps, {
      kind: 'import',
      title: `Check ${file.fileName}`,
      work: { importId, step: 'check' },
      link: `/imports/${importId}`,
      createdBy: by,
    });
    await changeImport(tx, importId, {
      state: 'checking',
      jobId,
      findings: null,
      error: null,
      startedAt: null,
    });
  });
}

import { type JobRow, requestCancel } from '#db/queries/background/jobs.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import type { StartJobDeps } from './job-handler.ts';

/**
 * Requests a job to stop after its current batch; what it did until then is kept. Does nothing for a job that has
 * ended.
 * @throws AppError not_found
 */
export async function cancelJob(
  { db, now }: Pick<StartJobDeps, 'db' | 'now'>,
  id: number,
  by: Actor,
): Promise<JobRow> {
  return transact(db, async (tx) => {
    const job = await requestCancel(tx, id);
    if (job === null) throw new AppError('not_found', `There is no job ${id}.`);
    if (job.state === 'queued' || job.state === 'running') {
      await insertAudit(tx, {
        ...actedBy(by, now()),
        action: 'job.cancelled',
        targetKind: 'job',
        targetId: String(id),
        after: { title: job.title },
      });
    }
    return job;
  });
}

import { claimOrphans } from '#db/queries/background/jobs.ts';
import { transact } from '#db/transact.ts';
import type { Millis } from '#domain/units.ts';
import { JOB, type StartJobDeps } from './job-handler.ts';

/** A job that is queued for longer may have lost its message; a second one does no harm. */
const MESSAGE_TIMEOUT = 60_000 as Millis;

/** Queues the jobs again that a dead process left behind. @returns how many */
export async function requeueLostJobs({ db, queue, now }: StartJobDeps): Promise<number> {
  return transact(db, async (tx) => {
    const ids = await claimOrphans(tx, now(), MESSAGE_TIMEOUT);
    for (const jobId of ids) await queue.send(tx, JOB, { jobId });
    return ids.length;
  });
}

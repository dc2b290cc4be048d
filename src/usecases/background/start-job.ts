import type { Db } from '#db/client.ts';
import { insertJob, type NewJob } from '#db/queries/background/jobs.ts';
import { JOB, type StartJobDeps } from './job-handler.ts';

/** What to do, its title for users, and who started it. */
export interface JobToStart {
  readonly kind: NewJob['kind'];
  /** "Import listings.csv" */
  readonly title: string;
  /** What the handler needs, now and after a crash. */
  readonly work: NewJob['work'];
  /** A page of ours with its report. */
  readonly link?: string;
  readonly createdBy: { readonly id: string | null; readonly name: string };
}

const MAX_TITLE_LENGTH = 300;

/**
 * Adds a job and queues its message, both in the caller's transaction: neither exists without the other.
 * @returns the id of the job
 */
export async function startJob(
  tx: Db,
  { queue, now }: Pick<StartJobDeps, 'queue' | 'now'>,
  { kind, title, work, link, createdBy }: JobToStart,
): Promise<number> {
  const jobId = await insertJob(tx, {
    kind,
    title: title.slice(0, MAX_TITLE_LENGTH),
    work,
    link: link ?? null,
    createdById: createdBy.id,
    createdBy: createdBy.name,
    createdAt: now(),
  });
  await queue.send(tx, JOB, { jobId });
  return jobId;
}

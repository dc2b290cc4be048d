import type { Db } from '#db/client.ts';
import { insertJob, type NewJob } from '#db/queries/background/jobs.ts';
import { JOB, type StartJobDeps } from './job-handler.ts';

/** What to do, what people read about it, and who asked. */
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

const LONGEST_TITLE = 300;

/**
 * Adds a job and hands it to the queue, both in the caller's transaction: neither exists without the other.
 * @returns the number of the job
 */
export async function startJob(
  tx: Db,
  { queue, now }: Pick<StartJobDeps, 'queue' | 'now'>,
  { kind, title, work, link, createdBy }: JobToStart,
): Promise<number> {
  const jobId = await insertJob(tx, {
    kind,
    title: title.slice(0, LONGEST_TITLE),
    work,
    link: link ?? null,
    createdById: createdBy.id,
    createdBy: createdBy.name,
    createdAt: now(),
  });
  await queue.send(tx, JOB, { jobId });
  return jobId;
}

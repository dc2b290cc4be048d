import { openQueue, type Queue } from '#db/queue.ts';
import { DIGEST, WATCH, WEEKLY } from '#jobs/alert-and-summary-jobs.ts';
import { PURGE } from '#jobs/purge.ts';
import { JOB } from '#usecases/background/job-handler.ts';
import { EMAIL_JOB } from '#usecases/email/queued-email.ts';
import type { Running } from './running-program.ts';
import { tracedQueue } from './traced-work.ts';

/** Every kind of job that one process queues and another, or the same, runs. */
export const QUEUES = [PURGE, JOB, EMAIL_JOB, WATCH, DIGEST, WEEKLY];

/** Opens the queue of this process: `serve` sends to it, `work` receives from it. */
export async function openQueueOf({ log, tracing, closers }: Running, url: string): Promise<Queue> {
  const queue = await openQueue(url, QUEUES, (error) => log.warn({ err: error }, 'job queue failed'));
  closers.push(() => queue.close());
  return tracing === undefined ? queue : tracedQueue(tracing, queue);
}

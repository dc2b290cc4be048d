import type { Database } from '#db/client.ts';
import { openQueue } from '#db/queue.ts';
import { PURGE, startPurge } from '#jobs/purge.ts';
import { now, type Running } from './running.ts';

/** Runs the jobs of src/jobs by their schedules. */
export async function work({ log, closers }: Running, { db }: Database, url: string): Promise<void> {
  const queue = await openQueue(url, [PURGE], (error) =>
    log.warn({ err: error }, 'trouble with the job queue'),
  );
  closers.push(() => queue.close());
  await startPurge(queue, { db, now });
}

import type { Queue } from '#db/queue.ts';
import { JOB, type JobHandlers, type RunJobDeps } from '#usecases/background/job-handler.ts';
import { requeueLostJobs } from '#usecases/background/requeue-lost-jobs.ts';
import { runJob } from '#usecases/background/run-job.ts';

/** Jobs that one process runs at the same time: a long import must not delay an Apply. */
const MAX_CONCURRENT_JOBS = 2;
/** Milliseconds. */
const SWEEP_INTERVAL = 3_000;

/**
 * Runs jobs as they are queued, and checks every few seconds for those that a dead process left behind.
 * @param handlers one for each kind of job
 * @returns stops the checks; call it before the queue closes
 */
export async function startJobs(queue: Queue, deps: RunJobDeps, handlers: JobHandlers): Promise<() => void> {
  for (let worker = 0; worker < MAX_CONCURRENT_JOBS; worker += 1) {
    await queue.work(JOB, ({ jobId }) => runJob(deps, jobId, handlers));
  }
  let isSweeping = false;
  const sweep = async (): Promise<void> => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      await requeueLostJobs({ ...deps, queue });
    } catch (error) {
      deps.onUnexpectedError(error, null);
    } finally {
      isSweeping = false;
    }
  };
  await sweep();
  const timer = setInterval(() => void sweep(), SWEEP_INTERVAL);
  return () => clearInterval(timer);
}

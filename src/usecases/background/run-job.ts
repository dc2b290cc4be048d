import type { Db } from '#db/client.ts';
import { lockJob } from '#db/job-lock.ts';
import { underPermit } from '#db/permitted.ts';
import {
  endJob,
  isCancelRequested,
  type JobEnd,
  type JobProgress,
  type JobRow,
  requeueJob,
  startJob,
  writeProgress,
} from '#db/queries/background/jobs.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { actedBy, readOrigin } from '#usecases/editor.ts';
import { type JobHandlers, JobInterrupted, type RunJobDeps } from './job-handler.ts';
import { jobPermit } from './job-permit.ts';

/** Milliseconds between two writes of the progress. */
const WRITE_INTERVAL = 300;
const MAX_ATTEMPTS = 5;

/**
 * Runs one job to its end. Does nothing when it has ended already, or while another process is running it.
 * @throws when the end of the job could not be recorded: the database is unavailable, and the next process continues
 *   the job
 */
export async function runJob(deps: RunJobDeps, jobId: number, handlers: JobHandlers): Promise<void> {
  const lock = await lockJob(deps.url, jobId);
  if (lock === null) return;
  try {
    const job = await startJob(deps.db, jobId, deps.now());
    if (job !== null) await carryOut(deps, job, handlers, lock.isLost);
  } finally {
    await lock.release();
  }
}

async function carryOut(
  deps: RunJobDeps,
  job: JobRow,
  handlers: JobHandlers,
  isLost: () => boolean,
): Promise<void> {
  const meter = progressMeter(deps, job, isLost);
  let end: JobEnd;
  let isUnexpectedError = false;
  try {
    const handler = handlers[job.kind];
    if (handler === undefined) throw new Error(`This process does not know jobs of kind ${job.kind}.`);
    // The previous attempt was the last one, and its process died too.
    if (job.attempts > MAX_ATTEMPTS + 1) throw givenUp();
    const createdBy = { id: job.createdById, name: job.createdBy };
    const { id, work, attempts: attempt, runId } = job;
    const run = { id, work, createdBy, attempt, runId, progress: meter.progress };
    end = await underPermit(jobPermit(createdBy), () => handler(run));
  } catch (error) {
    if (error instanceof JobInterrupted && error.why !== 'cancelled') {
      if (error.why === 'stopping') await requeueJob(deps.db, job.id);
      return;
    }
    end = endAfter(error, meter.latest());
    isUnexpectedError = end.state === 'failed' && !(error instanceof AppError);
    if (isUnexpectedError) deps.onUnexpectedError(error, job.id);
  }
  if (isLost()) return;
  await transact(deps.db, async (tx) => {
    await endJob(tx, job.id, end, meter.latest(), deps.now());
    if (isUnexpectedError) await auditError(tx, job, deps.now());
  });
}

/** Audits an internal error; its details are in the server's log. */
async function auditError(tx: Db, job: JobRow, now: Instant): Promise<void> {
  const actor = { id: job.createdById, name: job.createdBy, ...readOrigin(job.work) };
  await insertAudit(tx, {
    ...actedBy(actor, now),
    action: 'error.unexpected',
    targetKind: 'job',
    targetId: String(job.id),
    after: { title: job.title },
  });
}

function givenUp(): AppError {
  return new AppError(
    'internal',
    `Stopped after ${MAX_ATTEMPTS} attempts: the server ended each time. Start the job again. If it stops again, check the server log.`,
  );
}

function endAfter(error: unknown, progress: JobProgress | null): JobEnd {
  if (error instanceof JobInterrupted) {
    const done = progress?.done ?? 0;
    const of = progress?.total == null ? '' : ` of ${progress.total.toLocaleString('en-US')}`;
    return { state: 'cancelled', summary: `Canceled after ${done.toLocaleString('en-US')}${of}.` };
  }
  if (error instanceof AppError) return { state: 'failed', summary: error.message };
  return {
    state: 'failed',
    summary: 'Stopped by a server error. Completed changes are kept. See the server log for details.',
  };
}

/** Writes progress from time to time, checks for a stop every time, and keeps the latest for the end. */
function progressMeter(
  { db, now, stopping }: RunJobDeps,
  job: JobRow,
  isLost: () => boolean,
): { progress: (progress: JobProgress) => Promise<void>; latest: () => JobProgress | null } {
  let latest: JobProgress | null = null;
  let writtenAt: Instant | null = null;
  return {
    latest: () => latest,
    progress: async (progress) => {
      latest = progress;
      if (isLost()) throw new JobInterrupted('lost');
      if (job.attempts > MAX_ATTEMPTS) throw givenUp();
      if (stopping.aborted) throw new JobInterrupted('stopping');
      const at = now();
      const isDue = writtenAt === null || at - writtenAt >= WRITE_INTERVAL;
      if (isDue) writtenAt = at;
      const isUnwanted = isDue
        ? await writeProgress(db, job.id, progress)
        : await isCancelRequested(db, job.id);
      if (isUnwanted) throw new JobInterrupted('cancelled');
    },
  };
}

import type { Db } from '#db/client.ts';
import type { JobProgress, JobRow } from '#db/queries/background/jobs.ts';
import type { JobKind, Queue } from '#db/queue.ts';
import type { Instant } from '#domain/units.ts';

/** What the queue carries for every job: the number of its row. Open the queue with it. */
export const JOB: JobKind<{ jobId: number }> = { name: 'job' };

/** Starting a job needs the queue beside the database and the clock. */
export interface StartJobDeps {
  readonly db: Db;
  readonly queue: Queue;
  readonly now: () => Instant;
}

/** Running jobs, in the process that works. */
export interface RunJobDeps {
  readonly db: Db;
  /** Of the same database: each running job holds its lock on a connection of its own. */
  readonly url: string;
  readonly now: () => Instant;
  /** Hears of what stopped a job, or the search for lost ones, unexpectedly; people read a short sentence instead. */
  readonly onFault: (error: unknown, jobId: number | null) => void;
  /** Aborted when the process shuts down: jobs stop after their batch and go on in the next process. */
  readonly stopping: AbortSignal;
}

/** A running job as its handler sees it. */
export interface JobRun {
  readonly id: number;
  readonly work: JobRow['work'];
  readonly createdBy: { readonly id: string | null; readonly name: string };
  /** Of the prices it moved before it was cut off; null for none. */
  readonly runId: number | null;
  /** Above 1: an earlier process was cut off, and what it committed is there. */
  readonly attempt: number;
  /**
   * Says how far it is; call it before the first batch and between batches, as often as you like. Writes and tells at most a few times a second.
   * @throws JobInterrupted when the job has to stop here, AppError when it has been cut off too often: let them pass
   */
  progress(progress: JobProgress): Promise<void>;
}

export type JobOutcome = { readonly state: 'done' | 'partly_done'; readonly summary: string };

/**
 * Does the work of one kind of job. It is run again from the start after a crash, so it has to find what it did before
 * and leave that alone. It is called under the permit of its person (`jobPermit`): give it a `permittedDb`. An AppError it throws ends the job as failed, with its message as the summary.
 */
export type JobHandler = (run: JobRun) => Promise<JobOutcome>;
export type JobHandlers = Partial<Readonly<Record<JobRow['kind'], JobHandler>>>;

/** Somebody asked the job to stop (`cancelled`), the process shuts down, or another process may have taken over. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted';
  readonly why: 'cancelled' | 'stopping' | 'lost';
  constructor(why: JobInterrupted['why']) {
    super(`The job was interrupted: ${why}.`);
    this.why = why;
  }
}

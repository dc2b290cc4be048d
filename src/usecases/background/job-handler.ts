import type { Db } from '#db/client.ts';
import type { JobProgress, JobRow } from '#db/queries/background/jobs.ts';
import type { JobKind, Queue } from '#db/queue.ts';
import type { Instant } from '#domain/units.ts';

/** The queue's message for every job: the id of its row. Open the queue with it. */
export const JOB: JobKind<{ jobId: number }> = { name: 'job' };

/** Starting a job needs the queue besides the database and the clock. */
export interface StartJobDeps {
  readonly db: Db;
  readonly queue: Queue;
  readonly now: () => Instant;
}

/** What the process that runs jobs provides. */
export interface RunJobDeps {
  readonly db: Db;
  /** Of the same database: each running job holds its lock on a connection of its own. */
  readonly url: string;
  readonly now: () => Instant;
  /**
   * Receives errors that stopped a job, or the search for lost ones, unexpectedly; users see a short sentence instead.
   */
  readonly onUnexpectedError: (error: unknown, jobId: number | null) => void;
  /** Aborted when the process shuts down: jobs stop after their batch and continue in the next process. */
  readonly stopping: AbortSignal;
}

/** A running job as its handler sees it. */
export interface JobRun {
  readonly id: number;
  readonly work: JobRow['work'];
  readonly createdBy: { readonly id: string | null; readonly name: string };
  /** Above 1 after an interruption: the committed work of earlier attempts is there. */
  readonly runId: number | null;
  /** Above 1: an earlier process was cut off, and what it committed is there. */
  readonly attempt: number;
  /**
   * Reports progress; call it before the first batch and between batches, as often as you like: it writes at most a few
   * times per second.
   * @throws JobInterrupted when the job must stop here, AppError when it has been interrupted too often: do not catch
   *   them
   */
  progress(progress: JobProgress): Promise<void>;
}

export type JobOutcome = { readonly state: 'done' | 'partly_done'; readonly summary: string };

/**
 * Does the work of one kind of job. It runs again from the start after a crash, so it must skip what it did before. It
 * is called with the rights of its user (`jobPermit`): give it a `permittedDb`. An AppError it throws ends the job as
 * failed, with its message as the summary.
 */
export type JobHandler = (run: JobRun) => Promise<JobOutcome>;
export type JobHandlers = Partial<Readonly<Record<JobRow['kind'], JobHandler>>>;

/** A user canceled the job, the process shuts down, or another process may have acquired its lock. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted';
  readonly why: 'cancelled' | 'stopping' | 'lost';
  constructor(why: JobInterrupted['why']) {
    super(`The job was interrupted: ${why}.`);
    this.why = why;
  }
}

import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { JOB_LOCKS } from '#db/job-lock.ts';
import { notify } from '#db/listen.ts';
import { jobs } from '#db/schema/jobs.ts';
import { isoTime, timestamptz } from '#db/sql-values.ts';
import { hours, type Instant, instant, type Millis } from '#domain/units.ts';

export type JobRow = typeof jobs.$inferSelect;
export type NewJob = Pick<
  JobRow,
  'kind' | 'title' | 'link' | 'work' | 'createdById' | 'createdBy' | 'createdAt'
>;
export type JobEnd = Pick<JobRow, 'summary'> & {
  readonly state: 'done' | 'partly_done' | 'failed' | 'cancelled';
};
/** Rows that are finished, rows that failed, and the total; null while unknown. */
export interface JobProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number | null;
}

/** Adds a queued job. @returns its ID */
export async function insertJob(db: Db, job: NewJob): Promise<number> {
  const [row] = await db
    .insert(jobs)
    .values({ ...job, sentAt: job.createdAt })
    .returning({ id: jobs.id });
  if (row === undefined) throw new Error('An insert answered no row.');
  await notify(db, 'pricewright_jobs', [row.id]);
  return row.id;
}

export async function findJob(db: Db, id: number): Promise<JobRow | null> {
  const [row] = await db.select().from(jobs).where(eq(jobs.id, id));
  return row ?? null;
}

/** A job without its work, which may list a million listings. */
export type JobSummary = Omit<JobRow, 'work'>;

/**
 * The condition of jobs that a caller may see.
 * @param isAdmin jobs of fee files are for administrators, like the fees
 */
export function jobsSeenBy({ isAdmin }: { readonly isAdmin: boolean }): SQL {
  if (isAdmin) return sql`true`;
  return sql`NOT (jobs.kind = 'import' AND jobs.work ? 'importId'
    AND EXISTS (SELECT FROM imports i WHERE i.id = (jobs.work ->> 'importId')::bigint AND i.kind = 'fees'))`;
}

/** The newest first. @param seen see {@link jobsSeenBy} */
export async function listJobs(db: Db, max: number, seen: SQL): Promise<JobSummary[]> {
  const { work: _, ...columns } = getTableColumns(jobs);
  return db.select(columns).from(jobs).where(seen).orderBy(desc(jobs.createdAt), desc(jobs.id)).limit(max);
}

/** A failed job needs attention for this long. */
const FAILED_JOB_SHOWN_FOR = hours(7 * 24);

/** The condition of a job that failed in the last seven days. */
export function failedSince(now: Instant): SQL {
  return sql`jobs.state = 'failed' AND jobs.ended_at > ${timestamptz(now - FAILED_JOB_SHOWN_FOR)}`;
}

/** Jobs that failed in the last seven days, the newest first. @param seen see {@link jobsSeenBy} */
export async function listFailedJobs(db: Db, now: Instant, seen: SQL): Promise<JobSummary[]> {
  const { work: _, ...columns } = getTableColumns(jobs);
  return db
    .select(columns)
    .from(jobs)
    .where(and(failedSince(now), seen))
    .orderBy(desc(jobs.endedAt), desc(jobs.id));
}

/** Marks a job as running and counts the attempt; null when it has ended already or does not exist. */
export async function startJob(db: Db, id: number, now: Instant): Promise<JobRow | null> {
  const [row] = await db
    .update(jobs)
    .set({
      state: 'running',
      startedAt: sql`coalesce(${jobs.startedAt}, ${timestamptz(now)})`,
      attempts: sql`${jobs.attempts} + 1`,
    })
    .where(sql`${jobs.id} = ${id} and ${jobs.state} in ('queued', 'running')`)
    .returning();
  if (row === undefined) return null;
  await notify(db, 'pricewright_jobs', [id]);
  return row;
}

/** Writes a job's progress. @returns whether it was canceled */
export async function writeProgress(db: Db, id: number, progress: JobProgress): Promise<boolean> {
  const [row] = await db
    .update(jobs)
    .set(progress)
    .where(eq(jobs.id, id))
    .returning({ isCancelWanted: jobs.isCancelWanted });
  await notify(db, 'pricewright_jobs', [id]);
  return row?.isCancelWanted ?? false;
}

export async function isCancelRequested(db: Db, id: number): Promise<boolean> {
  const [row] = await db.select({ wanted: jobs.isCancelWanted }).from(jobs).where(eq(jobs.id, id));
  return row?.wanted ?? false;
}

export async function endJob(
  db: Db,
  id: number,
  end: JobEnd,
  progress: JobProgress | null,
  now: Instant,
): Promise<void> {
  await db
    .update(jobs)
    .set({ ...end, ...(progress ?? {}), endedAt: now })
    .where(eq(jobs.id, id));
  await notify(db, 'pricewright_jobs', [id]);
}

/** The page with a job's report. */
export async function setJobLink(tx: Db, id: number, link: string): Promise<void> {
  await tx.update(jobs).set({ link }).where(eq(jobs.id, id));
}

/** The run of the prices that a job changes. */
export async function setJobRun(tx: Db, id: number, runId: number): Promise<void> {
  await tx.update(jobs).set({ runId }).where(eq(jobs.id, id));
}

/** Queues a running job again, for the next process. */
export async function requeueJob(db: Db, id: number): Promise<void> {
  await db
    .update(jobs)
    .set({ state: 'queued', sentAt: null, attempts: sql`greatest(${jobs.attempts} - 1, 0)` })
    .where(sql`${jobs.id} = ${id} and ${jobs.state} = 'running'`);
}

/** Requests a job to stop after its current batch. One that has ended stays as it is. Null: there is no such job. */
export async function requestCancel(db: Db, id: number): Promise<JobRow | null> {
  const [row] = await db.update(jobs).set({ isCancelWanted: true }).where(eq(jobs.id, id)).returning();
  return row ?? null;
}

/** Number of a user's queued or running jobs. */
export async function countOpenJobs(db: Db, createdById: string): Promise<number> {
  return db.$count(
    jobs,
    sql`${jobs.createdById} = ${createdById} AND ${jobs.state} IN ('queued', 'running')`,
  );
}

/**
 * Jobs without a process: they count as running and no process holds their lock, or they are queued and were sent to
 * the queue longer ago than `resendAfter`. They are marked as sent now; send each of them.
 */
export async function claimOrphans(db: Db, now: Instant, resendAfter: Millis): Promise<number[]> {
  const before = isoTime(instant(now - resendAfter));
  const { rows } = await db.execute<{ id: string }>(sql`
    UPDATE jobs SET state = 'queued', sent_at = ${timestamptz(now)}
    WHERE (state = 'running' OR (state = 'queued' AND (sent_at IS NULL OR sent_at < ${before}::timestamptz)))
      AND NOT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND classid = ${JOB_LOCKS} AND objid = jobs.id AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
    RETURNING id`);
  return rows.map(({ id }) => Number(id));
}

import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { findJob } from '#db/queries/background/jobs.ts';
import { auditLog } from '#db/schema/audit.ts';
import { instant } from '#domain/units.ts';
import { type RecordedQueue, recordedQueue } from '#tests/support/recorded-queue.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { AppError } from '#usecases/app-error.ts';
import { cancelJob } from './cancel-job.ts';
import type { JobHandler, JobHandlers, RunJobDeps } from './job-handler.ts';
import { requeueLostJobs } from './requeue-lost-jobs.ts';
import { runJob } from './run-job.ts';
import { startJob } from './start-job.ts';

const ANN = { id: 'ann', name: 'Ann Arbor' };

let database: RecycledDatabase;
let db: Db;
let queue: RecordedQueue;
let clock = Date.UTC(2026, 10, 21, 12);
const faults: unknown[] = [];
beforeAll(async () => {
  database = await borrowDatabase();
  db = database.open.db;
  queue = recordedQueue();
});
afterEach(() => {
  faults.length = 0;
  queue.sent.length = 0;
});
afterAll(async () => {
  await database.giveBack();
});

const now = () => instant(clock);
function deps(stopping = new AbortController().signal): RunJobDeps {
  return { db, url: database.url, now, onUnexpectedError: (error) => faults.push(error), stopping };
}
const start = (): Promise<number> =>
  db.transaction((tx) =>
    startJob(tx, { queue, now }, { kind: 'import', title: 'Import it', work: { file: 7 }, createdBy: ANN }),
  );
const handled = (handler: JobHandler): JobHandlers => ({ import: handler });

test('a job runs once, reports progress, and ends with a summary', async () => {
  const id = await start();
  expect(queue.sent).toEqual([{ kind: 'job', data: { jobId: id } }]);
  const seen: unknown[] = [];
  const handlers = handled(async ({ work, createdBy, progress }) => {
    seen.push(work, createdBy);
    await progress({ done: 40, failed: 2, total: 100 });
    seen.push((await findJob(db, id))?.done);
    await progress({ done: 98, failed: 2, total: 100 });
    return { state: 'partly_done', summary: '98 rows imported, 2 rejected.' };
  });
  await runJob(deps(), id, handlers);
  await runJob(deps(), id, handlers);
  expect(seen).toEqual([{ file: 7 }, ANN, 40]);
  expect(await findJob(db, id)).toMatchObject({
    state: 'partly_done',
    done: 98,
    failed: 2,
    total: 100,
    summary: '98 rows imported, 2 rejected.',
    attempts: 1,
    endedAt: now(),
  });
});

test('an AppError ends the job with its message, and any other error with a short one and a log entry', async () => {
  const refused = await start();
  await runJob(
    deps(),
    refused,
    handled(async () => {
      throw new AppError('conflict', 'Three rows are rejected.');
    }),
  );
  expect(await findJob(db, refused)).toMatchObject({ state: 'failed', summary: 'Three rows are rejected.' });
  expect(faults).toEqual([]);

  const broken = await start();
  await runJob(
    deps(),
    broken,
    handled(async () => {
      throw new Error('undefined is not a function');
    }),
  );
  const job = await findJob(db, broken);
  expect(job?.state).toBe('failed');
  expect(job?.summary).not.toContain('undefined');
  expect(faults).toHaveLength(1);
});

test('an internal error of a job is recorded in the audit log', async () => {
  const id = await start();
  const broken = handled(async () => {
    throw new Error('undefined is not a function');
  });
  await runJob(deps(), id, broken);
  const rows = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.targetId, String(id)))
    .orderBy(auditLog.id);
  expect(rows).toMatchObject([
    {
      action: 'error.unexpected',
      actor: 'Ann Arbor',
      actorId: 'ann',
      targetKind: 'job',
      after: { title: 'Import it' },
    },
  ]);
});

test('a canceled job stops after its batch and keeps what it did', async () => {
  const id = await start();
  const batches: number[] = [];
  await runJob(
    deps(),
    id,
    handled(async ({ progress }) => {
      for (const batch of [1, 2, 3]) {
        batches.push(batch);
        if (batch === 2) await cancelJob({ db, now }, id, ANN);
        await progress({ done: batch * 10, failed: 0, total: 30 });
      }
      return { state: 'done', summary: 'All of it.' };
    }),
  );
  expect(batches).toEqual([1, 2]);
  expect(await findJob(db, id)).toMatchObject({
    state: 'cancelled',
    done: 20,
    summary: 'Canceled after 20 of 30.',
  });
});

test('a job of a dead process is queued again by a sweep, and that of a living one is not', async () => {
  const id = await start();
  queue.sent.length = 0;
  let sweptWhileRunning = -1;
  await runJob(
    deps(),
    id,
    handled(async ({ progress }) => {
      await progress({ done: 1, failed: 0, total: 2 });
      sweptWhileRunning = await requeueLostJobs({ db, queue, now });
      // As the operating system ends the connections of a killed process.
      await database.open.pool.query(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'pricewright-job' AND datname = current_database()",
      );
      await expect
        .poll(() => progress({ done: 2, failed: 0, total: 2 }).then(() => 'on', String))
        .toMatch(/lost/);
      return progress({ done: 2, failed: 0, total: 2 }).then(() => ({ state: 'done', summary: 'Too late.' }));
    }),
  );
  expect(sweptWhileRunning).toBe(0);
  expect(await findJob(db, id)).toMatchObject({ state: 'running', summary: null });
  expect(await requeueLostJobs({ db, queue, now })).toBe(1);
  expect(queue.sent).toEqual([{ kind: 'job', data: { jobId: id } }]);
  expect(await requeueLostJobs({ db, queue, now })).toBe(0);

  let attempt = 0;
  await runJob(
    deps(),
    id,
    handled(async (run) => {
      attempt = run.attempt;
      return { state: 'done', summary: 'Done.' };
    }),
  );
  expect(attempt).toBe(2);
  expect(await findJob(db, id)).toMatchObject({ state: 'done', summary: 'Done.' });
});

test('two processes never run the same job at the same time', async () => {
  const id = await start();
  let runs = 0;
  const handlers = handled(async () => {
    runs += 1;
    await runJob(deps(), id, handlers);
    return { state: 'done', summary: 'Done.' };
  });
  await runJob(deps(), id, handlers);
  expect(runs).toBe(1);
});

test('the next process continues the job of one that shuts down', async () => {
  const id = await start();
  const stopping = new AbortController();
  await runJob(
    deps(stopping.signal),
    id,
    handled(async ({ progress }) => {
      stopping.abort();
      await progress({ done: 1, failed: 0, total: 2 });
      return { state: 'done', summary: 'Done.' };
    }),
  );
  expect(await findJob(db, id)).toMatchObject({ state: 'queued', attempts: 0 });
  expect(await requeueLostJobs({ db, queue, now })).toBe(1);
  await runJob(
    deps(),
    id,
    handled(async () => ({ state: 'done', summary: 'Done.' })),
  );
});

test('a job whose message was lost is queued again after a minute', async () => {
  const id = await start();
  expect(await requeueLostJobs({ db, queue, now })).toBe(0);
  clock += 61_000;
  queue.sent.length = 0;
  expect(await requeueLostJobs({ db, queue, now })).toBe(1);
  expect(queue.sent).toEqual([{ kind: 'job', data: { jobId: id } }]);
});

test.each([5, 6])('a job that crashed its process %i times fails', async (attempts) => {
  const id = await start();
  await database.open.pool.query('UPDATE jobs SET attempts = $2 WHERE id = $1', [id, attempts]);
  await runJob(
    deps(),
    id,
    handled(async ({ progress }) => {
      if (attempts > 5) throw new Error('It is not even begun.');
      await progress({ done: 0, failed: 0, total: 1 });
      return { state: 'done', summary: 'Done.' };
    }),
  );
  expect(await findJob(db, id)).toMatchObject({
    state: 'failed',
    summary: expect.stringContaining('5 attempts'),
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { findJob } from '#db/queries/background/jobs.ts';
import { openQueue } from '#db/queue.ts';
import { instant } from '#domain/units.ts';
import { createTestDatabase, prepareTestQueue, type TestDatabase } from '#tests/support/test-database.ts';
import { JOB } from '#usecases/background/job-handler.ts';
import { startJob } from '#usecases/background/start-job.ts';
import { startJobs } from './jobs.ts';

const now = () => instant(Date.UTC(2026, 10, 21, 12));
let database: TestDatabase;
let open: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

test('what is sent runs, and so does what a dead process left behind', async () => {
  await prepareTestQueue(database, [JOB]);
  const queue = await openQueue(database.url, [JOB], (error) => expect.fail(error.message));
  const { db } = open;
  const start = (title: string) =>
    startJob(db, { queue, now }, { kind: 'export', title, work: {}, createdBy: { id: null, name: 'Ann' } });
  const left = await start('Left behind');
  await open.pool.query("UPDATE jobs SET state = 'running', attempts = 1 WHERE id = $1", [left]);
  await open.pool.query('DELETE FROM pgboss.job');

  const onUnexpectedError = (error: unknown) => expect.fail(String(error));
  const stopping = new AbortController().signal;
  const stop = await startJobs(
    queue,
    { db, url: database.url, now, onUnexpectedError, stopping },
    { export: async ({ id }) => ({ state: 'done', summary: `Did ${id}.` }) },
  );
  const sent = await start('Sent');
  for (const id of [left, sent]) {
    await expect.poll(async () => (await findJob(db, id))?.summary).toBe(`Did ${id}.`);
  }
  stop();
  await queue.close();
});

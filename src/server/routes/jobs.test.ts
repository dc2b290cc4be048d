import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { startJob } from '#usecases/background/start-job.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterAll(() => shop.close());

test('every logged-in user sees the jobs, the newest first, and can request one to stop', async () => {
  const createdBy = { id: null, name: 'Ann Arbor' };
  const first = await startJob(shop.db, shop.deps, { kind: 'import', title: 'First', work: {}, createdBy });
  shop.advance(1_000);
  const link = '/imports/7';
  await startJob(shop.db, shop.deps, { kind: 'export', title: 'Second', work: {}, link, createdBy });
  const list = (await shop.get('/api/jobs', cookie)).json();
  expect(list).toMatchObject([
    { kind: 'export', title: 'Second', state: 'queued', link, total: null, createdBy: 'Ann Arbor' },
    { id: String(first), kind: 'import', title: 'First', startedAt: null, endedAt: null },
  ]);
  const cancelled = await shop.post(`/api/jobs/${first}/cancel`, undefined, { headers: { cookie } });
  expect(cancelled.statusCode).toBe(200);
  const { rows } = await shop.db.execute('SELECT title FROM jobs WHERE is_cancel_wanted');
  expect(rows).toEqual([{ title: 'First' }]);
  const audit = await shop.db.execute(
    "SELECT actor, target_id FROM audit_log WHERE action = 'job.cancelled'",
  );
  expect(audit.rows).toEqual([{ actor: 'boss@example.com', target_id: String(first) }]);
});

test('an unknown job cannot be stopped, and a session is required', async () => {
  const answer = await shop.post('/api/jobs/4711/cancel', undefined, { headers: { cookie } });
  expect(answer.statusCode).toBe(404);
  expect(answer.json().message).toBe('There is no job 4711.');
  expect((await shop.get('/api/jobs')).statusCode).toBe(401);
});

import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
// Preloaded: its first import is slow on a busy machine.
import './jobs-page.tsx';

afterEach(() => vi.unstubAllGlobals());

const aJob = (over: Partial<Job>): Job => ({
  id: '1',
  kind: 'import',
  title: 'Import of skus.csv',
  state: 'done',
  done: 5,
  failed: 0,
  total: 5,
  summary: '5 created.',
  link: '/imports/7',
  createdBy: 'Ann',
  createdAt: '2026-11-21T09:00:00.000Z',
  startedAt: null,
  endedAt: '2026-11-21T09:01:00.000Z',
  ...over,
});

function open(address: string, over: Answers = {}) {
  const failed = aJob({
    id: '2',
    title: 'Import of bad.csv',
    state: 'failed',
    summary: 'The file is empty.',
  });
  serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/jobs': { body: [aJob({}), failed] },
    'GET /api/jobs?state=failed': { body: [failed] },
    ...over,
  });
  return renderApp(address);
}

test('the address for failed jobs lists only those, with their error and report', async () => {
  open('/jobs?state=failed');
  const table = within(await screen.findByRole('table'));
  expect(table.getAllByRole('row')).toHaveLength(2);
  expect(table.getByText('The file is empty.')).toBeTruthy();
  expect(table.getByText('Failed')).toBeTruthy();
  expect(table.getByRole('link', { name: 'Import of bad.csv' }).getAttribute('href')).toBe('/imports/7');
  expect(screen.getByText('1 job')).toBeTruthy();
});

test('the tabs change the address', async () => {
  const router = open('/jobs');
  expect(await screen.findByText('2 jobs')).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Failed' }));
  expect(await screen.findByText('1 job')).toBeTruthy();
  expect(router.state.location.href).toBe('/jobs?state=failed');
});

test('no failed job says so, and a failed load shows the cause', async () => {
  open('/jobs?state=failed', { 'GET /api/jobs?state=failed': { body: [] } });
  expect(await screen.findByText('No job failed in the last 7 days.')).toBeTruthy();
});

test('jobs that failed to load can be retried', async () => {
  open('/jobs', { 'GET /api/jobs': refusal(503, 'unavailable', 'The database is away.') });
  expect((await screen.findAllByText('Failed to load the jobs')).length).toBeGreaterThan(0);
  expect(screen.getAllByRole('button', { name: 'Retry' }).length).toBeGreaterThan(0);
});

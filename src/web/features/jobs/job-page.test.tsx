import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { JobReport } from '#contract/jobs.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';

afterEach(() => vi.unstubAllGlobals());

const REPORT: JobReport = {
  id: '7',
  kind: 'apply',
  title: 'Undo the price changes of 451 listings',
  state: 'partly_done',
  done: 371,
  failed: 80,
  total: 451,
  summary: '371 done, 80 skipped. A-1: The price has changed since that run.',
  link: '/jobs/7',
  createdBy: 'sam@example.com',
  createdAt: '2026-11-21T10:00:00.000Z',
  startedAt: '2026-11-21T10:00:01.000Z',
  endedAt: '2026-11-21T10:00:09.000Z',
  runId: '12',
};

const left = (sku: string) => ({
  body: { rows: [{ listingId: '3', sku, message: 'Changed since.' }], total: 80 },
});

function open(job: Partial<JobReport> = {}, answers: Answers = {}) {
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/jobs/7': { body: { ...REPORT, ...job } },
    'GET /api/jobs/7/refusals?page=1&size=50': left('A-1'),
    'GET /api/jobs/7/refusals?page=2&size=50': left('Z-9'),
    ...answers,
  });
  const router = renderApp('/jobs/7');
  return { sent, user: userEvent.setup(), where: () => router.state.location.href };
}

test('the report links the run of the prices and every skipped listing, page by page', async () => {
  const { user, where } = open();
  await screen.findByRole('heading', { level: 1, name: 'Undo the price changes of 451 listings' });
  const run = await screen.findByRole('link', { name: 'Open run 12' });
  expect(run.getAttribute('href')).toBe('/runs/12');
  expect(await screen.findByRole('heading', { level: 2, name: '80 listings were skipped' })).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'A-1' })).getAttribute('href')).toBe('/listings?q=A-1');
  expect(screen.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')).toBe(
    '/api/jobs/7/refusals.csv',
  );
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByRole('link', { name: 'Z-9' });
  expect(where()).toBe('/jobs/7?page=2');
});

test('a job without skipped listings and price changes has neither', async () => {
  open({ state: 'done', failed: 0, runId: null, summary: '451 done.' });
  await screen.findByText('451 done.');
  expect(screen.queryByRole('heading', { level: 2, name: /skipped$/ })).toBeNull();
  expect(screen.queryByRole('link', { name: /^Open run/ })).toBeNull();
});

test('a running one can be canceled', async () => {
  const { user, sent } = open({ state: 'running', failed: 0, summary: null, done: 200, endedAt: null });
  await screen.findByText('200 of 451');
  await user.click(screen.getByRole('button', { name: 'Cancel job' }));
  expect(sent.map(({ call }) => call)).toContain('POST /api/jobs/7/cancel');
});

test('one that does not exist says so', async () => {
  open({}, { 'GET /api/jobs/7': refusal(404, 'not_found', 'There is no job 7.') });
  await screen.findByText('Job 7 was not found.');
});

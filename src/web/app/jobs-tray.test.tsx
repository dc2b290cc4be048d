import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { aStatus } from '#tests/support/engine-screen.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { keepJobInView } from '#web/lib/jobs-in-view.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

function aJob(given: Partial<Job> = {}): Job {
  return {
    id: '7',
    kind: 'import',
    title: 'Import catalog.csv',
    state: 'running',
    done: 1240,
    failed: 0,
    total: 5000,
    summary: null,
    link: '/imports/3',
    createdBy: 'sam@example.com',
    createdAt: '2026-11-21T10:00:00.000Z',
    startedAt: null,
    endedAt: null,
    ...given,
  };
}

/** The server's stream, as this page opened it. */
class TestSource {
  static readonly CLOSED = 2;
  static last: TestSource | undefined;
  readyState = 1;
  onmessage: ((message: { data: string }) => void) | undefined;
  constructor() {
    TestSource.last = this;
  }
  close(): void {
    this.readyState = TestSource.CLOSED;
  }
  send(event: unknown): void {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
}

function open(jobs: () => Job[], answers: Answers = {}) {
  vi.stubGlobal('EventSource', TestSource);
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/stats': { body: null },
    'GET /api/jobs': () => ({ body: jobs() }),
    ...answers,
  });
  renderApp('/');
  return { sent, user: userEvent.setup() };
}

test('a running job shows its progress, its source and a link to its page', async () => {
  const { user } = open(() => [aJob()]);
  await user.click(await screen.findByRole('button', { name: 'Jobs: 1 under way' }));
  const tray = within(await screen.findByRole('dialog', { name: 'Jobs' }));
  await tray.findByText('1,240 of 5,000');
  expect(tray.getByRole('progressbar', { name: 'Import catalog.csv' }).getAttribute('aria-valuenow')).toBe(
    '25',
  );
  expect(tray.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('/imports/3');
});

test('each outcome has its own text', async () => {
  const { user } = open(() => [
    aJob({ id: '1', state: 'queued' }),
    aJob({ id: '2', state: 'done', summary: '5,000 rows imported.' }),
    aJob({ id: '3', state: 'partly_done', summary: '4,980 done, 20 failed.' }),
    aJob({ id: '4', state: 'failed', summary: 'The disk is full.' }),
    aJob({ id: '5', state: 'cancelled', summary: 'Cancelled after 200 rows.', link: null }),
  ]);
  await user.click(await screen.findByRole('button', { name: 'Jobs: 1 under way' }));
  const items = (await screen.findAllByRole('listitem')).map((item) => item.textContent);
  for (const [at, words] of [
    'Queued',
    '5,000 rows imported.',
    '4,980 done, 20 failed.',
    'The disk is full.',
    'Cancelled after 200 rows.',
  ].entries()) {
    expect(
      items.filter((text) => text?.includes(words)),
      `item ${at}`,
    ).toHaveLength(1);
  }
  expect(screen.getAllByRole('link', { name: 'See report' })).toHaveLength(3);
});

test('a running job shows its rate, and one with failed rows offers them as a file', async () => {
  const startedAt = new Date(Date.now() - 10_000).toISOString();
  const { user } = open(() => [
    aJob({ id: '1', startedAt }),
    aJob({ id: '2', kind: 'apply', state: 'partly_done', failed: 3, summary: '9 done, 3 skipped.' }),
  ]);
  await user.click(await screen.findByRole('button', { name: 'Jobs: 1 under way' }));
  await screen.findByText(/^1,240 of 5,000, about \d+ a second$/);
  const file = screen.getByRole('link', { name: 'Download skipped rows' });
  expect(file.getAttribute('href')).toBe('/api/jobs/2/refusals.csv');
});

test('Cancel calls the server, and shows the error if it is refused', async () => {
  const { sent, user } = open(() => [aJob()], {
    'POST /api/jobs/7/cancel': refusal(409, 'conflict', 'It has just ended.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Jobs: 1 under way' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel Import catalog.csv' }));
  await screen.findByText('It has just ended.');
  expect(sent.filter(({ call }) => call === 'POST /api/jobs/7/cancel')).toHaveLength(1);
});

test('a job that ends shows one toast, with a link to its report', async () => {
  let jobs = [aJob()];
  open(() => jobs, { 'GET /api/imports/3': refusal(404, 'not_found', 'Not found.') });
  await screen.findByRole('button', { name: 'Jobs: 1 under way' });
  jobs = [aJob({ state: 'done', done: 5000, summary: '5,000 rows imported.' })];
  act(() => TestSource.last?.send({ kind: 'changed', topic: 'jobs', ids: ['7'] }));
  await screen.findByText('Done: Import catalog.csv');
  expect(screen.getByRole('button', { name: 'See report' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Jobs' })).toBeTruthy();
});

test('with notifications off there is no toast; the tray shows the outcome', async () => {
  let jobs = [aJob()];
  const { user } = open(() => jobs, { 'GET /api/engine': { body: aStatus({ notifications: false }) } });
  await screen.findByRole('button', { name: 'Jobs: 1 under way' });
  jobs = [aJob({ state: 'done', done: 5000, summary: '5,000 rows imported.' })];
  act(() => TestSource.last?.send({ kind: 'changed', topic: 'jobs', ids: ['7'] }));
  await user.click(await screen.findByRole('button', { name: 'Jobs' }));
  await screen.findByText('5,000 rows imported.');
  expect(screen.queryByText('Done: Import catalog.csv')).toBeNull();
});

test('a job that a dialog already reports has no toast', async () => {
  let jobs = [aJob()];
  open(() => jobs);
  const leave = keepJobInView('7');
  await screen.findByRole('button', { name: 'Jobs: 1 under way' });
  jobs = [aJob({ state: 'done', done: 5000, summary: '5,000 rows imported.' })];
  act(() => TestSource.last?.send({ kind: 'changed', topic: 'jobs', ids: ['7'] }));
  await screen.findByRole('button', { name: 'Jobs' });
  expect(screen.queryByText('Done: Import catalog.csv')).toBeNull();
  leave();
});

test('an empty list says what will appear there', async () => {
  const { user } = open(() => []);
  await user.click(await screen.findByRole('button', { name: 'Jobs' }));
  await screen.findByText(/No jobs yet/);
});

test('a list that cannot be loaded says why and can be retried', async () => {
  let isUp = false;
  const { user } = open(() => [], {
    'GET /api/jobs': () => (isUp ? { body: [aJob()] } : refusal(503, 'unavailable', 'The database is away.')),
  });
  await user.click(await screen.findByRole('button', { name: 'Jobs' }));
  await screen.findByText('The database is away.');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('1,240 of 5,000');
});

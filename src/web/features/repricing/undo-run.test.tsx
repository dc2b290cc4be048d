import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { RunDetail } from '#contract/engine.ts';
import type { Job } from '#contract/jobs.ts';
import { aStatus, NO_MONEY, openEngine, RUN } from '#tests/support/engine-screen.ts';
import { type Answers, refusal } from '#tests/support/fake-api.ts';

afterEach(() => vi.unstubAllGlobals());

const DONE: RunDetail = {
  ...RUN,
  ...NO_MONEY,
  state: 'done',
  changed: 37,
  endedAt: '2026-11-21T10:02:05.000Z',
};
const UNDO = 'POST /api/runs/9/undo';

function open(run: RunDetail, answers: Answers = {}) {
  return openEngine(
    aStatus(),
    {
      [`GET /api/runs/${run.id}`]: { body: run },
      [`GET /api/runs/${run.id}/items?page=1&size=50`]: { body: { rows: [], total: 0 } },
      ...answers,
    },
    'user',
    `/runs/${run.id}`,
  );
}

/** Opens the question and confirms it. */
async function confirm({ user }: ReturnType<typeof open>) {
  await user.click(await screen.findByRole('button', { name: 'Undo run' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Undo run 9?' }));
  await user.click(dialog.getByRole('button', { name: 'Undo run' }));
  return dialog;
}

test('undoing asks first, and shows the result and the skipped listings with reasons', async () => {
  const shop = open(DONE, {
    [UNDO]: {
      body: {
        done: 35,
        refusedCount: 22,
        jobId: null,
        refused: [
          { listingId: '5', sku: 'MUG-1', message: 'Changed since.' },
          { listingId: '6', sku: 'MUG-2', message: 'Deleted since.' },
        ],
      },
    },
  });
  await shop.user.click(await screen.findByRole('button', { name: 'Undo run' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Undo run 9?' });
  expect(dialog.textContent).toContain('37 prices are restored to the value before this run');
  expect(dialog.textContent).toContain('Listings whose price changed after the run are skipped and listed.');
  expect(dialog.textContent).toContain('The others go on hold');
  expect(shop.count(UNDO)).toBe(0);
  await shop.user.click(within(dialog).getByRole('button', { name: 'Undo run' }));
  await screen.findByText('35 prices restored, 22 skipped');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  const skipped = within(screen.getByRole('list', { name: 'Skipped listings' })).getAllByRole('listitem');
  expect(skipped.map((item) => item.textContent)).toEqual(['MUG-1 Changed since.', 'MUG-2 Deleted since.']);
  expect(screen.getByText('And 20 others.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See the undo under Runs' }).getAttribute('href')).toBe('/runs');
  expect(shop.count(UNDO)).toBe(1);
});

test('an error stays in the dialog, and Cancel sends nothing more', async () => {
  const shop = open(DONE, { [UNDO]: refusal(409, 'conflict', 'Repricing is halted. Resume it first.') });
  const dialog = await confirm(shop);
  await dialog.findByText('Repricing is halted. Resume it first.');
  expect(dialog.getByText('Could not undo the run')).toBeTruthy();
  await shop.user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(screen.queryByText(/restored,/)).toBeNull();
  expect(shop.count(UNDO)).toBe(1);
});

test('while repricing is halted it asks again, and continues only if confirmed for the halt in force', async () => {
  const halts = ['2026-01-15T11:00:00.000Z', '2026-01-15T12:00:00.000Z'];
  /** The halt in force; another one from the second response on. */
  let halt = halts[0];
  const shop = open(DONE, {
    [UNDO]: () =>
      halt !== undefined
        ? refusal(409, 'halted', 'Repricing is halted.', { whileHalted: halt })
        : { body: { done: 37, refusedCount: 0, refused: [], jobId: null } },
  });
  const question = async () =>
    within(await screen.findByRole('alertdialog', { name: 'Change prices while repricing is halted?' }));
  const dialog = await confirm(shop);
  await shop.user.click((await question()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.getAllByRole('alertdialog')).toHaveLength(1));
  // After declining, the question is still there, without an error.
  expect(dialog.queryByText('Could not undo the run')).toBeNull();
  await shop.user.click(dialog.getByRole('button', { name: 'Undo run' }));
  const requested = await question();
  halt = halts[1];
  await shop.user.click(requested.getByRole('button', { name: 'Change prices' }));
  await waitFor(() => expect(shop.count(UNDO)).toBe(3));
  const repeated = await question();
  halt = undefined;
  await shop.user.click(repeated.getByRole('button', { name: 'Change prices' }));
  await screen.findByText('37 prices restored');
  const bodies = shop.sent.flatMap(({ call, body }) => (call === UNDO ? [body] : []));
  expect(bodies).toEqual([{}, {}, { whileHalted: halts[0] }, { whileHalted: halts[1] }]);
});

test('a long one continues as a job, and the callout shows its progress', async () => {
  const job: Job = {
    id: '7',
    kind: 'apply',
    title: 'Undo the price changes of 451 listings',
    link: null,
    state: 'running',
    done: 200,
    failed: 0,
    total: 451,
    summary: null,
    createdBy: 'Sam Seller',
    createdAt: RUN.startedAt,
    startedAt: RUN.startedAt,
    endedAt: null,
  };
  const over: Job = {
    ...job,
    state: 'partly_done',
    done: 450,
    failed: 1,
    endedAt: RUN.startedAt,
    summary: '450 done, 1 skipped. MUG-1: The price has changed since that run.',
  };
  const sources: { onmessage?: (message: { data: string }) => void }[] = [];
  vi.stubGlobal(
    'EventSource',
    class {
      onmessage?: (message: { data: string }) => void;
      constructor() {
        sources.push(this);
      }
      close(): void {
        sources.length = 0;
      }
    },
  );
  let jobs: Job[] = [];
  const shop = open(DONE, {
    'GET /api/jobs': () => ({ body: jobs }),
    [UNDO]: () => {
      jobs = [job];
      return { body: { done: 0, refusedCount: 0, refused: [], jobId: '7' } };
    },
  });
  await confirm(shop);
  await screen.findByText('Restoring prices in the background');
  await screen.findByText('200 of 451');
  jobs = [over];
  act(() =>
    sources[0]?.onmessage?.({ data: JSON.stringify({ kind: 'changed', topic: 'jobs', ids: ['7'] }) }),
  );
  await screen.findByText('Some prices were not restored');
  const report = screen.getByRole('link', { name: 'See the full report' });
  expect(report.getAttribute('href')).toBe('/jobs/7');
  expect(report.parentElement?.textContent).toContain('450 done, 1 skipped. MUG-1: The price has changed');
});

test('a run that changed no price cannot be undone', async () => {
  open({ ...DONE, changed: 0 });
  await screen.findByText(/took \d/, { selector: '[id]' });
  expect(screen.queryByRole('button', { name: 'Undo run' })).toBeNull();
});

test('nor can a running one', async () => {
  open({ ...RUN, ...NO_MONEY });
  await screen.findByRole('heading', { name: 'Run 9' });
  await screen.findByText('1,240 of 5,000', { selector: 'p' });
  expect(screen.queryByRole('button', { name: 'Undo run' })).toBeNull();
});

test('a stopped run is undone like any other', async () => {
  open({ ...DONE, state: 'stopped', stopReason: 'Halted by Ann.', changed: 1 });
  expect(await screen.findByRole('button', { name: 'Undo run' })).toBeTruthy();
});

test('a run that undoes another leads to it', async () => {
  open(
    { ...DONE, id: '12', trigger: 'undo', startedBy: 'Sam Seller', undoesRunId: '9' },
    { 'GET /api/runs/9': { body: DONE } },
  );
  const link = await screen.findByRole('link', { name: 'Undoes run 9' });
  expect(link.getAttribute('href')).toBe('/runs/9');
  await screen.findByText('These prices were applied manually. Confirmed changes are in Price History.');
});

test('a run shows the status of its sent prices', async () => {
  open({ ...DONE, sent: { confirmed: 1_112, inProgress: 3, notApplied: 160 } });
  await screen.findByText(
    'On connected marketplaces: 1,112 confirmed, 3 on their way, 160 rejected, not sent or replaced by a newer price.',
  );
  expect(screen.getByRole('link', { name: 'Prices not applied' }).getAttribute('href')).toBe('/history');
});

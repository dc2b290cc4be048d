import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { aStatus, openEngine, RUN } from '#tests/support/engine-screen.ts';
import { type Answers, refusal } from '#tests/support/fake-api.ts';

afterEach(() => vi.unstubAllGlobals());

const DONE = {
  ...RUN,
  state: 'done' as const,
  trigger: 'person' as const,
  startedBy: 'Sam Seller',
  evaluated: 5000,
  endedAt: '2026-11-21T10:02:05.000Z',
};
const ITEM = {
  listingId: '5',
  marketplace: 'walmart',
  sku: 'MUG-1',
  title: 'Blue mug',
  outcome: 'change',
  reasonCode: 'beaten',
  reason: "Beat Walmart's $17.05 by $0.05.",
  oldPrice: '19.99',
  newPrice: '17.00',
  lowestLegalPrice: '14.71',
  marginBefore: '22.40',
  marginAfter: null,
};

const at = (address: string, answers: Answers) => openEngine(aStatus(), answers, 'user', address);

test('the list tells when, why, who, the state and the counts, and leads to each run', async () => {
  at('/runs', { 'GET /api/runs?page=1&size=25&withEffect=true': { body: { rows: [DONE], total: 1 } } });
  const table = within(await screen.findByRole('table', { name: 'Runs' }));
  const cells = table.getAllByRole('cell').map((cell) => cell.textContent);
  expect(cells.slice(1)).toEqual(['Reprice now', 'Sam Seller', 'Done', '5,000', '3', '0', '1,237', '0']);
  expect(table.getByRole('link').getAttribute('href')).toBe('/runs/9');
});

test('pages and the filter live in the address', async () => {
  const { user, router } = at('/runs?page=2', {
    'GET /api/runs?page=2&size=25&withEffect=true': { body: { rows: [DONE], total: 26 } },
    'GET /api/runs?page=1&size=25&withEffect=true': { body: { rows: [DONE], total: 26 } },
    'GET /api/runs?page=1&size=25': { body: { rows: [], total: 0 } },
  });
  await screen.findByText('26-26 of 26');
  await user.click(screen.getByRole('button', { name: 'Previous page' }));
  await screen.findByText('1-25 of 26');
  expect(router.state.location.search).toEqual({});
  await user.click(screen.getByRole('checkbox', { name: 'Only runs with an effect' }));
  await screen.findByText('No runs yet.');
  expect(router.state.location.search).toEqual({ effect: 'all' });
});

test('no runs yet, and runs that cannot be loaded', async () => {
  let answer: Answers[string] = refusal(503, 'unavailable', 'The database is away.');
  const { user } = at('/runs', {
    'GET /api/runs?page=1&size=25&withEffect=true': () => answer as never,
  });
  await screen.findByText('Failed to load the runs');
  answer = { body: { rows: [], total: 0 } };
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText(/^No run has changed, recommended or stopped anything yet\./);
});

test('a run shows how long it took and what it did to each listing', async () => {
  const { user, router } = at('/runs/9', {
    'GET /api/runs/9': { body: DONE },
    'GET /api/runs/9/items?page=1&size=50': { body: { rows: [ITEM], total: 1 } },
    'GET /api/runs/9/items?page=1&size=50&outcome=blocked': { body: { rows: [], total: 0 } },
  });
  await screen.findByText('took 2 min 5 s');
  const table = within(await screen.findByRole('table', { name: 'Listings of this run' }));
  const cells = table.getAllByRole('cell').map((cell) => cell.textContent);
  expect(cells.slice(1, 7)).toEqual([
    'Changed',
    '$19.99',
    '$17.00',
    '$14.71',
    '22.4%',
    '\u2013not available',
  ]);
  expect(table.getByRole('link', { name: 'Why: MUG-1 on Walmart' }).getAttribute('href')).toBe(
    '/listings/5/why',
  );
  await user.selectOptions(screen.getByLabelText('Outcome'), 'Blocked');
  await screen.findByText('No listing has this outcome for the first time in this run.');
  expect(router.state.location.search).toEqual({ outcome: 'blocked' });
  expect(screen.getByRole('link', { name: 'Export run as CSV' }).getAttribute('href')).toBe(
    '/api/runs/9/items.csv',
  );
});

test('a stopped run says why; an unknown one says so', async () => {
  at('/runs/9', {
    'GET /api/runs/9': {
      body: { ...DONE, state: 'stopped', stopReason: '30% would have dropped by 10% or more.' },
    },
    'GET /api/runs/9/items?page=1&size=50': { body: { rows: [], total: 0 } },
  });
  await screen.findByText('This run was stopped before its end');
  expect(screen.getByText('30% would have dropped by 10% or more.')).toBeTruthy();
  await screen.findByText(/^Nothing new in this run/);
});

test('a run that is not there says so', async () => {
  at('/runs/77', {});
  await screen.findByText(/There is no run 77\./);
});

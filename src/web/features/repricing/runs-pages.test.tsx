import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aStatus, openEngine, RUN } from '#tests/support/engine-screen.ts';
import { type Answers, refusal } from '#tests/support/fake-api.ts';

/** The seven days that are shown unless others are chosen begin on November 17. */
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T12:00:00Z') }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const DONE = {
  ...RUN,
  state: 'done' as const,
  trigger: 'manual' as const,
  startedBy: 'Sam Seller',
  evaluated: 5000,
  endedAt: '2026-11-21T10:02:05.000Z',
  money: {
    up: 1,
    down: 2,
    equalSales: '-6.20',
    equalSalesOf: 3,
    marginBefore: '30.40',
    marginAfter: '29.80',
  },
};
const LISTED = { ...DONE, up: 1, down: 2, equalSales: '-2.10', equalSalesOf: 3 };
const DAYS = 'from=2026-11-20&to=2026-11-21';
const IN_UTC = `${DAYS}&zone=UTC`;
const RUNS = 'GET /api/runs?page=1&size=100';
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
  marginFloor: '14.71',
  marginBefore: '22.40',
  marginAfter: null,
  equalSales: '-3.19',
};

const at = (address: string, answers: Answers) => openEngine(aStatus(), answers, 'user', address);

test('the list shows the runs of each day with their sums, and folds the automatic ones of an hour', async () => {
  const automatic = { ...LISTED, id: '8', trigger: 'data_change', startedBy: null };
  const { user } = at(`/runs?${DAYS}`, {
    [`${RUNS}&withEffect=true&${IN_UTC}`]: {
      body: { rows: [LISTED, automatic, { ...automatic, id: '7' }], total: 3 },
    },
    [`GET /api/runs/groups?by=day&${IN_UTC}`]: { body: GROUPS },
  });
  const table = within(await screen.findByRole('table', { name: 'Runs' }));
  const rows = () =>
    table.getAllByRole('row').map((row) => Array.from(row.children, ({ textContent }) => textContent));
  await table.findByText('37 runs with changes');
  expect(rows().slice(1)).toEqual([
    ['Nov 21 37 runs with changes', '95up 43down 52', '', '\u2212$6.20', 'Undo day'],
    [
      'Run of 10:00',
      'Started manually',
      'Sam Seller',
      ...['5,000', '3up 1down 2', '0', '0', '\u2212$2.10', 'Done'],
    ],
    [
      '10:00',
      'Data changed',
      'Pricewright, 2 runs',
      ...['10,000', '6up 2down 4', '0', '0', '\u2212$4.20', 'Done'],
    ],
  ]);
  expect(table.getByRole('link').getAttribute('href')).toBe('/runs/9');
  await user.click(table.getByRole('button', { name: '10:00' }));
  expect(table.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    ...['/runs/9', '/runs/8', '/runs/7'],
  ]);
});

test('pages and the filter are in the address', async () => {
  const { user, router } = at('/runs?page=2&days=all', {
    'GET /api/runs?page=2&size=100&withEffect=true': { body: { rows: [LISTED], total: 101 } },
    'GET /api/runs?page=1&size=100&withEffect=true': { body: { rows: [LISTED], total: 101 } },
    'GET /api/runs?page=1&size=100&only=people': { body: { rows: [], total: 0 } },
  });
  await screen.findByText('101-101 of 101');
  await user.click(screen.getByRole('button', { name: 'Previous page' }));
  await screen.findByText('1-100 of 101');
  expect(router.state.location.search).toEqual({ days: 'all' });
  await user.click(screen.getByRole('link', { name: 'By users' }));
  await screen.findByText('No run was started by a user.');
  expect(router.state.location.search).toEqual({ days: 'all', effect: 'people' });
});

test('no runs yet, and runs that failed to load', async () => {
  let answer: Answers[string] = refusal(503, 'unavailable', 'The database is away.');
  const { user } = at('/runs?days=all', {
    'GET /api/runs?page=1&size=100&withEffect=true': () => answer as never,
  });
  await screen.findByText('Failed to load the runs');
  answer = { body: { rows: [], total: 0 } };
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText(/^No run has changed or recommended a price yet\./);
});

test('a run shows its duration and the outcome for each listing', async () => {
  const { user, router } = at('/runs/9', {
    'GET /api/runs/9': { body: DONE },
    'GET /api/runs/9/items?page=1&size=50': { body: { rows: [ITEM], total: 1 } },
    'GET /api/runs/9/items?page=1&size=50&outcome=blocked': { body: { rows: [], total: 0 } },
  });
  await screen.findByText(/took 2 min 5 s$/, { selector: '[id]' });
  const table = within(await screen.findByRole('table', { name: 'Listings of this run' }));
  const cells = table.getAllByRole('cell').map((cell) => cell.textContent);
  expect(cells.slice(0, 7)).toEqual([
    'Blue mugWalmart MUG-1Changed',
    '$19.99',
    '$17.00',
    '\u2193 down $2.99',
    '$14.71',
    '22.4% \u2192  to \u2013not available',
    '\u2212$3.19',
  ]);
  for (const [name, figure] of [
    ['Changed', '31 up, 2 down'],
    ['At same volume', '\u2212$6.20a week, at 30-day sales volume'],
    ['Margin of these', '29.8%Strongfrom 30.4%'],
  ])
    expect(screen.getByText(name ?? '', { selector: 'dt' }).nextSibling?.textContent).toBe(figure);
  expect(table.getByRole('link', { name: 'Why: MUG-1 on Walmart' }).getAttribute('href')).toBe(
    '/runs/9/why/5',
  );
  const outcomes = within(screen.getByRole('navigation', { name: 'Outcome' }));
  await user.click(outcomes.getByRole('button', { name: /^Blocked/ }));
  await screen.findByText('No listing has this outcome as a new result of this run.');
  expect(router.state.location.search).toEqual({ outcome: 'blocked' });
  expect(screen.getByRole('link', { name: 'Export run as CSV' }).getAttribute('href')).toBe(
    '/api/runs/9/items.csv',
  );
});

test('groups are of the last seven days of the calendar, also where all days of runs are shown', async () => {
  at('/runs?by=day&days=all', {
    'GET /api/runs/groups?by=day&from=2026-11-17&zone=UTC': { body: GROUPS },
  });
  await screen.findByText('Last 7 days');
  expect((await screen.findAllByText('37')).length).toBeGreaterThan(0);
});

test('a stopped run says why; an unknown one says so', async () => {
  at('/runs/9', {
    'GET /api/runs/9': {
      body: { ...DONE, state: 'stopped', stopReason: '30% would have dropped by 10% or more.' },
    },
    'GET /api/runs/9/items?page=1&size=50': { body: { rows: [], total: 0 } },
  });
  await screen.findByText('This run was stopped before it finished');
  expect(screen.getByText('30% would have dropped by 10% or more.')).toBeTruthy();
  await screen.findByText(/^Nothing new:/);
});

test('a missing run says so', async () => {
  at('/runs/77', {});
  await screen.findByText(/Run 77 was not found/);
});

const GROUPS = {
  since: '2026-11-20T00:00:00.000Z',
  until: '2026-11-22T00:00:00.000Z',
  isCut: false,
  groups: [
    {
      since: '2026-11-21T00:00:00.000Z',
      until: '2026-11-22T00:00:00.000Z',
      marketplace: null,
      rule: null,
      runs: 37,
      changes: 95,
      listings: 95,
      up: 43,
      down: 52,
      equalSales: '-6.20',
      equalSalesOf: 95,
      soldUnits: 4,
      soldProfit: '48.10',
    },
  ],
};
const DAY = 'from=2026-11-21&to=2026-11-21&zone=UTC';
const SEEN = {
  changes: 95,
  listings: 95,
  through: '812',
  goBack: 76,
  up: 50,
  down: 26,
  effect: '6.20',
  notSent: 0,
  inProgress: 0,
  openThrough: null,
  alsoChanges: [],
  kept: [
    { why: 'changed_since', listings: 18 },
    { why: 'not_allowed', listings: 1 },
  ],
  rows: [
    {
      listingId: '5',
      marketplace: 'walmart',
      sku: 'MUG-1',
      title: 'Blue mug',
      now: '24.90',
      before: '25.60',
      marginBefore: '28.00',
      why: null,
      message: null,
    },
    {
      listingId: '6',
      marketplace: 'amazon',
      sku: 'MUG-2',
      title: 'Red mug',
      now: '21.40',
      before: '19.80',
      marginBefore: '5.40',
      why: 'not_allowed',
      message: 'It would be below $20.00.',
    },
  ],
};
const PREVIEW = `GET /api/history/undo-preview?ofRuns=true&${DAY}`;

test('a day is undone as previewed: restored prices, skipped ones with the reason, and the result', async () => {
  const { user, router, count } = at('/runs?by=day&from=2026-11-20&to=2026-11-21', {
    'GET /api/runs/groups?by=day&from=2026-11-20&to=2026-11-21&zone=UTC': { body: GROUPS },
    [PREVIEW]: { body: SEEN },
    'POST /api/history/undo': {
      body: { done: 76, refusedCount: 0, refused: [], jobId: null },
    },
  });
  const table = within(await screen.findByRole('table', { name: 'Runs' }));
  expect(table.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
    ...['Nov 21', '37', '95', '43', '52', '95', '\u2212$6.20', '$48.10 of 4 units', 'Undo'],
  ]);
  await user.click(table.getByRole('button', { name: 'Undo Nov 21' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo Nov 21' }));
  const put = await dialog.findByRole('button', { name: 'Restore 76 prices' });
  const stays = within(await dialog.findByRole('list', { name: 'Prices that are kept' })).getAllByRole(
    'listitem',
  );
  expect(stays.map(({ textContent }) => textContent?.split(' ')[0])).toEqual(['18', '1']);
  expect(dialog.getByText(/It would be below \$20.00/)).toBeTruthy();
  expect(count('POST /api/history/undo')).toBe(0);
  await user.click(put);
  await dialog.findByText('76 prices restored');
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(router.state.location.search).toMatchObject({ from: '2026-11-20', to: '2026-11-21' });
});

test('a sum of some of the changes says of how many', async () => {
  const [group] = GROUPS.groups;
  at('/runs?by=day', {
    'GET /api/runs/groups?by=day&from=2026-11-17&zone=UTC': {
      body: { ...GROUPS, groups: [{ ...group, equalSalesOf: 80 }] },
    },
  });
  const table = within(await screen.findByRole('table', { name: 'Runs' }));
  expect(table.getAllByRole('cell')[6]?.textContent).toBe('\u2212$6.20 of 80 of 95 changes');
});

test('queued prices are counted, and canceled even if no price is restored', async () => {
  const queued = { ...SEEN, changes: 0, listings: 0, through: null, goBack: 0, kept: [], rows: [] };
  const { user, sent } = at('/runs?by=day', {
    'GET /api/runs/groups?by=day&from=2026-11-17&zone=UTC': { body: GROUPS },
    [PREVIEW]: { body: { ...queued, notSent: 12, inProgress: 3, openThrough: '77' } },
    'POST /api/history/undo': { body: { done: 12, refusedCount: 3, refused: [], jobId: null } },
  });
  await user.click((await screen.findAllByRole('button', { name: 'Undo Nov 21' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo Nov 21' }));
  await user.click(await dialog.findByRole('button', { name: 'Stop 12 queued prices' }));
  await waitFor(() =>
    expect(sent.find(({ call }) => call === 'POST /api/history/undo')?.body).toMatchObject({
      through: null,
      changes: 0,
      openThrough: '77',
    }),
  );
});

test('a group without prices to restore is unchanged, and an error stays visible', async () => {
  let seen: object = { ...SEEN, goBack: 0, up: 0, down: 0, effect: '0.00', rows: [] };
  const { user } = at('/runs?by=day', {
    'GET /api/runs/groups?by=day&from=2026-11-17&zone=UTC': { body: GROUPS },
    [PREVIEW]: () => ({ body: seen }),
    'POST /api/history/undo': refusal(409, 'conflict', 'These are other price changes.'),
  });
  await user.click((await screen.findAllByRole('button', { name: 'Undo Nov 21' }))[0] as HTMLElement);
  const dialog = () => within(screen.getByRole('dialog', { name: 'Undo Nov 21' }));
  await screen.findByText('0 of 95 prices');
  expect(dialog().queryByRole('button', { name: /^Restore/ })).toBeNull();
  await user.click(dialog().getByRole('button', { name: 'Keep prices' }));
  seen = SEEN;
  await user.click((await screen.findAllByRole('button', { name: 'Undo Nov 21' }))[0] as HTMLElement);
  await user.click(await screen.findByRole('button', { name: 'Restore 76 prices' }));
  await dialog().findByText('These are other price changes.');
});

test('the undo of a group is in the address: Back closes it, and a link opens it', async () => {
  const key = encodeURIComponent('2026-11-21T00:00:00.000Z');
  const { user, router } = at(`/runs?by=day&undo=${key}`, {
    'GET /api/runs/groups?by=day&from=2026-11-17&zone=UTC': { body: GROUPS },
    [PREVIEW]: { body: SEEN },
  });
  await user.click(await screen.findByRole('button', { name: 'Keep prices' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ by: 'day' }));
  await user.click((await screen.findAllByRole('button', { name: 'Undo Nov 21' }))[0] as HTMLElement);
  await screen.findByRole('dialog', { name: 'Undo Nov 21' });
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // A group that does not exist.
  act(() => void router.navigate({ to: '/runs', search: { by: 'day', undo: 'walmart' } }));
  await waitFor(() => expect(router.state.location.search).toEqual({ by: 'day' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Undo run is in the address: Back closes it, Forward opens it', async () => {
  const { user, router } = at('/runs/9', {
    'GET /api/runs/9': { body: DONE },
    'GET /api/runs/9/items?page=1&size=50': { body: { rows: [ITEM], total: 1 } },
  });
  const button = await screen.findByRole('button', { name: 'Undo run' });
  await user.click(button);
  await screen.findByRole('alertdialog');
  expect(router.state.location.search).toEqual({ undo: '1' });
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
  act(() => router.history.forward());
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test('a run without changes removes the undo from the address', async () => {
  const { router } = at('/runs/9?undo=1', {
    'GET /api/runs/9': { body: { ...DONE, changed: 0 } },
    'GET /api/runs/9/items?page=1&size=50': { body: { rows: [ITEM], total: 1 } },
  });
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

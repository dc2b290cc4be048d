import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Import, SEEN_AT_UPLOAD } from '#contract/imports.ts';
import type { Job } from '#contract/jobs.ts';
import { aUser, refusal } from '#tests/support/fake-api.ts';
import { anImport, openImports } from '#tests/support/import-screen.ts';

afterEach(() => vi.unstubAllGlobals());

const LINES = {
  'GET /api/imports/3/lines?status=update': {
    body: {
      lines: [
        {
          line: 3,
          label: 'A-2',
          title: 'Mug',
          changes: [{ field: 'productCost', from: '6.50', to: '7.00' }],
        },
      ],
      problems: [],
    },
  },
  'GET /api/imports/3/lines?status=create': {
    body: {
      lines: [
        { line: 2, label: 'A-1', title: null, changes: [{ field: 'productCost', from: null, to: '6.10' }] },
      ],
      problems: [],
    },
  },
  'GET /api/imports/3/lines?status=rejected': {
    body: {
      lines: [],
      problems: [
        {
          line: 4,
          column: 'productCost',
          value: '12,5O',
          problem: 'expected a dollar amount',
          fix: 'Replace the letter O.',
        },
      ],
    },
  },
};

const JOB: Job = {
  id: '7',
  kind: 'import',
  title: 'Import skus.csv',
  state: 'running',
  done: 1240,
  failed: 0,
  total: 5000,
  summary: null,
  link: '/imports/3',
  createdBy: 'sam@example.com',
  createdAt: '2026-11-21T10:00:00.000Z',
  startedAt: '2026-11-21T10:00:01.000Z',
  endedAt: null,
};

test('a missing required column is named first, and the file is checked once it is chosen', async () => {
  let imported = anImport({
    state: 'uploaded',
    counts: null,
    mapping: { sku: null, productCost: 1 },
    missingColumns: ['sku'],
  });
  const { bodyOf, router, user } = openImports('/imports/3', {
    'GET /api/imports/3': () => ({ body: imported }),
    'PUT /api/imports/3/mapping': () => {
      imported = anImport({ state: 'checking', counts: null, jobId: '7' });
      return { body: imported };
    },
  });
  await screen.findByText('1 required column is missing');
  expect(screen.getByText('Choose a column for SKU')).toBeTruthy();
  expect(screen.getByText('colour', { selector: 'span' })).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('Column of the file for SKU'), 'Code');
  await waitFor(() => expect(screen.queryByText('1 required column is missing')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await screen.findByRole('heading', { name: 'Checking the file' });
  expect(bodyOf('PUT /api/imports/3/mapping')).toMatchObject({
    mapping: { sku: 0, productCost: 1 },
    defaults: {},
  });
  expect(router.state.location.search).toEqual({ step: 'check' });
});

test('what a report lacks is asked for, for every row', async () => {
  const imported = anImport({
    kind: 'listings',
    source: 'ebay',
    state: 'uploaded',
    counts: null,
    columns: [
      { name: 'fulfillmentType', label: 'Fulfillment Type', isRequired: true, hint: 'FBA/WFS or FBM' },
    ],
    mapping: { fulfillmentType: null },
    missingColumns: ['fulfillmentType'],
    defaults: { marketplace: 'ebay' },
  });
  const { bodyOf, user } = openImports('/imports/3', {
    'GET /api/imports/3': { body: imported },
    'PUT /api/imports/3/mapping': refusal(503, 'unavailable', 'The database is away.'),
  });
  await screen.findByText(/This is eBay's active listings report/);
  await user.selectOptions(screen.getByLabelText('Fulfillment Type of every row'), 'FBM');
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await screen.findByText('The database is away. Your choices are kept.');
  expect((screen.getByLabelText('Fulfillment Type of every row') as HTMLSelectElement).value).toBe('FBM');
  expect(bodyOf('PUT /api/imports/3/mapping')).toMatchObject({
    mapping: { fulfillmentType: null },
    defaults: { marketplace: 'ebay', fulfillmentType: 'FBM' },
  });
});

test('offers of a file without times can be seen when it was uploaded', async () => {
  const imported = anImport({
    kind: 'offers',
    state: 'uploaded',
    counts: null,
    columns: [{ name: 'seenAt', label: 'Seen at', isRequired: true, hint: '' }],
    mapping: { seenAt: null },
    missingColumns: ['seenAt'],
  });
  const { bodyOf, user } = openImports('/imports/3', {
    'GET /api/imports/3': { body: imported },
    'PUT /api/imports/3/mapping': refusal(503, 'unavailable', 'The database is away.'),
  });
  await user.selectOptions(
    await screen.findByLabelText('Seen at of every row'),
    'Detected when the file was uploaded',
  );
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await screen.findByText('The database is away. Your choices are kept.');
  expect(bodyOf('PUT /api/imports/3/mapping')).toMatchObject({
    mapping: { seenAt: null },
    defaults: { seenAt: SEEN_AT_UPLOAD },
  });
});

test('the check shows every status: rejected first, then what changes from old to new', async () => {
  const { router, user } = openImports('/imports/3', {
    'GET /api/imports/3': { body: anImport() },
    ...LINES,
  });
  const problems = within(await screen.findByRole('list', { name: 'Problems' }));
  expect(problems.getByRole('listitem').textContent).toBe(
    '2 rows: productCost is not an amountReplace the letter O. (lines 4, 7)',
  );
  await screen.findByRole('cell', { name: '12,5O' });
  expect(screen.getByText('The first 1 of 2 rows.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Download rejected rows' }).getAttribute('href')).toBe(
    '/api/imports/3/rejected.csv',
  );
  await user.click(screen.getByRole('button', { name: /^Will update: ?2$/ }));
  const cell = await screen.findByRole('cell', { name: /Product Cost/ });
  expect(cell.textContent).toBe('Product Cost: 6.50 \u2192  becomes 7.00');
  expect(router.state.location.search).toEqual({ status: 'update' });
});

test('rows that cannot be loaded leave the counts and the choices in place', async () => {
  openImports('/imports/3', {
    'GET /api/imports/3': { body: anImport() },
    'GET /api/imports/3/lines?status=rejected': refusal(503, 'unavailable', 'The database is away.'),
  });
  await screen.findByText('Failed to load the rows');
  expect(screen.getByRole('button', { name: 'Import 6 SKUs' })).toBeTruthy();
});

test('"all or nothing" is sent, and a refusal says that nothing was written', async () => {
  const { bodyOf, user } = openImports('/imports/3', {
    'GET /api/imports/3': { body: anImport() },
    ...LINES,
    'POST /api/imports/3/run': refusal(409, 'conflict', '2 rows are rejected.'),
  });
  await user.click(await screen.findByLabelText(/All or nothing/));
  await user.click(screen.getByRole('button', { name: 'Import 6 SKUs' }));
  await screen.findByText('2 rows are rejected.');
  expect(screen.getByText('Nothing was saved')).toBeTruthy();
  expect(bodyOf('POST /api/imports/3/run')).toEqual({ checkId: '6', allOrNothing: true });
});

test('going back to the columns and on again keeps what was chosen', async () => {
  const { user } = openImports('/imports/3', { 'GET /api/imports/3': { body: anImport() }, ...LINES });
  await user.click(await screen.findByLabelText(/All or nothing/));
  await user.click(screen.getByRole('link', { name: /Columns/ }));
  await screen.findByRole('heading', { name: 'Columns' });
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  expect(((await screen.findByLabelText(/All or nothing/)) as HTMLInputElement).checked).toBe(true);
});

test('no valid row means there is nothing to import, and no button to do it', async () => {
  openImports('/imports/3', {
    'GET /api/imports/3': {
      body: anImport({
        kind: 'bundles',
        counts: { rows: 2, create: 0, update: 0, unchanged: 0, rejected: 2 },
      }),
    },
    ...LINES,
  });
  await screen.findByText('No data to import');
  expect(screen.getByText('The CSV file contains no valid bundle configurations.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

const OFFERS = anImport({
  kind: 'offers',
  counts: { rows: 6, create: 6, update: 0, unchanged: 0, rejected: 0 },
  sellers: [
    { marketplace: 'walmart', name: 'Kitchen Corner', offers: 40, isOwn: false },
    { marketplace: 'walmart', name: 'Northwind', offers: 12, isOwn: true },
    { marketplace: 'ebay', name: 'kitchen_corner', offers: 9, isOwn: false },
  ],
});

test('sellers are us only where an administrator says so', async () => {
  const { bodyOf, user } = openImports('/imports/3', {
    'GET /api/user': { body: aUser({ role: 'admin' }) },
    'GET /api/imports/3': { body: OFFERS },
    ...LINES,
    'POST /api/imports/3/run': { body: {} },
  });
  await screen.findByRole('heading', { name: 'Which of these sellers are you?' });
  const boxes = screen.getAllByRole('checkbox') as HTMLInputElement[];
  expect(boxes.map(({ checked }) => checked)).toEqual([true, false, false]);
  await user.click(screen.getByLabelText('kitchen_corner'));
  await user.click(screen.getByRole('button', { name: 'Import 6 offers' }));
  await waitFor(() =>
    expect(bodyOf('POST /api/imports/3/run')).toEqual({
      checkId: '6',
      allOrNothing: false,
      ownSellers: [
        { marketplace: 'walmart', name: 'Northwind' },
        { marketplace: 'ebay', name: 'kitchen_corner' },
      ],
    }),
  );
});

test('others see which sellers are declared, and import without naming any', async () => {
  const { bodyOf, user } = openImports('/imports/3', {
    'GET /api/imports/3': { body: OFFERS },
    ...LINES,
    'POST /api/imports/3/run': { body: {} },
  });
  const sellers = within(await screen.findByRole('list', { name: 'Your sellers in this file' }));
  expect(sellers.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    expect.stringMatching(/WalmartNorthwind$/),
    expect.stringMatching(/eBayNone of these sellers is marked as yours\.$/),
  ]);
  expect(screen.getByText(/an administrator can add it under Settings\./)).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Which of these sellers are you?' })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Import 6 offers' }));
  await waitFor(() =>
    expect(bodyOf('POST /api/imports/3/run')).toEqual({ checkId: '6', allOrNothing: false }),
  );
});

test('the import runs in the background, shows how far it is, and ends in its report', async () => {
  let imported: Import = anImport();
  let jobs: Job[] = [];
  const { user } = openImports('/imports/3', {
    'GET /api/imports/3': () => ({ body: imported }),
    'GET /api/jobs': () => ({ body: jobs }),
    ...LINES,
    'POST /api/imports/3/run': () => {
      imported = anImport({ state: 'importing', jobId: '7' });
      jobs = [JOB];
      return { body: {} };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Import 6 SKUs' }));
  await screen.findByText('1,240 of 5,000 rows');
  imported = anImport({ state: 'done' });
  await screen.findByText('5 SKUs created or updated from skus.csv.');
  expect(screen.getAllByText('Import successful!').length).toBeGreaterThan(0);
  expect(screen.getByText('2 rows were rejected')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See SKUs' }).getAttribute('href')).toBe('/skus');
  expect(screen.queryByRole('link', { name: /Columns/ })).toBeNull();
});

test('the same file twice reports 0 changed', async () => {
  openImports('/imports/3', {
    'GET /api/imports/3': {
      body: anImport({
        state: 'done',
        counts: { rows: 8, create: 0, update: 0, unchanged: 8, rejected: 0 },
        problems: [],
      }),
    },
  });
  await screen.findByText(/^Nothing changed/);
  expect(screen.queryByRole('link', { name: 'Download rejected rows' })).toBeNull();
});

test('a file that cannot be read says why and lets another be chosen', async () => {
  openImports('/imports/3?step=file', {
    'GET /api/imports/3': {
      body: anImport({ state: 'failed', counts: null, error: 'Line 1: the file is no text.' }),
    },
  });
  await screen.findByText('skus.csv could not be read');
  expect(screen.getByText('Line 1: the file is no text.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Choose another file' }).getAttribute('href')).toBe(
    '/imports/new?kind=skus',
  );
});

test('an import that stopped says why and what stays, and is checked again with the same columns', async () => {
  const stopped = anImport({
    state: 'failed',
    error: 'It would lower Walmart A-1.',
    counts: { rows: 2_000, create: 0, update: 1_990, unchanged: 10, rejected: 0 },
    problems: [],
  });
  let imported = stopped;
  const { bodyOf, user } = openImports('/imports/3', {
    ...LINES,
    'GET /api/imports/3': () => ({ body: imported }),
    'PUT /api/imports/3/mapping': () => {
      imported = anImport();
      return { body: imported };
    },
  });
  await screen.findByText('It would lower Walmart A-1.');
  expect(screen.getByText('skus.csv was partly imported')).toBeTruthy();
  expect(screen.getByText('1,990')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  await screen.findByRole('button', { name: /^Import \d/ });
  const { mapping, defaults, readings } = stopped;
  expect(bodyOf('PUT /api/imports/3/mapping')).toEqual({ mapping, defaults, readings });
});

test('an import that is not there says so', async () => {
  openImports('/imports/77', {});
  await screen.findByText(/Import 77 was not found\./);
});

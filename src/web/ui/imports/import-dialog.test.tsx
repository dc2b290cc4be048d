import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Import } from '#contract/imports.ts';
import { aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { serveUploads } from '#tests/support/fake-upload.ts';
import { anImport } from '#tests/support/import-screen.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { openSkus } from '#tests/support/skus-screen.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  dismissToasts();
});

const CLEAN = { rows: 6, create: 3, update: 2, unchanged: 1, rejected: 0 };
const CHECKED = { counts: CLEAN, problems: [], header: ['sku', 'productCost'], ignoredColumns: [] };
const file = (name: string) => new File(['sku,productCost\nA-1,6.10\n'], name, { type: 'text/csv' });

/** The import dialog on SKUs; `stages` is what the server says of the file, one after the other. */
async function open(...stages: readonly Partial<Import>[]) {
  let stage = 0;
  const uploads = serveUploads(async () => ({ status: 201, body: anImport(stages[0]) }));
  const screenOf = await openSkus(
    {
      'GET /api/imports': { body: [] },
      'GET /api/imports/3': () => ({ body: anImport(stages[Math.min(stage, stages.length - 1)]) }),
      'POST /api/imports/3/run': () => {
        stage += 1;
        return { body: {} };
      },
    },
    '/skus?import=1',
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Import SKUs' }));
  const choose = (chosen: File) =>
    screenOf.user.upload(dialog.getByLabelText(/Choose a file|Choose another one/), chosen);
  return { ...screenOf, uploads, dialog, choose };
}

test('importing without a file, and a file that is no CSV, are refused in the words of the specification', async () => {
  const { user, dialog, choose, uploads } = await open(CHECKED);
  const template = dialog.getByRole('link', { name: 'Download CSV template' });
  expect(template.getAttribute('href')).toBe('/api/imports/template/skus.csv');
  await user.click(dialog.getByRole('button', { name: 'Import' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Please select a file');
  for (const name of ['skus.xlsx', 'skus.pdf', 'skus.csv.zip', 'csv']) {
    await choose(file(name));
    expect(dialog.getByRole('alert').textContent).toBe('Please upload a CSV file');
  }
  expect(uploads).toEqual([]);
  await choose(file('SKUS.CSV'));
  expect(dialog.queryByRole('alert')).toBeNull();
  expect(uploads).toHaveLength(1);
});

test('rows pasted from a spreadsheet are a file; a word pasted, or into a field, is none', async () => {
  const { uploads } = await open(CHECKED);
  const paste = (target: Element, text: string) =>
    fireEvent.paste(target, { clipboardData: { getData: () => text, files: { item: () => null } } });
  const field = document.body.appendChild(document.createElement('textarea'));
  paste(document.body, 'A-1');
  paste(field, 'sku\tproductCost\nA-1\t6.10\n');
  field.remove();
  expect(uploads).toEqual([]);
  paste(document.body, 'sku\tproductCost\nA-1\t6.10\n');
  await waitFor(() => expect(uploads.map(({ name }) => name)).toEqual(['pasted rows.csv']));
});

test('a file of costs says which listings fall below their margin floor, before it is imported', async () => {
  const fallen = {
    ...({ marketplace: 'walmart', sku: 'A-1', title: 'Mug', currentPrice: '12.00' } as const),
    floorBefore: '11.00',
    floorAfter: '13.10',
    marginBefore: '20.00',
    marginAfter: '6.00',
  };
  const effect = {
    listings: 2,
    rules: [],
    fallingCount: 1,
    unknownCount: 1,
    falling: [fallen],
    jumpCount: 0,
    jumps: [],
  };
  const { dialog, choose } = await open({ ...CHECKED, effect });
  await choose(file('costs.csv'));
  const link = await dialog.findByRole('link', { name: /effect/ });
  expect(link.getAttribute('href')).toBe('/imports/3?step=check');
  expect(dialog.getByRole('listitem').textContent).toMatch(/A-1.*\$12\.00.*\$13\.10/);
  expect(dialog.getByRole('button', { name: 'Import 6 SKUs' })).toBeTruthy();
});

test('a clean file is previewed, imported, and the dialog closes after two seconds', async () => {
  const { user, dialog, choose, uploads, reads, where } = await open(CHECKED, {
    ...CHECKED,
    state: 'done',
  });
  await choose(file('skus.csv'));
  const preview = await dialog.findByRole('table', { name: 'First 2 rows of the file' });
  expect(within(preview).getByRole('cell', { name: '6.10' })).toBeTruthy();
  expect(uploads).toEqual([{ path: '/api/imports?kind=skus&name=skus.csv', name: 'skus.csv' }]);
  expect(dialog.getByRole('status').textContent).toContain('3 new, 2 changed, 1 unchanged, 0 rejected');
  const before = reads().length;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await user.click(dialog.getByRole('button', { name: 'Import 6 SKUs' }));
  await dialog.findByText('Import successful!');
  expect(dialog.getByText('5 SKUs created or updated from skus.csv.')).toBeTruthy();
  expect(reads().length).toBeGreaterThan(before);
  vi.advanceTimersByTime(1_500);
  expect(where()).toBe('/skus?import=1');
  vi.advanceTimersByTime(500);
  await waitFor(() => expect(where()).toBe('/skus'));
});

test('of rejected rows the first three are reported, the others are imported, and the dialog stays for the report', async () => {
  const problems = [
    {
      column: null,
      problem: 'Missing required fields',
      fix: '',
      count: 4,
      firstLines: [2, 5, 6, 9],
      isSecondary: false,
    },
  ];
  const counts = { ...CLEAN, rows: 10, rejected: 4 };
  const { user, dialog, choose, sent, where } = await open(
    { ...CHECKED, counts, problems },
    { ...CHECKED, counts, problems, state: 'done' },
  );
  await choose(file('skus.csv'));
  const alert = await dialog.findByRole('alert');
  expect(alert.textContent).toContain('CSV validation errors');
  expect(alert.textContent).toContain(
    'Line 2: Missing required fields; Line 5: Missing required fields; Line 6: Missing required fields; ...',
  );
  const rejected = dialog.getByRole('link', { name: 'See every rejected row' });
  expect(rejected.getAttribute('href')).toBe('/imports/3?step=check&status=rejected');
  await user.click(dialog.getByRole('button', { name: 'Import 6 SKUs' }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await dialog.findByText('4 rows were skipped');
  vi.advanceTimersByTime(10_000);
  expect(where()).toBe('/skus?import=1');
  expect(sent.find(({ call }) => call === 'POST /api/imports/3/run')?.body).toMatchObject({
    allOrNothing: false,
  });
  expect(dialog.getByRole('link', { name: 'See the report' }).getAttribute('href')).toBe('/imports/3');
  expect(dialog.getByRole('link', { name: 'Download rejected rows' }).getAttribute('href')).toBe(
    '/api/imports/3/rejected.csv',
  );
});

test('a column that is missing leads to the page where it can be chosen', async () => {
  const { dialog, choose } = await open({ state: 'uploaded', counts: null, missingColumns: ['sku'] });
  await choose(file('skus.csv'));
  expect((await dialog.findByRole('alert')).textContent).toContain('1 required column is missing');
  expect(dialog.getByRole('link', { name: 'Choose columns' }).getAttribute('href')).toBe(
    '/imports/3?step=columns',
  );
});

test('while it is imported the way of the job is shown, and it may be closed', async () => {
  const { user, dialog, choose, where, writes } = await open(CHECKED, {
    ...CHECKED,
    state: 'importing',
    jobId: '7',
  });
  await choose(file('skus.csv'));
  await user.click(await dialog.findByRole('button', { name: 'Import 6 SKUs' }));
  await dialog.findByRole('progressbar', { name: 'Importing' });
  expect(dialog.getByText(/The Jobs menu shows when the import is done/)).toBeTruthy();
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() => expect(where()).toBe('/skus'));
  // Nothing calls the import off: starting it stays the last that was sent.
  expect(writes().map(({ call }) => call)).toEqual(['POST /api/imports/3/run']);
});

test('a file that cannot be uploaded says why, and another one can be chosen', async () => {
  let answer = refusal(400, 'validation_failed', 'line 1: the header has one column.');
  serveUploads(async () => answer);
  const { user } = await openSkus(
    { 'GET /api/imports': { body: [] }, 'GET /api/imports/3': { body: anImport(CHECKED) } },
    '/skus?import=1',
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Import SKUs' }));
  await user.upload(dialog.getByLabelText(/Choose a file/), file('bad.csv'));
  expect((await dialog.findByRole('alert')).textContent).toContain('the header has one column');
  answer = { status: 201, body: anImport(CHECKED) };
  await user.upload(dialog.getByLabelText(/Choose another one/), file('skus.csv'));
  await dialog.findByRole('button', { name: 'Import 6 SKUs' });
});

test('is on Listings as well, with the template of listings', async () => {
  serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/jobs': { body: [] } });
  renderApp('/listings?import=1');
  const dialog = within(await screen.findByRole('dialog', { name: 'Import listings' }));
  const template = dialog.getByRole('link', { name: 'Download CSV template' });
  expect(template.getAttribute('href')).toBe('/api/imports/template/listings.csv');
});

import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Import } from '#contract/imports.ts';
import { openBundles } from '#tests/support/bundle-screen.ts';
import { type Answer, type Answers, refusal } from '#tests/support/fake-api.ts';
import { serveUploads } from '#tests/support/fake-upload.ts';
import { anImport } from '#tests/support/import-screen.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const NONE = { rows: 0, create: 0, update: 0, unchanged: 0, rejected: 0 };
const CLEAN = anImport({
  kind: 'bundles',
  fileName: 'bundles.csv',
  header: ['listing_sku', 'component_sku', 'quantity'],
  preview: [
    ['SET-1', 'MUG', '2'],
    ['SET-1', 'PLATE', '1'],
  ],
  ignoredColumns: [],
  counts: { ...NONE, rows: 2, create: 1, unchanged: 1 },
  problems: [],
});
const mistake = (problem: string, ...firstLines: number[]): Import['problems'][number] => ({
  column: 'component_sku',
  problem,
  fix: 'Correct it.',
  firstLines,
  count: firstLines.length,
  isSecondary: false,
});

/** The card on the screen; what the server says of the file before and after the import was started. */
async function openImport(upload: Answer, ended: Partial<Import> = {}, more: Answers = {}) {
  let imported = upload.body as Import;
  const page = await openBundles('/bundles', {
    'GET /api/imports': { body: [] },
    'GET /api/imports/3': () => ({ body: imported }),
    'GET /api/jobs': { body: [] },
    'POST /api/imports/3/run': () => {
      imported = { ...imported, state: 'importing', jobId: '7', ...ended };
      return { body: {} };
    },
    ...more,
  });
  const uploads = serveUploads(async () => upload);
  const field = () => screen.getByLabelText<HTMLInputElement>(/Choose a file|Choose another one/);
  return {
    ...page,
    uploads,
    field,
    choose: async (name = 'bundles.csv') => page.user.upload(field(), new File(['x'], name)),
    press: async () => page.user.click(await screen.findByRole('button', { name: 'Import' })),
  };
}

test('a good file is checked first, and Import brings in all of it or nothing', async () => {
  const { choose, press, uploads, writes, field } = await openImport({ body: CLEAN }, { state: 'done' });
  await choose();
  await screen.findByText(/^1 new, 0 changed, 1 unchanged, 0 rejected\./);
  expect(uploads.map(({ path }) => path)).toEqual(['/api/imports?kind=bundles&name=bundles.csv']);
  expect(screen.getByRole('table', { name: 'First 2 rows of the file' })).toBeTruthy();
  expect(writes()).toEqual([]);
  await press();
  expect(await screen.findByText('Bundles imported')).toBeTruthy();
  expect(screen.getByText('Successfully imported 2 bundle components.')).toBeTruthy();
  expect(writes()).toEqual([{ call: 'POST /api/imports/3/run', body: { checkId: '6', allOrNothing: true } }]);
  expect(screen.queryByRole('table', { name: 'First 2 rows of the file' })).toBeNull();
  expect(field().labels?.[0]?.textContent).toContain('Choose a file or drop it here');
});

test.each([
  [
    // Not one row is valid: that is an error of the rows all the same.
    { ...NONE, rows: 2, rejected: 2 },
    [mistake('Missing required fields', 2), mistake('Invalid quantity "x"', 3)],
    'Line 2: Missing required fields; Line 3: Invalid quantity "x"',
  ],
  [
    { ...NONE, rows: 9, create: 5, rejected: 4 },
    [mistake('SKU "A" not found', 2, 9), mistake('SKU "B" not found', 3), mistake('SKU "C" not found', 4)],
    'Line 2: SKU "A" not found; Line 3: SKU "B" not found; Line 4: SKU "C" not found; ...',
  ],
])(
  'mistakes: at most three in the message, all on the page, nothing written',
  async (counts, problems, text) => {
    const { choose, press, writes } = await openImport({ body: { ...CLEAN, counts, problems } });
    await choose();
    await screen.findByText(`${counts.rejected} rows need correction`);
    const list = screen.getByRole('list', { name: 'Problems' });
    for (const { problem } of problems) expect(list.textContent).toContain(problem);
    expect(screen.getByRole('link', { name: 'See every rejected row' }).getAttribute('href')).toBe(
      '/imports/3?step=check&status=rejected',
    );
    await press();
    expect(await screen.findByText('CSV validation errors')).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
    expect(writes()).toEqual([]);
  },
);

test('a file without rows has nothing to import', async () => {
  const { choose, press, writes } = await openImport({ body: { ...CLEAN, counts: NONE, preview: [] } });
  await choose();
  await press();
  // On the page, and in the message.
  await waitFor(() => expect(screen.getAllByText('No data to import')).toHaveLength(2));
  expect(writes()).toEqual([]);
});

test.each([
  ['a refusal', refusal(409, 'conflict', 'SKU MUG was deleted.'), 'SKU MUG was deleted.'],
  [
    'no word from the server',
    { status: 502, body: undefined },
    'Failed to import bundles. Please check your CSV format.',
  ],
])('%s of the import is shown as an error, and the file stays', async (_, answer, text) => {
  const more = { 'POST /api/imports/3/run': answer };
  const { choose, press } = await openImport({ body: CLEAN }, {}, more);
  await choose();
  await press();
  expect(await screen.findByText('Import failed')).toBeTruthy();
  expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  expect(screen.getByText('bundles.csv')).toBeTruthy();
});

test('an import that stops says why, in the message and on the page', async () => {
  const error = 'Nothing was imported because your data changed after the check.';
  const { choose, press } = await openImport({ body: CLEAN }, { state: 'failed', error, counts: NONE });
  await choose();
  await press();
  await screen.findByText('bundles.csv could not be imported');
  expect(screen.getByText('Import failed')).toBeTruthy();
  expect(screen.getAllByText(error)).toHaveLength(2);
});

test('a file that cannot be read says why at once, and again on Import', async () => {
  const message = 'bundles.csv: the file is empty.';
  const { choose, press } = await openImport(refusal(400, 'validation_failed', message));
  await choose();
  expect(await screen.findByText('Could not upload the file')).toBeTruthy();
  await press();
  expect(await screen.findByText('Import failed')).toBeTruthy();
  expect(screen.getAllByText(message)).toHaveLength(2);
});

test('without a file Import asks for one', async () => {
  const { press, field } = await openImport({ body: CLEAN });
  await press();
  expect(screen.getByText('Please select a file')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(field()));
});

test('the template, and a file with other columns', async () => {
  const { choose } = await openImport({
    body: { ...CLEAN, state: 'uploaded', counts: null, missingColumns: ['quantity'] },
  });
  expect(screen.getByRole('link', { name: 'Template' }).getAttribute('href')).toBe(
    '/api/imports/template/bundles.csv',
  );
  await choose();
  const columns = await screen.findByRole('link', { name: 'Choose columns' });
  expect(columns.getAttribute('href')).toBe('/imports/3?step=columns');
});

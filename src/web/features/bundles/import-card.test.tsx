import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { aCheckedFile, MUG, openBundles, PLATE, stored } from '#tests/support/bundle-screen.ts';
import { type Answer, type Answers, refusal } from '#tests/support/fake-api.ts';
import { serveUploads } from '#tests/support/fake-upload.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

async function openImport(check: Answer, more: Answers = {}) {
  const page = await openBundles('/bundles', more);
  const uploads = serveUploads(async () => check);
  const choose = async (name = 'bundles.csv', text = 'x'): Promise<void> =>
    page.user.upload(screen.getByLabelText('CSV file'), new File([text], name, { type: 'text/csv' }));
  const press = async (): Promise<void> => page.user.click(screen.getByRole('button', { name: 'Import' }));
  return { ...page, uploads, choose, press };
}

test('a good file is shown first, and Import saves all of it in one call', async () => {
  const answer = [stored('11', MUG, 2), stored('12', PLATE, 1)];
  const { choose, press, uploads, writes } = await openImport(
    { body: aCheckedFile({ replaced: 1 }) },
    { 'POST /api/bundles/bulk': { body: answer } },
  );
  await choose();
  expect(await screen.findByText(/1 bundle with 2 components\. 1 stored bundle is replaced\./)).toBeTruthy();
  expect(uploads.map(({ path }) => path)).toEqual(['/api/bundles/check?name=bundles.csv']);
  expect(screen.getByRole('table', { name: 'The first rows of the file' })).toBeTruthy();
  expect(writes()).toEqual([]);
  await press();
  expect(await screen.findByText('Bundles imported')).toBeTruthy();
  expect(screen.getByText('Successfully imported 2 bundle components.')).toBeTruthy();
  expect(writes()).toEqual([{ call: 'POST /api/bundles/bulk', body: aCheckedFile().components }]);
  expect(screen.queryByRole('table', { name: 'The first rows of the file' })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('CSV file').value).toBe('');
});

test.each([
  [
    ['Line 2: Missing required fields', 'Line 3: Invalid quantity "x"'],
    'Line 2: Missing required fields; Line 3: Invalid quantity "x"',
  ],
  [
    [
      'Line 2: SKU "A" not found',
      'Line 3: SKU "B" not found',
      'Line 4: SKU "C" not found',
      'Line 9: SKU "D" not found',
    ],
    'Line 2: SKU "A" not found; Line 3: SKU "B" not found; Line 4: SKU "C" not found; ...',
  ],
])('mistakes: at most three in the message, all on the page, nothing written', async (errors, text) => {
  const { choose, press, writes } = await openImport({
    body: aCheckedFile({ errors, errorCount: errors.length }),
  });
  await choose();
  expect(await screen.findByText(errors.at(-1) ?? '')).toBeTruthy();
  await press();
  expect(await screen.findByText('CSV validation errors')).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  expect(writes()).toEqual([]);
});

test('a file without rows has nothing to import', async () => {
  const { choose, press, writes } = await openImport({
    body: aCheckedFile({ components: [], preview: [], bundles: 0 }),
  });
  await choose();
  await press();
  expect(await screen.findByText('No data to import')).toBeTruthy();
  expect(writes()).toEqual([]);
});

test.each([
  ['a refusal', refusal(409, 'conflict', 'SKU MUG was deleted.'), 'SKU MUG was deleted.'],
  [
    'no word from the server',
    { status: 502, body: undefined },
    'Failed to import bundles. Please check your CSV format.',
  ],
])('%s of the save is told as such, and the file stays', async (_, answer, text) => {
  const { choose, press } = await openImport({ body: aCheckedFile() }, { 'POST /api/bundles/bulk': answer });
  await choose();
  await screen.findByText(/1 bundle with 2 components/);
  await press();
  expect(await screen.findByText('Import failed')).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText(/1 bundle with 2 components/)).toBeTruthy();
});

test('a file that cannot be read says why at once, and again on Import', async () => {
  const message = 'bundles.csv, line 1: the required column quantity is missing.';
  const { choose, press } = await openImport(refusal(400, 'validation_failed', message));
  await choose();
  expect(await screen.findByText('Could not read the file')).toBeTruthy();
  await press();
  expect(await screen.findByText('Import failed')).toBeTruthy();
  expect(screen.getAllByText(message)).toHaveLength(2);
});

test.each([
  ['bundles.xlsx', 'x', 'Please upload a CSV file'],
  ['bundles.csv', 'x'.repeat(1_000_001), 'This file is larger than 1 MB. Import it step by step, below.'],
])('%s may be refused before it is sent', async (name, text, fault) => {
  const { user, uploads } = await openImport({ body: aCheckedFile() });
  // As a browser that lets any file through, whatever the field accepts.
  screen.getByLabelText('CSV file').removeAttribute('accept');
  await user.upload(screen.getByLabelText('CSV file'), new File([text], name));
  expect(await screen.findByText(fault)).toBeTruthy();
  expect(uploads).toEqual([]);
});

test('without a file Import asks for one', async () => {
  const { press } = await openImport({ body: aCheckedFile() });
  await press();
  expect(screen.getByText('Please select a file')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('CSV file')));
});

test('the template and the way for larger files', async () => {
  await openImport({ body: aCheckedFile() });
  const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(link('Template')).toBe('/api/imports/template/bundles.csv');
  expect(link('import step by step')).toBe('/imports/new?kind=bundles');
});

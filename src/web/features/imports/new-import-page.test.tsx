import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answer, refusal } from '#tests/support/fake-api.ts';
import { serveUploads } from '#tests/support/fake-upload.ts';
import { anImport, openImports } from '#tests/support/import-screen.ts';

afterEach(() => vi.unstubAllGlobals());

const csv = (name: string): File => new File(['sku,productCost\nA-1,16.10\n'], name, { type: 'text/csv' });
const picker = () => screen.findByLabelText(/Choose a file or drop it here/);

test('the kind of the address is chosen, and its template can be downloaded', async () => {
  const { router, user } = openImports('/imports/new?kind=skus', {});
  const kind = (await screen.findByLabelText('What is in the file?')) as HTMLSelectElement;
  expect(kind.value).toBe('skus');
  expect(screen.getByRole('link', { name: 'Download CSV template' }).getAttribute('href')).toBe(
    '/api/imports/template/skus.csv',
  );
  await user.selectOptions(kind, 'Competitor offers');
  await waitFor(() => expect(router.state.location.search).toEqual({ kind: 'offers' }));
});

test('without a file, and with one of another ending, it says what is wanted and sends nothing', async () => {
  const sent = serveUploads(async () => ({ body: anImport() }));
  const { user } = openImports('/imports/new?kind=skus', {});
  await user.click(await screen.findByRole('button', { name: 'Upload file' }));
  await screen.findByText('Please select a file');
  await user.upload(await picker(), csv('skus.xlsx'));
  await screen.findByText('Please upload a CSV file');
  expect(screen.getByText(/^Save it as CSV first\. Excel: File, Save As/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Upload file' }));
  expect(sent).toEqual([]);
});

test('a chosen text file is sent at once, and a clear one leads to its check', async () => {
  const sent = serveUploads(async () => ({ body: anImport({ kind: 'listings' }) }));
  const { router, user } = openImports('/imports/new?kind=listings', {});
  await user.upload(await picker(), csv('report.pdf'));
  await screen.findByText('Please upload a CSV file');
  await user.upload(await screen.findByLabelText(/report\.pdf/), csv('Active Listings.TXT'));
  await screen.findByRole('heading', { name: 'Import skus.csv' });
  expect(router.state.location.href).toBe('/imports/3?step=check');
  expect(sent).toEqual([
    { path: '/api/imports?kind=listings&name=Active+Listings.TXT', name: 'Active Listings.TXT' },
  ]);
});

test('a dropped file is sent; its upload shows how far it is, and open questions lead to the columns', async () => {
  let answer: (value: Answer) => void = () => undefined;
  serveUploads(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const { router } = openImports('/imports/new?kind=skus', {
    'GET /api/imports/3': { body: anImport({ state: 'uploaded', counts: null }) },
  });
  const zone = (await picker()).closest('label');
  if (zone === null) throw new Error('nowhere to drop');
  const file = csv('skus.csv');
  fireEvent.drop(zone, { dataTransfer: { files: { item: () => file, length: 1 } } });
  const bar = await screen.findByRole('progressbar', { name: 'Upload' });
  expect(bar.getAttribute('aria-valuenow')).toBe('50');
  answer({ body: anImport({ state: 'uploaded', counts: null }) });
  await screen.findByRole('heading', { name: 'Columns' });
  expect(router.state.location.href).toBe('/imports/3?step=columns');
});

test('a refused upload says why and keeps the file; a cancelled one too', async () => {
  let isLong = false;
  serveUploads(() =>
    isLong
      ? new Promise(() => undefined)
      : Promise.resolve(refusal(413, 'payload_too_large', 'At most 256 MB.')),
  );
  const { user } = openImports('/imports/new?kind=skus', {});
  await user.upload(await picker(), csv('skus.csv'));
  await screen.findByText('At most 256 MB.');
  expect(screen.getByText('skus.csv')).toBeTruthy();
  isLong = true;
  await user.click(screen.getByRole('button', { name: 'Upload file' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel upload' }));
  await screen.findByText('Could not upload the file');
  expect(screen.getByText('skus.csv')).toBeTruthy();
});

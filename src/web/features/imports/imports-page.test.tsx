import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answer, aUser, refusal } from '#tests/support/fake-api.ts';
import { anImport, openImports } from '#tests/support/import-screen.ts';
import { SCREENS } from '#web/app/navigation.ts';
import { KINDS } from '#web/ui/imports/kinds.ts';

afterEach(() => vi.unstubAllGlobals());

test('every kind can be imported and has a template', async () => {
  openImports('/imports', {
    'GET /api/imports': { body: [] },
    'GET /api/user': { body: aUser({ role: 'admin' }) },
  });
  await screen.findByText(/^No imports yet\./);
  for (const [label, kind] of [
    ['SKUs and costs', 'skus'],
    ['Listings', 'listings'],
    ['Competitor offers', 'offers'],
    ['Bundles', 'bundles'],
    ['Shipping tiers', 'tiers'],
    ['Rules', 'rules'],
    ['Marketplace fees', 'fees'],
  ]) {
    expect(screen.getByRole('link', { name: `Import ${label}` }).getAttribute('href')).toBe(
      `/imports/new?kind=${kind}`,
    );
    expect(screen.getByRole('link', { name: `Download template for ${label}` }).getAttribute('href')).toBe(
      `/api/imports/template/${kind}.csv`,
    );
  }
});

test('fees are offered to administrators only', async () => {
  openImports('/imports', { 'GET /api/imports': { body: [] } });
  await screen.findByRole('link', { name: 'Import Rules' });
  expect(screen.queryByRole('link', { name: 'Import Marketplace fees' })).toBeNull();
});

test('says that connected marketplaces need no file; administrators are led to where they are connected', async () => {
  const words = /^Listings from connected marketplaces are synced automatically\./;
  openImports('/imports', {
    'GET /api/imports': { body: [] },
    'GET /api/user': { body: aUser({ role: 'admin' }) },
  });
  const note = within(await screen.findByText(words));
  expect((await note.findByRole('link', { name: 'Settings' })).getAttribute('href')).toBe('/settings');
});

test('others read the same without that link', async () => {
  openImports('/imports', { 'GET /api/imports': { body: [] } });
  const note = within(await screen.findByText(/^Listings from connected marketplaces/));
  expect(note.queryByRole('link')).toBeNull();
});

test('the newest imports show where they stand and lead there', async () => {
  openImports('/imports', {
    'GET /api/imports': {
      body: [
        anImport({ state: 'done' }),
        anImport({ id: '2', state: 'uploaded', counts: null, fileName: 'b.csv' }),
      ],
    },
  });
  const table = within(await screen.findByRole('table', { name: 'Newest imports' }));
  const rows = table.getAllByRole('row').slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ['skus.csv', 'SKUs and costs', 'Imported', expect.any(String), 'sam@example.com', '8', '2', ''],
    ['b.csv', 'SKUs and costs', 'Columns open', expect.any(String), 'sam@example.com', '', '', ''],
  ]);
  expect(table.getByRole('link', { name: 'b.csv' }).getAttribute('href')).toBe('/imports/2');
});

test('a list that cannot be loaded says why, and the kinds stay', async () => {
  let answer: Answer = refusal(503, 'unavailable', 'The database is away.');
  const { user } = openImports('/imports', { 'GET /api/imports': () => answer });
  await screen.findByText('The database is away.');
  expect(screen.getByRole('link', { name: 'Import Listings' })).toBeTruthy();
  answer = { body: [anImport()] };
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('link', { name: 'skus.csv' });
});

test('what an import leads to is a screen of the product', () => {
  const paths = SCREENS.map(({ path }) => path);
  for (const { result } of Object.values(KINDS)) expect(paths).toContain(result.path);
});

test('a file is deleted after a question; one that a job reads cannot be', async () => {
  let files = [
    anImport({ id: '3', state: 'done' }),
    anImport({ id: '4', fileName: 'busy.csv', state: 'checking' }),
  ];
  const { user, sent } = openImports('/imports', {
    'GET /api/imports': () => ({ body: files }),
    'DELETE /api/imports/3': () => {
      files = files.slice(1);
      return { status: 204, body: undefined };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Delete skus.csv' }));
  expect(screen.queryByRole('button', { name: 'Delete busy.csv' })).toBeNull();
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete file' }),
  );
  await waitFor(() => expect(screen.queryByRole('link', { name: 'skus.csv' })).toBeNull());
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(sent.filter(({ call }) => call.startsWith('DELETE'))).toHaveLength(1);
});

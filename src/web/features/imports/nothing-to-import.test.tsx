import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { anImport, openImports } from '#tests/support/import-screen.ts';

afterEach(() => vi.unstubAllGlobals());

const NO_LINES = { lines: [], problems: [] };
const counts = (given: object) => ({
  rows: 4,
  create: 0,
  update: 0,
  unchanged: 0,
  rejected: 0,
  ...given,
});

test.each([
  ['a file that changes nothing', { unchanged: 4 }, /Every row already matches your data/],
  [
    'rejected rows, and others that match',
    { unchanged: 3, rejected: 1 },
    /Every valid row already matches your data/,
  ],
  ['a header alone', { rows: 0 }, 'The file has a header and no rows.'],
  ['nothing but rejected rows', { rejected: 4 }, /^No valid rows/],
])('%s is not offered for import, and the check says why', async (_, given, sentence) => {
  openImports('/imports/3', {
    'GET /api/imports/3': { body: anImport({ counts: counts(given) }) },
    'GET /api/imports/3/lines?status=unchanged': { body: NO_LINES },
    'GET /api/imports/3/lines?status=rejected': { body: NO_LINES },
    'GET /api/imports/3/lines?status=create': { body: NO_LINES },
  });
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Import / })).toBeNull();
  expect(screen.queryByText('Every valid row changes something.')).toBeNull();
});

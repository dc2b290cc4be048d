import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { anImport, openImports } from '#tests/support/import-screen.ts';

afterEach(() => vi.unstubAllGlobals());

test('costs that change a lot are confirmed before they are imported, and listings that fall are named', async () => {
  const imported = anImport({
    counts: { rows: 2, create: 0, update: 2, unchanged: 0, rejected: 0 },
    effect: {
      listings: 4,
      rules: [{ name: 'Win and hold', listings: 3 }],
      fallingCount: 1,
      unknownCount: 0,
      jumpCount: 1,
      falling: [
        {
          marketplace: 'walmart',
          sku: 'A-2',
          title: 'Mug',
          currentPrice: '19.99',
          floorBefore: '12.00',
          floorAfter: '140.00',
          marginBefore: '24.10',
          marginAfter: '-502.00',
        },
      ],
      jumps: [{ sku: 'A-2', name: 'Mug', field: 'productCost', from: '6.50', to: '65.00' }],
    },
  });
  const { bodyOf, user } = openImports('/imports/3?step=check', {
    'GET /api/imports/3': { body: imported },
    'GET /api/imports/3/lines?status=update': { body: { lines: [], problems: [] } },
    'POST /api/imports/3/run': { body: { ...imported, state: 'importing', counts: null } },
  });
  const falling = await screen.findByRole('table', { name: 'Listings that fall below their margin floor' });
  expect(within(falling).getByText('\u2212502.0%')).toBeTruthy();
  expect(screen.getByText('Priced by Win and hold (3).')).toBeTruthy();
  const run = screen.getByRole<HTMLButtonElement>('button', { name: 'Import 2 SKUs' });
  expect(run.disabled).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: 'I checked it and it is correct' }));
  await user.click(run);
  await waitFor(() => expect(bodyOf('POST /api/imports/3/run')).toMatchObject({ jumps: 1 }));
});

test("a guess is marked, and what can be read in two ways is asked with the file's own dates", async () => {
  const imported = anImport({
    kind: 'offers',
    state: 'uploaded',
    counts: null,
    header: ['Item SKU', 'Checked'],
    guessed: ['sku'],
    preview: [['A-1', '03/04/2026 3:04 PM']],
    columns: [
      { name: 'sku', label: 'SKU', isRequired: true, hint: '' },
      { name: 'seenAt', label: 'Seen at', isRequired: true, hint: '' },
    ],
    mapping: { sku: 0, seenAt: 1 },
    questions: ['dayOrder', 'timeZone'],
  });
  const { bodyOf, user } = openImports('/imports/3?step=columns', {
    'GET /api/imports/3': { body: imported },
    'PUT /api/imports/3/mapping': { body: { ...imported, state: 'checking', guessed: [], questions: [] } },
  });
  await screen.findByText('Guess');
  await user.selectOptions(
    screen.getByLabelText('Which number is the month'),
    screen.getByRole('option', { name: 'Day first: 03/04 is April 3' }),
  );
  await user.selectOptions(screen.getByLabelText('Time zone of these times'), 'America/Chicago');
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() =>
    expect(bodyOf('PUT /api/imports/3/mapping')).toMatchObject({
      readings: { dayOrder: 'dmy', timeZone: 'America/Chicago' },
    }),
  );
});

test('what the server found out is no open question on the way back', async () => {
  const imported = anImport({
    state: 'uploaded',
    counts: null,
    guessed: ['productCost'],
    columns: [
      { name: 'sku', label: 'SKU', isRequired: true, hint: '' },
      { name: 'productCost', label: 'Product Cost', isRequired: false, hint: '' },
    ],
  });
  const { sent, user } = openImports('/imports/3?step=columns', {
    'GET /api/imports/3': { body: imported },
    'GET /api/imports/3/lines?status=rejected': { body: { lines: [], problems: [] } },
    'PUT /api/imports/3/mapping': { body: anImport({ readings: { decimalMark: 'comma' } }) },
  });
  await user.click(await screen.findByRole('button', { name: 'Check file' }));
  await user.click(await screen.findByRole('link', { name: /Columns/ }));
  const field = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Numbers in this file' });
  expect(field.value).toBe('comma');
  expect(field.getAttribute('aria-invalid')).not.toBe('true');
  // Numbers from another column may be written in another way: that is the server's to find out.
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'Column of the file for Product Cost' }),
    '2',
  );
  expect(screen.queryByRole('combobox', { name: 'Numbers in this file' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  const mapping = { sku: 0, productCost: 2 };
  await waitFor(() =>
    expect(sent.filter(({ call }) => call === 'PUT /api/imports/3/mapping').at(-1)?.body).toEqual({
      mapping,
      defaults: {},
      readings: {},
    }),
  );
});

test('a number that can be read in two ways is asked about as the file has it', async () => {
  const imported = anImport({
    state: 'uploaded',
    counts: null,
    questions: ['decimalMark'],
    numbers: { comma: null, point: null, either: { line: 8, text: '1,234' } },
  });
  const { sent, user } = openImports('/imports/3?step=columns', {
    'GET /api/imports/3': { body: imported },
    'PUT /api/imports/3/mapping': { body: imported },
  });
  const field = await screen.findByRole('combobox', { name: 'Numbers in this file' });
  expect(within(field).getAllByRole('option')).toHaveLength(3);
  // Unanswered it is where the button leads.
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(document.activeElement).toBe(field));
  await user.selectOptions(field, within(field).getByRole('option', { name: /^1,234 is 1\.234 / }));
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ readings: { decimalMark: 'comma' } }));
});

test('percentages below 1 are asked about with the number of the file, and a known name is likely', async () => {
  const imported = anImport({
    kind: 'fees',
    state: 'uploaded',
    counts: null,
    header: ['Category', 'Commission'],
    guessed: ['percent'],
    confidence: { percent: 'likely' },
    preview: [['Mugs', '0.15']],
    columns: [{ name: 'percent', label: 'Percent', isRequired: true, hint: '' }],
    mapping: { percent: 1 },
    questions: ['percentForm'],
    samples: { 1: { filled: 1, bare: null, small: { line: 2, text: '0.15' }, days: [] } },
  });
  const { bodyOf, user } = openImports('/imports/3?step=columns', {
    'GET /api/imports/3': { body: imported },
    'PUT /api/imports/3/mapping': { body: { ...imported, state: 'checking', guessed: [], questions: [] } },
  });
  await screen.findByText('Likely');
  await user.selectOptions(screen.getByLabelText('How to read these percentages'), '0.15 is 15%');
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() =>
    expect(bodyOf('PUT /api/imports/3/mapping')).toMatchObject({ readings: { percentForm: 'share' } }),
  );
});

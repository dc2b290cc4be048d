import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { aUser } from '#tests/support/fake-api.ts';
import { anImport, openImports } from '#tests/support/import-screen.ts';
import { someSettings } from '#tests/support/settings-screen.tsx';

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

describe('rules with hours, days or dates, in a store without a time zone', () => {
  const open = (role: 'admin' | 'user', rulesInUtc: number) => {
    const imported = anImport({
      kind: 'rules',
      counts: { rows: 2, create: 2, update: 0, unchanged: 0, rejected: 0 },
      rulesInUtc,
    });
    return openImports('/imports/3?step=check', {
      'GET /api/user': { body: aUser({ role }) },
      'GET /api/imports/3': { body: imported },
      'GET /api/imports/3/lines?status=create': { body: { lines: [], problems: [] } },
      'GET /api/settings': { body: someSettings({}) },
      'PUT /api/settings': { body: someSettings({ timeZone: 'Asia/Tokyo' }) },
      'POST /api/imports/3/run': { body: { ...imported, state: 'importing', counts: null } },
    });
  };
  const IMPORT = { name: 'Import 2 rules' };

  test('the check says so, and an administrator is asked for the time zone before anything is imported', async () => {
    const { sent, bodyOf, user } = open('admin', 1);
    await screen.findByText('1 rule has hours, days or dates, and your store has no time zone');
    const note = within(screen.getByText(/^They use UTC until you set it/));
    expect(note.getByRole('link').getAttribute('href')).toBe('/settings');
    await user.click(screen.getByRole('button', IMPORT));
    const dialog = within(await screen.findByRole('alertdialog', { name: /^In which time zone/ }));
    expect(bodyOf('POST /api/imports/3/run')).toBeUndefined();
    await user.clear(dialog.getByLabelText('Time zone'));
    await user.type(dialog.getByLabelText('Time zone'), 'Asia/Tokyo');
    await user.click(dialog.getByRole('button', { name: 'Save time zone and import' }));
    await waitFor(() => expect(bodyOf('POST /api/imports/3/run')).toMatchObject({ checkId: '6' }));
    expect(bodyOf('PUT /api/settings')).toEqual({ ...someSettings({}), timeZone: 'Asia/Tokyo' });
    const acts = sent.map(({ call }) => call).filter((call) => /^PUT|\/run$/.test(call));
    expect(acts).toEqual(['PUT /api/settings', 'POST /api/imports/3/run']);
  });

  test('a user, who cannot set it, is asked whether UTC is meant', async () => {
    const { bodyOf, user } = open('user', 2);
    await screen.findByText('2 rules have hours, days or dates, and your store has no time zone');
    await user.click(screen.getByRole('button', IMPORT));
    const dialog = within(await screen.findByRole('alertdialog', { name: /times in UTC/ }));
    expect(bodyOf('POST /api/imports/3/run')).toBeUndefined();
    await user.click(dialog.getByRole('button', { name: 'Import rules' }));
    await waitFor(() => expect(bodyOf('POST /api/imports/3/run')).toBeDefined());
  });

  test('are imported at once where none of them has any', async () => {
    const { bodyOf, user } = open('user', 0);
    await user.click(await screen.findByRole('button', IMPORT));
    await waitFor(() => expect(bodyOf('POST /api/imports/3/run')).toBeDefined());
    expect(screen.queryByText(/no time zone/)).toBeNull();
  });
});

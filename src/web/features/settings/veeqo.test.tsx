import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { VeeqoSync } from '#contract/settings.ts';
import { type Answer, type Answers, refusal } from '#tests/support/fake-api.ts';
import { field, openSettings, SETTINGS, saveAll, someSettings } from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const CONNECTED = someSettings({ veeqo: { enabled: true, apiKey: '********', lastSync: null } });
const DONE: VeeqoSync = {
  success: true,
  error: null,
  imported: 3,
  skipped: 0,
  lastSync: '2026-11-20T10:00:00.000Z',
  skippedSkus: [],
  leftDeleted: 0,
  leftDeletedSkus: [],
  incomplete: 0,
  incompleteSkus: [],
  passedOver: 0,
  passedOverItems: [],
};

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const open = (more: Answers = {}) => openSettings(CONNECTED, more);
const onSync = (answer: Answers[string]): Answers => ({ 'POST /api/veeqo/sync': answer });

test('off on a new installation; switched on it shows Connected and asks for the API key', async () => {
  const { user, writes } = await openSettings();
  expect(screen.getByRole('heading', { name: 'Inventory Management' })).toBeTruthy();
  expect(screen.queryByText('Connected')).toBeNull();
  expect(screen.queryByLabelText('Veeqo API key')).toBeNull();
  await user.click(screen.getByLabelText('Enable Veeqo'));
  expect(screen.getByText('Connected')).toBeTruthy();
  expect(button('Sync from Veeqo').disabled).toBe(true);
  await user.type(field('Veeqo API key'), 'vq-1');
  expect(screen.getByText('Save the settings first. A sync uses the saved settings.')).toBeTruthy();
  expect(button('Sync from Veeqo').disabled).toBe(true);
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({ veeqo: { enabled: true, apiKey: 'vq-1' } });
  expect(button('Sync from Veeqo').disabled).toBe(false);
  expect(document.body.innerHTML).not.toContain('vq-1');
});

test('without an API key there is no sync', async () => {
  await openSettings(someSettings({ veeqo: { enabled: true, apiKey: '', lastSync: null } }));
  expect(button('Sync from Veeqo').disabled).toBe(true);
  expect(screen.getByText('Never synced.')).toBeTruthy();
});

test('while running the button says so and is disabled; then it shows the result', async () => {
  let finish: (answer: Answer) => void = () => undefined;
  const { user, writes } = await open(onSync(() => new Promise<Answer>((resolve) => (finish = resolve))));
  await user.click(button('Sync from Veeqo'));
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Syncing...' })).disabled).toBe(true);
  finish({ body: DONE });
  await waitFor(() => expect(screen.getAllByText('Sync completed').length).toBeGreaterThan(0));
  expect(screen.getAllByText('Successfully imported 3 SKUs.').length).toBeGreaterThan(0);
  expect(writes()).toEqual([{ call: 'POST /api/veeqo/sync', body: undefined }]);
  expect(screen.queryByText('Never synced.')).toBeNull();
  expect(screen.getByText(/^Last sync/)).toBeTruthy();
});

test('skipped SKUs are counted and listed, and so are those that need attention', async () => {
  const { user } = await open(
    onSync({
      body: {
        ...DONE,
        skipped: 2,
        skippedSkus: ['MUG-1', 'MUG-2'],
        leftDeleted: 1,
        leftDeletedSkus: ['OLD'],
        incomplete: 1,
        incompleteSkus: ['MUG-3'],
        passedOver: 2,
        passedOverItems: [
          { what: 'BOX', why: 'kit', member: null, value: null },
          { what: 'Mug 9', why: 'no_code', member: null, value: null },
        ],
      },
    }),
  );
  await user.click(button('Sync from Veeqo'));
  const text =
    'Successfully imported 3 SKUs. 2 SKUs skipped (already exist). 1 SKU deleted here and not restored.';
  await waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(0));
  expect(screen.getByText('2 skipped SKUs')).toBeTruthy();
  expect(screen.getByText('MUG-1')).toBeTruthy();
  expect(screen.getByText('1 new SKU has no cost or no weight in Veeqo')).toBeTruthy();
  expect(screen.getByText('MUG-3')).toBeTruthy();
  expect(screen.getByText('1 SKU was deleted here and not restored')).toBeTruthy();
  expect(screen.getByText('OLD')).toBeTruthy();
  const ways = screen.getAllByRole('link', { name: 'SKUs' }).map((link) => link.getAttribute('href'));
  expect(new Set(ways)).toEqual(new Set(['/skus']));
  expect(screen.getByText('BOX is a kit; set it up as a bundle')).toBeTruthy();
  expect(screen.getByText('Mug 9 has no SKU in Veeqo, or one that is too long')).toBeTruthy();
});

test.each([
  [
    'an answer that says so',
    { body: { ...DONE, success: false, error: 'The key is old.' } },
    'The key is old.',
  ],
  [
    'one without words',
    { body: { ...DONE, success: false, error: null } },
    'Failed to sync with Veeqo. Please check your API key and try again.',
  ],
  [
    'an error without a word',
    { status: 500, body: undefined },
    'Failed to sync with Veeqo. Please check your API key and try again.',
  ],
  ['an error with JSON in it', { status: 500, body: { error: 'Veeqo said no.' } }, 'Veeqo said no.'],
  ['an error with details', { status: 500, body: { details: 'Ask again later.' } }, 'Ask again later.'],
  [
    'a refusal of ours',
    refusal(409, 'conflict', 'Veeqo is being read already.'),
    'Veeqo is being read already.',
  ],
])('a sync that fails: %s', async (_, answer, text) => {
  const { user } = await open(onSync(answer));
  await user.click(button('Sync from Veeqo'));
  await waitFor(() => expect(screen.getAllByText('Sync failed')).toHaveLength(2));
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText(`${text} Nothing was imported.`)).toBeTruthy();
});

test('the connection can be tested; the result shows the time, or the error', async () => {
  let isFine = true;
  const { user } = await open({
    'POST /api/veeqo/check': () => ({
      body: {
        ...(isFine ? { success: true, error: null } : { success: false, error: 'The key is old.' }),
        checkedAt: new Date().toISOString(),
      },
    }),
  });
  await user.click(button('Test connection'));
  await screen.findByText('Veeqo accepts the stored key');
  expect(screen.getByText(/^Tested/)).toBeTruthy();
  isFine = false;
  await user.click(button('Test connection'));
  await screen.findByText('Could not connect to Veeqo');
  expect(screen.getByText('The key is old.')).toBeTruthy();
});

test('switching it off says what stops and keeps the API key', async () => {
  const { user, writes } = await open();
  await user.click(screen.getByLabelText('Enable Veeqo'));
  expect(screen.getByText(/^When off, SKUs are no longer imported from Veeqo/)).toBeTruthy();
  expect(screen.queryByText('Connected')).toBeNull();
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({
    veeqo: { enabled: false, apiKey: '********' },
    marketplaces: SETTINGS.marketplaces,
  });
});

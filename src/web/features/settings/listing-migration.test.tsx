import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ListingMigrations } from '#contract/listing-migrations.ts';
import { type Answers, refusal } from '#tests/support/fake-api.ts';
import { openSettings, someConnections, someSettings } from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const MASK = '********';
const AT = '2026-01-15T12:00:00.000Z';
const EBAY = someSettings({
  marketplaces: { ebay: { enabled: true, appId: 'app', certId: MASK, refreshToken: MASK } },
});
const item = (itemId: string, over: Partial<ListingMigrations['items'][number]> = {}) => {
  return { itemId, title: `Mug ${itemId}`, skus: [`SKU-${itemId}`], problem: null, ...over };
};
const LIST: ListingMigrations = {
  total: 3,
  items: [item('1'), item('2', { skus: ['TS-BLUE', 'TS-RED'] }), item('3', { problem: 'no_label' })],
  asked: [],
};
const GET = 'GET /api/connections/ebay/migrations?search=';
const POST = 'POST /api/connections/ebay/migrations';

const open = (list: ListingMigrations, more: Answers = {}) =>
  openSettings(
    EBAY,
    {
      'GET /api/connections': { body: someConnections({ ebay: { priceChannel: 'connected' } }) },
      [GET]: { body: list },
      ...more,
    },
    '/settings?marketplace=ebay',
  );
const block = () => screen.findByRole('region', { name: "Listings outside eBay's Inventory model" });

test('nothing is offered where no listing is outside of the Inventory model', async () => {
  await open({ total: 0, items: [], asked: [] });
  await screen.findByRole('button', { name: 'Sync eBay now' });
  expect(screen.queryByRole('region', { name: /Inventory model/ })).toBeNull();
});

test('a user chooses, sees what is lost, and confirms the number', async () => {
  const { user, writes } = await open(LIST, { [POST]: { status: 202, body: { asked: 2 } } });
  await user.click(within(await block()).getByRole('button'));
  const dialog = within(await screen.findByRole('dialog'));
  const confirm = () => dialog.getByRole('button', { name: /permanently$/ });
  expect((confirm() as HTMLButtonElement).disabled).toBe(true);
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /SKU-3/ }).disabled).toBe(true);
  await user.click(await dialog.findByRole('checkbox', { name: /^All shown/ }));
  expect(confirm().textContent).toMatch(/\b2 listings\b/);
  await user.click(dialog.getByRole('checkbox', { name: /TS-BLUE and 1 more/ }));
  await user.click(dialog.getByRole('checkbox', { name: /TS-BLUE and 1 more/ }));
  await user.click(confirm());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes().filter(({ call }) => call === POST)).toEqual([
    { call: POST, body: { itemIds: ['1', '2'], count: 2 } },
  ]);
});

test('a refusal stays in the dialog with the choice', async () => {
  const { user } = await open(LIST, { [POST]: refusal(409, 'conflict', 'Load the list again.') });
  await user.click(within(await block()).getByRole('button'));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('checkbox', { name: /SKU-1:/ }));
  await user.click(dialog.getByRole('button', { name: /permanently$/ }));
  expect((await dialog.findByRole('alert')).textContent).toContain('Load the list again.');
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /SKU-1:/ }).checked).toBe(true);
});

test('the result of each is shown, with the words of eBay', async () => {
  const requested = [
    {
      itemId: '1',
      state: 'refused',
      message: 'No business policies.',
      askedBy: 'ann',
      askedAt: AT,
      endedAt: AT,
    },
    { itemId: '2', state: 'migrated', message: null, askedBy: 'ann', askedAt: AT, endedAt: AT },
    { itemId: '4', state: 'waiting', message: null, askedBy: 'ann', askedAt: AT, endedAt: null },
  ] as const;
  await open({ total: 0, items: [], asked: [...requested] });
  const rows = within(await block()).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent?.split('(')[0]?.trim())).toEqual([
    '1: not moved. No business policies.',
    '2: moved',
    '4: waiting to be moved',
  ]);
});

import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Boxes, LayoutDashboard, Tags, Users } from 'lucide-react';
import { afterEach, expect, test, vi } from 'vitest';
import type { SearchAnswer } from '#contract/search.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import type { Screen } from '#web/app/navigation.ts';
import { showOverlay } from '#web/lib/overlay.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  showOverlay(null);
  dismissToasts();
});

function aScreen(path: string, label: string, given: Partial<Screen> = {}): Screen {
  return {
    path,
    label,
    icon: Tags,
    access: 'user',
    component: () => <h1 tabIndex={-1}>{label}</h1>,
    ...given,
  };
}

const SCREENS: readonly Screen[] = [
  aScreen('/', 'Home', { icon: LayoutDashboard }),
  aScreen('/listings', 'Listings'),
  aScreen('/listings/$id/why', 'Why this price'),
  aScreen('/skus', 'SKUs', { icon: Boxes }),
  aScreen('/account', 'Account & security'),
  aScreen('/users', 'Users', { icon: Users, access: 'admin' }),
];

function hits(given: Partial<SearchAnswer> = {}): { body: SearchAnswer } {
  const none = { rows: [], total: 0, isTotalExact: true };
  return { body: { listings: none, skus: none, ...given } };
}

const MUGS = hits({
  listings: {
    rows: [
      { id: '42', marketplace: 'ebay', sku: 'MUG-1', title: 'Blue mug', currentPrice: '1234.50' },
      { id: '43', marketplace: 'etsy', sku: 'MUG-2', title: 'Red mug', currentPrice: '9.00' },
    ],
    total: 1_204,
    isTotalExact: true,
  },
  skus: { rows: [{ id: '7', sku: 'MUG-1', name: 'Blue mug' }], total: 1, isTotalExact: true },
});

async function openPalette(answers: Answers = {}, role: 'user' | 'admin' = 'user') {
  const sent = serveApi({ 'GET /api/user': { body: aUser({ role }) }, ...answers });
  const router = renderApp('/', SCREENS);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Search and commands' }));
  const field = await screen.findByRole('combobox', { name: 'Search and commands' });
  return { user, field, router, sent, where: () => router.state.location.href };
}

const optionNames = () => screen.queryAllByRole('option').map((each) => each.getAttribute('aria-label'));

test('a part of a SKU finds listings and SKUs in groups, and Enter opens the first', async () => {
  const { user, field, where } = await openPalette({ 'GET /api/search?q=mug': MUGS });
  await user.type(field, ' mug ');
  const listings = await screen.findByRole('group', { name: 'Listings' });
  expect(within(listings).getByRole('option', { name: 'MUG-1, Blue mug, eBay, $1,234.50' })).toBeTruthy();
  expect(screen.getByRole('group', { name: 'SKUs' })).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(where()).toBe('/listings/42/why');
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('"View all" leads to the filtered list', async () => {
  const { user, field, where } = await openPalette({ 'GET /api/search?q=mug': MUGS });
  await user.type(field, 'mug');
  await user.click(await screen.findByRole('option', { name: 'View all 1,204 listings' }));
  expect(where()).toBe('/listings?q=mug');
});

test('a SKU links to its list, with leading zeros kept', async () => {
  const answer = hits({
    skus: { rows: [{ id: '9', sku: '00123', name: 'Zeros' }], total: 1, isTotalExact: true },
  });
  const { user, field, where } = await openPalette({ 'GET /api/search?q=00123': answer });
  await user.type(field, '00123');
  await user.click(await screen.findByRole('option', { name: '00123, Zeros' }));
  expect(where()).toBe('/skus?q=00123');
});

test('it lists the screens this user may open, and no others', async () => {
  const { user, field, where } = await openPalette();
  expect(optionNames()).toContain('Go to SKUs');
  expect(optionNames()).not.toContain('Go to Users');
  expect(optionNames()).not.toContain('Go to Why this price');
  await user.type(field, 'sku');
  await user.click(await screen.findByRole('option', { name: 'Go to SKUs' }));
  expect(where()).toBe('/skus');
});

test('an admin finds the admin screens', async () => {
  await openPalette({}, 'admin');
  expect(optionNames()).toContain('Go to Users');
});

test('a screen is found by its full name, including the "&"', async () => {
  const { user, field, where } = await openPalette();
  await user.type(field, 'account & sec');
  await user.click(await screen.findByRole('option', { name: 'Go to Account & security' }));
  expect(where()).toBe('/account');
});

test('actions are found by name or synonym, and run', async () => {
  const { user, field, sent } = await openPalette({ 'POST /api/engine/halt': { body: {} } });
  await user.type(field, 'kill');
  await user.click(await screen.findByRole('option', { name: 'Halt repricing' }));
  await screen.findByText('Repricing halted');
  expect(sent.filter(({ call }) => call === 'POST /api/engine/halt')).toHaveLength(1);
});

test('the theme changes from here', async () => {
  const { user, field } = await openPalette();
  await user.type(field, 'dark{Enter}');
  expect(document.documentElement.classList.contains('dark')).toBe(true);
  document.documentElement.classList.remove('dark');
});

test('a failed search says why; screens and actions stay', async () => {
  const { user, field } = await openPalette({
    'GET /api/search?q=s': refusal(503, 'unavailable', 'The database is away.'),
  });
  await user.type(field, 's');
  expect((await screen.findByRole('alert')).textContent).toContain('The database is away.');
  expect(optionNames()).toContain('Go to SKUs');
});

test('no results shows an empty state', async () => {
  const { user, field } = await openPalette({ 'GET /api/search?q=zzz': hits() });
  await user.type(field, 'zzz');
  await screen.findByText('Nothing found for "zzz". Try part of a SKU or title.');
});

test('Ctrl+K opens and closes it, Escape closes it and returns the focus; an empty query is not sent', async () => {
  const { user, sent } = await openPalette();
  await user.keyboard('{Escape}');
  const button = await screen.findByRole('button', { name: 'Search and commands' });
  expect(document.activeElement).toBe(button);
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('combobox', { name: 'Search and commands' });
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(sent.some(({ call }) => call.startsWith('GET /api/search'))).toBe(false);
});

test('at most 50 lines are shown', async () => {
  const rows = Array.from({ length: 15 }, (_, at) => `Halt repricing ${at}`);
  const { user, field } = await openPalette({
    'GET /api/search?q=s': hits({
      listings: {
        rows: rows.map((sku, at) => ({
          id: String(at + 1),
          marketplace: 'ebay',
          sku,
          title: 's',
          currentPrice: '1.00',
        })),
        total: 99,
        isTotalExact: false,
      },
      skus: {
        rows: rows.map((sku, at) => ({ id: String(at + 1), sku, name: 's' })),
        total: 99,
        isTotalExact: true,
      },
    }),
  });
  await user.type(field, 's');
  await screen.findByRole('option', { name: 'View all about 99 listings' });
  expect(optionNames().length).toBeGreaterThan(30);
  expect(optionNames().length).toBeLessThanOrEqual(50);
});

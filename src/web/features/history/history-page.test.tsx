import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '#contract/history.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
// Preloaded: its first import is slow on a busy machine.
import './history-page.tsx';

const ENTRY: HistoryEntry = {
  id: '12',
  listingId: '3',
  timestamp: '2026-01-15T12:00:00.000Z',
  marketplace: 'walmart',
  sku: 'A-1',
  productTitle: 'Enamel mug',
  oldPrice: '20.00',
  newPrice: '17.99',
  reason: 'Beaten by a cent.',
  marginImpact: '-5.59',
  source: 'rule',
  actor: null,
  rule: { id: '5', name: 'Beat everybody' },
  runId: '8',
  competitorPrice: '18.00',
  marginFloor: '14.29',
  currentPrice: '17.99',
  isListingDeleted: false,
  isExplained: true,
  sharesPriceWith: [],
};
const FIRST: HistoryEntry = {
  ...ENTRY,
  id: '11',
  oldPrice: null,
  newPrice: '20.00',
  reason: 'First price of the listing',
  marginImpact: null,
  source: 'import',
  rule: null,
  runId: null,
  isExplained: false,
  sharesPriceWith: [],
};
const LIST = 'GET /api/history?page=1&size=50';

function show(address: string, answers: Answers): ReturnType<typeof serveApi> {
  return open(address, answers).sent;
}
function open(address: string, answers: Answers) {
  const views = { 'GET /api/views?list=history': { body: { views: [] } } };
  const sent = serveApi({ 'GET /api/user': { body: aUser() }, ...views, ...answers });
  const router = renderApp(address);
  return { sent, router, where: () => router.state.location.href };
}
const page = (...rows: HistoryEntry[]) => ({ body: { rows, total: rows.length, isTotalExact: true } });

describe('the history', () => {
  test('lists prices that were not applied, with the message of the marketplace', async () => {
    const refused = {
      listingId: '3',
      marketplace: 'walmart',
      sku: 'A-1',
      productTitle: 'Enamel mug',
      price: '15.99',
      fromPrice: '17.99',
      state: 'rejected',
      since: '2026-01-15T12:00:00.000Z',
      marketplaceMessage: 'Outside of the allowed range',
      actor: 'Olive Owner',
      pausedUntil: null,
      isRefused: true,
    };
    const lost = { ...refused, state: 'unknown', marketplaceMessage: null, actor: null, isRefused: false };
    const failed = [refused, lost, refused, refused].map((one, n) => ({ ...one, id: String(n + 1) }));
    show('/history', { [LIST]: { body: { ...page(ENTRY).body, failed, failedTotal: 4 } } });
    const section = within(await screen.findByRole('region', { name: 'Prices not applied' }));
    const items = () => section.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(items()).toHaveLength(3);
    expect(items()[0]).toMatch(
      /\$15\.99 instead of \$17\.99, by Olive OwnerRejected by Walmart: Outside of the allowed range$/,
    );
    expect(items()[1]).toMatch(/\$15\.99 instead of \$17\.99Not confirmed: Delivery not confirmed/);
    await userEvent.click(section.getByRole('button', { name: 'Show all 4' }));
    expect(items()).toHaveLength(4);
  });

  test('shows the number of such prices when it is more than it lists', async () => {
    const refused = {
      listingId: '3',
      marketplace: 'etsy',
      sku: 'A-1',
      productTitle: 'Enamel mug',
      price: '15.99',
      fromPrice: '17.99',
      state: 'expired',
      since: '2026-01-15T12:00:00.000Z',
      marketplaceMessage: 'Halted before that.',
      actor: 'Olive Owner',
      pausedUntil: null,
      isRefused: false,
    };
    const failed = Array.from({ length: 20 }, (_, n) => ({ ...refused, id: String(n + 1) }));
    show('/history', { [LIST]: { body: { ...page(ENTRY).body, failed, failedTotal: 1_160 } } });
    const section = within(await screen.findByRole('region', { name: 'Prices not applied: 1,160' }));
    expect(section.getByRole('button', { name: 'Show the newest 20 of 1,160' })).toBeTruthy();
  });

  test('shows nothing about such prices while there are none', async () => {
    show('/history', { [LIST]: { body: { ...page(ENTRY).body, failed: [] } } });
    await screen.findByRole('row', { name: /17\.99/ });
    expect(screen.queryByText('Prices not applied')).toBeNull();
  });

  test('shows each change with who made it, and dashes for what is unknown', async () => {
    show('/history', { [LIST]: page(ENTRY, FIRST) });
    const row = await screen.findByRole('row', { name: /17\.99/ });
    expect(within(row).getByText('Decreased by')).toBeTruthy();
    expect(within(row).getByText('$2.01')).toBeTruthy();
    expect(within(row).getByText('−5.6%')).toBeTruthy();
    expect(within(row).getByText('Rule: Beat everybody')).toBeTruthy();
    const first = screen.getByRole('row', { name: /First price of the listing/ });
    expect(within(first).getAllByText('not available')).toHaveLength(3);
    for (const name of [
      'Timestamp',
      'Product',
      'Old Price',
      'New Price',
      'Change',
      'Reason',
      'Margin Impact',
    ]) {
      expect(screen.getByRole('columnheader', { name: new RegExp(`^${name}`) })).toBeTruthy();
    }
  });

  test('views of the history are its own, and keep its filters', async () => {
    const ours = 'GET /api/history?source=ours&days=1&page=1&size=50';
    const views = {
      id: '3',
      list: 'history',
      name: 'Today',
      isShared: false,
      isMine: true,
      owner: 'Sam',
      version: 1,
      query: { source: 'ours', days: '1' },
      layout: { order: [], hidden: [], widths: {}, density: null },
    };
    const sent = show('/history', {
      [LIST]: page(ENTRY, FIRST),
      [ours]: page(ENTRY),
      'GET /api/views?list=history': { body: { views: [views] } },
    });
    const tab = await screen.findByRole('link', { name: 'Today' });
    await userEvent.click(tab);
    await waitFor(() => expect(sent.map(({ call }) => call)).toContain(ours));
    expect(await screen.findByRole('button', { name: 'Remove filter Last 24 hours' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Today' }).getAttribute('aria-current')).toBe('page');
  });

  test('the last seven days are one press, are in the address, and the export uses the same filter', async () => {
    const week = 'GET /api/history?days=7&page=1&size=50';
    const sent = show('/history', { [LIST]: page(ENTRY, FIRST), [week]: page(ENTRY) });
    await screen.findByRole('row', { name: /17\.99/ });
    await userEvent.click(screen.getByRole('button', { name: 'Last 7 days' }));
    await waitFor(() => expect(sent.map(({ call }) => call)).toContain(week));
    expect(screen.getByRole('link', { name: 'Export History' }).getAttribute('href')).toBe(
      '/api/history/export.csv?days=7',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Remove filter Last 7 days' }));
    expect(screen.getByRole('link', { name: 'Export History' }).getAttribute('href')).toBe(
      '/api/history/export.csv',
    );
  });

  test('calendar days are chosen in a panel, start at local midnight, and are in the address', async () => {
    const day = 'GET /api/history?source=ours&from=2026-01-14&to=2026-01-14&zone=UTC&page=1&size=50';
    const two = 'GET /api/history?source=ours&from=2026-01-13&to=2026-01-14&zone=UTC&page=1&size=50';
    const week = 'GET /api/history?source=ours&days=7&page=1&size=50';
    const sent = show('/history?source=ours&from=2026-01-14&to=2026-01-14', {
      [day]: page(ENTRY),
      [two]: page(ENTRY, FIRST),
      [week]: page(ENTRY),
    });
    expect(await screen.findByRole('button', { name: /^Remove filter Jan 14/ })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Export History' }).getAttribute('href')).toBe(
      '/api/history/export.csv?source=ours&from=2026-01-14&to=2026-01-14&zone=UTC',
    );
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Choose days' }));
    const panel = within(screen.getByRole('dialog', { name: 'Choose days' }));
    fireEvent.change(panel.getByLabelText('First day'), { target: { value: '2026-01-15' } });
    await user.click(panel.getByRole('button', { name: 'Show days' }));
    expect(panel.getByText(/^Choose Jan 15.* or later\.$/)).toBeTruthy();
    fireEvent.change(panel.getByLabelText('First day'), { target: { value: '2026-01-13' } });
    await user.click(panel.getByRole('button', { name: 'Show days' }));
    await waitFor(() => expect(sent.map(({ call }) => call)).toContain(two));
    // The week replaces the days, not the source.
    await user.click(screen.getByRole('button', { name: 'Last 7 days' }));
    await waitFor(() => expect(sent.map(({ call }) => call)).toContain(week));
  });

  test('an invalid day in the address is ignored', async () => {
    const sent = show('/history?from=2026-13-01', { [LIST]: page(ENTRY) });
    await screen.findByRole('row', { name: /17\.99/ });
    expect(sent.map(({ call }) => call)).toContain(LIST);
  });

  test('a revert names both prices, sends the price in force, and an error stays visible', async () => {
    const revert = 'POST /api/history/3/12/revert';
    const why = 'Price $20.00 is below the margin floor of $21.40. Lower the cost or the minimum margin.';
    const sent = show('/history', {
      [LIST]: page({ ...ENTRY, currentPrice: '19.00' }),
      [revert]: refusal(409, 'conflict', why),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for A-1' }));
    await userEvent.click(screen.getByRole('menuitem', { name: 'Revert to $20.00' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Revert A-1 to $20.00?' });
    expect(dialog.textContent).toContain(
      'The current price is $19.00. The price changed again after this entry set $17.99.',
    );
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revert price' }));
    expect(await within(dialog).findByText(why)).toBeTruthy();
    expect(sent.find(({ call }) => call === revert)?.body).toEqual({ from: '19.00' });
  });

  test('a revert is in the address: Back closes it, Forward and a link open it', async () => {
    const { router, where } = open('/history', { [LIST]: page(ENTRY) });
    const menu = await screen.findByRole('button', { name: 'Actions for A-1' });
    await userEvent.click(menu);
    await userEvent.click(screen.getByRole('menuitem', { name: 'Revert to $20.00' }));
    await screen.findByRole('alertdialog');
    expect(where()).toBe('/history?revert=3-12');
    act(() => router.history.back());
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(menu));
    act(() => router.history.forward());
    await screen.findByRole('alertdialog');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(where()).toBe('/history'));
  });

  test.each(['/history?revert=3-99', '/history?revert=3-11', '/history?undo=1'])(
    'an address that asks for what there is not forgets it: %s',
    async (address) => {
      const { where } = open(address, { [LIST]: page(ENTRY, FIRST) });
      await screen.findByRole('row', { name: /17\.99/ });
      await waitFor(() => expect(where()).toBe('/history'));
      expect(screen.queryByRole('alertdialog')).toBeNull();
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );

  test("the undo of a filter's changes is in the address", async () => {
    const { router, where } = open('/history?days=7', {
      'GET /api/history?days=7&page=1&size=50': page(ENTRY),
      'GET /api/history/undo-preview?days=7': refusal(503, 'unavailable', 'Not now.'),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo these changes' }));
    await screen.findByRole('dialog', { name: 'Undo these changes' });
    expect(where()).toBe('/history?days=7&undo=1');
    act(() => router.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    act(() => router.history.forward());
    await userEvent.click(await screen.findByRole('button', { name: 'Keep prices' }));
    await waitFor(() => expect(where()).toBe('/history?days=7'));
  });

  test('Shift+F10 on a row opens its menu', async () => {
    show('/history', { [LIST]: page(ENTRY) });
    const row = await screen.findByRole('row', { name: /17\.99/ });
    act(() => row.focus());
    await userEvent.keyboard('{Shift>}{F10}{/Shift}');
    expect(await screen.findByRole('menuitem', { name: 'Revert to $20.00' })).toBeTruthy();
  });

  test('an entry whose old price is in force has no revert; an import without facts no explanation', async () => {
    show('/history', { [LIST]: page({ ...FIRST, oldPrice: '20.00', currentPrice: '20.00' }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for A-1' }));
    expect(screen.getByRole('menuitem', { name: 'Only this listing' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: /Revert/ })).toBeNull();
    expect(screen.queryByRole('menuitem', { name: 'Why this price' })).toBeNull();
  });

  test('an empty history says what will appear here; a filter without results offers to clear it', async () => {
    show('/history', { [LIST]: page() });
    expect(await screen.findByRole('link', { name: 'Import listings' })).toBeTruthy();
  });
});

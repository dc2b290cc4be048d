import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Today } from '#contract/charts.ts';
import type { Stats } from '#contract/stats.ts';
import { type Answer, type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { profitAnswers } from '#tests/support/profit-responses.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { noteChange } from '#web/lib/live-changes.ts';
// Preloaded: its first import is slow on a busy machine.
import './dashboard-page.tsx';

afterEach(() => vi.unstubAllGlobals());

const FULL: Stats = {
  overall: {
    totalListings: 1204,
    totalSkus: 87,
    totalValue: '50233.50',
    activeRules: 4,
    recentPriceChanges: 12,
  },
  trends: { totalListings: '2.4', totalSkus: null, totalValue: '-10.0', recentPriceChanges: '0.0' },
  byMarketplace: [
    {
      marketplace: 'ebay',
      totalListings: 1204,
      activeListings: 1100,
      totalValue: '50233.50',
      avgPrice: '41.72',
      fulfillmentBreakdown: { 'FBA/WFS': 4, FBM: 1200 },
    },
  ],
};
const EMPTY: Stats = {
  overall: { totalListings: 0, totalSkus: 0, totalValue: '0.00', activeRules: 0, recentPriceChanges: 0 },
  trends: { totalListings: null, totalSkus: null, totalValue: null, recentPriceChanges: null },
  byMarketplace: [],
};
const AWAY = refusal(503, 'unavailable', 'The database is away.');

const NOTHING_TODAY: Today = {
  day: '2026-11-21',
  changes: 0,
  undone: 0,
  raised: 0,
  lowered: 0,
  listings: 0,
  known: 0,
  weeklyEffect: null,
  heldAtFloor: 0,
};

/** The other requests of the Dashboard; tested in overview.test.tsx. */
const AROUND: Answers = {
  'GET /api/setup': { body: { steps: [], isDismissed: true, isDemo: false } },
  'GET /api/coverage': { body: { total: 0, repriceable: 0, undecided: 0, problems: [] } },
  'GET /api/attention': { body: { isHalted: false, items: [], lossPerSale: '0.00', waiting: [] } },
  'GET /api/charts/margins': { body: { bands: [], heldAtFloor: 0, savedByFloor: '0.00' } },
  'GET /api/charts/price-changes?days=14&zone=UTC': { body: { days: [] } },
  'GET /api/charts/today?zone=UTC': { body: NOTHING_TODAY },
  ...profitAnswers('30'),
};

function open(stats: Answers[string]) {
  const sent = serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/stats': stats, ...AROUND });
  renderApp('/');
  return {
    user: userEvent.setup(),
    reads: () => sent.filter(({ call }) => call === 'GET /api/stats').length,
  };
}

test('five figures with their notes, each linked to its list', async () => {
  open({ body: FULL });
  await screen.findByText('Overview of your multi-marketplace repricing performance');
  for (const [label, figure, note, href] of [
    ['Total Listings', '1,204', 'Across 1 marketplaces', '/listings'],
    ['Total SKUs', '87', 'Unique products', '/skus'],
    ['Total Value', '$50,234', 'All listings', '/listings?sort=-currentPrice'],
    ['Active Rules', '4', 'Repricing rules', '/rules?tab=active'],
    ['Recent Changes', '12', 'Last 24 hours', '/history?source=ours&days=1'],
  ] as const) {
    const link = await screen.findByRole('link', { name: label });
    expect(link.getAttribute('href')).toBe(href);
    const cell = link.closest('dt')?.parentElement;
    expect(cell?.textContent).toMatch(new RegExp(`^${label}${figure.replace('$', '\\$')}.*${note}$`));
  }
});

test('a trend is in words and colored; without data there is none', async () => {
  open({ body: FULL });
  const up = (await screen.findByText('Up')).parentElement;
  expect(up?.className).toContain('text-success-text');
  expect(up?.parentElement?.textContent).toBe('Up 2.4% in 7 days');
  const down = screen.getByText('Down').parentElement;
  expect(down?.className).toContain('text-danger-text');
  expect(down?.textContent).toBe('Down 10.0%');
  expect(screen.getByText('Unchanged')).toBeTruthy();
  expect(screen.getAllByText('in 7 days')).toHaveLength(3);
});

test('a card per marketplace, with a count per fulfillment type', async () => {
  open({ body: FULL });
  const card = within(await screen.findByRole('group', { name: 'eBay' }));
  for (const text of [
    'Listings',
    '1,204',
    'Active',
    '1,100',
    'Total Value',
    '$50,234',
    'Avg Price',
    '$41.72',
  ]) {
    expect(card.getByText(text, { ignore: '.sr-only' })).toBeTruthy();
  }
  expect(card.getByText('Fulfillment Types')).toBeTruthy();
  const hrefs = card.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(hrefs).toEqual([
    ['1,204 eBay listings', '/listings?marketplace=ebay'],
    ['1,100 eBay listings with repricing on', '/listings?marketplace=ebay&state=on'],
    [
      '$50,234 total value of eBay, the highest prices first',
      '/listings?marketplace=ebay&sort=-currentPrice',
    ],
    ['$41.72 average price on eBay, the lowest prices first', '/listings?marketplace=ebay&sort=currentPrice'],
    ['4 FBA/WFS listings on eBay', '/listings?marketplace=ebay&fulfillment=FBA%2FWFS'],
    ['1,200 FBM listings on eBay', '/listings?marketplace=ebay&fulfillment=FBM'],
  ]);
});

test('four placeholders for a noticeable wait', async () => {
  let answer: (value: Answer) => void = () => undefined;
  open(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(await screen.findAllByTestId('metric-skeleton')).toHaveLength(4);
  expect(screen.getByText('Loading the figures')).toBeTruthy();
  answer({ body: FULL });
  await screen.findByText('Performance by Marketplace');
  expect(screen.queryByTestId('metric-skeleton')).toBeNull();
});

test('one slow part delays the others, so that nothing moves', async () => {
  let answer: (value: Answer) => void = () => undefined;
  const slow = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/stats': { body: FULL },
    ...AROUND,
    'GET /api/attention': () => slow,
  });
  renderApp('/');
  expect(await screen.findAllByTestId('metric-skeleton')).toHaveLength(4);
  expect(screen.queryByText('Across 1 marketplaces')).toBeNull();
  answer({ body: { isHalted: false, items: [], lossPerSale: '0.00', waiting: [] } });
  await screen.findByText('Across 1 marketplaces');
});

test('an account without listings shows the empty state', async () => {
  open({ body: EMPTY });
  await screen.findByText('No marketplace data available. Add listings to see stats.');
  expect(screen.queryByRole('heading', { name: 'Needs attention' })).toBeNull();
});

test('a response without data shows "No data available"', async () => {
  open({ body: null });
  await screen.findByText('No data available');
});

test('a failure shows the cause, the request id, and a retry', async () => {
  let isUp = false;
  const { user } = open(() => (isUp ? { body: FULL } : AWAY));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The database is away.');
  expect(alert.textContent).toContain('req-7');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('group', { name: 'eBay' });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a refresh that fails keeps the figures', async () => {
  let isUp = true;
  const { user } = open(() => (isUp ? { body: FULL } : AWAY));
  await screen.findByRole('group', { name: 'eBay' });
  expect(screen.getByText(/^Updated \d\d:\d\d$/)).toBeTruthy();
  isUp = false;
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('Failed to refresh the figures');
  expect(screen.getByRole('group', { name: 'eBay' })).toBeTruthy();
});

test('changed prices are offered, not loaded automatically, and the offer disappears once used', async () => {
  const { user, reads } = open({ body: FULL });
  await screen.findByRole('group', { name: 'eBay' });
  act(() => {
    noteChange({ kind: 'changed', topic: 'listings', ids: ['a', 'b'] });
    noteChange({ kind: 'changed', topic: 'listings', ids: ['b'] });
  });
  const offer = within((await screen.findByText('2 listings changed.')).parentElement ?? document.body);
  expect(reads()).toBe(1);
  await user.click(offer.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('Dashboard updated');
  expect(reads()).toBe(2);
  expect(screen.queryByText('2 listings changed.')).toBeNull();
});

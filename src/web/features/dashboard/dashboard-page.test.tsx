import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Stats } from '#contract/stats.ts';
import { type Answer, type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { noteChange } from '#web/lib/live-changes.ts';

afterEach(() => vi.unstubAllGlobals());

const FULL: Stats = {
  overall: {
    totalListings: 1204,
    totalSkus: 87,
    totalValue: '50233.50',
    activeRules: 4,
    recentPriceChanges: 12,
  },
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
  byMarketplace: [],
};
const AWAY = refusal(503, 'unavailable', 'The database is away.');

/** What else the Dashboard asks for; first-minutes.test.tsx looks at it. */
const AROUND: Answers = {
  'GET /api/setup': { body: { steps: [], isDismissed: true, isDemo: false } },
  'GET /api/coverage': { body: { total: 0, repriceable: 0, undecided: 0, problems: [] } },
  'GET /api/money': {
    body: { belowFloor: 0, lossPerSale: '0.00', recommended: 0, heldAtFloor: 0, savedByFloor: '0.00' },
  },
};

function open(stats: Answers[string]) {
  const sent = serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/stats': stats, ...AROUND });
  renderApp('/');
  return {
    user: userEvent.setup(),
    reads: () => sent.filter(({ call }) => call === 'GET /api/stats').length,
  };
}

test('five figures with their notes', async () => {
  open({ body: FULL });
  await screen.findByText('Overview of your multi-marketplace repricing performance');
  for (const [label, figure, note] of [
    ['Total Listings', '1,204', 'Across 1 marketplaces'],
    ['Total SKUs', '87', 'Unique products'],
    ['Total Value', '$50,234', 'All listings'],
    ['Active Rules', '4', 'Repricing rules'],
    ['Recent Changes', '12', 'Last 24 hours'],
  ] as const) {
    const card = (await screen.findByRole('heading', { name: label })).parentElement?.parentElement;
    expect(card?.textContent).toBe(`${label}${figure}${note}`);
  }
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
    expect(card.getByText(text)).toBeTruthy();
  }
  expect(card.getByText('Fulfillment Types')).toBeTruthy();
  expect(card.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['FBA/WFS4', 'FBM1,200']);
});

test('four placeholders for a wait that can be felt', async () => {
  let answer: (value: Answer) => void = () => undefined;
  open(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(await screen.findAllByTestId('metric-skeleton')).toHaveLength(4);
  answer({ body: FULL });
  await screen.findByText('Performance by Marketplace');
  expect(screen.queryByTestId('metric-skeleton')).toBeNull();
});

test('a shop without listings says so', async () => {
  open({ body: EMPTY });
  await screen.findByText('No marketplace data available. Add listings to see stats.');
});

test('an answer without data reads "No data available"', async () => {
  open({ body: null });
  await screen.findByText('No data available');
});

test('a failure shows why, the request id, and a way to try again', async () => {
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

test('changed prices are offered, not forced, and the offer goes once taken', async () => {
  const { user, reads } = open({ body: FULL });
  await screen.findByRole('group', { name: 'eBay' });
  act(() => {
    noteChange({ kind: 'changed', topic: 'listings', ids: ['a', 'b'] });
    noteChange({ kind: 'changed', topic: 'listings', ids: ['b'] });
  });
  const offer = within((await screen.findByText('2 prices changed.')).parentElement ?? document.body);
  expect(reads()).toBe(1);
  await user.click(offer.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('Dashboard updated');
  expect(reads()).toBe(2);
  expect(screen.queryByText('2 prices changed.')).toBeNull();
});

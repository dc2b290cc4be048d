import { within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { BuyBox } from '#contract/listing-analytics.ts';
import { type Answer, refusal } from '#tests/support/fake-api.ts';
import { closeNetwork } from '#tests/support/listings-screen.tsx';
import {
  ago,
  analytics,
  buyBox,
  competition,
  competitorPrice,
  PANEL_ANSWERS,
  salesMetrics,
} from '#tests/support/panel-responses.ts';
import { openPanelTab } from '#tests/support/panel-screen.ts';

afterEach(closeNetwork);

const SALES = 'GET /api/sales-history/metrics/1?dateRange=30';
const ANALYTICS = 'GET /api/listing-analytics/1';
const COMPETITORS = 'GET /api/competitor-prices/listing/1?marketplace=walmart&limit=10';
const COMPETITION = 'GET /api/listings/1/competition';
const CHART = 'GET /api/listings/1/price-chart?dateRange=30';

const LOST: Answer = refusal(500, 'internal', 'It is away.');

test('Sales: units, revenue, profit and margin, each with its basis', async () => {
  const { panel, cards } = await openPanelTab('sales');
  expect(await cards()).toEqual([
    ['Units Sold', '1,204', '37 transactions'],
    ['Revenue', '$24,080.00', 'Average price $20.00'],
    ['Profit', '$3,010.00', '$2.50 per unit'],
    ['Margin', '12.5%Healthy', 'Profit divided by revenue'],
  ]);
  expect(panel.getByText('Last 30 days (Oct 4 to Nov 3)')).toBeTruthy();
});

test('Sales: a loss has a minus; a profit of some sales shows their number, and that it is estimated', async () => {
  const { cards } = await openPanelTab('sales', {
    [SALES]: {
      body: salesMetrics({
        salesCount: 3,
        totalQuantity: 5,
        totalMargin: '-3.00',
        avgMarginPerUnit: '-1.50',
        margin: '-15.00',
        quantityWithMargin: 2,
        salesWithMargin: 2,
        salesAbout: 1,
      }),
    },
  });
  expect(await cards()).toMatchObject([
    ['Units Sold', '5', '3 transactions'],
    ['Revenue', '$24,080.00', 'Average price $20.00'],
    ['Profit', 'about \u2212$3.00', 'about \u2212$1.50 per unit'],
    ['Margin', 'about Loss\u221215.0%Critical', 'From 2 of 3 sales'],
  ]);
});

test('Sales: an unknown profit is not zero', async () => {
  const { cards } = await openPanelTab('sales', {
    [SALES]: {
      body: salesMetrics({
        totalMargin: null,
        avgMarginPerUnit: null,
        margin: null,
        quantityWithMargin: 0,
        salesWithMargin: 0,
      }),
    },
  });
  expect((await cards()).slice(2)).toEqual([
    ['Profit', '\u2013not available'],
    ['Margin', '\u2013not available', 'Cost or fees unknown, so profit cannot be calculated'],
  ]);
});

test('Sales: a failure to load the latest sales is shown with a retry', async () => {
  const { panel } = await openPanelTab('sales', { 'GET /api/sales?listing=1&page=1&size=25': LOST });
  const failed = within(await panel.findByRole('alert'));
  expect(failed.getByRole('button', { name: 'Retry' })).toBeTruthy();
});

test('Sales: no sales in the range', async () => {
  const { panel } = await openPanelTab('sales', {
    [SALES]: { body: salesMetrics({ salesCount: 0, lastUpdated: null, staleAt: null }) },
  });
  expect(await panel.findByText('No sales data available for this period')).toBeTruthy();
  expect(panel.queryAllByRole('term')).toEqual([]);
});

test('Analytics: rating with two decimals, reviews, rank with category, buy box with one decimal', async () => {
  const { cards } = await openPanelTab('analytics');
  expect(await cards()).toEqual([
    ['Average Rating', '4.30', 'Of 5 stars'],
    ['Review Count', '1,287'],
    ['Sales Rank', '#1,204', 'in Kitchen'],
    ['Buy Box Win Rate', '62.4%', '7 days, up to 3 days ago'],
  ]);
});

test('Analytics: unknown values are N/A', async () => {
  const { cards } = await openPanelTab('analytics', {
    [ANALYTICS]: {
      body: analytics({
        reviewCount: 0,
        averageRating: null,
        salesRank: null,
        salesRankCategory: null,
        buyBoxPercentage: null,
      }),
    },
  });
  expect((await cards()).map(([name, figure]) => [name, figure])).toEqual([
    ['Average Rating', 'N/A'],
    ['Review Count', '0'],
    ['Sales Rank', 'N/A'],
    ['Buy Box Win Rate', 'N/A'],
  ]);
});

test('Analytics: no data', async () => {
  const { panel } = await openPanelTab('analytics', { [ANALYTICS]: { body: null } });
  expect(await panel.findByText('No analytics data available')).toBeTruthy();
});

test('Analytics: the buy box day by day, with the same numbers in readout and table', async () => {
  const { user, panel } = await openPanelTab('analytics', {
    [ANALYTICS]: {
      body: analytics({
        days: [
          { day: '2026-11-01', checks: 96, wins: 48 },
          { day: '2026-11-02', checks: 4, wins: 3 },
        ],
      }),
    },
  });
  const chart = await panel.findByRole('application', { name: 'Won 51.0% of 100 checks' });
  chart.focus();
  await user.keyboard('{End}');
  expect(panel.getByText('Nov 2: Won 75.0%, Checks 4')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Show as table' }));
  expect(
    within(panel.getByRole('table'))
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['DayWonChecks', 'Nov 150.0%96', 'Nov 275.0%4']);
});

test('Competitors: direct prices, third parties and the winner of the buy box', async () => {
  const { cards } = await openPanelTab('competitors');
  expect(await cards()).toEqual([
    ['Amazon Direct', '$21.00'],
    ['Walmart Direct', 'Not selling'],
    ['Third-Party Sellers', '3', 'Min $18.50Avg $20.25Max $22.00'],
    ['Buy Box Winner', '$18.50', 'BargainBarn'],
  ]);
});

test('Competitors: no other seller, and no card for a buy box without a price', async () => {
  const { cards } = await openPanelTab('competitors', {
    [COMPETITORS]: {
      body: [
        competitorPrice({
          amazonDirectPrice: null,
          thirdPartySellerCount: 0,
          thirdPartyMinPrice: null,
          thirdPartyAvgPrice: null,
          thirdPartyMaxPrice: null,
          buyBoxPrice: null,
          buyBoxSeller: null,
        }),
        competitorPrice({ id: '4' }),
      ],
    },
  });
  expect(await cards()).toEqual([
    ['Amazon Direct', 'Not selling'],
    ['Walmart Direct', 'Not selling'],
    ['Third-Party Sellers', '0', 'Min N/AAvg N/AMax N/A'],
  ]);
});

test('Competitors: owning the buy box is shown', async () => {
  const { cards } = await openPanelTab('competitors', {
    [COMPETITORS]: { body: [competitorPrice({ isBuyBoxOurs: true, buyBoxSeller: 'Our Shop' })] },
  });
  expect((await cards())[3]).toEqual(['Buy Box Winner', '$18.50', 'Our Shop (you)']);
});

const withBox = (given: Partial<BuyBox>) => ({
  [COMPETITION]: { body: competition({ buyBox: buyBox(given) }) },
});

test('Competitors: who took the buy box, and who had it before', async () => {
  const { panel } = await openPanelTab('competitors', withBox({}));
  expect(await panel.findByText('BargainBarn', { selector: 'strong' })).toBeTruthy();
  expect(panel.getByText(/^Before: You/)).toBeTruthy();
});

test('Competitors: a buy box that was not read is not called lost', async () => {
  const { panel } = await openPanelTab('competitors', withBox({ holder: 'ours', isOutdated: true }));
  const box = (await panel.findByText('You', { selector: 'strong' })).closest('p');
  expect(box?.textContent).toMatch(/^You had /);
  expect(panel.queryByText(/lost/i)).toBeNull();
});

test('Competitors: no data; our own price is shown anyway', async () => {
  const { panel } = await openPanelTab('competitors', { [COMPETITORS]: { body: [] } });
  expect(await panel.findByText('No competitor pricing data available')).toBeTruthy();
  expect(await panel.findByRole('application', { name: /^Your price/ })).toBeTruthy();
});

test.each([
  ['sales', SALES, 'Failed to load sales metrics', 'Units Sold'],
  ['analytics', ANALYTICS, 'Failed to load analytics data', 'Average Rating'],
  ['competitors', COMPETITORS, 'Failed to load competitor pricing', 'Amazon Direct'],
  ['competitors', CHART, 'Failed to load price history', null],
])('%s: %s fails separately, says so, and Retry loads it', async (tab, call, text, term) => {
  let isLost = true;
  const good = PANEL_ANSWERS[call] as Answer;
  const { user, panel, calls } = await openPanelTab(tab, { [call]: () => (isLost ? LOST : good) });
  const alert = within(await panel.findByRole('alert'));
  expect(alert.getByText(text)).toBeTruthy();
  expect(alert.getByText('It is away.')).toBeTruthy();
  expect(panel.getAllByRole('alert')).toHaveLength(1);
  isLost = false;
  await user.click(alert.getByRole('button', { name: 'Retry' }));
  await (term === null ? panel.findByRole('application') : panel.findByText(term));
  expect(panel.queryByRole('alert')).toBeNull();
  expect(calls().filter((each) => each === call)).toHaveLength(2);
});

test.each([
  ['sales', SALES],
  ['analytics', ANALYTICS],
  ['competitors', COMPETITORS],
])('%s: a noticeable wait shows a skeleton', async (tab, call) => {
  let answer: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (answer = resolve));
  const good = PANEL_ANSWERS[call] as Answer;
  const { panel } = await openPanelTab(tab, { [call]: async () => arrived.then(() => good) });
  expect(await panel.findAllByTestId('panel-skeleton')).not.toEqual([]);
  answer();
  await panel.findAllByRole('term');
  expect(panel.queryByTestId('panel-skeleton')).toBeNull();
});

test.each([
  ['sales', 'Sales last recorded'],
  ['analytics', 'Last updated'],
  ['competitors', 'Last updated'],
])('%s: figures show when they were fetched', async (tab, label) => {
  const { panel } = await openPanelTab(tab);
  expect((await panel.findByText(new RegExp(`^${label}`))).textContent).toMatch(/\(3 h ago\)$/);
  expect(panel.queryByText(/^This data is older than usual/)).toBeNull();
});

const OLD = { staleAt: ago(1) };

test.each([
  ['sales', SALES, { body: salesMetrics({ ...OLD, lastUpdated: ago(5) }) }],
  ['analytics', ANALYTICS, { body: analytics({ ...OLD, lastUpdated: ago(5) }) }],
  [
    'competitors',
    COMPETITORS,
    { body: [competitorPrice({ ...OLD, timestamp: ago(9), lastSeenAt: ago(5) })] },
  ],
])('%s: outdated figures show a warning', async (tab, call, old) => {
  const { panel } = await openPanelTab(tab, { [call]: old });
  expect(await panel.findByText(/^This data is older than usual/)).toBeTruthy();
  expect(panel.getByText(/\(5 h ago\)$/)).toBeTruthy();
});

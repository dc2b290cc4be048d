import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Attention } from '#contract/attention.ts';
import type { MarginDistribution, Today } from '#contract/charts.ts';
import type { Coverage, Setup } from '#contract/setup.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { NO_SALES, profitAnswers } from '#tests/support/profit-responses.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { completeDays, namedPeriod, periodBefore } from '#web/lib/periods.ts';
// Preloaded: its first import is slow on a busy machine.
import './dashboard-page.tsx';

afterEach(() => vi.unstubAllGlobals());

const DAY = new Date().toISOString().slice(0, 10);
const STATS = {
  overall: { totalListings: 600, totalSkus: 240, totalValue: '1.00', activeRules: 1, recentPriceChanges: 0 },
  trends: { totalListings: null, totalSkus: null, totalValue: null, recentPriceChanges: null },
  byMarketplace: ['walmart', 'ebay'].map((marketplace) => ({
    marketplace,
    totalListings: 300,
    activeListings: 300,
    totalValue: '1.00',
    avgPrice: '1.00',
    fulfillmentBreakdown: { FBM: 300 },
  })),
};
const SETUP: Setup = {
  steps: [
    { step: 'import', isDone: true },
    { step: 'own_sellers', isDone: true },
    { step: 'shipping', isDone: false },
    { step: 'fees', isDone: false },
    { step: 'rule', isDone: true },
    { step: 'review', isDone: false },
    { step: 'go_live', isDone: false },
  ],
  isDismissed: false,
  isDemo: false,
};
const COVERAGE: Coverage = {
  total: 600,
  repriceable: 412,
  undecided: 0,
  problems: [
    { problem: 'no_product_cost', count: 120 },
    { problem: 'no_tier', count: 40 },
  ],
};
const ATTENTION: Attention = {
  isHalted: false,
  items: [
    { kind: 'below_floor', count: 1 },
    { kind: 'failed_jobs', count: 2 },
  ],
  lossPerSale: '2.31',
  waiting: [
    { marketplace: 'walmart', mode: 'recommend_only', count: 50 },
    { marketplace: 'ebay', mode: 'live', count: 7 },
  ],
};
const MARGINS: MarginDistribution = {
  bands: [
    { band: 'loss', count: 12 },
    { band: 'below_5', count: 0 },
    { band: 'below_10', count: 100 },
    { band: 'below_15', count: 200 },
    { band: 'from_15', count: 100 },
    { band: 'unknown', count: 188 },
  ],
  heldAtFloor: 9,
  savedByFloor: '41.20',
};
const TODAY: Today = {
  day: '2026-11-21',
  changes: 8,
  undone: 2,
  raised: 3,
  lowered: 5,
  listings: 7,
  known: 6,
  weeklyEffect: '-12.30',
  heldAtFloor: 2,
};
const CHANGES = {
  days: [
    { day: '2026-11-20', raised: 3, lowered: 4 },
    { day: '2026-11-21', raised: 0, lowered: 1 },
  ],
};
const THIRTY = Array.from({ length: 30 }, (_, at) => ({
  day: `2026-11-${String(at + 1).padStart(2, '0')}`,
  raised: 0,
  lowered: 1,
}));

function open(role: 'user' | 'admin', over: Answers = {}) {
  const sent = serveApi({
    'GET /api/user': { body: aUser({ role }) },
    'GET /api/stats': { body: STATS },
    'GET /api/setup': { body: SETUP },
    'GET /api/coverage': { body: COVERAGE },
    'GET /api/attention': { body: ATTENTION },
    'GET /api/charts/margins': { body: MARGINS },
    'GET /api/charts/price-changes?days=14&zone=UTC': { body: CHANGES },
    'GET /api/charts/price-changes?days=30&zone=UTC': { body: { days: THIRTY } },
    'GET /api/charts/today?zone=UTC': { body: TODAY },
    ...profitAnswers('30'),
    ...over,
  });
  renderApp('/');
  return sent;
}

/** The line of the setup, with all steps below it. */
async function setUp(): Promise<HTMLElement> {
  const section = await screen.findByRole('region', { name: 'Set up repricing' });
  const steps = within(section).queryByRole('button', { name: 'All steps' });
  if (steps !== null) await userEvent.click(steps);
  return section;
}

describe('the first ten minutes', () => {
  test('each open step is one press away, and going live asks for the marketplaces', async () => {
    open('admin');
    const card = within(await setUp());
    expect(card.getByText('3 of 7 steps done')).toBeTruthy();
    expect(card.getByRole('link', { name: 'Add tiers' }).getAttribute('href')).toBe('/shipping-tiers');
    expect(card.getByRole('link', { name: 'Check fees' }).getAttribute('href')).toBe('/costs?tab=fees');
    for (const name of ['Review and go live', 'Preview changes']) {
      expect((await card.findByRole('link', { name })).getAttribute('href')).toBe('/?go-live=choose');
    }
    expect(card.getByText(/Start with one marketplace if you like/)).toBeTruthy();
    expect(card.queryByRole('link', { name: 'Import files' })).toBeNull();
  });

  test.each([
    ['admin', '/settings#marketplaces'],
    ['user', undefined],
  ] as const)('products come by file or from a marketplace, which %ss connect', async (role, address) => {
    const steps = SETUP.steps.map((each) => ({ ...each, isDone: each.step !== 'import' }));
    open(role, {
      'GET /api/setup': { body: { ...SETUP, steps } },
      'GET /api/stats': { body: { ...STATS, byMarketplace: [] } },
    });
    const card = within(await setUp());
    expect((await card.findByRole('link', { name: 'Import files' })).getAttribute('href')).toBe('/imports');
    const connect = card.queryByRole('link', { name: 'Connect a marketplace' });
    expect(connect?.getAttribute('href')).toBe(address);
  });

  test('listings that a marketplace brought lack SKUs, which can be downloaded to fill in', async () => {
    const steps = SETUP.steps.map((each) => ({ ...each, isDone: each.step !== 'import' }));
    open('user', { 'GET /api/setup': { body: { ...SETUP, steps } } });
    const card = within(await setUp());
    const download = await card.findByRole('link', { name: 'Download missing SKUs' });
    expect(download.getAttribute('href')).toBe('/api/coverage/skus.csv?problem=no_sku');
    expect(card.getByRole('link', { name: 'Import files' }).getAttribute('href')).toBe('/imports');
  });

  test('without listings there is no run preview to show', async () => {
    open('admin', { 'GET /api/stats': { body: { ...STATS, byMarketplace: [] } } });
    const card = within(await setUp());
    expect(await card.findAllByText('Available after you add listings')).toHaveLength(2);
    expect(card.queryByRole('link', { name: 'Review and go live' })).toBeNull();
  });

  test('a user without the admin role sees who does a step, and cannot hide the card', async () => {
    open('user');
    const card = within(await setUp());
    expect(card.getAllByText('Only an administrator can do this')).toHaveLength(2);
    const look = await card.findByRole('link', { name: 'See recommendations' });
    expect(look.getAttribute('href')).toBe('/listings?state=recommended');
    expect(card.queryByRole('link', { name: 'Review and go live' })).toBeNull();
    expect(card.queryByRole('button', { name: 'Hide this card' })).toBeNull();
  });

  test('an admin hides the card for all users', async () => {
    const sent = open('admin', { 'POST /api/setup/dismiss': { body: { ...SETUP, isDismissed: true } } });
    await userEvent.click(within(await setUp()).getByRole('button', { name: 'Hide this card' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up repricing' })).toBeNull());
    expect(sent.some(({ call }) => call === 'POST /api/setup/dismiss')).toBe(true);
  });

  test('the sample data has a callout with links', async () => {
    open('admin', { 'GET /api/setup': { body: { ...SETUP, isDemo: true } } });
    expect(await screen.findByText(/^This is a demo store/)).toBeTruthy();
    expect(screen.getByRole('link', { name: /price war/ }).getAttribute('href')).toBe('/listings?q=WAR-1');
  });
});

describe('coverage and margin', () => {
  test('each problem links to its listings', async () => {
    open('user');
    expect(await screen.findByText('412 of 600 listings can be repriced')).toBeTruthy();
    const cause = screen.getByRole('link', { name: '120 no cost' });
    expect(cause.getAttribute('href')).toBe('/listings?problem=no_product_cost');
  });

  test('next to each problem is its bulk fix', async () => {
    const problems = [
      ...COVERAGE.problems,
      { problem: 'no_fulfillment_cost' as const, count: 3 },
      { problem: 'bundle_unconfirmed' as const, count: 1 },
    ];
    open('user', { 'GET /api/coverage': { body: { ...COVERAGE, problems } } });
    const href = async (name: RegExp) => (await screen.findByRole('link', { name })).getAttribute('href');
    expect(await href(/^Download CSV.*no cost$/)).toBe('/api/coverage/skus.csv?problem=no_product_cost');
    expect(await href(/^Import the completed file.*no cost$/)).toBe('/imports/new?kind=skus');
    expect(await href(/^Shipping Tiers to fix/)).toBe('/shipping-tiers');
    expect(await href(/^Bundles to fix: bundle removed/)).toBe('/bundles?state=removed');
    expect(await href(/^Set the fee for all/)).toBe(
      '/listings?problem=no_fulfillment_cost&set=fulfillmentCost',
    );
  });

  test('the fees are for admins', async () => {
    const problems = [{ problem: 'no_fee_schedule' as const, count: 3 }];
    const answers = { 'GET /api/coverage': { body: { ...COVERAGE, problems } } };
    open('user', answers);
    await screen.findByRole('link', { name: '3 no fee schedule' });
    expect(screen.queryByRole('link', { name: /^Marketplace fees/ })).toBeNull();
    cleanup();
    open('admin', answers);
    const fees = await screen.findByRole('link', { name: /^Marketplace fees/ });
    expect(fees.getAttribute('href')).toBe('/costs?tab=fees');
  });
});

const attentionList = async () => within(await screen.findByRole('list', { name: 'Needs attention' }));
const hrefOf = (link: HTMLElement): string | null => link.getAttribute('href');

describe('what needs attention', () => {
  test('each line names a problem and links to its list', async () => {
    open('user');
    const list = await attentionList();
    expect(list.getAllByRole('link').map((link) => [link.textContent, hrefOf(link)])).toEqual([
      ['1 listing below the margin floor: \u2212$2.31', '/listings?state=below_floor'],
      ['2 jobs failed in the last 7 days', '/jobs?state=failed'],
      ['57 recommended prices for review', '/listings?state=recommended'],
      ['Walmart 50', '/listings?state=recommended&marketplace=walmart'],
      ['eBay 7', '/listings?state=recommended&marketplace=ebay'],
    ]);
    expect(list.getByText('One sale loses $2.31.')).toBeTruthy();
    expect(list.getByText(/^On marketplaces set to recommend only:/).textContent).toBe(
      'On marketplaces set to recommend only: Walmart 50.',
    );
  });

  test('it is above the charts and the marketplaces', async () => {
    open('user');
    await attentionList();
    await screen.findByRole('application', { name: /^8 price changes/ });
    await screen.findByRole('application', { name: /lose money$/ });
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(headings.slice(1)).toEqual([
      'Needs attention',
      'Repricing raised 3 prices and lowered 5 today: $12.30 less a week at the same volume',
      '8 price changes in 14 days, mostly drops',
      '12 of 412 listings lose money',
      '412 of 600 listings can be repriced',
      'Performance by Marketplace',
    ]);
  });

  test('a halt is shown where prices wait for it', async () => {
    open('user', { 'GET /api/attention': { body: { ...ATTENTION, isHalted: true } } });
    expect((await attentionList()).getByText(/^Repricing is halted/)).toBeTruthy();
  });

  test('an empty section says so', async () => {
    const calm = { isHalted: false, items: [], lossPerSale: '0.00', waiting: [] };
    open('user', { 'GET /api/attention': { body: calm } });
    expect(await screen.findByText('No price needs attention')).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Needs attention' })).toBeNull();
  });

  test('while nothing can be repriced it does not say that all is well', async () => {
    const calm = { isHalted: false, items: [], lossPerSale: '0.00', waiting: [] };
    const coverage = { ...COVERAGE, total: 89, repriceable: 0 };
    open('user', { 'GET /api/attention': { body: calm }, 'GET /api/coverage': { body: coverage } });
    expect(await screen.findByText('No listing can be repriced yet')).toBeTruthy();
    expect(screen.queryByText('No price needs attention')).toBeNull();
  });

  test('a part that failed to load says so, and the rest stays', async () => {
    const { user } = { user: userEvent.setup() };
    let isUp = false;
    open('user', {
      'GET /api/attention': () =>
        isUp ? { body: ATTENTION } : refusal(503, 'unavailable', 'The database is away.'),
    });
    expect(await screen.findByText('Failed to load what needs attention')).toBeTruthy();
    expect(screen.getByText('412 of 600 listings can be repriced')).toBeTruthy();
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await attentionList();
  });
});

describe('what repricing did today', () => {
  test('is a finding with money, and links to its changes', async () => {
    open('user');
    const card = within(await screen.findByRole('region', { name: /^Repricing raised 3 prices/ }));
    expect(card.getByRole('link', { name: 'Prices changed' }).getAttribute('href')).toBe(
      '/history?source=repricing&from=2026-11-21&to=2026-11-21',
    );
    expect(card.getByText('\u2212$12.30 a week')).toBeTruthy();
    expect(card.getByText('On 7 listings, 2 undone')).toBeTruthy();
    expect(card.getByText('Known for 6 of 7 listings')).toBeTruthy();
  });

  test('an effect of which nothing is known is not a zero', async () => {
    open('user', {
      'GET /api/charts/today?zone=UTC': { body: { ...TODAY, known: 0, weeklyEffect: null } },
    });
    const card = within(
      await screen.findByRole('region', { name: 'Repricing raised 3 prices and lowered 5 today' }),
    );
    expect(card.getByText('Unknown')).toBeTruthy();
  });

  test('a failure does not look like a quiet day', async () => {
    open('user', { 'GET /api/charts/today?zone=UTC': refusal(503, 'unavailable', 'The database is away.') });
    expect(await screen.findByText("Failed to load today's price changes")).toBeTruthy();
    cleanup();
    open('user', {
      'GET /api/charts/today?zone=UTC': {
        body: { ...TODAY, changes: 0, raised: 0, lowered: 0, listings: 0, known: 0, weeklyEffect: null },
      },
    });
    expect(await screen.findByRole('region', { name: 'Repricing changed no price today' })).toBeTruthy();
  });
});

describe('charts', () => {
  test('the title of the margin chart states the finding; each bar links to its listings', async () => {
    open('user');
    const plot = await screen.findByRole('application', { name: '12 of 412 listings lose money' });
    const bars = within(plot).getAllByRole('link', { hidden: true });
    expect(bars.map((bar) => [bar.getAttribute('aria-label'), hrefOf(bar)])).toEqual([
      ['Loss: 12', '/listings?margin=loss'],
      ['0-5%: 0', '/listings?margin=below_5'],
      ['5-10%: 100', '/listings?margin=below_10'],
      ['10-15%: 200', '/listings?margin=below_15'],
      ['15%+: 100', '/listings?margin=from_15'],
    ]);
    expect(hrefOf(screen.getByRole('link', { name: '188 listings' }))).toBe('/listings?margin=unknown');
    expect(
      screen.getByText('The margin floor stopped 9 price cuts in the last 7 days, worth $41.20 per sale.'),
    ).toBeTruthy();
  });

  test('price changes per day are read by keyboard, raises and drops apart', async () => {
    open('user');
    const user = userEvent.setup();
    const plot = await screen.findByRole('application', {
      name: '8 price changes in 14 days, mostly drops',
    });
    plot.focus();
    await user.keyboard('{ArrowRight}');
    expect(await screen.findByText('Nov 20: Raised 3, Lowered 4')).toBeTruthy();
  });

  test('the same numbers are in a table', async () => {
    open('user');
    const plot = await screen.findByRole('application', { name: /^8 price changes/ });
    const figure = within(plot.closest('figure') ?? document.body);
    await userEvent.click(figure.getByRole('button', { name: 'Show as table' }));
    const rows = figure.getAllByRole('row').map((row) => row.textContent);
    expect(rows).toEqual(['DayRaisedLowered', 'Nov 2034', 'Nov 2101']);
    expect(hrefOf(figure.getByRole('link', { name: 'Nov 20' }))).toBe(
      '/history?source=ours&from=2026-11-20&to=2026-11-20',
    );
  });

  test('thirty days are one press away, and in the address', async () => {
    open('user');
    const days = within(await screen.findByRole('group', { name: 'Days shown' }));
    await userEvent.click(days.getByRole('button', { name: '30d' }));
    await screen.findByRole('application', { name: '30 price changes in 30 days, all drops' });
    const now = within(screen.getByRole('group', { name: 'Days shown' }));
    expect(now.getByRole('button', { name: '30d' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('without a known margin the chart says what data is missing', async () => {
    const bands = MARGINS.bands.map((band) => ({ ...band, count: band.band === 'unknown' ? 600 : 0 }));
    open('user', { 'GET /api/charts/margins': { body: { ...MARGINS, bands } } });
    expect(await screen.findByText(/^No margins yet/)).toBeTruthy();
  });

  test.each([
    ['/api/charts/margins', 'Failed to load the margins'],
    ['/api/charts/price-changes?days=14&zone=UTC', 'Failed to load the price changes'],
  ])('%s shows its failure', async (path, words) => {
    open('user', { [`GET ${path}`]: refusal(503, 'unavailable', 'The database is away.') });
    expect(await screen.findByText(words)).toBeTruthy();
  });
});

describe('sales and profit', () => {
  const sums = (key: string, profit: string | null, known: number) => ({
    ...NO_SALES,
    key,
    listing: null,
    rule: null,
    run: null,
    units: 12,
    revenue: '240.00',
    profit,
    margin: profit === null ? null : '20.00',
    sales: 10,
    known,
  });
  const of = (etsy: string | null) => {
    const rows = [sums('walmart', '60.00', 10), sums('etsy', etsy, etsy === null ? 0 : 10)];
    return { rows, total: 2, sum: { ...sums('', '60.00', 10), sales: 20 }, unlisted: null };
  };

  test('are a finding with figures that link to the Profit page, and by marketplace with the change', async () => {
    open('user', profitAnswers('30', of('4.00'), of('5.00')));
    const section = within(await screen.findByRole('region', { name: 'The last 30 days' }));
    expect(section.getByRole('link', { name: 'Profit' }).getAttribute('href')).toBe('/profit?period=30');
    expect(section.getByRole('link', { name: 'Profit' }).closest('div')?.textContent).toContain('Unchanged');
    const table = within(screen.getByRole('region', { name: /^Walmart earned most: about \$60\.00$/ }));
    const [, walmart, etsy] = table.getAllByRole('row').map(({ textContent }) => textContent);
    expect(walmart).toMatch(/^Walmart.*\$240\.00about \$60\.00\+0\.0%about 20\.0%12$/);
    expect(etsy).toMatch(/^Etsy\$240\.00about \$4\.00.*20\.0%about 20\.0%12$/);
    expect(table.getByRole('link', { name: /Etsy/ }).getAttribute('href')).toBe(
      '/profit?by=listing&period=30&marketplace=etsy',
    );
  });

  test('of a marketplace of which no profit is known are not a zero', async () => {
    open('user', profitAnswers('30', of(null), of('5.00')));
    const table = within(await screen.findByRole('region', { name: /^Walmart earned most/ }));
    const [, , etsy] = table.getAllByRole('row').map(({ textContent }) => textContent);
    expect(etsy).toMatch(/^Etsy\$240\.00.*not available0 of 10 sales.*12$/);
  });

  test('are drawn by day, and a day of unknown profit has no value', async () => {
    const { from, to } = completeDays(namedPeriod('30', DAY), DAY) ?? { from: '', to: '' };
    const byDay = { ...of('5.00'), rows: [sums(from, '60.00', 10), sums(to, null, 0)] };
    open('user', profitAnswers('30', of('5.00'), of('5.00'), undefined, byDay));
    const plot = await screen.findByRole('application', { name: /^Profit is the same as in the 30 days/ });
    const figure = within(plot.closest('figure') ?? document.body);
    await userEvent.click(figure.getByRole('button', { name: 'Show as table' }));
    const rows = figure.getAllByRole('row').map(({ textContent }) => textContent);
    expect(rows).toHaveLength(30);
    expect(rows[1]).toMatch(/\$60\.00no sales$/);
    expect(rows[2]).toMatch(/no salesno sales$/);
    expect(rows.at(-1)).toMatch(/unknownno sales$/);
  });

  test('say how much sales below their minimum margin lack, linked to them', async () => {
    const below = { rows: [], total: 3, lost: '12.40', isLostAbout: true };
    open('user', profitAnswers('30', of('5.00'), of('5.00'), below));
    const link = await screen.findByRole('link', { name: /3 sales.*about \u2212\$12\.40/ });
    expect(link.getAttribute('href')).toBe('/profit?by=sale&below=true&period=30');
    const lost = screen.getByRole('link', { name: 'Money lost' });
    expect(lost.getAttribute('href')).toBe('/profit?by=sale&below=true&period=30');
    expect(lost.closest('div')?.textContent).toContain('about \u2212$12.40');
  });

  test('of 7 days are one press away, and absent where nothing was ever sold or repriced', async () => {
    const user = userEvent.setup();
    open('user', { ...profitAnswers('30', of('5.00')), ...profitAnswers('7') });
    await user.click(await screen.findByRole('button', { name: 'Last 30 days' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Last 7 days' }));
    const section = within(await screen.findByRole('region', { name: 'The last 7 days' }));
    expect(section.getByText('No sales')).toBeTruthy();
    cleanup();
    open('user');
    await screen.findByRole('region', { name: 'Needs attention' });
    expect(screen.queryByRole('button', { name: 'Last 30 days' })).toBeNull();
  });

  test('by rule, against the days before, without prices that no rule set', async () => {
    const period = namedPeriod('30', DAY);
    const days = completeDays(period, DAY) ?? period;
    const before = periodBefore(days, '30');
    const rule = { name: 'Match', isDeleted: false };
    const rows = [{ ...sums('4', '60.00', 10), rule }, sums('typed', '9.00', 10)];
    const earlier = [{ ...sums('4', '50.00', 10), rule }];
    const requested = (from: string, to: string, size: number) =>
      `GET /api/profit?group=rule&from=${from}&to=${to}&size=${size}`;
    open('user', {
      ...profitAnswers('30', of('5.00')),
      [requested(days.from, days.to, 25)]: { body: { ...of('5.00'), rows } },
      [requested(before.from, before.to, 400)]: { body: { ...of('5.00'), rows: earlier } },
    });
    const table = within(await screen.findByRole('region', { name: /^Match earned most: about \$60\.00$/ }));
    const [, match, ...others] = table.getAllByRole('row').map(({ textContent }) => textContent);
    expect(match).toMatch(/^Match1220\.0%about \$60\.00\+20\.0%$/);
    expect(others).toEqual([]);
    expect(table.getByRole('link', { name: 'Match' }).getAttribute('href')).toBe('/rules/4');
  });
});

describe('buy box and price changes', () => {
  const period = namedPeriod('30', DAY);
  const complete = completeDays(period, DAY) ?? period;
  const before = periodBefore(complete, '30');
  const requested = `GET /api/charts/repricing?from=${before.from}&to=${period.to}&zone=UTC`;

  test('are shares and counts of the period with their change, linked to their lists', async () => {
    const days = [
      { day: before.from, raised: 4, lowered: 0, checks: 10, wins: 5 },
      { day: complete.to, raised: 1, lowered: 4, checks: 10, wins: 6 },
      { day: period.to, raised: 0, lowered: 1, checks: 10, wins: 9 },
    ];
    open('user', { [requested]: { body: { days } } });
    const share = await screen.findByRole('link', { name: 'Buy box share' });
    expect(share.getAttribute('href')).toBe('/listings?state=buy_box_lost');
    expect(share.closest('div')?.textContent).toMatch(/75\.0%Up 10\.0 pts.*20 checks$/);
    const changes = screen.getByRole('link', { name: 'Price changes' });
    expect(changes.getAttribute('href')).toBe(`/history?source=ours&from=${period.from}&to=${period.to}`);
    expect(changes.closest('div')?.textContent).toMatch(/6Up 25\.0%.*1 up, 5 down$/);
  });

  test('a share of nothing is not known', async () => {
    const days = [{ day: complete.to, raised: 1, lowered: 0, checks: 0, wins: 0 }];
    open('user', { [requested]: { body: { days } } });
    const share = await screen.findByRole('link', { name: 'Buy box share' });
    expect(share.closest('div')?.textContent).toContain('Unknown');
  });
});

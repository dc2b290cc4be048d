import type { Page } from '@playwright/test';
import type { SalesMetrics } from '#contract/listing-analytics.ts';
import { BREADTH, expect, test } from './fixtures.ts';

/** The "Listing Analytics side panel", with the texts of the specification. */

const EMPTY_SALES: SalesMetrics = {
  salesCount: 0,
  totalQuantity: 0,
  totalRevenue: '0.00',
  avgUnitPrice: null,
  totalMargin: null,
  avgMarginPerUnit: null,
  margin: null,
  quantityWithMargin: 0,
  salesWithMargin: 0,
  salesAbout: 0,
  lastUpdated: null,
  staleAt: null,
  from: '2026-10-22T00:00:00.000Z',
  to: '2026-11-21T00:00:00.000Z',
};
const TABS = [
  {
    tab: 'Sales',
    call: '**/api/sales-history/metrics/*',
    empty: EMPTY_SALES,
    none: 'No sales data available for this period',
    failed: 'Failed to load sales metrics',
  },
  {
    tab: 'Analytics',
    call: '**/api/listing-analytics/*',
    empty: null,
    none: 'No analytics data available',
    failed: 'Failed to load analytics data',
  },
  {
    tab: 'Competitors',
    call: '**/api/competitor-prices/listing/*',
    empty: [],
    none: 'No competitor pricing data available',
    failed: 'Failed to load competitor pricing',
  },
] as const;

/** Opens it from the menu of the first row of a marketplace. */
async function openPanel(page: Page, marketplace = 'walmart') {
  await page.goto(`/listings?marketplace=${marketplace}`);
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'View Analytics' }).click();
  const panel = page.getByRole('complementary').filter({ has: page.getByRole('tab', { name: 'Sales' }) });
  await expect(panel.getByRole('tab')).toHaveText(['Sales', 'Analytics', 'Competitors']);
  return panel;
}

test('Sales: four figures with their notes, three ranges, 30 days again after closing', async ({
  shopPage: page,
}) => {
  const panel = await openPanel(page);
  await expect(panel.getByRole('term')).toHaveText(['Units Sold', 'Revenue', 'Profit', 'Margin']);
  for (const text of [/^\d+ transactions?$/, /^Average price \$/, /^about \$[\d.]+ per unit$/])
    await expect(panel.getByText(text)).toBeVisible();
  for (const range of ['7d', '30d', '90d']) {
    const button = panel.getByRole('button', { name: range, exact: true });
    await expect(button).toHaveAttribute('aria-pressed', String(range === '30d'));
  }
  await panel.getByRole('button', { name: '90d', exact: true }).click();
  await expect(page).toHaveURL(/range=90/);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page).not.toHaveURL(/range=|panel=/);
});

test(
  'Analytics: rating, reviews, rank and buy box, and when they were updated',
  BREADTH,
  async ({ shopPage: page }) => {
    const panel = await openPanel(page, 'amazon');
    await panel.getByRole('tab', { name: 'Analytics' }).click();
    await expect(panel.getByRole('term')).toHaveText([
      'Average Rating',
      'Review Count',
      'Sales Rank',
      'Buy Box Win Rate',
    ]);
    const [rating, , rank, buyBox] = await panel.getByRole('definition').allInnerTexts();
    expect(rating).toMatch(/^(\d\.\d\d|N\/A)/);
    expect(rank).toMatch(/^(#[\d,]+|N\/A)/);
    expect(buyBox).toMatch(/^(\d+\.\d%|N\/A)/);
    await expect(panel.getByText(/^Last updated/)).toBeVisible();
  },
);

test(
  'Competitors: direct prices, third parties with min, avg and max, and when they were updated',
  BREADTH,
  async ({ shopPage: page }) => {
    const panel = await openPanel(page);
    await panel.getByRole('tab', { name: 'Competitors' }).click();
    await expect(panel.getByText('Third-Party Sellers')).toBeVisible();
    const names = await panel.getByRole('term').allInnerTexts();
    expect(names.slice(0, 3)).toEqual(['Amazon Direct', 'Walmart Direct', 'Third-Party Sellers']);
    const [amazon, walmart, third] = await panel.getByRole('definition').allInnerTexts();
    for (const price of [amazon, walmart]) expect(price).toMatch(/^(\$[\d,]+\.\d\d|Not selling)$/);
    expect(third?.replaceAll(/\s+/g, ' ')).toMatch(
      /^\d+ Min (\$[\d.,]+|N\/A) Avg (\$[\d.,]+|N\/A) Max (\$[\d.,]+|N\/A)$/,
    );
    await expect(panel.getByText(/^Last updated/)).toBeVisible();
  },
);

test('each tab shows its empty state, and its error with a retry', BREADTH, async ({ shopPage: page }) => {
  const body = { message: 'Away.', code: 'unavailable', requestId: 'req-1' };
  for (const { call } of TABS) {
    await page.route(call, (route) => route.fulfill({ status: 503, json: body }), { times: 1 });
  }
  const panel = await openPanel(page);
  for (const { tab, call, failed, none, empty } of TABS) {
    await panel.getByRole('tab', { name: tab }).click();
    await expect(panel.getByText(failed, { exact: true })).toBeVisible();
    await page.route(call, (route) => route.fulfill({ json: empty }));
    await panel.getByRole('button', { name: 'Retry' }).click();
    await expect(panel.getByText(none, { exact: true })).toBeVisible();
  }
});

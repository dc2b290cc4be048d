import type { Page } from '@playwright/test';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { BREADTH, expect, test } from './fixtures.ts';

/** The screen "Dashboard", with the texts of the specification. */

async function openDashboard(page: Page): Promise<void> {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
}

test('title, subtitle, and five figures each with its note', BREADTH, async ({ shopPage: page }) => {
  const stats = await (await page.request.get('/api/stats')).json();
  await openDashboard(page);
  await expect(
    page.getByText('Overview of your multi-marketplace repricing performance', { exact: true }),
  ).toBeVisible();
  const main = page.getByRole('main');
  for (const [label, note] of [
    ['Total Listings', `Across ${stats.byMarketplace.length} marketplaces`],
    ['Total SKUs', 'Unique products'],
    ['Total Value', 'All listings'],
    ['Active Rules', 'Repricing rules'],
    ['Recent Changes', 'Last 24 hours'],
  ] as const) {
    await expect(main.getByRole('link', { name: label, exact: true }), label).toBeVisible();
    await expect(main.getByText(note, { exact: true }).first(), note).toBeVisible();
  }
  // Dollars without decimals.
  const value = Math.round(Number(stats.overall.totalValue)).toLocaleString('en-US');
  await expect(main.getByText(`$${value}`, { exact: true })).toBeVisible();
});

test(
  'Performance by Marketplace: a card for each, with every line of it',
  BREADTH,
  async ({ shopPage: page }) => {
    const stats = await (await page.request.get('/api/stats')).json();
    await openDashboard(page);
    const section = page.getByRole('region', { name: 'Performance by Marketplace' });
    await expect(
      section.getByText('A detailed breakdown of listings, value and fulfillment across marketplaces'),
    ).toBeVisible();
    await expect(section.getByRole('group')).toHaveCount(stats.byMarketplace.length);
    for (const { marketplace, fulfillmentBreakdown } of stats.byMarketplace) {
      const card = section.getByRole('group', { name: MARKETPLACE_NAMES[marketplace as Marketplace] });
      await expect(card.getByRole('term')).toHaveText(['Listings', 'Active', 'Total Value', 'Avg Price']);
      await expect(card.getByRole('heading', { name: 'Fulfillment Types' })).toBeVisible();
      await expect(card.getByRole('listitem')).toHaveCount(Object.keys(fulfillmentBreakdown).length);
    }
  },
);

test(
  'four placeholder cards while it loads, and "No data available" without data',
  BREADTH,
  async ({ shopPage: page }) => {
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/stats', async (route) => {
      await isAnswered;
      await route.fulfill({ json: null });
    });
    await openDashboard(page);
    await expect(page.getByText('Loading the figures')).toBeAttached();
    await expect(page.getByTestId('metric-skeleton')).toHaveCount(4);
    answer();
    await expect(page.getByText('No data available', { exact: true })).toBeVisible();
  },
);

test('a bar of the price changes links to the rows of that day, as many as it shows', async ({
  shopPage: page,
}) => {
  const chart = await (await page.request.get(`/api/charts/price-changes?days=14&zone=${ZONE}`)).json();
  await openDashboard(page);
  const plot = page.getByRole('application', { name: /price changes? in 14 days/ });
  const moved = chart.days.filter((day: Day) => day.raised + day.lowered > 0) as Day[];
  expect(moved.length).toBeGreaterThan(1);
  await expect(plot.getByRole('link')).toHaveCount(moved.length);
  // A past day: today's count may grow during the test.
  const { day, raised, lowered } = moved[1] ?? { day: '', raised: 0, lowered: 0 };
  await plot.focus();
  const at = chart.days.findIndex((each: Day) => each.day === day);
  await page.keyboard.press('Home');
  for (let step = 0; step < at; step++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/history\\?.*from=${day}.*to=${day}`));
  const count = (raised + lowered).toLocaleString('en-US');
  await expect(page.getByText(new RegExp(`^1-\\d+ of ${count}$`))).toBeVisible();
});

/** The browser's time zone, which is this machine's. */
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
type Day = { day: string; raised: number; lowered: number };

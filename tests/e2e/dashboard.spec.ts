import { MARKETPLACES } from '#domain/marketplaces.ts';
import { BREADTH, expect, expectAccessible, test } from './fixtures.ts';

/** The six marketplaces of a mid-size seller; the database of these specs has no listings. */
const STATS = {
  overall: {
    totalListings: 12_408,
    totalSkus: 3_921,
    totalValue: '1284930.55',
    activeRules: 14,
    recentPriceChanges: 386,
  },
  trends: { totalListings: '2.4', totalSkus: '0.0', totalValue: '-1.2', recentPriceChanges: null },
  byMarketplace: MARKETPLACES.map((marketplace) => ({
    marketplace,
    totalListings: 2_068,
    activeListings: 2_000,
    totalValue: '214155.09',
    avgPrice: '103.55',
    fulfillmentBreakdown: { 'FBA/WFS': 1_000, FBM: 1_068 },
  })),
};

test('a new account shows its first steps', async ({ ownerPage: page }) => {
  await page.goto('/');
  await expect(page.getByText(/^No marketplace data/)).toBeVisible();
  await expect(page.getByText('Across 0 marketplaces')).toBeVisible();
  await expectAccessible(page);
});

test('six marketplaces fit every width', BREADTH, async ({ ownerPage: page }) => {
  await page.route('**/api/stats', (route) => route.fulfill({ json: STATS }));
  await page.goto('/');
  await expect(page.getByText('$1,284,931')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Shopify' })).toBeVisible();
  await expectAccessible(page);
  for (const width of [320, 768, 1_024, 1_440]) {
    await page.setViewportSize({ width, height: 800 });
    // Once the sidebar has become a sheet.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(width);
  }
});

test(
  'figures that failed to load are shown as missing and can be retried',
  BREADTH,
  async ({ ownerPage: page }) => {
    const body = { message: 'The database is away.', code: 'unavailable', requestId: 'req-42' };
    await page.route('**/api/stats', (route) => route.fulfill({ status: 503, json: body }), { times: 1 });
    await page.goto('/');
    await expect(page.getByText('req-42')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('Across 0 marketplaces')).toBeVisible();
  },
);

test('Refresh reloads and shows the time', BREADTH, async ({ ownerPage: page }) => {
  await page.goto('/');
  await expect(page.getByText(/^Updated \d\d:\d\d$/)).toBeVisible();
  const answer = page.waitForResponse('**/api/stats');
  await page.getByRole('button', { name: 'Refresh' }).click();
  expect((await answer).status()).toBe(200);
});

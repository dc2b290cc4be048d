import type { ListingRow, ListingsPage } from '#contract/listings.ts';
import { BREADTH, expect, expectAccessible, OWNER, test } from './fixtures.ts';

test('a session that ends while a form is filled in continues after the login page', async ({
  ownerPage: page,
  context,
}) => {
  await page.goto('/shipping-tiers?tier=new');
  const dialog = page.getByRole('dialog', { name: 'Add Shipping Tier' });
  await dialog.getByLabel(/^Max/).fill('16');
  await dialog.getByLabel(/^Min/).fill('0');
  await dialog.getByLabel(/cost/i).fill('3.99');
  await context.clearCookies();
  await page.keyboard.press('Control+Enter');
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(again.getByLabel('Email address')).toHaveValue(OWNER.email);
  await again.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.keyboard.press('Enter');
  await expect(again).toBeHidden();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('$3.99').first()).toBeVisible();
});

test(
  'the Undo of a toast works from another page, by Ctrl+Z',
  BREADTH,
  async ({ ownerPage: page, baseURL }) => {
    const tier = {
      marketplace: 'etsy',
      fulfillmentType: 'FBM',
      minWeightOz: 0,
      maxWeightOz: 8,
      cost: '2.50',
    };
    await page.request.post('/api/shipping-tiers', { headers: { origin: baseURL ?? '' }, data: tier });
    await page.goto('/shipping-tiers?marketplace=etsy');
    await page.getByRole('checkbox').nth(1).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: /^Delete tier/ }).click();
    await expect(page.getByText('Tiers Deleted', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(page.getByText('Tiers restored', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Recent actions' }).click();
    await expect(page.getByRole('dialog', { name: 'Recent actions' }).getByText('Undone')).toBeVisible();
  },
);

test(
  'a server that does not answer shows a banner until it answers',
  BREADTH,
  async ({ ownerPage: page }) => {
    // The page's timers advance only when the test does it.
    await page.clock.install();
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    // Blocks every response: one answer would hide the banner.
    const calls = /\/(?:api|healthz)\b/;
    await page.route(calls, (route) => route.abort());
    // By its full text: a part of the page that is still loading may report the missing answer too.
    const banner = page.getByRole('alert').filter({ hasText: 'nothing can be saved' });
    // A response that was already on its way may arrive in between.
    await expect(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('offline')));
      await expect(banner).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expectAccessible(page);
    const requested = page.waitForRequest('**/healthz');
    await banner.getByRole('button', { name: 'Try now' }).click();
    await requested;
    await expect(banner).toBeVisible();
    await page.unroute(calls);
    // The server is polled automatically, with waits that grow to 30 s.
    await page.clock.runFor(31_000);
    await expect(banner).toBeHidden();
  },
);

function listingRows(count: number): ListingRow[] {
  return Array.from({ length: count }, (_, at) => ({
    id: String(at + 1),
    marketplace: 'ebay',
    marketplaceItemId: null,
    channel: null,
    sku: `P-${at + 1}`,
    title: `Product ${at + 1}`,
    imageUrl: null,
    currentPrice: '19.99',
    amazonWalmartPrice: null,
    thirdPartyFbaWfsPrice: null,
    thirdPartyFbmPrice: '21.00',
    totalCost: '10.00',
    margin: '30.00',
    fulfillmentType: 'FBM',
    autoRepricingEnabled: true,
    minPrice: null,
    maxPrice: null,
    shippingCost: null,
    shippingCharge: '0.00',
    fulfillmentCost: null,
    feeCategory: null,
    brand: null,
    supplier: null,
    ownBrand: null,
    ownSupplier: null,
    tags: [],
    ownRuleId: null,
    rule: null,
    marginFloor: null,
    competitorPrice: null,
    recommendedPrice: null,
    recommendedPriceReason: null,
    outcome: null,
    reasonCode: null,
    gaps: [],
    decidedAt: null,
    hold: null,
    awaitingUploadSince: null,
    profit: null,
    feeRate: null,
    feeTold: null,
    ownFeeRate: null,
    adShare: null,
    mapPrice: null,
    mapFrom: null,
    mapUntil: null,
    externalPrice: null,
    externalPriceAt: null,
    returnShare: null,
    sold: { units: 0, profit: null, sales: 0, known: 0, told: 0 },
    priceInProgress: null,
    sharesPriceWith: [],
    lastRepriced: null,
    version: 1,
  }));
}

test(
  'Listings print in landscape, light, with their filters and without controls',
  BREADTH,
  async ({ ownerPage: page }) => {
    const json: ListingsPage = { rows: listingRows(120), total: 120, isTotalExact: true, emptyColumns: [] };
    await page.route('**/api/listings?*', (route) => route.fulfill({ json }));
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/listings?marketplace=ebay&q=prod&size=200');
    await page.getByText('P-1', { exact: true }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await expect(page.getByText(/^Pricewright, printed by Olive Owner, .*Search: "prod"$/)).toBeVisible();
    await expect(page.getByText('Marketplace: eBay', { exact: true })).toBeVisible();
    for (const role of ['complementary', 'banner'] as const) await expect(page.getByRole(role)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Refresh' })).toBeHidden();
    await expect(page.getByRole('row')).toHaveCount(121);
    await expect(page.locator('thead')).toHaveCSS('display', 'table-header-group');
    const file = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const boxes = [...file.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, w, h]) => [
      Number(w),
      Number(h),
    ]);
    expect(boxes.length).toBeGreaterThan(2);
    const landscape = boxes.filter(([width = 0, height = 0]) => width > height);
    expect(landscape.length).toBeGreaterThan(1);
  },
);

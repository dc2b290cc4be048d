import type { Locator, Page } from '@playwright/test';
import type { ErrorBody } from '#contract/errors.ts';
import { ListingRow } from '#contract/listings.ts';
import { BREADTH, expect, expectAccessible, test, toastOf } from './fixtures.ts';

/** The screen "Listings", with the texts of the specification, over all sample data. */

const COLUMNS = [
  'Marketplace',
  'SKU',
  'Product',
  'Your Price',
  'AMZ/WMT',
  '3PL FBA/WFS',
  '3PL FBM',
  'Total Cost',
  'Margin %',
  'Fulfillment',
  'Auto-Reprice',
  'Actions',
];
const SORTS = {
  marketplace: 'Marketplace',
  sku: 'SKU',
  title: 'Product',
  currentPrice: 'Your Price',
  amazonWalmartPrice: 'AMZ/WMT',
  thirdPartyFbaWfsPrice: '3PL FBA/WFS',
  thirdPartyFbmPrice: '3PL FBM',
  totalCost: 'Total Cost',
  margin: 'Margin %',
};

/** The position of an element in pixels. */
async function edges(what: Locator): Promise<{ top: number; bottom: number; left: number; right: number }> {
  const { top, bottom, left, right } = await what.evaluate((element) => element.getBoundingClientRect());
  return { top, bottom, left, right };
}

test('a price during a sale is set once the dialog about the sale is confirmed', async ({
  shopPage: page,
}) => {
  const answer = await page.request.get('/api/listings?marketplace=amazon&sort=-margin&size=25');
  const row = ListingRow.parse((await answer.json()).rows[0]);
  const reason = 'A spring sale runs there.';
  const requested: ErrorBody = {
    code: 'not_repriceable',
    message: `${row.sku}: ${reason}`,
    requestId: 'req-1',
    reasons: [
      {
        marketplace: 'amazon',
        reason,
        until: '2030-12-03T08:00:00.000Z',
        listings: 1,
        skus: [row.sku],
        isSent: true,
      },
    ],
  };
  const sent: unknown[] = [];
  await page.route(`**/api/listings/${row.id}/price`, async (route) => {
    sent.push(route.request().postDataJSON());
    const isConfirmed = sent.length > 2;
    await route.fulfill(isConfirmed ? { json: row } : { status: 409, json: requested });
  });
  await page.goto(`/listings?marketplace=amazon&q=${encodeURIComponent(row.sku)}`);
  await page.getByRole('button', { name: `Price of ${row.sku}` }).click();
  const editor = page.getByRole('textbox', { name: `New price of ${row.sku}` });
  const price = (Number(row.currentPrice) + 0.01).toFixed(2);
  await editor.fill(price);
  await editor.press('Enter');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(reason);
  await expect(dialog).toContainText(row.sku);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(editor).toHaveValue(price);
  await editor.press('Enter');
  await dialog.getByRole('button', { name: 'Change price' }).click();
  await expect(toastOf(page, 'Price changed').or(toastOf(page, 'Price on its way'))).toBeVisible();
  const body = { price, from: row.currentPrice };
  expect(sent).toEqual([body, body, { ...body, despiteReasons: [reason] }]);
});

const rows = (page: Page) => page.getByRole('table', { name: 'Listings' }).locator('tbody tr');

test('on a phone the refresh callout moves nothing below it', BREADTH, async ({ shopPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/listings', '/listings?marketplace=amazon']) {
    let tell = (): void => undefined;
    const isReceived = new Promise<void>((resolve) => {
      tell = resolve;
    });
    await page.unroute('**/api/events');
    await page.route('**/api/events', async (route) => {
      await isReceived;
      const event = JSON.stringify({ kind: 'changed', topic: 'listings', ids: ['1', '2', '3'] });
      await route.fulfill({ contentType: 'text/event-stream', body: `data: ${event}\n\n` });
    });
    await page.goto(path);
    const list = page
      .getByRole('list', { name: 'Listings' })
      .or(page.getByRole('table', { name: 'Listings' }));
    await expect(list).toBeVisible();
    const before = await edges(list);
    tell();
    await expect(page.getByText('3 listings changed.')).toBeVisible();
    expect((await edges(list)).top, path).toBe(before.top);
  }
});

test(
  'the first listing begins within 170 px, and within 200 px on a phone',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto('/listings');
    expect((await edges(rows(page).first())).top).toBeLessThanOrEqual(170);
    await page.setViewportSize({ width: 390, height: 844 });
    const cards = page.getByRole('list', { name: 'Listings' }).getByRole('listitem');
    expect((await edges(cards.first())).top).toBeLessThanOrEqual(200);
  },
);

test('columns, filters, buttons and the pager as specified', async ({ shopPage: page }) => {
  await page.goto('/listings');
  await expect(page.getByRole('heading', { level: 1, name: 'Listings' })).toBeVisible();
  await expect(rows(page)).toHaveCount(50);
  const headers = page.getByRole('table', { name: 'Listings' }).getByRole('columnheader');
  const names = (await headers.allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '');
  expect(names).toEqual(COLUMNS);
  await expect(page.getByRole('button', { name: 'Bulk Import (CSV)' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export' })).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search by SKU or title' })).toBeVisible();
  const marketplaces = page.getByRole('combobox', { name: 'Marketplace' });
  await expect(marketplaces.locator('option')).toHaveText([
    'All Marketplaces',
    'Walmart',
    'Amazon',
    'Michaels',
    'eBay',
    'Etsy',
    'Shopify',
  ]);
  const types = page.getByRole('combobox', { name: 'Fulfillment' });
  await expect(types.locator('option')).toHaveText(['All Types', 'FBA/WFS Only', 'FBM Only']);
  const pager = page.getByRole('navigation', { name: 'Pages' });
  await expect(pager).toContainText('Rows per page');
  await expect(pager).toContainText(/1-50 of \d+/);
  await expect(pager).toContainText(/Page 1 of \d+/);
  const sizes = pager.getByRole('combobox', { name: 'Rows per page' });
  await expect(sizes.locator('option')).toHaveText(['25', '50', '100', '200']);
  await expect(sizes).toHaveValue('50');
});

test('at 1440 by 900 the margin and twelve full rows of equal height are in view', async ({
  shopPage: page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/listings?sort=margin');
  await expect(rows(page)).toHaveCount(50);
  const table = page.getByRole('table', { name: 'Listings' });
  const header = (name: string) => edges(table.getByRole('columnheader', { name }));
  const seen = await header('Actions');
  for (const name of COLUMNS.slice(0, COLUMNS.indexOf('Margin %') + 1))
    expect((await header(name)).right, name).toBeLessThanOrEqual(seen.left);
  const window = await edges(page.getByRole('region', { name: 'Listings' }));
  const bottoms = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
  expect(bottoms.filter((bottom) => bottom <= window.bottom).length).toBeGreaterThanOrEqual(12);
  const heights = bottoms.slice(1).map((bottom, index) => Math.round(bottom - (bottoms[index] ?? 0)));
  expect([...new Set(heights)]).toEqual([48]);
});

test('at 1440 the bulk bar is one line with any text', BREADTH, async ({ shopPage: page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/listings');
  // Without rows there is nothing to select.
  await rows(page).first().getByRole('checkbox').waitFor();
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click();
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await bar.waitFor();
  await page.getByRole('combobox', { name: 'Marketplace', exact: true }).selectOption('Etsy');
  await expect(bar).toContainText('on other pages or hidden by the filter');
  const line = await edges(bar.getByRole('button', { name: 'Clear selection' }));
  for (const button of await bar.getByRole('button').all())
    expect(await edges(button)).toMatchObject({ top: line.top });
  // Nor does the page itself scroll sideways.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(900);
});

test('each of nine headers sorts the whole set, up and then down', BREADTH, async ({ shopPage: page }) => {
  await page.goto('/listings?sort=title&size=25');
  // The first click on a header is on an unsorted column: the list is sorted by the one before.
  for (const [by, label] of Object.entries(SORTS)) {
    const button = page.getByRole('button', { name: label, exact: true });
    const header = page.getByRole('columnheader').filter({ has: button });
    await expect(header).not.toHaveAttribute('aria-sort');
    await button.click();
    await expect(header).toHaveAttribute('aria-sort', 'ascending');
    await button.click();
    await expect(header).toHaveAttribute('aria-sort', 'descending');
    await expect(page).toHaveURL(new RegExp(`sort=-${by}`));
  }
});

test('a sort, a filter, a search and a page survive a reload', async ({ shopPage: page }) => {
  await page.goto('/listings?marketplace=etsy&fulfillment=FBM&sort=-sku&size=25');
  await expect(rows(page)).toHaveCount(25);
  // By its SKU: prices change during the test.
  const name = rows(page).first().getByRole('checkbox');
  const first = (await name.getAttribute('aria-label')) ?? '';
  expect(first).toMatch(/^Select ./);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=2/);
  // The rows of the first page stay until those of the second have arrived, with the new numbers already.
  await expect(name).not.toHaveAttribute('aria-label', first);
  const second = (await name.getAttribute('aria-label')) ?? '';
  expect(second).toMatch(/^Select ./);
  await page.reload();
  await expect(name).toHaveAttribute('aria-label', second);
  await expect(rows(page).first()).toHaveAttribute('aria-rowindex', '27');
  await page.goBack();
  await expect(page).not.toHaveURL(/page=2/);
});

test(
  'the bulk bar appears only with a selection, and lists its actions',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.goto('/listings');
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await expect(rows(page)).toHaveCount(50);
    await expect(bar).toBeHidden();
    await rows(page).nth(1).getByRole('checkbox').click();
    const header = page
      .getByRole('table', { name: 'Listings' })
      .getByRole('columnheader')
      .getByRole('checkbox');
    await expect(header).toBeChecked({ indeterminate: true });
    for (const action of ['Enable', 'Disable', 'Delete', 'Clear selection'])
      await expect(bar.getByRole('button', { name: new RegExp(`^${action}`) })).toBeVisible();
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await expect(bar).toBeHidden();
    await expect(toastOf(page, 'Selection Cleared')).toBeVisible();
  },
);

test(
  'a row menu has the entries of the specification, and is accessible',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.goto('/listings');
    await rows(page)
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click();
    for (const entry of ['Edit Costs', 'View History', 'Update Price'])
      await expect(page.getByRole('menuitem', { name: entry })).toBeVisible();
    await expectAccessible(page);
  },
);

test('margins are colored by level and name the level', BREADTH, async ({ shopPage: page }) => {
  await page.goto('/listings?sort=margin');
  await expect(rows(page).first()).toContainText('%');
  const levels = await page.getByRole('table', { name: 'Listings' }).textContent();
  expect(levels ?? '').toMatch(/Loss|Critical|Thin|Healthy|Strong/);
});

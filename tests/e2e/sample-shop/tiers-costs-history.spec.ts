import type { Page } from '@playwright/test';
import { BREADTH, expect, expectAccessible, test, toastOf } from './fixtures.ts';

/** The screens "Shipping Cost Tiers", "Cost Management" and "Price History", with the texts of the specification. */

async function headersOf(page: Page): Promise<string[]> {
  const texts = await page.getByRole('table').first().getByRole('columnheader').allInnerTexts();
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

test('Shipping Cost Tiers: the table, and a dialog with steps', BREADTH, async ({ shopPage: page }) => {
  await page.goto('/shipping-tiers');
  await expect(page.getByRole('heading', { level: 1, name: 'Shipping Cost Tiers' })).toBeVisible();
  const words = ['Fulfillment Type', 'Min Weight (oz)', 'Max Weight (oz)', 'Shipping Cost', 'Edit'];
  await expect(page.getByRole('columnheader', { name: 'Shipping Cost' })).toBeVisible();
  expect(await headersOf(page)).toEqual(['Marketplace', ...words]);
  await page
    .getByRole('button', { name: 'Add Shipping Tier' })
    .or(page.getByRole('link', { name: 'Add Shipping Tier' }))
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Add Shipping Tier');
  await expect(dialog.getByLabel('Fulfillment type')).toBeVisible();
  await expectAccessible(page);
});

test('Shipping Cost Tiers: a selection can be exported and deleted', async ({ shopPage: page }) => {
  await page.goto('/shipping-tiers');
  await page.getByRole('table').locator('tbody').getByRole('checkbox').first().click();
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await expect(bar.getByRole('button', { name: 'Delete' })).toBeVisible();
  const download = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Export' }).click();
  expect((await download).suggestedFilename()).toBe('shipping-tiers.csv');
  await expect(toastOf(page, 'Export Started')).toContainText('Exporting 1 shipping tier(s)...');
});

test('Cost Management: the table, and an editor that adds up', BREADTH, async ({ shopPage: page }) => {
  await page.goto('/costs');
  await expect(page.getByRole('heading', { level: 1, name: 'Cost Management' })).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeVisible();
  const parts = ['Product Cost', 'Shipping', 'Fulfillment', 'Packaging', 'Misc', 'Total Cost'];
  await expect(page.getByRole('columnheader', { name: 'Total Cost' })).toBeVisible();
  expect(await headersOf(page)).toEqual(['SKU', 'Product', ...parts, 'Edit']);
  await page
    .getByRole('button', { name: /^Edit costs of/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: /Cost Breakdown/ })).toBeVisible();
  await expect(dialog.getByRole('textbox')).toHaveCount(5);
  await expect(dialog.getByText('Total Cost')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save Costs' })).toBeVisible();
  await expectAccessible(page);
});

test('Price History: the table, the preset and the export', BREADTH, async ({ shopPage: page }) => {
  await page.goto('/history');
  await expect(page.getByRole('heading', { level: 1, name: 'Price History' })).toBeVisible();
  const words = ['Timestamp', 'Product', 'Old Price', 'New Price', 'Change', 'Reason', 'Margin Impact'];
  await expect(page.getByRole('columnheader', { name: 'Margin Impact' })).toBeVisible();
  expect((await headersOf(page)).slice(0, words.length)).toEqual(words);
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await expect(page).toHaveURL(/days=7|range=7d|since=/);
  await expect(page.getByRole('table').locator('tbody tr').first()).toBeVisible();
  const download = page.waitForEvent('download');
  await page
    .getByRole('link', { name: 'Export History' })
    .or(page.getByRole('button', { name: 'Export History' }))
    .click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await expectAccessible(page);
});

import type { Page } from '@playwright/test';
import { BREADTH, expect, expectAccessible, test } from './fixtures.ts';

/* The costs of a SKU: added, imported, changed, deleted and restored, by keyboard where it counts. */

async function type(page: Page, values: Record<string, string>): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const [label, text] of Object.entries(values)) {
    await dialog.getByLabel(label, { exact: true }).fill(text);
  }
}

const csv = (text: string) => ({ name: 'more.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test.describe.configure({ mode: 'serial' });

const CLOCK = { SKU: 'E2E-1', Name: 'Wall clock', 'Product Cost': '7.50', 'Weight (oz)': '20.5' };

test('a SKU is added by keyboard alone, and the focus returns to the button', async ({ ownerPage: page }) => {
  await page.goto('/skus');
  await expect(page.getByRole('heading', { level: 1, name: 'SKU Management' })).toBeVisible();
  await page.getByRole('button', { name: 'Add SKU' }).press('Enter');
  await expect(page).toHaveURL(/add=1/);
  await expectAccessible(page);
  await type(page, CLOCK);
  await page.keyboard.press('Enter');
  await expect(page.getByText('SKU created successfully').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add SKU' })).toBeFocused();
});

test(
  'adding a SKU with an existing code leads to that SKU, whose cost is changed',
  BREADTH,
  async ({ ownerPage: page }) => {
    await page.goto('/skus?add=1');
    await type(page, CLOCK);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'Edit SKU E2E-1 instead' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit SKU' });
    await editor.getByLabel('Product Cost').fill('8.25');
    await expect(editor.getByText('No listing is affected')).toBeVisible();
    await expectAccessible(page);
    await editor.getByRole('button', { name: 'Save SKU' }).click();
    await expect(page.getByText('SKU saved').first()).toBeVisible();
    await page.goto('/skus?q=e2e-1');
    await expect(page.getByRole('row', { name: /E2E-1/ })).toContainText('$8.25');
    await expectAccessible(page);
  },
);

test('a file is imported in the dialog, which closes automatically', BREADTH, async ({ ownerPage: page }) => {
  await page.goto('/skus?q=e2e-file&import=1');
  const dialog = page.getByRole('dialog', { name: 'Import SKUs' });
  const rows = 'E2E-FILE-1,Kettle,12.00,40,0.80,0,\nE2E-FILE-2,Teapot,9.00,30,0.80,0,\n';
  await dialog
    .locator('input[type=file]')
    .setInputFiles(csv(`sku,name,productCost,weight,packagingCost,miscCost,veeqoId\n${rows}`));
  await expect(dialog.getByText(/2 new, 0 changed/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Import 2 SKUs' }).click();
  await expect(dialog.getByText('Import successful!')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('1-2 of 2')).toBeVisible();
});

test('the imported SKUs are deleted, and restored by Undo', BREADTH, async ({ ownerPage: page }) => {
  await page.goto('/skus?q=e2e-file');
  await expect(page.getByText('1-2 of 2')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete 2 SKUs?' });
  await expect(question.getByText(/bundle uses them/)).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Delete 2 SKUs' }).click();
  await expect(page.getByText('No SKUs found matching your search')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('1-2 of 2')).toBeVisible();
});

import { BREADTH, expect, expectAccessible, test } from './fixtures.ts';

// Cleans up after itself: the later specs start with an empty account.
test(
  'bundles: pickers by keyboard, errors of a file, no axe findings',
  BREADTH,
  async ({ ownerPage: page }) => {
    await page.goto('/bundles');
    await expect(page.getByRole('heading', { name: 'Bundle Configuration' })).toBeVisible();
    await expect(page.getByText(/^No components added/)).toBeVisible();
    await expectAccessible(page);

    const listing = page.getByRole('combobox', { name: 'Listing' });
    await listing.press('ArrowDown');
    await expect(page.getByText('No results')).toBeVisible();
    await expectAccessible(page);
    await listing.press('Escape');
    await expect(page.getByText('No results')).toBeHidden();

    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('Select a listing first.')).toBeVisible();
    await expect(listing).toBeFocused();

    await page.getByLabel(/^Choose a file/).setInputFiles({
      name: 'bundles.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('listing_sku;component_sku;quantity\nSET-1;NOPE;2\nSET-1;;1\n'),
    });
    await expect(page.getByRole('list', { name: 'Problems' })).toContainText('Missing required fields');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(
      page.getByText('Line 2: SKU "NOPE" not found; Line 3: Missing required fields', { exact: true }),
    ).toBeVisible();
    await expectAccessible(page);
  },
);

import { BREADTH, expect, test } from './fixtures.ts';

test(
  'offline and back, Listings keeps its rows, the selection and a typed price, and then goes on',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.goto('/listings?sort=sku&size=25');
    const table = page.getByRole('table', { name: 'Listings' });
    const boxes = table.locator('tbody').getByRole('checkbox');
    await expect(boxes).toHaveCount(25);
    const names = () => boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label')));
    const before = await names();
    await boxes.nth(3).check();
    await table
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Update Price' }).click();
    const price = table.locator('tbody').getByRole('textbox').first();
    await price.fill('123.45');

    await page.context().setOffline(true);
    const banner = page.getByRole('alert').filter({ hasText: 'nothing can be saved' });
    await expect(banner).toBeVisible();
    // What is asked for now has no answer: the rows that are known stay.
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/listings?'));
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await failed;
    await expect(page.getByRole('button', { name: 'Refresh', exact: true })).toBeEnabled();
    expect(await names()).toEqual(before);
    await expect(price).toHaveValue('123.45');

    await page.context().setOffline(false);
    await expect(banner).toBeHidden();
    expect(await names()).toEqual(before);
    await expect(boxes.nth(3)).toBeChecked();
    await expect(price).toHaveValue('123.45');
    await price.press('Escape');
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page).toHaveURL(/page=2/);
    await expect.poll(names).not.toEqual(before);
    await expect(boxes).toHaveCount(25);
  },
);

import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';
import { picture } from './picture.ts';

/*
 * A new seller's first ten minutes, from an empty database: three CSV files, a rule, its preview, a live
 * run, a changed price, its explanation, its row in the history, its revert and the resulting hold.
 */

const NOW = new Date().toISOString();

const SKUS = `sku,name,productCost,weight,packagingCost,miscCost,veeqoId
MUG-1,"Enamel mug, blue",6.10,14,0.65,0.00,
PAN-1,Cast iron pan,14.20,70,1.10,0.00,
TRAY-1,Birch tray,,20,0.40,0.00,
`;
const LISTINGS = `sku,title,currentPrice,fulfillmentType,walmartItemId,shippingCost
MUG-1,"Enamel mug, blue",19.99,FBM,10315162,4.20
PAN-1,Cast iron pan,44.00,FBM,10315163,8.99
TRAY-1,Birch tray,24.50,FBM,10315164,4.20
BROKEN-1,Typed in a hurry,"12,99",FBM,,
`;
const OFFERS = `marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt
walmart,MUG-1,Maple Street Goods,19.99,0.00,FBM,false,${NOW}
walmart,MUG-1,Kitchen Corner,18.49,0.00,FBM,true,${NOW}
walmart,PAN-1,Kitchen Corner,41.50,0.00,FBM,true,${NOW}
`;

async function upload(page: Page, kind: string, text: string): Promise<void> {
  await page.goto(`/imports/new?kind=${kind}`);
  const file = { name: `${kind}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

async function runImport(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await expect(page.getByText('Import successful!').first()).toBeVisible();
}

test.describe.configure({ mode: 'serial' });

test('three files are imported; errors of a row are shown and can be downloaded to correct them', async ({
  ownerPage: page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Set up repricing' })).toBeVisible();
  await picture(page, '01-empty-shop');
  await page.getByRole('link', { name: 'Import files' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await upload(page, 'skus', SKUS);
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Columns' }).click();
  await expect(page.getByRole('heading', { name: 'Columns' })).toBeVisible();
  await picture(page, '02-columns');
  await page.getByRole('button', { name: 'Check file' }).click();
  await runImport(page, 'Import 3 SKUs');

  await upload(page, 'listings', LISTINGS);
  await expect(page.getByText(/12,99/).first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, '03-check');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download rejected rows' }).click();
  const rejected = await (await download).createReadStream();
  let text = '';
  for await (const chunk of rejected) text += chunk;
  expect(text).toContain('BROKEN-1');
  await runImport(page, 'Import 3 listings');
  await picture(page, '04-report');

  await upload(page, 'offers', OFFERS);
  await page.getByRole('checkbox', { name: /Maple Street Goods/ }).check();
  await picture(page, '05-own-sellers');
  await runImport(page, 'Import 3 offers');
});

test('a rule shows its preview, the fees are checked, and recommendations show their reasons', async ({
  ownerPage: page,
}) => {
  await page.goto('/costs?tab=fees');
  await page.getByRole('button', { name: 'Confirm fees' }).click();
  await page.goto('/rules');
  await page.getByRole('link', { name: /^Start with this: Beat/ }).click();
  const editor = page.getByRole('dialog', { name: 'Create Rule' });
  await expect(editor.getByText('$18.48').first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, '06-rule-preview');
  await editor.getByRole('button', { name: 'Create rule' }).click();
  await expect(editor).toBeHidden();
  await expect(page).toHaveURL(/\/rules$/);

  // The Dashboard keeps its figures until it is loaded again, and the rule is applied in the background.
  await expect(async () => {
    await page.goto('/');
    await expect(page.getByText('2 of 3 listings can be repriced')).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(page.getByRole('link', { name: '1 no cost', exact: true })).toBeVisible();
  await picture(page, '07-coverage');
  await page.goto('/listings?state=recommended');
  await expect(page.getByRole('button', { name: /^Apply recommended price \$18\.48/ })).toBeVisible();
  await picture(page, '08-recommended');
});

test('going live shows the run preview; the run changes the price, explains it, and records it in the history', async ({
  ownerPage: page,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'All steps' }).click();
  await page.getByRole('link', { name: 'Review and go live' }).click();
  const plan = page.getByRole('dialog');
  await expect(plan.getByText('$18.48').first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, '09-plan');
  await plan.getByRole('button', { name: /^Go live on Walmart/ }).click();
  await expect(plan).toBeHidden();

  await page.goto('/listings?q=MUG-1');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('row', { name: /MUG-1/ }).getByText('$18.48')).toBeVisible({
      timeout: 10_000,
    });
  }).toPass();
  await picture(page, '10-changed');

  await page.goto('/history');
  const row = page.getByRole('row', { name: /MUG-1.*\$18\.48/ });
  await expect(row.getByText("Beat Kitchen Corner's $18.49 by $0.01.")).toBeVisible();
  await expectAccessible(page);
  await picture(page, '11-history');
  await row.getByRole('button', { name: 'Actions for MUG-1' }).click();
  await page.getByRole('menuitem', { name: 'Why this price' }).click();
  await expect(page.getByRole('heading', { name: 'Why this price' })).toBeVisible();
  await expect(page.getByText(/your own offer/)).toBeVisible();
  await expectAccessible(page);
  await picture(page, '12-why');
});

test('a revert is a new row, and the listing is on hold until resumed', async ({ ownerPage: page }) => {
  await page.goto('/history');
  await page
    .getByRole('row', { name: /MUG-1.*\$18\.48/ })
    .getByRole('button', { name: 'Actions for MUG-1' })
    .click();
  await page.getByRole('menuitem', { name: 'Revert to $19.99' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await picture(page, '13-revert');
  await dialog.getByRole('button', { name: 'Revert price' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: /MUG-1.*Reverted/ })).toBeVisible();

  await page.goto('/listings?q=MUG-1');
  const listing = page.getByRole('row', { name: /MUG-1/ });
  await expect(listing.getByText('$19.99').first()).toBeVisible();
  await expect(listing.getByText('On hold', { exact: false }).first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, '14-held');

  // The menu returns its focus to the editor, and the hidden texts of a wide table do not widen the page.
  await listing.getByRole('button', { name: 'Actions for MUG-1' }).click();
  await page.getByRole('menuitem', { name: 'Update Price' }).click();
  await expect(page.getByRole('textbox', { name: 'New price of MUG-1' })).toBeFocused();
  const sideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await sideways()).toBe(0);
});

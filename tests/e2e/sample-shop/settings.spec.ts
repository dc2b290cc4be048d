import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { BREADTH, expect, test, toastOf } from './fixtures.ts';

/** The screen "Settings", with the texts of the specification. */

test('three sections, the badge, a tab for each marketplace, and one save for all', async ({
  shopPage: page,
}) => {
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  for (const section of ['General Settings', 'Inventory Management', 'Marketplace Integrations'])
    await expect(page.getByRole('region', { name: section })).toBeVisible();
  const integrations = page.getByRole('region', { name: 'Marketplace Integrations' });
  await expect(integrations.getByRole('tab')).toHaveText(MARKETPLACES.map((each) => MARKETPLACE_NAMES[each]));
  await expect(integrations.getByText(/^\d of 6 enabled$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save All Settings' })).toBeVisible();
  const general = page.getByRole('region', { name: 'General Settings' });
  await expect(general.getByLabel('Check interval')).not.toHaveValue('');
  for (const name of ['Automatic repricing', 'Notifications'])
    await expect(general.getByRole('switch', { name })).toBeVisible();
});

test(
  'the fields of a marketplace appear only while it is enabled, and the badge counts',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.goto('/settings');
    const integrations = page.getByRole('region', { name: 'Marketplace Integrations' });
    for (const [marketplace, fields] of [
      ['Walmart', ['Client ID', 'Client secret']],
      ['Amazon', ['Seller ID', 'LWA client ID', 'LWA client secret']],
      ['Michaels', ['API key']],
      ['eBay', ['App ID', 'Cert ID']],
      ['Etsy', ['Keystring', 'Shop name']],
      ['Shopify', ['Store URL', 'Admin access token']],
    ] as const) {
      await integrations.getByRole('tab', { name: marketplace }).click();
      const panel = integrations.getByRole('tabpanel', { name: marketplace });
      const enabled = panel.getByRole('switch', { name: `Enable ${marketplace}` });
      const badge = integrations.getByText(/^\d of 6 enabled$/);
      const before = Number.parseInt((await badge.textContent()) ?? '', 10);
      const isOn = await enabled.isChecked();
      await enabled.click();
      await expect(badge).toHaveText(`${before + (isOn ? -1 : 1)} of 6 enabled`);
      if (isOn) {
        await expect(panel.getByRole('textbox')).toHaveCount(0);
        await enabled.click();
      }
      for (const field of fields) await expect(panel.getByText(field, { exact: true }).first()).toBeVisible();
    }
  },
);

test(
  'the inventory provider: a Connected badge while enabled, and no sync without a key',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.goto('/settings');
    const inventory = page.getByRole('region', { name: 'Inventory Management' });
    await expect(inventory.getByText('Connected')).toBeHidden();
    await inventory.getByRole('switch').click();
    await expect(inventory.getByText('Connected', { exact: true })).toBeVisible();
    await expect(inventory.getByRole('button', { name: 'Sync from Veeqo' })).toBeDisabled();
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByRole('button', { name: 'Discard' }).click();
    await expect(inventory.getByText('Connected')).toBeHidden();
  },
);

test(
  'a save shows a toast, a failed one keeps the typed text, and loading shows a skeleton',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.route('**/api/settings', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fulfill({
        status: 503,
        json: { message: 'Away.', code: 'unavailable', requestId: 'req-1' },
      });
    });
    await page.goto('/settings');
    await expect(page.getByText('Loading the settings').or(page.getByLabel('Check interval'))).toBeAttached();
    const interval = page.getByLabel('Check interval');
    const stored = await interval.inputValue();
    await interval.fill('45');
    const save = page.getByRole('button', { name: 'Save All Settings' });
    await save.click();
    await expect(toastOf(page, 'Error')).toBeVisible();
    await expect(interval).toHaveValue('45');
    await page.unroute('**/api/settings');
    await interval.fill(stored === '15' ? '16' : '15');
    await save.click();
    await expect(toastOf(page, 'Settings saved')).toBeVisible();
    // Restores the settings for the tests after this one.
    await interval.fill(stored);
    await save.click();
    await expect(page.getByRole('region', { name: 'Unsaved changes' })).toBeHidden();
  },
);

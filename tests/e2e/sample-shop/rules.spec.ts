import { BREADTH, expect, expectAccessible, test, toastOf } from './fixtures.ts';

/** The screen "Repricing Rules", with the texts of the specification. */

test('tabs with counts, select-all, and cards with every line', async ({ shopPage: page }) => {
  await page.goto('/rules');
  await expect(page.getByRole('heading', { level: 1, name: 'Repricing Rules' })).toBeVisible();
  const counts: number[] = [];
  for (const label of ['All Rules', 'Active', 'Paused']) {
    const tab = page.getByRole('tab', { name: new RegExp(`^${label} \\(\\d+\\)$`) });
    await tab.click();
    const count = Number(/\((\d+)\)/.exec((await tab.textContent()) ?? '')?.[1]);
    counts.push(count);
    // Each card has one switch: the tab's count equals the number of cards.
    await expect(page.getByRole('tabpanel').getByRole('switch')).toHaveCount(count);
    if (count > 0) await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeVisible();
  }
  const [all = 0, active = 0, paused = 0] = counts;
  expect(active + paused).toBe(all);
  expect(active).toBeGreaterThan(0);

  await page.getByRole('tab', { name: /^Active/ }).click();
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('switch') })
    .first();
  for (const line of ['Strategy', 'Min. Margin %']) await expect(card.getByText(line)).toBeVisible();
  await expect(card.getByText('Active', { exact: true })).toBeVisible();
  await expect(card.getByRole('link', { name: /^Applied To [\d,]+ products?$/ })).toBeVisible();
  await expect(card.getByRole('link', { name: /^Edit/ })).toBeVisible();
  await expect(card.getByRole('button', { name: /^Delete/ })).toBeVisible();
  await expectAccessible(page);
});

test(
  'the offset is signed dollars and appears only where one is set',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.goto('/rules');
    const cards = page.getByRole('listitem').filter({ has: page.getByRole('switch') });
    const withOffset = cards.filter({ hasText: 'Competitor Offset' });
    await expect(withOffset.first()).toContainText(/[+−]\$\d+\.\d\d/);
    await expect(cards.filter({ hasNotText: 'Competitor Offset' }).first()).toBeVisible();
  },
);

test('a selection shows the bulk bar; clearing it announces that', BREADTH, async ({ shopPage: page }) => {
  await page.goto('/rules');
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  const bar = page.getByRole('region', { name: 'Selected rules' });
  for (const action of ['Enable', 'Disable', 'Delete', 'Clear selection'])
    await expect(bar.getByRole('button', { name: action })).toBeVisible();
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await expect(bar).toBeHidden();
  await expect(toastOf(page, 'Selection Cleared')).toBeVisible();
});

test(
  'Create Rule offers the strategies and fulfillment types of the specification',
  BREADTH,
  async ({ shopPage: page }) => {
    await page.goto('/rules');
    await page.getByRole('link', { name: 'Create Rule' }).click();
    const dialog = page.getByRole('dialog');
    for (const strategy of ['Match Competitor', 'Beat Competitor', 'Fixed Margin', 'Dynamic Pricing'])
      await expect(dialog.getByRole('radio', { name: strategy })).toBeVisible();
    await dialog.getByRole('button', { name: 'Which listings' }).click();
    await expect(dialog.getByLabel('Fulfillment type').locator('option')).toHaveText([
      'FBA/WFS',
      'FBM',
      'All',
    ]);
    await expectAccessible(page);
  },
);

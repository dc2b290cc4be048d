import type { Page } from '@playwright/test';
import { Effort } from '#tests/e2e/effort.ts';
import { open } from '#tests/e2e/keys.ts';
import { BREADTH, expect, expectAccessible, stepUp, test } from './fixtures.ts';

/*
 * What a seller does in a day, each with its clicks, keys and seconds by the model of `effort.ts`, from the Dashboard on.
 * What is on the screen is compared with what the API has.
 */

const WAYS = ['pointer', 'keys'] as const;
// The width that the screens are drawn for.
test.use({ viewport: { width: 1_440, height: 900 } });

test('a morning: what loses money, why a price stays and until when, who took a buy box, what a rule earned', async ({
  shopPage: page,
}) => {
  const user = new Effort(page, 'pointer');
  await open(page, '/');
  await losesMost(page, user);
  await whyUntil(page, user);
  await tookTheBox(page, user);
  await earned(page, user);
  user.report('a morning');
  expect(user.seconds).toBeLessThan(45);
});

for (const by of WAYS) {
  const timed = (name: string, limit: number, task: (page: Page, user: Effort) => Promise<void>) =>
    test(`${name}, by ${by}`, BREADTH, async ({ shopPage: page }) => {
      const user = new Effort(page, by);
      await open(page, '/');
      await task(page, user);
      user.report(`${name}, by ${by}`);
      expect(user.seconds).toBeLessThan(limit);
      await expectAccessible(page);
    });

  timed('the listings that lose most money', 10, losesMost);
  timed("3 points more for a supplier's listings", 45, raisesSupplier);
  timed('why a price did not move, and until when', 12, whyUntil);
  timed('who took the buy box, since when', 25, tookTheBox);
  timed('everything stops', 5, stops);
  timed('a day is undone', 20, undoesDay);
  timed('what a rule earned', 10, earned);
  timed('a file of costs and its effect', 15, costFile);
  timed('minimum and maximum of 200 listings', 15, manyLimits);
  timed('a view that is saved and shared', 25, sharedView);
}

/** The keys of the help for screens. */
const KEYS = { Listings: ['g', 'l'], SKUs: ['g', 'k'], Rules: ['g', 'r'] } as const;

/** Opens a screen by the sidebar, or by its keys. */
async function go(page: Page, user: Effort, name: keyof typeof KEYS | 'Runs'): Promise<void> {
  if (user.hasPointer)
    await user.press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }));
  else if (name === 'Runs') await user.find('runs', page.getByRole('option', { name: 'Go to Runs' }));
  else for (const key of KEYS[name]) await user.key(key);
  await expect(page.getByRole('heading', { level: 1, name: TITLES[name] })).toBeFocused();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

const TITLES = {
  Listings: 'Listings',
  SKUs: 'SKU Management',
  Rules: 'Repricing Rules',
  Runs: 'Runs',
} as const;

const json = async (page: Page, path: string) => (await page.request.get(path)).json();
const send = (page: Page, path: string, data: object) =>
  page.request.post(path, { data, headers: { origin: new URL(page.url()).origin } });

async function losesMost(page: Page, user: Effort): Promise<void> {
  const { rows } = await json(page, '/api/listings?state=loses_money&sort=profit30&size=25');
  await go(page, user, 'Listings');
  await user.press(page.getByRole('link', { name: /^Losing money/ }));
  const shown = page.locator('tbody tr[data-row-id]');
  await expect(shown).toHaveCount(rows.length);
  const ids = await shown.evaluateAll((all) => all.map((row) => row.getAttribute('data-row-id')));
  expect(ids).toEqual(rows.map(({ id }: { id: string }) => id));
}

async function raisesSupplier(page: Page, user: Effort): Promise<void> {
  const [{ label }] = (await json(page, '/api/listings/labels?of=supplier')).labels;
  await go(page, user, 'Listings');
  await user.press(page.getByRole('button', { name: 'Filters' }));
  const filters = page.getByRole('dialog', { name: 'More filters' });
  await user.press(filters.getByRole('button', { name: /^Supplier/ }));
  await user.press(filters.getByRole('checkbox', { name: new RegExp(`^${label}`) }), 'Space');
  await user.key('Escape');
  await user.press(page.getByRole('link', { name: 'Create rule for these' }));
  const before = (await json(page, '/api/rules')).rules;
  const pricing = (await json(page, `/api/listings/rules?supplier=${encodeURIComponent(label)}`)).rules;
  const editor = page.getByRole('dialog', { name: 'Create Rule' });
  await user.fill(editor.getByLabel(/points/), '3');
  // Each rule that prices some of them has a copy for them.
  const all = async () => (await json(page, '/api/rules')).rules;
  for (let made = 1; made <= pricing.length; made++) {
    await user.press(editor.getByRole('button', { name: /^Copy .* for these listings$/ }).first());
    const preview = editor.getByRole('region', { name: 'Preview' });
    await expect(preview).toHaveAttribute('aria-busy', 'false');
    await expect(preview.getByText(/\$\d+\.\d\d/).first()).toBeVisible();
    if (made === 1) await expectAccessible(page);
    await user.key('Control+Enter');
    await expect.poll(async () => (await all()).length).toBe(before.length + made);
  }
  await expect(page.getByRole('heading', { level: 1, name: TITLES.Rules })).toBeVisible();
  const made = (await all()).slice(before.length);
  for (const copy of made) {
    const from = before.find(({ name }: { name: string }) => `${name}: ${label}` === copy.name);
    expect(copy).toMatchObject({ segment: { suppliers: [label] }, strategy: from.strategy });
    expect(Number(copy.minimumMargin) - Number(from.minimumMargin)).toBe(3);
  }
  const ids = made.map(({ id }: { id: string }) => id);
  expect((await send(page, '/api/rules/delete', { ids })).status()).toBe(200);
}

async function whyUntil(page: Page, user: Effort): Promise<void> {
  await user.find('WAR-1', page.getByRole('option', { name: /WAR-1/ }));
  await expect(page.getByRole('heading', { name: 'Why this price' })).toBeVisible();
  const id = new URL(page.url()).pathname.split('/')[2];
  const reported = await json(page, `/api/listings/${id}/explanation`);
  expect(reported).toMatchObject({ outcome: 'keep', reasonCode: 'price_war' });
  await expect(page.locator(`main time[datetime="${reported.restEndsAt}"]`)).toBeVisible();
  await expect(page.getByText(reported.sentence).first()).toBeVisible();
}

async function tookTheBox(page: Page, user: Effort): Promise<void> {
  await go(page, user, 'Listings');
  const lost = (await json(page, '/api/listings?state=buy_box_lost&size=25')).rows[0];
  const search = page.getByRole('searchbox', { name: 'Search by SKU or title' });
  if (user.hasPointer) await user.press(search);
  else await user.key('/');
  await expect(search).toBeFocused();
  await user.write(lost.sku);
  await expect(page.locator('tbody tr[data-row-id]')).not.toHaveCount(50);
  const row = page.locator(`tbody tr[data-row-id="${lost.id}"]`);
  await user.press(row.getByRole('button', { name: `Actions for ${lost.sku}` }));
  await user.press(page.getByRole('menuitem', { name: 'View Analytics' }), 'Enter', true);
  const panel = page.getByRole('complementary', { name: lost.title });
  await user.pressTab(
    panel.getByRole('tab', { name: 'Competitors' }),
    panel.getByRole('tab', { selected: true }),
  );
  const { buyBox } = await json(page, `/api/listings/${lost.id}/competition`);
  expect(buyBox).toMatchObject({
    holder: expect.stringMatching(/^(seller|marketplace)$/),
    isOutdated: false,
  });
  await expect(panel.locator(`time[datetime="${buyBox.since}"]`).first()).toBeVisible();
  if (buyBox.seller !== null && buyBox.holder === 'seller')
    await expect(panel.getByText(buyBox.seller, { exact: true }).first()).toBeVisible();
}

async function stops(page: Page, user: Effort): Promise<void> {
  if (user.hasPointer) await user.press(page.getByRole('button', { name: 'Halt repricing' }));
  else await user.find('halt', page.getByRole('option', { name: 'Halt repricing' }));
  await expect(page.getByRole('button', { name: 'Resume repricing' })).toBeVisible();
  // With the prices that a halt cannot call back.
  expect(await json(page, '/api/engine')).toMatchObject({
    isHalted: true,
    inProgressCount: expect.any(Number),
  });
  await stepUp(page);
  expect((await send(page, '/api/engine/resume', {})).ok()).toBe(true);
}

async function undoesDay(page: Page, user: Effort): Promise<void> {
  await go(page, user, 'Runs');
  await user.press(page.getByRole('link', { name: 'By day' }));
  const last = page.getByRole('button', { name: /^Undo / }).last();
  await user.press(last);
  const dialog = page.getByRole('dialog', { name: /^Undo / });
  const undo = dialog.getByRole('button', { name: /^(Undo|Restore) / });
  await expect(undo).toBeVisible();
  // The days of the sample store are those of other tests, too: what is sent is checked, and not done.
  let sent: unknown;
  await page.route('**/api/history/undo', async (route) => {
    sent = route.request().postDataJSON();
    await route.fulfill({ json: { done: 1, refusedCount: 0, refused: [], jobId: null, runId: null } });
  });
  await user.press(undo);
  await expect(dialog.getByRole('button', { name: 'Close' }).first()).toBeVisible();
  expect(sent).toMatchObject({ filter: { ofRuns: 'true' }, changes: expect.any(Number) });
}

async function earned(page: Page, user: Effort): Promise<void> {
  await go(page, user, 'Rules');
  const { rules } = await json(page, '/api/rules');
  const [rule] = rules.filter(({ sold }: { sold?: object }) => sold !== undefined);
  const card = page.getByRole('group', { name: rule.name, exact: true });
  await user.press(card.getByRole('button', { name: `Details of rule ${rule.name}` }));
  const { compared } = await json(page, `/api/rules/${rule.id}/earnings`);
  expect(compared.days).toBeGreaterThan(0);
  const units = compared.since.units.toLocaleString('en-US');
  const rows = card.getByRole('table', { name: /against before/ }).getByRole('row');
  await expect(rows.nth(1).getByRole('cell').nth(2)).toHaveText(units);
}

async function costFile(page: Page, user: Effort): Promise<void> {
  const rows = (await json(page, '/api/skus?pageSize=25')).skus;
  const dear = rows
    .filter(({ productCost }: { productCost: string | null }) => productCost !== null)
    .slice(0, 10);
  const lines = dear.map(
    ({ sku, productCost }: { sku: string; productCost: string }) =>
      `${sku},${(Number(productCost) * 2.5).toFixed(2)}`,
  );
  await go(page, user, 'SKUs');
  await user.press(page.getByRole('button', { name: 'Bulk Import (CSV)' }));
  const dialog = page.getByRole('dialog', { name: 'Import SKUs' });
  const text = ['sku,productCost', ...lines, ''].join('\n');
  await user.chooseFile(dialog.getByLabel(/Choose a file/), { name: 'costs.csv', text });
  await expect(dialog.getByRole('link', { name: 'See the effect on each listing' })).toBeVisible();
  await expect(dialog.getByRole('listitem').first()).toContainText(/\$\d.*\$\d/);
  await expect(dialog.getByRole('button', { name: 'Import 10 SKUs' })).toBeEnabled();
  const stored = (await json(page, '/api/skus?pageSize=25')).skus;
  expect(stored.map(({ productCost }: { productCost: string }) => productCost)).toEqual(
    rows.map(({ productCost }: { productCost: string }) => productCost),
  );
}

async function manyLimits(page: Page, user: Effort): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { rows } = await json(page, '/api/listings?size=200&state=repriceable');
  const free = rows.filter(
    ({ minPrice, maxPrice }: Record<string, string | null>) => minPrice === null && maxPrice === null,
  );
  const table = (limits: (price: number) => string) =>
    [
      'Marketplace\tSKU\tMin Price\tMax Price',
      ...free.map(
        (row: Record<string, string>) =>
          `${row.marketplace}\t${row.sku}\t${limits(Number(row.currentPrice))}`,
      ),
      '',
    ].join('\n');
  await go(page, user, 'Listings');
  await pasteLimits(
    page,
    user,
    table((price) => `${(price * 0.5).toFixed(2)}\t${(price * 3).toFixed(2)}`),
    free.length,
  );
  const [first] = free;
  expect(await json(page, `/api/listings/${first.id}`)).toMatchObject({
    minPrice: (Number(first.currentPrice) * 0.5).toFixed(2),
  });
  // As before, for the tests after this one.
  await pasteLimits(
    page,
    new Effort(page, 'pointer'),
    table(() => '\t'),
    free.length,
  );
  expect(await json(page, `/api/listings/${first.id}`)).toMatchObject({ minPrice: null, maxPrice: null });
}

async function pasteLimits(page: Page, user: Effort, text: string, count: number): Promise<void> {
  await user.press(page.getByRole('button', { name: 'Bulk Import (CSV)' }));
  const dialog = page.getByRole('dialog', { name: 'Import listings' });
  await user.paste(text);
  await user.press(dialog.getByRole('button', { name: `Import ${count} listings` }));
  await expect(dialog).toBeHidden();
}

async function sharedView(page: Page, user: Effort): Promise<void> {
  await go(page, user, 'Listings');
  await user.choose(page.getByRole('combobox', { name: 'Marketplace' }), 'eb', 'ebay');
  await user.press(page.getByRole('button', { name: 'Save as a view' }));
  const dialog = page.getByRole('dialog');
  await user.fill(dialog.getByLabel('Name'), 'eBay');
  await user.press(dialog.getByRole('checkbox', { name: /^Share/ }), 'Space');
  await user.press(dialog.getByRole('button', { name: 'Save view' }));
  await expect(page.getByRole('link', { name: /^eBay ?, shared/ })).toBeVisible();
  const { views } = await json(page, '/api/views?list=listings');
  const view = views.find(({ name }: { name: string }) => name === 'eBay');
  expect(view).toMatchObject({ isShared: true, query: { marketplace: 'ebay' } });
  await page.request.delete(`/api/views/${view.id}`, { headers: { origin: new URL(page.url()).origin } });
}

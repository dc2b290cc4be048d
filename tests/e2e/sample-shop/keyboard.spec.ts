import { arrowTo, open, tabTo, toFirstRow, type } from '#tests/e2e/keys.ts';
import { DEMO_LOGIN } from '#usecases/demo/demo-login.ts';
import { BREADTH, expect, stepUp, test, toastOf } from './fixtures.ts';

/*
 * Each main flow by keyboard alone: no test here points or clicks. A control is reached by Tab or by a key that the
 * help lists, and shows its focus. Each test restores what it changes.
 */

test('log in', async ({ page }) => {
  await page.goto('/auth');
  await tabTo(page, page.getByLabel('Email address'));
  await type(page, DEMO_LOGIN.email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await type(page, DEMO_LOGIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('find a listing, edit its price, and revert it in the history', async ({ shopPage: page }) => {
  const answer = await page.request.get('/api/listings?marketplace=etsy&sort=-margin&size=25');
  const { sku, currentPrice } = (await answer.json()).rows[0] as { sku: string; currentPrice: string };
  await open(page, '/listings?marketplace=etsy');
  await page.keyboard.press('/');
  await type(page, sku);
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('checkbox', { name: `Select ${sku}` }));
  await page.keyboard.press('e');
  const editor = page.getByRole('textbox', { name: `New price of ${sku}` });
  await expect(editor).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.locator('tbody tr:focus')).toContainText(sku);
  await page.keyboard.press('e');
  await expect(editor).toBeFocused();
  await page.keyboard.press('Control+a');
  const higher = (Number(currentPrice) + 0.01).toFixed(2);
  await type(page, higher);
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/price') && answer.ok());
  await page.keyboard.press('Enter');
  await saved;
  await expect(page.locator('tbody tr').first()).toContainText(`$${higher}`);

  // A price is in the history once the marketplace has it, and an open history is not updated automatically.
  const typed = `/api/history?q=${sku}&source=person`;
  const newest = async () => (await (await page.request.get(typed)).json()).rows[0]?.newPrice;
  await expect.poll(newest).toBe(higher);
  await open(page, `/history?q=${sku}&source=person`);
  const row = await toFirstRow(page);
  await expect(row).toContainText(`$${higher}`);
  await page.keyboard.press('Shift+F10');
  const entry = page.getByRole('menuitem', { name: /^Revert to/ });
  await arrowTo(page, entry);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Revert price' }));
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Price reverted')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toBeHidden();
});

test('select rows and assign a rule', BREADTH, async ({ shopPage: page }) => {
  await open(page, '/listings?marketplace=ebay&size=25');
  await toFirstRow(page);
  for (const keys of ['x', 'j', 'x']) await page.keyboard.press(keys);
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await expect(bar).toContainText('2 selected');
  await page.keyboard.press('a');
  await tabTo(page, bar.getByRole('button', { name: 'Set limits or rule' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByRole('checkbox', { name: 'Set rule' }));
  await page.keyboard.press('Space');
  const rule = dialog.getByRole('combobox', { name: 'Rule' });
  await tabTo(page, rule);
  // A native select jumps by the first letters of an option.
  await page.keyboard.type('Steady');
  await expect(rule.locator('option:checked')).toHaveText('Steady margin');
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect(bar).toBeHidden();
  await page.keyboard.press('Control+z');
});

test('add a rule', BREADTH, async ({ shopPage: page }) => {
  await open(page, '/rules');
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByLabel('Name'));
  await type(page, 'Typed by hand');
  await tabTo(
    page,
    dialog
      .getByRole('radio', { name: 'Match Competitor' })
      .or(dialog.getByRole('radio', { checked: true }))
      .first(),
  );
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Enter');
  await expect(toastOf(page, 'Rule created')).toBeVisible();
  const remove = page.getByRole('button', { name: 'Delete rule Typed by hand' });
  await tabTo(page, remove);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: /^Delete/ }));
  await page.keyboard.press('Enter');
  await expect(remove).toBeHidden();
});

test('add a tier and delete it, change a cost, add a SKU', BREADTH, async ({ shopPage: page }) => {
  await open(page, '/shipping-tiers');
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByLabel('Marketplace'));
  await page.keyboard.type('Etsy');
  for (const [label, text] of [
    ['Min Weight (oz)', '7000'],
    ['Max Weight (oz)', '7100.5'],
    ['Shipping Cost', '88.10'],
  ] as const) {
    await tabTo(page, dialog.getByLabel(label));
    await page.keyboard.press('Control+a');
    await type(page, text);
  }
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await tabTo(page, page.getByRole('row', { name: /7,?100\.5/ }).getByRole('checkbox'));
  await page.keyboard.press('Space');
  await tabTo(
    page,
    page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Delete' }),
  );
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete tier' }));
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Tiers Deleted')).toBeVisible();

  await open(page, '/costs');
  const edit = page.getByRole('button', { name: /^Edit costs of/ }).first();
  await tabTo(page, edit);
  await page.keyboard.press('Enter');
  const product = dialog.getByLabel('Product Cost');
  await tabTo(page, product);
  const before = await product.inputValue();
  // Lower: a higher cost may put a price below its margin floor, and the dialog then stays open to show that.
  for (const amount of [(Number(before) - 0.01).toFixed(2), before]) {
    await tabTo(page, product);
    await page.keyboard.press('Control+a');
    await type(page, amount);
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
    await page.keyboard.press('Control+Enter');
    await saved;
    await expect(async () => {
      if (await dialog.isVisible()) await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden({ timeout: 500 });
    }).toPass();
    await expect(edit).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');

  await open(page, '/skus');
  await page.keyboard.press('c');
  for (const [label, text] of [
    ['SKU', `BY-KEY-${Date.now()}`],
    ['Name', 'Typed by hand'],
    ['Product Cost', '4.20'],
    ['Weight (oz)', '12'],
  ] as const) {
    await tabTo(page, dialog.getByLabel(label, { exact: true }));
    await type(page, text);
  }
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'SKU Created')).toBeVisible();
});

test('build a bundle', BREADTH, async ({ shopPage: page, baseURL }) => {
  const { rows } = await (await page.request.get('/api/bundles?page=1&size=10')).json();
  const { listingSku } = rows.find(({ state }: { state: string | null }) => state !== 'removed') ?? rows[0];
  const stored = await (await page.request.get(`/api/bundles/${listingSku}`)).json();
  await open(page, '/bundles');
  await tabTo(page, page.getByRole('combobox', { name: 'Listing' }));
  await type(page, listingSku);
  await expect(page.getByRole('option', { name: new RegExp(`^${listingSku} - `) }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`listing=${listingSku}`));
  await tabTo(page, page.getByRole('combobox', { name: 'SKU' }));
  await type(page, 'AP-1010');
  const found = page.getByRole('listbox').getByRole('option');
  await expect(found).toHaveCount(1);
  await expect(found).toHaveText(/^AP-1010 - /);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Quantity', { exact: true }));
  await type(page, '2');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Save Bundle Configuration' }));
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Bundle saved')).toBeVisible();
  const data = stored.map(({ componentSkuId, quantity }: { componentSkuId: string; quantity: number }) => ({
    listingSku,
    componentSkuId,
    quantity,
  }));
  const restored = await page.request.post('/api/bundles/bulk', { headers: { origin: baseURL ?? '' }, data });
  expect(restored.ok(), await restored.text()).toBe(true);
});

test('import a file', BREADTH, async ({ shopPage: page }) => {
  await open(page, '/imports/new?kind=skus');
  // Before the keys: the browser needs a moment until it hands its file chooser to the test.
  const chooser = page.waitForEvent('filechooser');
  await tabTo(
    page,
    page
      .getByRole('button', { name: /^(Choose|CSV|File)/ })
      .or(page.locator('input[type=file]'))
      .first(),
  );
  await page.keyboard.press('Enter');
  // The system's file chooser cannot be driven by a test.
  const text = 'sku,name,productCost,weight\nBY-KEY-2,Imported by hand,3.10,9\n';
  await (await chooser).setFiles({ name: 'skus.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await tabTo(page, page.getByRole('button', { name: /^Import 1 SKU/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Import successful!').first()).toBeVisible();
});

test('approve a user, and withdraw the approval', BREADTH, async ({ shopPage: page }) => {
  await open(page, '/users');
  const approve = page.getByRole('button', { name: 'Approve Pia Packer' });
  await tabTo(page, approve);
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'User approved')).toContainText('User can now access the application');
  await page.keyboard.press('F8');
  await tabTo(page, toastOf(page, 'User approved').getByRole('button', { name: 'Undo' }));
  await page.keyboard.press('Enter');
  await expect(approve).toBeVisible();
});

test('save settings', BREADTH, async ({ shopPage: page }) => {
  await open(page, '/settings');
  const interval = page.getByLabel('Check interval');
  await tabTo(page, interval);
  const before = await interval.inputValue();
  for (const minutes of [before === '33' ? '34' : '33', before]) {
    await page.keyboard.press('Control+a');
    await type(page, minutes);
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await expect(bar).toBeVisible();
    await page.keyboard.press('Control+s');
    await expect(bar).toBeHidden();
    await expect(interval).toBeFocused();
    // Until then a save is in progress, and another one cannot be started.
    await expect(toastOf(page, 'Settings saved')).toBeVisible();
  }
});

test('open a screen by the palette and by two keys; halt and resume', BREADTH, async ({ shopPage: page }) => {
  await stepUp(page);
  await open(page, '/');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await type(page, 'shipping');
  const entry = page.getByRole('option', { name: 'Go to Shipping Tiers' });
  await expect(entry).toBeVisible();
  for (let steps = 0; steps < 20; steps++) {
    if ((await entry.getAttribute('aria-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Shipping Cost Tiers' })).toBeFocused();
  for (const keys of ['g', 'h']) await page.keyboard.press(keys);
  await expect(page.getByRole('heading', { level: 1, name: 'Price History' })).toBeFocused();

  await page.goto('/');
  const halt = page.getByRole('button', { name: 'Halt repricing' });
  await tabTo(page, halt);
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Repricing halted')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: /^Resume/ }));
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Repricing resumed')).toBeVisible();
  await expect(halt).toBeVisible();
});

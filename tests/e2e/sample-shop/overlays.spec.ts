import type { Page } from '@playwright/test';
import { IS_ALL } from '#tests/support/breadth.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

/*
 * Every overlay of a screen, checked by axe while open: one of each kind, and with `--all` every one. The screens
 * themselves are in every-screen.spec.ts. Nothing here changes data: each overlay is closed again by Escape.
 */

/** How an overlay opens over or next to a page. */
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], aside[aria-labelledby]';

interface Overlay {
  readonly name: string;
  readonly open: (page: Page) => Promise<unknown>;
  /** For one that is part of the page. */
  readonly within?: string;
  /** The first of its kind, which every run checks: its parts differ from all others. */
  readonly kind?: string;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const follow = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name }).first().click();
/** An entry of the first menu with that name. */
const choose = (menu: RegExp, entry: string | RegExp) => async (page: Page) => {
  await press(menu)(page);
  await page.getByRole('menuitem', { name: entry }).click();
};
/** A button of the bulk bar, with the first row selected. */
const bulk = (name: string | RegExp) => async (page: Page) => {
  const box = page.locator('tbody').getByRole('checkbox').first();
  await box.check();
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name }).click();
};
const key = (keys: string) => (page: Page) => page.keyboard.press(keys);

const USER = /^User Actions for Sam/;
const LISTING = /^Actions for/;

const SCREENS: Readonly<Record<string, readonly Overlay[]>> = {
  '/listings?state=recommended&size=25': [
    { name: 'recommended prices of a selection', open: bulk('Apply 1 price') },
  ],
  '/listings?fulfillment=FBM&size=25': [
    { name: 'menu of a row', open: press(LISTING), kind: 'menu' },
    {
      name: 'price of a row',
      open: choose(LISTING, 'Update Price'),
      within: 'main',
      kind: 'editor in a table',
    },
    { name: 'limits', open: choose(LISTING, 'Set limits...'), kind: 'form' },
    { name: 'hold', open: choose(LISTING, 'Put on hold...') },
    { name: 'deletion', open: choose(LISTING, 'Delete listing...'), kind: 'question' },
    { name: 'costs', open: choose(LISTING, 'Edit Costs') },
    { name: 'rule and other fields of a selection', open: bulk('Set limits or rule') },
    { name: 'deletion of a selection', open: bulk('Delete') },
    { name: 'more acts on a selection', open: bulk('More actions for the selected listings') },
    { name: 'columns', open: press('Columns'), kind: 'popover' },
    { name: 'filters', open: press(/^Filters/) },
    { name: 'export', open: press('Export') },
    { name: 'new view', open: press('Save as a view') },
    { name: 'import', open: press('Bulk Import (CSV)'), kind: 'import' },
    { name: 'analytics', open: choose(LISTING, 'View Analytics'), kind: 'panel' },
  ],
  '/listings?marketplace=walmart&panel=1&tab=analytics': [{ name: 'panel: analytics', open: panelIsThere }],
  '/listings?marketplace=walmart&panel=1&tab=competitors': [
    { name: 'panel: competitors', open: panelIsThere },
  ],
  '/skus': [
    { name: 'new SKU', open: press('Add SKU') },
    { name: 'SKU', open: follow(/^Edit /) },
    { name: 'deletion', open: bulk('Delete') },
    { name: 'import', open: press('Bulk Import (CSV)') },
    { name: 'export', open: press('Export') },
  ],
  '/rules': [{ name: 'deletion', open: press(/^Delete rule/) }],
  '/shipping-tiers': [
    { name: 'new tier', open: (page) => page.keyboard.press('c') },
    { name: 'deletion', open: bulk('Delete') },
  ],
  '/costs': [{ name: 'cost breakdown', open: press(/^Edit costs of/) }],
  '/costs?tab=fees': [
    { name: 'new fees', open: press('Add fees for Walmart') },
    { name: 'fees', open: press(/^Edit fees:/) },
    { name: 'deletion', open: press(/^Delete fees:/) },
  ],
  '/history?source=ours': [
    { name: 'menu of a row', open: press(LISTING) },
    { name: 'revert', open: choose(LISTING, /^Revert to/) },
    { name: 'days', open: press('Choose days') },
  ],
  '/settings': [{ name: 'leaving with changes', open: leaveWithChanges }],
  '/users': [
    { name: 'menu of a user', open: press(USER) },
    { name: 'role', open: choose(USER, 'Change Role') },
    { name: 'password', open: choose(USER, 'Reset Password') },
    { name: 'removal', open: choose(USER, 'Remove User') },
    { name: 'rejection', open: press(/^Reject/) },
    { name: 'own password first', open: requestPassword },
  ],
  '/': [
    { name: 'search and commands', open: key('Control+k'), kind: 'palette' },
    { name: 'keys', open: key('?') },
    { name: 'recent actions', open: press('Recent actions'), kind: 'list' },
    { name: 'jobs', open: press(/^Jobs/) },
    { name: 'repricing mode', open: openModes },
    { name: 'run preview before going live', open: openPlan, kind: 'plan' },
    { name: 'choice of marketplaces', open: openChoice },
    { name: 'login over the page', open: endSession, kind: 'login' },
  ],
};

async function panelIsThere(page: Page): Promise<void> {
  await expect(page.locator('aside[aria-labelledby]').getByRole('term').first()).toBeVisible();
}

async function leaveWithChanges(page: Page): Promise<void> {
  await page.getByLabel('Check interval').fill('47');
  await follow('Dashboard')(page);
}

/** The server requires step-up authentication to change an account. */
async function requestPassword(page: Page): Promise<void> {
  const json = { message: 'Enter your password once more.', code: 'step_up_required', requestId: 'req-1' };
  await page.route('**/api/users/*/role', (route) => route.fulfill({ status: 403, json }));
  await choose(USER, 'Change Role')(page);
  await page.getByRole('button', { name: 'Change Role' }).click();
  await page.getByRole('dialog', { name: 'Enter your password' }).waitFor();
}

async function openModes(page: Page): Promise<void> {
  await press(/^Repricing mode/)(page);
  await press(/^Walmart (Recommend only|Live)/)(page);
}

async function openPlan(page: Page): Promise<void> {
  await press(/^Repricing mode/)(page);
  await press('Go live on Walmart...')(page);
  await page.getByRole('button', { name: /^Go live on Walmart:/ }).waitFor();
}

async function openChoice(page: Page): Promise<void> {
  await openPlan(page);
  await press('Choose other marketplaces')(page);
  await page
    .getByText(/would change/)
    .nth(1)
    .waitFor();
}

async function endSession(page: Page): Promise<void> {
  const json = { message: 'Log in first.', code: 'not_signed_in', requestId: 'req-1' };
  await page.route('**/api/stats', (route) => route.fulfill({ status: 401, json }));
  await press('Refresh')(page);
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
}

/** Escape until nothing is open: a menu under a dialog, a dialog over a dialog. */
async function close(page: Page): Promise<void> {
  const open = page.locator(OVER);
  await expect(async () => {
    if ((await open.count()) > 0) await page.keyboard.press('Escape');
    await expect(open).toHaveCount(0, { timeout: 500 });
  }).toPass();
}

for (const [path, all] of Object.entries(SCREENS)) {
  const overlays = all.filter(({ kind }) => IS_ALL || kind !== undefined);
  if (overlays.length === 0) continue;
  test(`${path}: what opens over it has no finding of axe`, async ({ shopPage: page }) => {
    test.setTimeout(900_000);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    for (const { name, open, within } of overlays) {
      await test.step(name, async () => {
        await open(page);
        if (within === undefined) await expect(page.locator(OVER).first()).toBeVisible();
        await expect(page.locator('[role="dialog"] [aria-busy="true"]')).toHaveCount(0);
        await expectAccessible(page, within ?? OVER);
        if (within !== undefined) await page.keyboard.press('Escape');
        else await close(page);
      });
    }
  });
}

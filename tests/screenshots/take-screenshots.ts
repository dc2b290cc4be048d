/**
 * Pictures of every screen with the sample shop in it, to look at.
 *
 *   npm run screenshots                      light at 1440 px and dark at 390 px, into .cache/screenshots
 *   npm run screenshots -- --all --to DIR    both themes at both widths, into a folder of yours
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { openBrowser } from '#tests/e2e/logged-in-browser.ts';
import { startProduct } from '#tests/e2e/start-product.ts';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    to: { type: 'string', default: '.cache/screenshots' },
  },
});

type Look = { readonly theme: 'light' | 'dark'; readonly width: number; readonly height: number };
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const LOOKS: readonly Look[] = values.all
  ? (['light', 'dark'] as const).flatMap((theme) => [DESK, PHONE].map((size) => ({ theme, ...size })))
  : [
      { theme: 'light', ...DESK },
      { theme: 'dark', ...PHONE },
    ];

/** Name of the picture, address, and what to do before it is taken. */
type Screen = readonly [name: string, path: string, prepare?: (page: Page) => Promise<unknown>];
const SCREENS: readonly Screen[] = [
  ['dashboard', '/'],
  ['listings', '/listings'],
  ['listings-selected', '/listings', (page) => page.getByRole('checkbox').nth(3).click()],
  ['analytics', '/listings?sort=-currentPrice', openAnalytics],
  ['profit', '/profit'],
  ['money', '/money'],
  ['skus', '/skus'],
  ['bundles', '/bundles'],
  ['rules', '/rules'],
  ['rule-editor', '/rules/new'],
  ['shipping-tiers', '/shipping-tiers'],
  ['history', '/history'],
  ['imports', '/imports'],
  ['runs', '/runs'],
  ['costs', '/costs'],
  ['fees', '/costs?tab=fees'],
  ['users', '/users'],
  ['audit', '/audit'],
  ['settings', '/settings'],
  ['account', '/account'],
  ['palette', '/', openPalette],
];

const product = await startProduct(['--demo']);
try {
  const browser = await openBrowser(product.url);
  await mkdir(values.to, { recursive: true });
  for (const look of LOOKS) for (const screen of SCREENS) await take(await browser.newPage(), screen, look);
  await browser.close();
} finally {
  await product.stop();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByRole('combobox');
  await field.fill('kettle');
  await page
    .getByRole('option', { name: /kettle/i })
    .first()
    .waitFor();
}

/** The panel of a listing, where its chart is. */
async function openAnalytics(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'View Analytics' }).click();
  await page.getByRole('tab', { name: 'Competitors' }).click();
  await page.getByRole('img').or(page.getByRole('figure')).first().waitFor();
}

async function take(
  page: Page,
  [name, path, prepare]: Screen,
  { theme, width, height }: Look,
): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.goto(path);
  await page.getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  await prepare?.(page);
  // What was opened may load something of its own.
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  const file = `${name}-${theme}-${width}.png`;
  await page.screenshot({ path: join(values.to, file), animations: 'disabled' });
  console.log(file);
  await page.context().close();
}

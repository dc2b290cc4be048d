import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';

/** What holds for every screen, whichever there are: the sidebar says it. */

/** Screens that others lead to, each by the link that leads there. */
const FURTHER = ['/imports', '/imports/new?kind=listings', '/runs', '/no-such-page', '/costs?tab=fees'];

async function screensOf(page: Page): Promise<string[]> {
  await page.goto('/');
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links.first()).toBeVisible();
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(paths.length).toBeGreaterThan(6);
  return [...paths, ...FURTHER];
}

/** Its title stands, and nothing is on its way any more. */
async function settle(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

test('has no finding of axe in either theme', async ({ shopPage: page }) => {
  for (const path of await screensOf(page)) {
    await settle(page, path);
    await test.step(path, () => expectAccessible(page));
  }
});

test('fits a phone of 320 px without sideways scrolling, and has one title', async ({ shopPage: page }) => {
  const paths = await screensOf(page);
  await page.setViewportSize({ width: 320, height: 640 });
  const wide: string[] = [];
  for (const path of paths) {
    await settle(page, path);
    expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1);
    expect(await page.title(), path).toMatch(/Pricewright/);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) wide.push(`${path}: ${width} px`);
  }
  expect(wide).toEqual([]);
});

/** How far what was drawn moves while a page loads: the sum of what the browser reports as layout shifts. */
declare global {
  interface Window {
    shifted: number;
  }
}

test('nothing that is drawn moves while a screen loads on a phone of 390 px', async ({ shopPage: page }) => {
  const paths = await screensOf(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => {
    window.shifted = 0;
    const watch = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shifted += Reflect.get(entry, 'value');
    });
    watch.observe({ type: 'layout-shift', buffered: true });
  });
  const moved: string[] = [];
  for (const path of paths) {
    await settle(page, path);
    // Shifts are reported with the frame after the one they happened in.
    const sum = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.shifted)));
        }),
    );
    if (sum > 0.02) moved.push(`${path}: ${sum.toFixed(3)}`);
  }
  expect(moved).toEqual([]);
});

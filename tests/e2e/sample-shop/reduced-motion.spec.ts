import type { Page } from '@playwright/test';
import { BREADTH, expect, test } from './fixtures.ts';

/** Properties that move or resize what they animate; a change of color or opacity is no motion. */
const MOTION = [
  'transform',
  'translate',
  'scale',
  'rotate',
  'top',
  'left',
  'right',
  'bottom',
  'width',
  'height',
];

/** Everything that has been animated since the page was loaded, as "element: property". */
declare global {
  interface Window {
    moved: Set<string>;
  }
}

async function watchMotion(page: Page): Promise<void> {
  await page.addInitScript((motion) => {
    window.moved = new Set();
    const look = (): void => {
      for (const animation of document.getAnimations()) {
        const { effect } = animation;
        if (!(effect instanceof KeyframeEffect)) continue;
        for (const frame of effect.getKeyframes())
          for (const property of motion)
            if (property in frame) window.moved.add(`${effect.target?.className}: ${property}`);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, MOTION);
}

const moved = (page: Page): Promise<string[]> => page.evaluate(() => [...window.moved]);

/** Opens a menu, a dialog, a panel, a popover, the palette and a toast. */
async function openAll(page: Page): Promise<void> {
  await page.goto('/listings?size=25');
  const row = page.locator('tbody > tr').first();
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Set limits...' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'View Analytics' }).click();
  await page.locator('aside[aria-labelledby]').getByRole('term').first().waitFor();
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Selection Cleared' }).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
}

test(
  'with reduced motion menus, dialogs, panels and toasts move nothing',
  BREADTH,
  async ({ shopPage: page }) => {
    await watchMotion(page);
    await openAll(page);
    // Without any, the test could not fail.
    expect(await moved(page)).not.toEqual([]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openAll(page);
    expect(await moved(page)).toEqual([]);
  },
);

import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Keyboard navigation for users without a mouse. */

/** Tab, or Shift and Tab, until this has a visible focus. @returns how often it was pressed */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<number> {
  await expect(target).toBeVisible();
  for (let tabs = 0; tabs < 120; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      await expectVisibleFocus(target);
      return tabs;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`${target} is not reached by ${key}`);
}

/** Whether it has an outline of at least 2 px in a color. A table row draws its own over and under its cells. */
async function expectVisibleFocus(target: Locator): Promise<void> {
  const drawn = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    const isSeen = !/^(transparent|rgba\(.*, 0\))$/.test(outlineColor);
    const cell = element.matches('tr') ? element.querySelector('td, th') : null;
    const shadow = cell === null ? '' : getComputedStyle(cell).boxShadow;
    return {
      isVisible: (isOutlined && isSeen) || shadow.includes('0px 2px 0px 0px inset'),
      outlineStyle,
      shadow,
    };
  });
  expect(drawn.isVisible, `${target} shows its focus: ${JSON.stringify(drawn)}`).toBe(true);
}

/** Skips header and sidebar by the first link of the page. */
async function skipToContent(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
}

export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await skipToContent(page);
}

export const type = (page: Page, text: string) => page.keyboard.insertText(text);

/** Focuses the first row of a table, by the key from the help. */
export async function toFirstRow(page: Page): Promise<Locator> {
  // A skeleton row takes no focus.
  const row = page.locator('tbody tr[data-row-id]').first();
  await expect(row).toBeVisible();
  await page.keyboard.press('j');
  await expect(row).toBeFocused();
  await expectVisibleFocus(row);
  return row;
}

/** Moves down a menu to this entry. @param onKey called for each key */
export async function arrowTo(page: Page, entry: Locator, onKey?: () => void): Promise<void> {
  await expect(entry).toBeVisible();
  for (let steps = 0; steps < 15; steps++) {
    if (await entry.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('ArrowDown');
    onKey?.();
  }
  throw new Error(`${entry} is not reached by the arrows`);
}

import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { arrowTo, tabTo } from './keys.ts';

/**
 * Seconds of the keystroke-level model (Card, Moran and Newell, 1980): a key of a user who types 40 words a minute, a way of
 * the pointer to its target, a press of its button, and the thought before each step. The clock of a busy machine would say
 * nothing about a user.
 */
const KEY = 0.28;
const POINT = 1.1;
const PRESS = 0.2;
const THINK = 1.35;
const LETTERS_OF_FILE = 4;

/** Performs a task with a real pointer and keys, or with keys alone, and counts them. */
export class Effort {
  clicks = 0;
  keys = 0;
  private thoughts = 0;
  private readonly page: Page;
  readonly hasPointer: boolean;

  constructor(page: Page, by: 'pointer' | 'keys') {
    this.page = page;
    this.hasPointer = by === 'pointer';
  }

  /** By the model, without what the product takes to answer. */
  get seconds(): number {
    return Math.round(this.clicks * (POINT + PRESS) + this.keys * KEY + this.thoughts * THINK);
  }

  /**
   * Presses a button, a link, a box or a tab.
   * @param withKey what presses it without a pointer
   * @param isInMenu the arrows lead to it then, not Tab
   */
  async press(target: Locator, withKey = 'Enter', isInMenu = false): Promise<void> {
    if (this.hasPointer || !isInMenu) await this.reach(target);
    else await this.downTo(target);
    if (!this.hasPointer) await this.key(withKey);
  }

  /** Presses a tab, or goes to it by the arrows from the one that is selected. */
  async pressTab(tab: Locator, selected: Locator): Promise<void> {
    await this.reach(this.hasPointer ? tab : selected);
    for (let steps = 0; steps < 10 && (await tab.getAttribute('aria-selected')) !== 'true'; steps++)
      await this.key('ArrowRight');
  }

  /** Replaces what is in a field. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.key('Control+a');
    await this.type(text);
    await expect(field).toHaveValue(text);
  }

  /** Opens a dropdown and types the first letters of an option, as many as it takes. */
  async choose(dropdown: Locator, letters: string, value: string): Promise<void> {
    await this.reach(dropdown);
    if (!this.hasPointer) await this.key('Space');
    await this.type(letters);
    await this.key('Enter');
    await expect(dropdown).toHaveValue(value);
  }

  /** Searches for something by the palette, and opens it. @param option how it is found */
  async find(text: string, option: Locator): Promise<void> {
    if (this.hasPointer) await this.press(this.page.getByRole('button', { name: 'Search and commands' }));
    else await this.key('Control+k');
    await expect(this.page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await this.write(text);
    await expect(option.first()).toHaveAttribute('aria-selected', 'true');
    await this.key('Enter');
  }

  /** Types into what has the focus. */
  async write(text: string): Promise<void> {
    this.thoughts++;
    await this.type(text);
  }

  /** Pastes what was copied elsewhere; the browser needs the right to write its clipboard. */
  async paste(text: string): Promise<void> {
    this.thoughts++;
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.key('Control+v');
  }

  /** Chooses a file in the window of the system: its field, the file by the first letters of its name, and Enter. */
  async chooseFile(field: Locator, file: { readonly name: string; readonly text: string }): Promise<void> {
    this.thoughts++;
    if (this.hasPointer) this.clicks++;
    else this.keys += (await tabTo(this.page, field)) + 1;
    this.keys += LETTERS_OF_FILE + 1;
    await field.setInputFiles({ name: file.name, mimeType: 'text/csv', buffer: Buffer.from(file.text) });
  }

  async key(keys: string): Promise<void> {
    this.keys += keys.split('+').length;
    await this.page.keyboard.press(keys);
  }

  private async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Logs the figures, and attaches them to the running test. */
  report(task: string): void {
    const { clicks, keys, seconds } = this;
    const description = `${clicks} clicks, ${keys} keys, ${seconds} s`;
    test.info().annotations.push({ type: 'effort', description: `${task}: ${description}` });
    console.log(`${task}: ${description}`);
  }

  private async downTo(target: Locator): Promise<void> {
    this.thoughts++;
    await arrowTo(this.page, target, () => this.keys++);
  }

  private async reach(target: Locator): Promise<void> {
    this.thoughts++;
    if (this.hasPointer) {
      this.clicks++;
      await target.click();
    } else if (await isBehind(target)) this.keys += 2 * (await tabTo(this.page, target, 'Shift+Tab'));
    else this.keys += await tabTo(this.page, target);
  }
}

/** Whether the focus is after this one on the page. */
async function isBehind(target: Locator): Promise<boolean> {
  await expect(target).toBeVisible();
  return target.evaluate((element) => {
    const active = document.activeElement;
    if (active === null || active === document.body || element.contains(active)) return false;
    return (element.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  });
}

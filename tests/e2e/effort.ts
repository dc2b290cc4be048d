import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { tabTo } from './keys.ts';

/**
 * Seconds of the keystroke-level model (Card, Moran and Newell, 1980): a key of a user who types 40 words a minute, a way of
 * the pointer to its target, a press of its button, and the thought before each step. The clock of a busy machine would say
 * nothing about a user.
 */
const KEY = 0.28;
const POINT = 1.1;
const PRESS = 0.2;
const THINK = 1.35;

/** Performs a task with a real pointer and keys, or with keys alone, and counts them. */
export class Effort {
  clicks = 0;
  keys = 0;
  private thoughts = 0;
  private readonly page: Page;
  private readonly hasPointer: boolean;

  constructor(page: Page, by: 'pointer' | 'keys') {
    this.page = page;
    this.hasPointer = by === 'pointer';
  }

  /** By the model, without what the product takes to answer. */
  get seconds(): number {
    return Math.round(this.clicks * (POINT + PRESS) + this.keys * KEY + this.thoughts * THINK);
  }

  /** Presses a button, a link or a tab. */
  async press(target: Locator): Promise<void> {
    await this.reach(target);
    if (!this.hasPointer) await this.key('Enter');
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

  async key(keys: string): Promise<void> {
    this.keys += keys.split('+').length;
    await this.page.keyboard.press(keys);
  }

  private async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  private async reach(target: Locator): Promise<void> {
    this.thoughts++;
    if (this.hasPointer) {
      this.clicks++;
      await target.click();
    } else this.keys += await tabTo(this.page, target);
  }
}

import type { Locator, Page } from '@playwright/test';
import { Effort } from '#tests/e2e/effort.ts';
import { open } from '#tests/e2e/keys.ts';
import { picture } from '#tests/e2e/picture.ts';
import { BREADTH, expect, expectAccessible, test, toastOf } from './fixtures.ts';

/*
 * What a seller asks for, on Amazon: 4% under other FBA sellers, 12% under them where I ship, hold while I win, back up to my
 * own price when it gets too low, never below 18%. With a pointer and with keys alone, each counted.
 */

const LINES = [
  'winning: hold',
  '4% under the lowest warehouse (12% under faster), else next line',
  'otherwise: own price',
];

for (const by of ['pointer', 'keys'] as const) {
  test(
    `a rule of lines from a template takes under two minutes, by ${by}`,
    BREADTH,
    async ({ shopPage: page }) => {
      const user = new Effort(page, by);
      const editor = await createRule(page, user);
      await user.press(editor.getByRole('button', { name: 'Give it priority 1' }).first());
      await user.press(editor.getByRole('button', { name: /^Start from a template/ }));
      await user.press(editor.getByRole('button', { name: 'Use Always back up' }));
      await chooseAmazon(editor, user);
      const [under, last] = [lineOf(editor, 3), lineOf(editor, 4)];
      await user.choose(under.getByLabel('Price', { exact: true }), 'the lowest w', 'the lowest warehouse');
      // Offers from a warehouse are never slower.
      await user.press(under.getByRole('button', { name: 'Remove this difference' }).last());
      await user.choose(last.getByLabel('Difference', { exact: true }), 'ex', 'at');
      await user.fill(editor.getByLabel('Min. Margin %'), '18');
      await fitsAndIsAccessible(page);
      await picture(page, `rule-from-template-${by}`);
      const lines = ['alone: target margin', ...LINES];
      await savesAndDecides(page, editor, user, { name: 'Always back up', lines });
      user.report('rule from a template');
      expect(user.seconds).toBeLessThan(120);
    },
  );

  test(`without a template it takes under four minutes, by ${by}`, BREADTH, async ({ shopPage: page }) => {
    const user = new Effort(page, by);
    const editor = await createRule(page, user);
    await user.press(editor.getByRole('button', { name: 'Give it priority 1' }).first());
    await user.fill(editor.getByLabel('Name'), 'Under FBA');
    await chooseAmazon(editor, user);
    await user.press(editor.getByRole('tab', { name: 'Strategy' }));
    if (by === 'keys') await user.key('ArrowRight');
    else await user.press(editor.getByRole('tab', { name: 'Lines' }));
    const add = editor.getByRole('button', { name: 'Add a line' });
    await user.press(add);
    await user.press(lineOf(editor, 1).getByRole('button', { name: /Add a condition$/ }));
    await user.choose(lineOf(editor, 1).getByLabel('Action'), 'hold', 'hold');
    // Starts as 4% under the lowest.
    await user.press(add);
    const under = lineOf(editor, 2);
    await user.choose(under.getByLabel('Price', { exact: true }), 'the lowest w', 'the lowest warehouse');
    // Starts with 12% under offers that ship faster.
    await user.press(under.getByRole('button', { name: 'By shipping' }));
    await user.choose(under.getByLabel('If that is too low'), 'go', 'next_line');
    await user.press(add);
    const last = lineOf(editor, 3);
    await user.choose(last.getByLabel('Difference', { exact: true }), 'ex', 'at');
    await user.choose(last.getByLabel('Price', { exact: true }), 'my own', 'own price');
    await user.fill(editor.getByLabel('Min. Margin %'), '18');
    await picture(page, `rule-without-template-${by}`);
    await savesAndDecides(page, editor, user, { name: 'Under FBA', lines: LINES });
    user.report('rule without a template');
    expect(user.seconds).toBeLessThan(240);
  });
}

async function createRule(page: Page, user: Effort): Promise<Locator> {
  await open(page, '/rules');
  await user.press(page.getByRole('link', { name: 'Create Rule' }));
  return page.getByRole('dialog', { name: 'Create Rule' });
}

async function chooseAmazon(editor: Locator, user: Effort): Promise<void> {
  await user.press(editor.getByRole('button', { name: 'Which listings' }));
  await user.choose(editor.getByLabel('Marketplace', { exact: true }), 'Am', 'amazon');
}

const lineOf = (editor: Locator, number: number): Locator =>
  editor.getByRole('listitem', { name: new RegExp(`^Line ${number}:`) });

/** Saves the rule, compares what is stored with what was requested, and deletes it. */
async function savesAndDecides(
  page: Page,
  editor: Locator,
  user: Effort,
  { name, lines }: { readonly name: string; readonly lines: readonly string[] },
): Promise<void> {
  const preview = editor.getByRole('region', { name: 'Preview' });
  await expect(preview).toHaveAttribute('aria-busy', 'false');
  const number = lines.findIndex((line) => line.startsWith('4%')) + 1;
  const decided = preview.getByRole('listitem').filter({ hasText: `(line ${number})` });
  await expect(decided.first()).toContainText(/\$\d+\.\d\d\s*becomes\s*\$\d+\.\d\d/);
  // An offer that changes in between makes the preview old: it is read again, and the user saves again.
  await expect(async () => {
    await expect(preview).toHaveAttribute('aria-busy', 'false');
    await user.key('Control+Enter');
    await expect(toastOf(page, 'Rule created')).toBeVisible({ timeout: 10_000 });
  }).toPass();
  const { rules } = await (await page.request.get('/api/rules')).json();
  expect(rules.find((rule: { name: string }) => rule.name === name)).toMatchObject({
    lines: lines.join('\n'),
    marketplace: 'amazon',
    priority: 1,
    minimumMargin: '18.00',
  });
  await page.getByRole('button', { name: `Delete rule ${name}` }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  // The question hides the page behind it: a button that is not there does not show that the rule is deleted.
  await expect(toastOf(page, 'Rules Deleted')).toBeVisible();
}

async function fitsAndIsAccessible(page: Page): Promise<void> {
  await test.step('with no finding of axe, and on a phone of 320 px without sideways scrolling', async () => {
    // High enough that the bar at the bottom covers no half of a field; and not while the preview is dimmed.
    await page.setViewportSize({ width: 1_280, height: 4_000 });
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(page.getByRole('region', { name: 'Preview' })).toHaveAttribute('aria-busy', 'false');
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(width).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });
}

import { BREADTH, expect, expectAccessible, test, toastOf } from './fixtures.ts';

/**
 * What a seller asks for: 4% under other FBA sellers, 12% under them where I ship, hold while I win, back up to my own price
 * when it gets too low, never below 18%.
 */
test('five steps make a rule of lines from a template', BREADTH, async ({ shopPage: page }) => {
  await page.goto('/rules/new');
  const editor = page.getByRole('dialog', { name: 'Create Rule' });
  await editor.getByRole('button', { name: /^Show all \d+ templates$/ }).click();
  await editor.getByRole('button', { name: 'Use Always back up' }).click();
  const last = editor.getByRole('listitem', { name: /^Line 4/ });
  await last.getByLabel('Difference').selectOption('exactly');
  await editor.getByLabel('Min. Margin %').fill('18');
  await test.step('with no finding of axe, and on a phone of 320 px without sideways scrolling', async () => {
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(width).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });
  const sent = page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/api/rules'));
  await editor.getByRole('button', { name: 'Create rule' }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    name: 'Always back up',
    minimumMargin: '18',
    lines: [
      'alone: target margin',
      'winning: hold',
      '4% under the lowest (12% under faster, 4% under slower), else next line',
      'otherwise: own price',
    ].join('\n'),
  });
  await expect(toastOf(page, 'Rule created')).toBeVisible();
  await page.getByRole('button', { name: 'Delete rule Always back up' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page.getByRole('button', { name: 'Delete rule Always back up' })).toBeHidden();
});

import type { Page } from '@playwright/test';
import { BREADTH, expect, test } from './fixtures.ts';

/** Violations of the content security policy, as the browser reports them; its console message fails any other test. */
async function refusals(page: Page): Promise<string[]> {
  const refused: string[] = [];
  await page.exposeFunction('tellRefusal', (text: string) => refused.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      const tell = Reflect.get(window, 'tellRefusal') as (text: string) => void;
      tell(`${location.pathname}: ${violatedDirective} ${blockedURI} ${sourceFile}`);
    });
  });
  return refused;
}

test('the API reference works under the same policy', BREADTH, async ({ shopPage: page, pageErrors }) => {
  await page.goto('/api/docs');
  await expect(page.getByText('POST /api/login').first()).toBeVisible();
  // Its library tries to add a style element; it is blocked, and the page is complete without it.
  expect(pageErrors.splice(0).filter((text) => !text.startsWith('Applying inline style'))).toEqual([]);
});

test('an injected style or script is blocked', async ({ shopPage: page, pageErrors }) => {
  const refused = await refusals(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'main { display: none }';
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    document.body.append(style, script);
  });
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page).not.toHaveTitle('taken over');
  await expect
    .poll(() => refused.map((text) => text.split(' ')[1]).sort())
    .toEqual(['script-src-elem', 'style-src-elem']);
  // The browser also logs both to its console: expected here.
  expect(pageErrors.splice(0)).toHaveLength(2);
});

import { readFileSync } from 'node:fs';
import { createServer } from 'vite';
import { BREADTH, expect, expectAccessible, test } from './fixtures.ts';

/** The page of all shared components, which only development builds have. */
const PATH = '/dev/components';

test('the product that is shipped does not have it', async ({ page }) => {
  await page.goto(PATH);
  await expect(page.getByRole('heading', { level: 1, name: 'Components' })).toBeHidden();
  const manifest = Object.keys(JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8')));
  expect(manifest.length).toBeGreaterThan(20);
  expect(manifest.filter((file) => file.includes('features/components/'))).toEqual([]);
});

test('in a development build it has no finding of axe', BREADTH, async ({ page }, info) => {
  const server = await createServer({
    configFile: 'vite.config.ts',
    cacheDir: info.outputPath('vite'),
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1' },
  });
  try {
    await server.listen();
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 401, json: { message: 'Log in.', code: 'not_signed_in', requestId: 'r' } }),
    );
    await page.goto(new URL(PATH, server.resolvedUrls?.local[0]).href);
    await expect(page.getByRole('heading', { level: 1, name: 'Components' })).toBeVisible();
    await expect(page.getByRole('application').first()).toBeVisible();
    await expectAccessible(page);
  } finally {
    await server.close();
  }
});

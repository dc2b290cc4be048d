import { execFileSync } from 'node:child_process';
import { defineConfig } from '@playwright/test';
import { IS_ALL } from './tests/support/breadth.ts';

/** The browser of PRICEWRIGHT_CHROMIUM, else the system's, else the one Playwright brought. */
function findChromium(): string | undefined {
  const named = process.env.PRICEWRIGHT_CHROMIUM;
  if (named !== undefined && named !== '') return named;
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

const executablePath = findChromium();

/**
 * The built product in a real browser, twice side by side: the journeys share a database that starts empty, the screens
 * one with the sample shop. In each the files run one after another, in the order of their names.
 */
export default defineConfig({
  globalSetup: './tests/e2e/product.config.ts',
  projects: [
    { name: 'journeys', testDir: 'tests/e2e', testIgnore: '**/sample-shop/**', workers: 1 },
    { name: 'sample-shop', testDir: 'tests/e2e/sample-shop', workers: 1 },
  ],
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  ...(IS_ALL ? {} : { grepInvert: /@all/ }),
  // Limits, not waits: other work on the machine is no fault of the product.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    // Set by product.config.ts before the first test.
    baseURL: process.env.PRICEWRIGHT_E2E_URL ?? '',
    // A picture of the page after every step is a quarter of the time: `--trace on` where one is looked for.
    trace: 'off',
    // Without one a click waits for as long as its whole test may take.
    actionTimeout: 60_000,
    // A new window is half of what a test costs. Storage, routes, cookies and scripts begin anew all the same.
    reuseContext: true,
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});

import { execFileSync } from 'node:child_process';
import { defineConfig } from '@playwright/test';

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
 * Journeys through the built product in a real browser. They share one database that starts empty,
 * so they run one after another, in the order of their names.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/product.config.ts',
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  // Some times what the longest takes on two quiet cores: other work on the machine is no fault of the product.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    // Set by product.config.ts before the first test.
    baseURL: process.env.PRICEWRIGHT_E2E_URL ?? '',
    trace: 'retain-on-failure',
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

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { LoggedInBrowser } from '#tests/e2e/logged-in-browser.ts';
import { type Figure, median } from './report.ts';

const SLOWDOWN = 4;
/** Rows of the longest page of Listings. */
const ROWS = 200;
const SCREENS = [
  '/',
  ...['/listings', '/skus', '/history'].map((path) => `${path}?size=${ROWS}`),
  '/rules',
  '/profit',
  '/runs',
];
/** Milliseconds, a share of the window, and milliseconds: below what the web's own guide calls good (2.5 s, 0.1, 200 ms). */
const GOALS = { paint: 2_000, shift: 0.02, input: 150 };

/** What `watch-vitals.mjs` keeps in the page. */
interface Vitals {
  lcp: number;
  shift: number;
  /** Longest answer of each interaction, in milliseconds, by its id. */
  inputs: Record<string, number>;
}
declare global {
  interface Window {
    vitals: Vitals;
  }
}

/** Largest paint and shifts of the main screens; answers to sort, filter and select-all with 200 rows. */
export async function measurePages(browser: LoggedInBrowser, rounds: number): Promise<Figure[]> {
  const loads = new Map<string, Vitals[]>(SCREENS.map((path) => [path, []]));
  const answers = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [path, seen] of loads) seen.push(await inFreshPage(browser, path, readVitals));
    const inputs = await inFreshPage(browser, `/listings?size=${ROWS}`, useTheTable);
    for (const [name, value] of Object.entries(inputs))
      answers.set(name, [...(answers.get(name) ?? []), value]);
  }
  return [
    ...[...loads].flatMap(([path, seen]): Figure[] => [
      {
        name: `LCP of ${path}`,
        value: median(seen.map(({ lcp }) => lcp)),
        unit: 'ms',
        goal: GOALS.paint,
      },
      {
        name: `CLS of ${path}`,
        value: median(seen.map(({ shift }) => shift)),
        unit: '',
        goal: GOALS.shift,
        decimals: 3,
      },
    ]),
    ...[...answers].map(
      ([name, values]): Figure => ({ name, value: median(values), unit: 'ms', goal: GOALS.input }),
    ),
  ];
}

async function inFreshPage<T>(
  browser: LoggedInBrowser,
  path: string,
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript({ path: join(import.meta.dirname, 'watch-vitals.mjs') });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  const result = await measure(page);
  await page.context().close();
  return result;
}

const readVitals = (page: Page): Promise<Vitals> => page.evaluate(() => window.vitals);

async function useTheTable(page: Page): Promise<Record<string, number>> {
  const table = page.getByRole('table', { name: 'Listings' });
  await table.locator('tbody tr').first().waitFor();
  const sort = await answerTo(page, () =>
    page.getByRole('button', { name: 'Your Price', exact: true }).click(),
  );
  const filter = await answerTo(page, () =>
    page.getByRole('searchbox', { name: 'Search by SKU or title' }).pressSequentially('a'),
  );
  await page.getByRole('searchbox', { name: 'Search by SKU or title' }).fill('');
  await page.getByText(`1-${ROWS} of`).waitFor();
  const selectAll = await answerTo(page, () =>
    page.getByRole('checkbox', { name: 'Select all rows of this page' }).click(),
  );
  return {
    'INP of sort, 200 rows': sort,
    'INP of search, 200 rows': filter,
    'INP of select-all, 200 rows': selectAll,
  };
}

/** @returns milliseconds from the input to the next paint, the longest of the interactions that `act` makes */
async function answerTo(page: Page, action: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    window.vitals.inputs = {};
  });
  await action();
  await page.waitForFunction(() => Object.keys(window.vitals.inputs).length > 0, undefined, {
    timeout: 5_000,
  });
  // What the input set off is drawn by then: the entries come after their paint.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 500))));
  // The browser reports nothing below 16 ms.
  return page.evaluate(() => Math.max(16, ...Object.values(window.vitals.inputs)));
}

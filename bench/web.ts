/**
 * How quick the screens are to a person, in a real Chromium slowed down to a quarter of this processor.
 *
 *   npm run bench:web                  the built product with the sample shop: sizes, paint, shifts, answers to input
 *   npm run bench:web -- --rounds 9    more rounds (standard 5); medians are shown
 *
 * A missed goal is printed and is no failure; the exit code is 1 only when something could not be measured.
 */
import { parseArgs } from 'node:util';
import { openBrowser } from '#tests/e2e/logged-in-browser.ts';
import { startProduct } from '#tests/e2e/start-product.ts';
import { measureBundle } from './web/bundle-size.ts';
import { measurePages } from './web/page-timing.ts';
import { printTable } from './web/report.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds: expected a whole number from 1, found ${values.rounds}.`);
  process.exit(2);
}

printTable('Sizes, gzip', measureBundle());
const product = await startProduct(['--demo']);
try {
  const browser = await openBrowser(product.url);
  try {
    printTable(`Screens, 4x slower processor, median of ${rounds}`, await measurePages(browser, rounds));
  } finally {
    await browser.close();
  }
} finally {
  await product.stop();
}

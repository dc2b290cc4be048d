/**
 * How quick the screens are to a person, in a real Chromium slowed down to a quarter of this processor.
 *
 *   npm run bench:web                  the built product with the sample shop: sizes, paint, shifts, answers to input
 *   npm run bench:web -- --rounds 9    more rounds (standard 5); medians are shown
 *   npm run bench:web -- --lighthouse  Lighthouse as well; fetches lighthouse into .cache/bench on the first run
 *
 * A missed goal is printed and is no failure; the exit code is 1 only when something could not be measured.
 */
import { parseArgs } from 'node:util';
import { openBrowser } from '#tests/e2e/signed-in-browser.ts';
import { startProduct } from '#tests/e2e/start-product.ts';
import { measureBundle } from './web/bundle-size.ts';
import { runLighthouse } from './web/lighthouse.ts';
import { measurePages } from './web/page-timing.ts';
import { printTable } from './web/report.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    lighthouse: { type: 'boolean', default: false },
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
    if (values.lighthouse)
      printTable(`Lighthouse, signed in, median of ${rounds}`, await runLighthouse(browser, rounds));
  } finally {
    await browser.close();
  }
} finally {
  await product.stop();
}

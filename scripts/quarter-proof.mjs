import { parseArgs } from 'node:util';
import { main, PlainError, run } from './project.mjs';

/**
 * Lets 90 days pass on six simulated marketplaces whose fees no one tells in full, and compares margin floors and profit with
 * what is truly taken: `npm run proof:quarter`, or with `-- --listings 5000 --days 90 --seed another`.
 */
const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '2000' },
    days: { type: 'string', default: '90' },
    seed: { type: 'string', default: 'quarter' },
  },
});

await main(async () => {
  const [listings, days] = [Number(values.listings), Number(values.days)];
  if (!(Number.isInteger(listings) && listings >= 10 && Number.isInteger(days) && days >= 36)) {
    throw new PlainError(
      'Usage: npm run proof:quarter -- --listings 2000 --days 90: at least 10 listings and 36 days.',
    );
  }
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'db', 'tests/db/fee-quarter.test.ts'];
  const extent = JSON.stringify({ listings, days, seed: values.seed });
  const env = { ...process.env, PRICEWRIGHT_FEE_QUARTER: extent };
  const { code, error } = await run(process.execPath, args, { env });
  if (code !== 0) throw new PlainError(`The proof failed${error === null ? '' : ` (${error})`}; see above.`);
});

import { main, PlainError, run } from './project.mjs';

/**
 * Lets 30 days pass on six simulated marketplaces with 504 listings, and compares with what really happened there:
 * `npm run proof:markets`, or `npm run proof:markets -- 3` for another number of days. With `--ebay` a shop of 5,000
 * eBay listings is read, priced and read back, most of them outside the Inventory model.
 */
const wanted = process.argv[2] ?? '30';

function proofOf(word) {
  if (word === '--ebay')
    return { file: 'tests/db/ebay-shop.test.ts', env: { PRICEWRIGHT_EBAY_LISTINGS: '5000' } };
  if (!/^[1-9]\d?$/.test(word))
    throw new PlainError('Usage: npm run proof:markets -- [DAYS | --ebay], such as 30.');
  return { file: 'tests/db/market-month.test.ts', env: { PRICEWRIGHT_MARKET_DAYS: word } };
}

await main(async () => {
  const { file, env } = proofOf(wanted);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'db', file];
  const { code, error } = await run(process.execPath, args, { env: { ...process.env, ...env } });
  if (code !== 0) throw new PlainError(`The proof failed${error === null ? '' : ` (${error})`}; see above.`);
});

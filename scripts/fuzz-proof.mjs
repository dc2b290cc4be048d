import { main, PlainError, run } from './project.mjs';

/**
 * Sends 20,000 random requests to the whole server, as an administrator: `npm run proof:fuzz`, or
 * `npm run proof:fuzz -- 5000 7` for another number and another seed. The seed is in what a failure says.
 */
const [requests = '20000', seed = '20261121'] = process.argv.slice(2);

await main(async () => {
  if (![requests, seed].every((text) => /^[1-9]\d{0,8}$/.test(text))) {
    throw new PlainError('Usage: npm run proof:fuzz -- REQUESTS SEED, such as 20000 7.');
  }
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'db', 'tests/db/fuzz.test.ts'];
  const env = { ...process.env, PRICEWRIGHT_FUZZ: requests, PRICEWRIGHT_FUZZ_SEED: seed };
  const { code, error } = await run(process.execPath, args, { env });
  if (code !== 0) throw new PlainError(`The proof failed${error === null ? '' : ` (${error})`}; see above.`);
});

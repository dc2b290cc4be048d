import { main, PlainError, run } from './project.mjs';

/**
 * Kills the program 40 times with SIGKILL in runs over 2,000 listings, on the PostgreSQL it brings, two of three times
 * between the statements of a batch, else at random moments, and looks at the ledger after each start: `npm run proof:kill`, or `npm run proof:kill -- 10` for another number.
 */
const kills = process.argv[2] ?? '40';

await main(async () => {
  if (!/^[1-9]\d{0,3}$/.test(kills)) throw new PlainError('Usage: npm run proof:kill -- KILLS, such as 40.');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'db', 'tests/db/engine-kill.test.ts'];
  const env = { ...process.env, PRICEWRIGHT_KILLS: kills };
  const { code, error } = await run(process.execPath, args, { env });
  if (code !== 0) throw new PlainError(`The proof failed${error === null ? '' : ` (${error})`}; see above.`);
});

import { main, PlainError, run } from './project.mjs';

/**
 * Stops the program 20 times each by SIGTERM and SIGINT to its process group, idle and while 60 clients ask, and 20 times
 * as systemd's control-group does; each request has to be answered and no PostgreSQL may be left: `npm run proof:stop`,
 * or `npm run proof:stop -- 5` for another number. Minutes long.
 */
const stops = process.argv[2] ?? '20';

await main(async () => {
  if (!/^[1-9]\d{0,3}$/.test(stops)) throw new PlainError('Usage: npm run proof:stop -- STOPS, such as 20.');
  const test = ['tests/db/main.test.ts', '--testNamePattern', 'whole process group'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'db', ...test];
  const env = { ...process.env, PRICEWRIGHT_STOPS: stops };
  const { code, error } = await run(process.execPath, args, { env });
  if (code !== 0) throw new PlainError(`The proof failed${error === null ? '' : ` (${error})`}; see above.`);
});

import { main, PlainError, run } from './project.mjs';

/**
 * Kills the program 40 times with SIGKILL at random moments while it sends 500 prices to a simulated Amazon, and looks
 * at what that heard: `npm run proof:send`, or `npm run proof:send -- 10` for another number.
 */
const kills = process.argv[2] ?? '40';

await main(async () => {
  if (!/^[1-9]\d{0,3}$/.test(kills)) throw new PlainError('Usage: npm run proof:send -- KILLS, such as 40.');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'db', 'tests/db/send-kill.test.ts'];
  const env = { ...process.env, PRICEWRIGHT_SEND_KILLS: kills };
  const { code, error } = await run(process.execPath, args, { env });
  if (code !== 0) throw new PlainError(`The proof failed${error === null ? '' : ` (${error})`}; see above.`);
});

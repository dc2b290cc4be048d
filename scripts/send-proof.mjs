import { main, PlainError, run } from './project.mjs';

/**
 * Kills the program 40 times with SIGKILL at random moments while it sends 500 prices to a simulated Amazon, and looks
 * at what that heard: `npm run proof:send`, or `npm run proof:send -- 10` for another number. With `--stopped` there are
 * two programs, and whichever sends is stopped with SIGSTOP for minutes and woken.
 */
const wanted = process.argv[2] ?? '40';

function proofOf(word) {
  if (word === '--stopped')
    return { file: 'tests/db/send-stop.test.ts', env: { PRICEWRIGHT_SEND_STOPPED: '1' } };
  if (!/^[1-9]\d{0,3}$/.test(word))
    throw new PlainError('Usage: npm run proof:send -- [KILLS | --stopped], such as 40.');
  return { file: 'tests/db/send-kill.test.ts', env: { PRICEWRIGHT_SEND_KILLS: word } };
}

await main(async () => {
  const { file, env } = proofOf(wanted);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'db', file];
  const { code, error } = await run(process.execPath, args, { env: { ...process.env, ...env } });
  if (code !== 0) throw new PlainError(`The proof failed${error === null ? '' : ` (${error})`}; see above.`);
});

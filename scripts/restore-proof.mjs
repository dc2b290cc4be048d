import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { main, PlainError, run } from './project.mjs';

/**
 * Backs up and restores a store of 250,000 listings with a year of history, and compares the hash of every table:
 * `npm run proof:restore`, or with `-- --listings 5000 --changes 12 --folder /mnt`. With `-- --during 20` backups are taken
 * while a full check and an import are under way and prices are sent, and each is restored, checked and started.
 */
const USAGE =
  'Usage: npm run proof:restore -- [--listings 250000] [--changes 12] [--folder DIR], or -- --during 20 [--seed 1]: at least 10 listings, an even number of price changes of each, and 1 to 1000 backups.';

function proofOf(args) {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '250000' },
      changes: { type: 'string', default: '12' },
      folder: { type: 'string', default: tmpdir() },
      during: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.during !== undefined) {
    const during = { rounds: whole(values.during, 1, 1_000), seed: values.seed };
    return {
      file: 'tests/db/restore-during.test.ts',
      env: { PRICEWRIGHT_RESTORE_DURING: JSON.stringify(during) },
    };
  }
  const year = {
    listings: whole(values.listings, 10, 10_000_000),
    changes: whole(values.changes, 2, 1_000),
    folder: values.folder,
  };
  if (year.changes % 2 === 1) throw new PlainError(USAGE);
  return { file: 'tests/db/restore-year.test.ts', env: { PRICEWRIGHT_RESTORE_YEAR: JSON.stringify(year) } };
}

function whole(text, least, most) {
  const number = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new PlainError(USAGE);
}

function proofOrUsage(args) {
  try {
    return proofOf(args);
  } catch (error) {
    throw error instanceof PlainError ? error : new PlainError(USAGE);
  }
}

await main(async () => {
  const { file, env } = proofOrUsage(process.argv.slice(2));
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'db', file];
  const { code, error } = await run(process.execPath, args, { env: { ...process.env, ...env } });
  if (code !== 0) throw new PlainError(`The proof failed${error === null ? '' : ` (${error})`}; see above.`);
});

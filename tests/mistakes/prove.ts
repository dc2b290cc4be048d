import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MISTAKES, type Mistake } from './mistakes.ts';

/**
 * Applies each error of the list, one at a time, to a copy of the project, and runs tests of `npm test` until one fails:
 * first the file that is known to detect it, then all others. Prints which file did; fails if more than two of forty
 * are not detected, or if tests fail without an error.
 *
 *   npm run proof:mistakes                 all
 *   npm run proof:mistakes -- breaker      those whose file or harm contains the word
 *   npm run proof:mistakes -- --known      only the files that are known to detect them: minutes instead of hours
 */
const ROOT = resolve(import.meta.dirname, '../..');
const MAX_UNNOTICED = 2;

const args = process.argv.slice(2);
const knownOnly = args.includes('--known');
const word = args.find((arg) => !arg.startsWith('--')) ?? '';
const chosen = MISTAKES.filter(({ file, harm }) => `${file} ${harm}`.includes(word));
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'mistakes-')));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
copyProject();
requireControl([...new Set(chosen.map(({ noticedBy }) => noticedBy))]);
let isWholeControlled = false;
const unnoticed = chosen.filter((mistake) => !isNoticed(mistake));
console.log(`${chosen.length - unnoticed.length} of ${chosen.length} noticed`);
if (unnoticed.length > MAX_UNNOTICED) process.exitCode = 1;

/** All tracked and untracked files that git does not ignore; packages are linked. */
function copyProject(): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter((name) => name !== ''))
    cpSync(join(ROOT, file), join(copy, file), { recursive: true });
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(copy, 'node_modules'));
  // Tests of the sources ask git which files there are.
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
  ])
    execFileSync('git', args, { cwd: copy });
}

/** A test that fails without any mistake shows nothing about one. */
function requireControl(files: readonly string[]): void {
  const failing = firstFailing(files);
  if (failing === null) return;
  console.error(`${failing} fails in the copy without any mistake, so nothing can be shown.`);
  process.exit(1);
}

function isNoticed({ harm, file, right, wrong, noticedBy }: Mistake): boolean {
  const place = join(copy, file);
  const text = readFileSync(place, 'utf8');
  writeFileSync(
    place,
    text.replace(right, () => wrong),
  );
  try {
    const failing =
      firstFailing([noticedBy]) ?? (knownOnly ? null : firstOfAll(() => writeFileSync(place, text)));
    console.log(
      `${failing === null ? 'NOT NOTICED' : 'noticed'}  ${file}: ${harm}${failing === null ? '' : `  (${failing})`}`,
    );
    return failing !== null;
  } finally {
    writeFileSync(place, text);
  }
}

/** All tests, which are shown to pass without the mistake before the first such run. */
function firstOfAll(takeBack: () => void): string | null {
  const mistake = firstFailing([]);
  if (mistake === null || isWholeControlled) return mistake;
  takeBack();
  requireControl([]);
  isWholeControlled = true;
  return mistake;
}

/**
 * @param files test files; none means all of them
 * @returns the first file with a failed test; null if all passed
 */
function firstFailing(files: readonly string[]): string | null {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(copy, 'node_modules/.bin/vitest');
  const run = spawnSync(vitest, ['run', '--bail=1', '--reporter=json', `--outputFile=${report}`, ...files], {
    cwd: copy,
    stdio: 'ignore',
    env: { ...process.env, CI: 'true' },
  });
  if (run.status === 0) return null;
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: readonly { readonly name: string; readonly status: string }[];
  };
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed === undefined ? 'outside the tests' : failed.name.slice(copy.length + 1);
}

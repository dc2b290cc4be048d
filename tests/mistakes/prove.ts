import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MISTAKES, type Mistake } from './mistakes.ts';
import { firstFailing, withMistake } from './noticing.ts';

/**
 * Applies each error of the list, one at a time, to a copy of the project, and runs tests of `npm test` until one fails:
 * first the file that is known to detect it, then all others that execute the program. Prints which file did; fails if
 * more than two are not detected, or if tests fail without an error.
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
  const failing = firstFailing(copy, files);
  if (failing === null) return;
  console.error(`${failing} fails in the copy without any mistake, so nothing can be shown.`);
  process.exit(1);
}

function isNoticed(mistake: Mistake): boolean {
  const { harm, file, noticedBy } = mistake;
  const failing = withMistake(
    copy,
    mistake,
    (takeBack) => firstFailing(copy, [noticedBy]) ?? (knownOnly ? null : firstOfAll(takeBack)),
  );
  console.log(
    `${failing === null ? 'NOT NOTICED' : 'noticed'}  ${file}: ${harm}${failing === null ? '' : `  (${failing})`}`,
  );
  return failing !== null;
}

/** All tests, which are shown to pass without the mistake before the first such run. */
function firstOfAll(takeBack: () => void): string | null {
  const mistake = firstFailing(copy, []);
  if (mistake === null || isWholeControlled) return mistake;
  takeBack();
  requireControl([]);
  isWholeControlled = true;
  return mistake;
}

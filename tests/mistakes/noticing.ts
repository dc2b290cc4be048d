import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mistake } from './mistakes.ts';

/** Tests that read the sources: they can fail because a text is another one, without anything that would go wrong. */
const READING = 'tests/architecture/**';

/**
 * Runs tests of a project until one fails.
 * @param root absolute path of the project, with its packages
 * @param files test files; none means all that execute the program
 * @returns the first file with a failed test; null if all passed
 * @throws Error if no test ran: that shows nothing about a mistake
 */
export function firstFailing(root: string, files: readonly string[]): string | null {
  const report = join(root, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules/.bin/vitest');
  const chosen = files.length === 0 ? [`--exclude=${READING}`] : files;
  // In the breadth of `npm test`: a mistake that only `--all` would detect does not count.
  const { PRICEWRIGHT_TEST_ALL: _breadth, ...env } = process.env;
  const run = spawnSync(vitest, ['run', '--bail=1', '--reporter=json', `--outputFile=${report}`, ...chosen], {
    cwd: root,
    stdio: 'ignore',
    env: { ...env, CI: 'true' },
  });
  if (run.status === 0) return null;
  const testResults = existsSync(report) ? resultsIn(report) : [];
  if (testResults.length === 0) throw new Error(`No test ran of: ${files.join(', ') || 'the project'}`);
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed === undefined ? 'an error outside the tests' : failed.name.slice(root.length + 1);
}

interface FileResult {
  /** Absolute path. */
  readonly name: string;
  readonly status: string;
}

function resultsIn(report: string): readonly FileResult[] {
  return (JSON.parse(readFileSync(report, 'utf8')) as { testResults: readonly FileResult[] }).testResults;
}

/**
 * Does something while a mistake is in the sources.
 * @param root absolute path of the project
 * @param deed gets a function that takes the mistake back
 * @throws Error if the project does not have the right code exactly once
 */
export function withMistake<Result>(
  root: string,
  { file, right, wrong }: Pick<Mistake, 'file' | 'right' | 'wrong'>,
  deed: (takeBack: () => void) => Result,
): Result {
  const place = join(root, file);
  const text = readFileSync(place, 'utf8');
  if (text.split(right).length !== 2) throw new Error(`${file} does not contain exactly once: ${right}`);
  const takeBack = (): void => writeFileSync(place, text);
  writeFileSync(
    place,
    text.replace(right, () => wrong),
  );
  try {
    return deed(takeBack);
  } finally {
    takeBack();
  }
}

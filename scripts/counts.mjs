/** What one stage of `npm test` came to: how many passed, failed and were skipped, and which failed. */

/**
 * Counts Vitest's JSON report. A file that could not be loaded, or failed outside its tests, has no failed test
 * of its own and counts as one failure.
 */
export function countVitest(report) {
  const failures = report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0) {
      return failed.map((test) => `${file.name}: ${test.fullName}${reason(test.failureMessages[0])}`);
    }
    return file.status === 'failed' ? [`${file.name}: outside its tests${reason(file.message)}`] : [];
  });
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

/** Of a reason, as much as a line has room for: the rest is in the output of the stage, often far above or cut off. */
const MAX_REASON = 300;
// Playwright colors its messages.
const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** @returns the first lines of an error as the end of a line; nothing where the runner gave none */
function reason(message) {
  const text = (message ?? '').replace(COLORS, '').replace(/\s+/g, ' ').trim();
  return text === '' ? '' : ` (${text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}...` : text})`;
}

/**
 * Counts Playwright's JSON report. What passed when it was tried again is shaky, and named.
 * @returns times too, in seconds by the clock: a browser's processor time is not its test's
 */
export function countPlaywright({ stats, errors, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: suites.flatMap((suite) => specsThat(suite, 'unexpected')),
    shaky: suites.flatMap((suite) => specsThat(suite, 'flaky')),
    times: timesOf(suites),
  };
}

function timesOf(suites) {
  const times = new Map();
  for (const { file, tests } of suites.flatMap(allSpecs)) {
    const took = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0);
    times.set(file, (times.get(file) ?? 0) + took / 1000);
  }
  return [...times].map(([file, wall]) => ({ file, processor: null, wall }));
}

const allSpecs = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(allSpecs)];

const specsThat = (suite, are) =>
  allSpecs(suite)
    .filter(({ tests }) => tests.some(({ status }) => status === are))
    .map(({ file, title, tests }) => `${file}: ${title}${reason(firstError(tests))}`);

const firstError = (tests) =>
  tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? [])).at(0);

/**
 * The counts to believe, given how the test runner ended: it may fail without a failed test (an error between
 * tests), leave no report (`counts` null), or find no test at all. Each of these is one failure.
 */
export function judge(counts, exitCode) {
  if (counts === null) return { passed: 0, failed: 1, skipped: 0, note: 'it left no report' };
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1, note: 'it ran no test' };
  if (exitCode !== 0 && counts.failed === 0) {
    return { ...counts, failed: 1, note: 'it failed outside its tests' };
  }
  return { ...counts, note: null };
}

/** @returns what a run with tests that passed at their second try says next to its last line, else nothing */
export function shakyCount(results) {
  const count = results.reduce((sum, { shaky = [] }) => sum + shaky.length, 0);
  return count === 0 ? [] : [`${count} SHAKY: failed at first and passed at the second try, see above`];
}

/** The last line of `npm test`. */
export function total(results) {
  const sum = (key) => results.reduce((all, result) => all + result[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

/** What one stage of `npm test` came to: how many checks or tests passed, failed and were left out. */

/**
 * Counts Vitest's JSON report. A file that could not be loaded, or failed outside its tests, has no failed test
 * of its own and counts as one failure.
 */
export function countVitest(report) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts Playwright's JSON report. A test that passed only when repeated is a failure that was not understood. */
export function countPlaywright({ stats, errors }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

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

/** The last line of `npm test`. */
export function total(results) {
  const sum = (key) => results.reduce((all, result) => all + result[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

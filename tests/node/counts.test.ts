import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';

// A script of `npm test`: plain JavaScript outside every TypeScript project.
const counts = pathToFileURL(join(import.meta.dirname, '../../scripts/counts.mjs')).href;
const { countPlaywright, countVitest, judge, total } = await import(counts);

describe('the count', () => {
  const report = (tests: string[], status = 'passed'): object => ({
    numPassedTests: tests.filter((status) => status === 'passed').length,
    numFailedTests: tests.filter((status) => status === 'failed').length,
    numPendingTests: tests.filter((status) => status === 'skipped').length,
    numTodoTests: 0,
    testResults: [
      {
        status,
        name: 'a.test.ts',
        assertionResults: tests.map((is) => ({ status: is, fullName: `is ${is}`, failureMessages: [] })),
      },
    ],
  });

  test('takes tests from Vitest, and a file that broke as one failure', () => {
    expect(countVitest(report(['passed', 'skipped', 'failed'], 'failed'))).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['a.test.ts: is failed'],
      shaky: [],
    });
    const broken = { failed: 1, skipped: 0, failures: ['a.test.ts: outside its tests'], shaky: [] };
    expect(countVitest(report([], 'failed'))).toEqual({ passed: 0, ...broken });
    expect(countVitest(report(['passed'], 'failed'))).toEqual({ passed: 1, ...broken });
  });

  test('names what passed at the second try, and believes a counterexample at once', () => {
    const at = (fullName: string, failureMessages: string[]): object => ({
      status: 'passed',
      fullName,
      failureMessages,
    });
    const assertionResults = [
      at('is fine', []),
      at('is shaky', ['Error: it took too long']),
      at('is broken', ['Error: Property failed after 12 tests\n{ seed: 7 }']),
    ];
    const testResults = [{ status: 'passed', name: 'a.test.ts', assertionResults }];
    expect(
      countVitest({ numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults }),
    ).toEqual({
      passed: 2,
      failed: 1,
      skipped: 0,
      failures: ['a.test.ts: is broken'],
      shaky: ['a.test.ts: is shaky'],
    });
  });

  test('takes an error outside the tests for a failure in Playwright', () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
    const spec = (title: string, status: string): object => ({
      file: 'a.e2e.ts',
      title,
      tests: [{ status }],
    });
    const suites = [
      {
        specs: [spec('fine', 'expected')],
        suites: [{ specs: [spec('bad', 'unexpected'), spec('odd', 'flaky')] }],
      },
    ];
    expect(countPlaywright({ stats, errors: [{}], suites })).toEqual({
      passed: 6,
      failed: 2,
      skipped: 2,
      failures: ['a.e2e.ts: bad'],
      shaky: ['a.e2e.ts: odd'],
    });
  });

  test.each([
    ['no report', null, 0, 1],
    ['no test found', { passed: 0, failed: 0, skipped: 0 }, 0, 1],
    ['every test skipped', { passed: 0, failed: 0, skipped: 9 }, 0, 1],
    ['an error between tests', { passed: 4, failed: 0, skipped: 0 }, 1, 1],
    ['two failed', { passed: 4, failed: 2, skipped: 0 }, 1, 2],
    ['all well', { passed: 4, failed: 0, skipped: 0 }, 0, 0],
  ])('with %s', (_what, counts, exitCode, failed) => {
    expect(judge(counts, exitCode).failed).toBe(failed);
  });

  test('adds up', () => {
    expect(
      total([
        { passed: 2, failed: 0 },
        { passed: 3, failed: 1 },
      ]),
    ).toEqual({ passed: 5, failed: 1 });
  });
});

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';

// Scripts of `npm test`: plain JavaScript outside every TypeScript project.
const script = (name: string): string => pathToFileURL(join(import.meta.dirname, '../../scripts', name)).href;
const { countPlaywright, countVitest, judge, shakyCount, total } = await import(script('counts.mjs'));
const { budgetsFrom, overAll, overBudget, processorSeconds, shorterOf, stageSums } = await import(
  script('times.mjs')
);

describe('the count', () => {
  const report = (tests: string[], status = 'passed', message = ''): object => ({
    numPassedTests: tests.filter((status) => status === 'passed').length,
    numFailedTests: tests.filter((status) => status === 'failed').length,
    numPendingTests: tests.filter((status) => status === 'skipped').length,
    numTodoTests: 0,
    testResults: [
      {
        status,
        message,
        name: 'a.test.ts',
        assertionResults: tests.map((is) => ({
          status: is,
          fullName: `is ${is}`,
          failureMessages: is === 'failed' ? ['Error: 2 is\n  not 3'] : [],
        })),
      },
    ],
  });

  test('counts tests of Vitest, and a file that failed to load as one failure', () => {
    expect(countVitest(report(['passed', 'skipped', 'failed'], 'failed'))).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['a.test.ts: is failed (Error: 2 is not 3)'],
    });
    const broken = { failed: 1, skipped: 0, failures: ['a.test.ts: outside its tests'] };
    expect(countVitest(report([], 'failed'))).toEqual({ passed: 0, ...broken });
    expect(countVitest(report(['passed'], 'failed'))).toEqual({ passed: 1, ...broken });
    const [why] = countVitest(report([], 'failed', 'x'.repeat(1_000))).failures;
    expect(why).toMatch(/^a\.test\.ts: outside its tests \(x{300}\.\.\.\)$/);
  });

  test('counts an error outside the tests as a failure in Playwright', () => {
    const errorOf = (status: string): object | undefined =>
      status === 'expected' ? undefined : { message: '\u001b[31mno link\u001b[39m' };
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
    const spec = (title: string, status: string): object => ({
      file: 'a.e2e.ts',
      title,
      tests: [{ status, results: [{ duration: 1_500, error: errorOf(status) }, { duration: 500 }] }],
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
      failures: ['a.e2e.ts: bad (no link)'],
      shaky: ['a.e2e.ts: odd (no link)'],
      times: [{ file: 'a.e2e.ts', processor: null, wall: 6 }],
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

  describe('of a file’s time', () => {
    const took = (file: string, processor: number | null): object => ({ file, processor, wall: 60 });
    const budgets = { default: 2, files: { db: { 'long.test.ts': 10 } }, stages: { db: 100 } };
    const late = (...times: object[]): string[] =>
      overBudget('db', times, budgets).map(({ file }: { file: string }) => file);

    test('is compared with its own budget, or the common one', () => {
      expect(late(took('a.test.ts', 4), took('long.test.ts', 20))).toEqual([]);
      expect(late(took('a.test.ts', 4.1), took('long.test.ts', 20.1))).toEqual(['a.test.ts', 'long.test.ts']);
    });

    test('is the clock where a browser does the work', () => {
      const times = [took('a.spec.ts', null), { file: 'b.spec.ts', processor: null, wall: 8 }];
      expect(late(...times)).toEqual(['a.spec.ts']);
    });

    test('is the shorter one where it was measured again, alone', () => {
      const times = [took('a.test.ts', 9), took('b.test.ts', 9), took('long.test.ts', 20)];
      const again = [took('a.test.ts', 3), took('b.test.ts', 9.5)];
      expect(late(...shorterOf(times, again))).toEqual(['b.test.ts']);
    });

    test('counts against the time of its stage, where that is longer than usual', () => {
      const others = Array.from({ length: 64 }, (_, i) => took(`${i}.test.ts`, 3));
      expect(late(...others, took('a.test.ts', 7.6))).toEqual([]);
      expect(late(...others, took('a.test.ts', 7.7))).toEqual(['a.test.ts']);
    });
  });

  describe('of files as budgets', () => {
    const before = {
      minutes: 14,
      default: 4,
      files: { db: { 'former.test.ts': 9 } },
      stages: { db: 10 },
    };
    const took = (file: string, processor: number | null): object => ({ file, processor, wall: 8 });
    const run = { db: [took('b.test.ts', 16.44), took('a.test.ts', 3.5), took('quick.test.ts', 0.06)] };

    test('gives each file its own, but for quick ones', () => {
      expect(budgetsFrom(run, before, false)).toEqual({
        minutes: 14,
        default: 1.5,
        files: { db: { 'a.test.ts': 3.5, 'b.test.ts': 16.5 } },
        stages: { db: 20 },
      });
    });

    test('of a busy machine is what a usual one takes', () => {
      const { files, stages } = budgetsFrom(run, before, true);
      expect(files.db).toEqual({ 'a.test.ts': 1.8, 'b.test.ts': 8.3 });
      expect(stages).toEqual({ db: 10 });
    });

    test('is the clock where a browser does the work', () => {
      const { files } = budgetsFrom({ e2e: [took('a.spec.ts', null)] }, before, true);
      expect(files.e2e).toEqual({ 'a.spec.ts': 8 });
    });
  });

  test('of a whole run has a limit on every machine, and stages show what is usual', () => {
    expect([null, 70, 70.1].map((minutes) => overAll(minutes, { minutes: 14 }).length)).toEqual([0, 0, 1]);
    const times = [{ file: 'a.spec.ts', processor: null, wall: 4 }];
    expect(stageSums([['e2e', times]], { stages: { e2e: 3 } })).toContain('e2e 4 s (3 s)');
  });

  test('of processor time includes our own and that of child processes', () => {
    const stat = '7 (node (a) b) S 1 7 7 0 -1 4194560 9 8 0 0 150 50 300 100 20 0 7 0 99';
    expect(processorSeconds(stat)).toBe(6);
  });

  test('of shaky tests is said, also where all passed in the end', () => {
    const passed = { passed: 2, failed: 0 };
    expect(shakyCount([passed, { ...passed, shaky: [] }])).toEqual([]);
    const lines = shakyCount([passed, { ...passed, shaky: ['a.spec.ts: odd', 'b.spec.ts: odd'] }]);
    expect(lines.map((line: string) => line.split(' ')[0])).toEqual(['2']);
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

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Calls that read the clock or wait for it. */
const CLOCKS = [
  /\bperformance\.now\(/,
  /(?<![.\w])setTimeout\(/,
  /\{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers/,
  /(?:while|if) ?\(.*\bDate\.now\(\)|expect\(Date\.now\(\) - /,
  /(?<![.'\w])setInterval\(/,
  /\.waitForTimeout\(/,
  /\bAbortSignal\.timeout\(/,
  /\b(?:headers|request|keepAlive)Timeout = \d|(?<!\btest)\.setTimeout\(\d/,
];

/** Files in which they are necessary, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'tests/support/file-times.ts': 'measures, and nothing is held against it',
  'tests/e2e/start-product.ts': 'asks again until a program of its own answers',
  'tests/node/start.test.ts': 'programs that do nothing but stay',
  'src/server/connection-limits.test.ts': 'sends a request byte by byte, and reaches limits of the server',
  'tests/support/nginx.ts': 'looks again at a program that says nothing when it is ready',
  'tests/db/engine-kill.test.ts': 'kills a program at a random moment',
  'tests/db/send-kill.test.ts': 'kills a program at a random moment, by hand alone',
  'tests/db/send-stop.test.ts': 'stops a program for minutes, by hand alone',
  'tests/db/fee-quarter.test.ts': 'says how long late costs took, and nothing is held against it',
  'tests/db/restore-year.test.ts': 'says how long backup and restore took, and nothing is held against it',
  'tests/db/fuzz.test.ts': 'ends a request that hangs, which nothing else would name',
  'tests/web/quick-page.test.ts': 'counts timers, and waits for none',
  'src/web/lib/live-refresh.test.ts': 'an answer that takes a second of the simulated clock',
};

const PLACES = ['tests', 'src/**/*.test.ts', 'src/**/*.test.tsx', 'tools/**/*.test.ts'];
const files = execFileSync('git', ['ls-files', ...PLACES], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/^tests\/(screenshots|guards)\//.test(file));

const clocksIn = (file: string): boolean => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.some((line) => CLOCKS.some((clock) => clock.test(line)));
};

test('no test sleeps or measures wall time, except those listed', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter(clocksIn).toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

/** A limit of a test of its own, in milliseconds: the last argument of a call, or what it begins with. */
const OWN_LIMIT = /\},?\n? *(?:asMany\()?(\d{1,3})_000(?:, [\d_]+\))?(?: \+ [^;{}]*)?,?\n? *\);/g;

test('no test has a shorter limit than its project: a busy machine alone fails none', () => {
  const limitsIn = (text: string) => [...text.matchAll(OWN_LIMIT)].map(([, seconds]) => Number(seconds));
  const limits = ['60_000', '120_000', 'asMany(60_000, 1_800_000)', '60_000 + asMany(0, 240_000)'];
  expect(limitsIn(limits.map((limit) => `  },\n  ${limit},\n);`).join('\n'))).toEqual([60, 120, 60, 60]);
  const short = files.filter((file) =>
    limitsIn(readFileSync(join(root, file), 'utf8')).some((seconds) => seconds < 300),
  );
  expect(short).toEqual([]);
});

/** A limit of a test, a poll or an expectation, in milliseconds or as a product of them. */
const NAMED_LIMIT = /\btimeout: ([\d_]+)(?: \* (MINUTE|[\d_]+))?/g;
/** Tried again until it passes: the limit is that of one try. */
const TRIES = /expect\(async \(\) => \{[\s\S]*?\}\)\.toPass\(\)/g;

test('no poll and no expectation has a shorter one either', () => {
  const limitsIn = (text: string) =>
    [...text.replaceAll(TRIES, '').matchAll(NAMED_LIMIT)].map(
      ([, first = '', second = '1']) =>
        Number(first.replaceAll('_', '')) *
        (second === 'MINUTE' ? 60_000 : Number(second.replaceAll('_', ''))),
    );
  const polls = [
    '{ timeout: 90_000 }',
    '{ timeout: 5 * MINUTE }',
    'timeout: 120_000 + KILLS * 60_000',
    'timeout: 500',
  ];
  expect(limitsIn(polls.join('\n'))).toEqual([90_000, 300_000, 120_000, 500]);
  expect(limitsIn('expect(async () => {\n  await visible({ timeout: 500 });\n}).toPass()')).toEqual([]);
  const short = files.filter((file) =>
    limitsIn(readFileSync(join(root, file), 'utf8')).some((limit) => limit < 300_000),
  );
  // A value of the server, and the examples above.
  expect(short).toEqual(['src/server/connection-limits.test.ts', 'tests/architecture/wall-time.test.ts']);
});

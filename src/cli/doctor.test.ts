import { expect, test } from 'vitest';
import { type Finding, failure, ok, warning } from '#usecases/doctor/finding.ts';
import { doctorCommand } from './doctor.ts';

const FINE = ok('node', 'Node.js 20.20.2.');
const WARNED = warning('backup', 'No backup was made.', 'Make one.');
const FAILED = failure('disk', '0.1 GB free.', 'Free some space.');

async function run(argv: readonly string[], findings: readonly Finding[] = [FINE]) {
  const [out, err]: [string[], string[]] = [[], []];
  let examined = 0;
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await doctorCommand(argv, io, async () => {
    examined += 1;
    return findings;
  });
  return { code, out, err, examined };
}

test('a failed check is exit 1, a warning alone is not, and each says how to fix it', async () => {
  expect((await run([], [FINE, WARNED])).code).toBe(0);
  const { code, out } = await run([], [FINE, WARNED, FAILED]);
  expect(code).toBe(1);
  expect(out).toEqual([
    'ok       node    Node.js 20.20.2.',
    'warning  backup  No backup was made.',
    '                 Make one.',
    'error    disk    0.1 GB free.',
    '                 Free some space.',
  ]);
});

test('--json is one object for programs', async () => {
  const { code, out } = await run(['--json'], [FINE, FAILED]);
  expect([code, JSON.parse(out.join('\n'))]).toEqual([1, { ok: false, checks: [FINE, FAILED] }]);
});

test('wrong arguments are exit 2 and check nothing', async () => {
  for (const argv of [['--what'], ['--json', '--json'], ['now']])
    expect(await run(argv)).toMatchObject({ code: 2, examined: 0, out: [] });
  expect(await run(['--help'])).toMatchObject({ code: 0, examined: 0, err: [] });
});

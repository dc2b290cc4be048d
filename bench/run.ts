/**
 * All benchmarks, one after another, each in a process of its own.
 *
 *   npm run bench                      everything, about 3 minutes and 1.5 GB of disk under .cache/bench, and 2.1 GB for `profit`
 *   npm run bench -- --quick           a check that all of it works, half a minute
 *   npm run bench -- decide reprice    only these (decide, lines, compose, reprice, memory, import, lists, profit, money, engine, preview, retention, server)
 *   npm run bench -- --keep            leaves the million-row files for the next run
 *
 * Exit code 1 when a comparison is invalid (different answers, a crash), never because a goal was missed.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
});

const NAMES = [
  'decide',
  'lines',
  'compose',
  'reprice',
  'memory',
  'import',
  'lists',
  'profit',
  'money',
  'engine',
  'preview',
  'retention',
  'server',
] as const;
type Name = (typeof NAMES)[number];

const QUICK: Record<Name, readonly string[]> = {
  compose: ['--rounds', '2', '--tables', '1000'],
  decide: ['--rounds', '2', '--listings', '1000'],
  lines: ['--rounds', '2', '--listings', '1000'],
  reprice: ['--rounds', '1', '--listings', '5000'],
  memory: ['--listings', '20000'],
  lists: ['--rounds', '1', '--listings', '2000'],
  profit: ['--rounds', '1', '--listings', '500', '--sales', '5000'],
  money: ['--rounds', '1', '--orders', '500'],
  import: ['--rounds', '1', '--listings', '5000'],
  engine: ['--rounds', '1', '--listings', '10000'],
  preview: ['--rounds', '1', '--listings', '2000'],
  retention: ['--listings', '200', '--days', '1'],
  server: ['--listings', '3000'],
};

/** Those that keep what they made for the next run. */
const KEEPING: readonly Name[] = ['memory', 'lists', 'profit', 'engine', 'preview'];

const unknown = positionals.filter((name) => !NAMES.some((known) => known === name));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${NAMES.join(', ')}.`);
  process.exit(2);
}

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? 'unknown processor'}, ` +
    `${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`,
);
const failed: Name[] = [];
for (const name of NAMES) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (!(await isValid(name))) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\nNot valid: ${failed.join(', ')}.`);
  process.exitCode = 1;
}

async function isValid(name: Name): Promise<boolean> {
  const args = [
    ...(values.quick ? QUICK[name] : []),
    ...(KEEPING.includes(name) && values.keep ? ['--keep'] : []),
  ];
  const script =
    name === 'decide' || name === 'lines'
      ? [await bundle(`bench/${name}.ts`)]
      : ['--import', 'tsx', join(import.meta.dirname, `${name}.ts`)];
  return spawnSync(process.execPath, [...script, ...args], { stdio: 'inherit' }).status === 0;
}

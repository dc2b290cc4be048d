import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Replaces the bundler: copies the program and prints that it was built. Fails on "broken". */
const BUNDLER = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const out = process.argv[process.argv.indexOf('--outDir') + 1];
const source = readFileSync('src/main.ts', 'utf8');
appendFileSync('builds', 'x');
if (source.includes('broken')) process.exit(1);
mkdirSync(out, { recursive: true });
writeFileSync(out + '/main.js', source);
`;

let project = '';
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'start-'));
  cpSync(join(import.meta.dirname, '../../scripts'), join(project, 'scripts'), { recursive: true });
  put('package.json', '{ "type": "module" }');
  put('package-lock.json', '{ "packages": {} }');
  put('node_modules/.package-lock.json', '{ "packages": {} }');
  put('node_modules/vite/bin/vite.js', BUNDLER);
  put('node_modules/vite/package.json', '{ "type": "module" }');
});
afterEach(() => rmSync(project, { recursive: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

function start(...args: string[]): ChildProcess {
  const { npm_lifecycle_event: _ours, ...env } = process.env;
  return spawn(process.execPath, [join(project, 'scripts/start.mjs'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The exit of the start and the output of the program. */
async function ended(child: ChildProcess): Promise<{ code: unknown; signal: unknown; printed: string }> {
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, printed };
}

/** Each half of a build leaves one marker file. */
const builds = (): number => readFileSync(join(project, 'builds'), 'utf8').length / 2;

test('builds once, passes on the arguments and ends with the program', async () => {
  put('src/main.ts', 'console.log(process.argv.slice(2).join()); process.exit(7);');
  expect(await ended(start('--demo', 'x'))).toEqual({ code: 7, signal: null, printed: '--demo,x\n' });
  await ended(start());
  expect(builds()).toBe(1);
  put('src/main.ts', 'console.log("changed");');
  expect(await ended(start())).toEqual({ code: 0, signal: null, printed: 'changed\n' });
  expect(builds()).toBe(2);
});

test('two concurrent starts build once', async () => {
  put('src/main.ts', 'console.log("up");');
  const both = await Promise.all([ended(start()), ended(start())]);
  expect(both.map(({ printed }) => printed)).toEqual(['up\n', 'up\n']);
  expect(builds()).toBe(1);
});

test('a failed build keeps the last good one and leaves nothing else', async () => {
  put('src/main.ts', 'console.log("good");');
  await ended(start());
  put('src/main.ts', 'broken');
  expect(await ended(start())).toMatchObject({ code: 1, printed: '' });
  expect(readFileSync(join(project, 'dist/server/main.js'), 'utf8')).toContain('good');
  expect(readdirSync(join(project, '.cache'))).toEqual([]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('forwards %s once', async (signal) => {
  put(
    'src/main.ts',
    `process.on('${signal}', () => { console.log('told'); setImmediate(() => process.exit(3)); });
     setInterval(() => {}, 1000); console.log('up');`,
  );
  const child = start();
  const end = ended(child);
  if (child.stdout) await once(child.stdout, 'data');
  child.kill(signal);
  expect(await end).toEqual({ code: 3, signal: null, printed: 'up\ntold\n' });
});

test('ends with the signal that ended the program', async () => {
  put('src/main.ts', "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);");
  expect(await ended(start())).toMatchObject({ code: null, signal: 'SIGKILL' });
});

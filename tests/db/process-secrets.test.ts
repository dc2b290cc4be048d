import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { IS_ALL } from '#tests/support/breadth.ts';
import { type DataFolder, newFilledFolder, serverPid } from '#tests/support/embedded-folder.ts';
import { aRegistration } from '#tests/support/test-app.ts';

/** Part of every secret of the running program. Hexadecimal, since a key may have no other letters. */
const CANARY = 'ca9a7e5ca9a7e5ca';
const key = (digit: string): string => `${CANARY}${digit.repeat(48)}`;
const SECRETS = {
  PRICEWRIGHT_SECRET_KEY: key('1'),
  PRICEWRIGHT_OLD_SECRET_KEYS: key('2'),
  METRICS_TOKEN: `${CANARY}-metrics`,
  SMTP_URL: `smtp://user:${CANARY}@127.0.0.1:9`,
  AWS_SECRET_ACCESS_KEY: `${CANARY}-aws`,
  MAIL_FROM: 'a@example.com',
  // Nothing listens there.
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  OTEL_EXPORTER_OTLP_HEADERS: `api-key=${CANARY}`,
};
/** Does at a signal what only a bug of ours would do. */
const FAULT = "process.on('SIGUSR2', () => { throw new Error('out of the blue') })";

let data: DataFolder;
let program: ChildProcess;
let said: string;
beforeEach(async () => {
  data = await newFilledFolder();
  await mkdir(join(data.parent, 'work'));
  said = '';
  program = spawn(process.execPath, [join(inject('testPrograms'), 'main.js')], {
    cwd: join(data.parent, 'work'),
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      PRICEWRIGHT_DATA: data.path,
      ...SECRETS,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [program.stdout, program.stderr])
    stream?.setEncoding('utf8').on('data', (part) => {
      said += part;
    });
});
afterEach(async () => {
  if (program.exitCode === null) {
    program.kill('SIGKILL');
    await once(program, 'close');
  }
  await data.remove();
});

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Arguments and environment, as shown by every tool that lists processes. */
  readonly command: string;
  readonly environment: string;
}

/** Every running process; one that ends in between is omitted. */
async function processes(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<Process[]> => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8');
      try {
        const [stat, command, environment] = await Promise.all([
          read('stat'),
          read('cmdline'),
          read('environ').catch(() => ''),
        ]);
        // After the name, which may contain anything: the state, then the parent.
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return [{ pid: Number(pid), parent, command, environment }];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

function below(all: readonly Process[], pid: number): Process[] {
  const children = all.filter(({ parent }) => parent === pid);
  return [...children, ...children.flatMap((child) => below(all, child.pid))];
}

test.runIf(process.platform === 'linux' && IS_ALL)(
  'no list of processes shows a secret, PostgreSQL receives none, and a crash leaves none behind',
  async () => {
    await expect.poll(() => said).toMatch(/is ready: http:\S+/);
    const origin = /is ready: (http:\/\/[^/\s]+)/.exec(said)?.[1] ?? '';
    const password = `${CANARY} quiet owls`;
    const call = (path: string, body: object) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify(body),
      });
    const form = aRegistration({ password });
    expect((await call('/api/register', form)).status).toBe(201);
    const login = { username: form.email, password, twoFactorToken: '' };
    expect((await call('/api/login', login)).status).toBe(200);

    const all = await processes();
    const [own] = all.filter(({ pid }) => pid === program.pid);
    const children = below(all, program.pid ?? 0);
    const postmaster = children.find(({ command }) => command.includes(data.cluster));
    expect(postmaster?.pid).toBe(await serverPid(data.cluster));
    expect(children.length).toBeGreaterThan(5);
    // The operator's values are in its own environment, for its own user: the search could find them.
    expect(own?.environment).toContain(CANARY);
    expect(postmaster?.environment).toContain('TZ=UTC');
    for (const { command } of all) expect(command).not.toContain(CANARY);
    for (const { environment } of children) expect(environment).not.toContain(CANARY);

    const over = once(program, 'close');
    program.kill('SIGUSR2');
    expect(await over).toEqual([1, null]);
    expect(said).toMatch(/"level":60.*out of the blue/);
    expect(said).not.toContain(CANARY);
    expect(await readdir(join(data.parent, 'work'))).toEqual([]);
  },
);

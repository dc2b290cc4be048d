import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { ask, type DataFolder, newFilledFolder } from '#tests/support/embedded-folder.ts';
import { aRegistration } from '#tests/support/test-app.ts';

/* The program on the embedded PostgreSQL: its data folder is copied while it is stopped, and restored later. */

const POLLING = { interval: 50 };
const BEATS = 'SELECT coalesce(max(number), 0)::float8 FROM installation';

interface Program {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly text: () => string;
}

let data: DataFolder;
const running = new Set<ChildProcess>();
beforeEach(async () => {
  data = await newFilledFolder();
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  running.clear();
  await data.remove();
});

/** Starts the program, or a part of it; resolves when it responds. */
async function open(folder: string, ...args: string[]): Promise<Program> {
  const child = spawn(process.execPath, [join(inject('testPrograms'), 'main.js'), ...args], {
    env: { PATH: process.env.PATH, PORT: '0', PRICEWRIGHT_DATA: folder, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  await expect.poll(() => text, POLLING).toMatch(/is ready: http:\S+/);
  return { child, origin: /is ready: (http:\S+)/.exec(text)?.[1] ?? '', text: () => text };
}

/** Starts all of it; resolves when it is the engine. */
async function start(folder = data.path): Promise<Program> {
  // Before the first start there are no tables yet.
  const before = Number(await queried(folder, BEATS).catch(() => 0));
  const program = await open(folder);
  await expect.poll(() => queried(folder, BEATS), POLLING).toBeGreaterThan(before);
  await expect.poll(() => queried(folder, 'SELECT release FROM repricing_state'), POLLING).not.toBeNull();
  return program;
}

async function end({ child }: Program, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  const ended = once(child, 'close');
  child.kill(signal);
  await ended;
  running.delete(child);
}

/** Runs a query on the database of a folder, whether or not a program uses it. */
async function queried(folder: string, question: string): Promise<unknown> {
  const server = await joinEmbeddedPostgres({ dataDir: folder });
  try {
    return await ask(server.url, question);
  } finally {
    await server.leave();
  }
}
const goLive = (folder = data.path) =>
  queried(
    folder,
    `UPDATE marketplace_modes SET mode = 'live', changed_by = 'Ann' WHERE marketplace = 'etsy'`,
  );
const liveCount = (folder = data.path) =>
  queried(folder, `SELECT count(*)::int FROM marketplace_modes WHERE mode = 'live'`);
const copy = (from: string, to: string) => execFileSync('/bin/cp', ['-a', from, to]);

async function register({ origin }: Program): Promise<string> {
  const answer = await fetch(`${origin}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(aRegistration()),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
const isLoggedIn = async ({ origin }: Program, cookie: string) =>
  (await fetch(`${origin}/api/user`, { headers: { cookie } })).status === 200;

test.runIf(IS_ALL)(
  'a restored folder only recommends and has no sessions; stops, starts and kills change nothing',
  {
    timeout: 400_000,
  },
  async () => {
    const backup = join(data.parent, 'backup');
    const twin = join(data.parent, 'twin');
    let program = await start();
    const cookie = await register(program);
    await goLive();
    await end(program);
    copy(data.path, backup);
    for (const signal of IS_ALL ? (['SIGKILL', 'SIGTERM'] as const) : []) {
      program = await start();
      expect(await liveCount()).toBe(1);
      expect(await isLoggedIn(program, cookie)).toBe(true);
      expect(program.text()).not.toContain('backup');
      await end(program, signal);
    }

    execFileSync('/bin/rm', ['-rf', data.path]);
    copy(backup, data.path);
    // Before the first response, even if no engine is started.
    program = await open(data.path, 'serve');
    expect(program.text()).toMatch(/"rollback":"restored_backup".*database restored or copied/);
    expect(await isLoggedIn(program, cookie)).toBe(false);
    expect(await liveCount()).toBe(0);
    await end(program);
    // Switched to live again by a user, it stays live.
    await goLive();
    if (IS_ALL) {
      program = await start();
      expect(program.text()).not.toContain('backup');
      await end(program);
    }
    expect(await liveCount()).toBe(1);
    expect(
      await queried(data.path, `SELECT count(*)::int FROM audit_log WHERE action = 'engine.restored'`),
    ).toBe(1);

    // A copy of the folder, on this machine or another one, is not the installation that was switched to live.
    copy(data.path, twin);
    program = await open(twin, 'serve');
    expect(await liveCount(twin)).toBe(0);
    await end(program);
    program = await open(data.path, 'serve');
    expect(await liveCount()).toBe(1);
  },
);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The built program as `npm start` runs it, on a port and in a folder of its own. */
export interface OwnProgram {
  /** "http://127.0.0.1:5088" */
  readonly home: string;
  /** What it has used of a processor so far, in milliseconds; null where Linux does not say. */
  processorTime(): number | null;
  /**
   * A call as a page makes it.
   * @param from the address it seems to come from, as a proxy would say; null for this machine itself
   */
  call(method: string, path: string, more?: CallMore): Promise<Response>;
  stop(): Promise<void>;
}

export interface CallMore {
  readonly body?: object;
  readonly cookie?: string;
  readonly from?: string | null;
}

const PROGRAM = join(import.meta.dirname, '../dist/server/main.js');

/** Starts it and waits until it is ready. @throws Error when it was never built */
export async function startOwnProgram(port: number): Promise<OwnProgram> {
  if (!existsSync(PROGRAM)) throw new Error('Build the program first: npm run build');
  const home = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'pricewright-bench-'));
  await chmod(folder, 0o711);
  const program = spawn(process.execPath, [PROGRAM], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      PRICEWRIGHT_DATA: folder,
      LOG_LEVEL: 'warn',
      // We are the proxy in front, which says where a call comes from.
      TRUSTED_PROXIES: '127.0.0.1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const call: OwnProgram['call'] = (method, path, { body, cookie, from = null } = {}) => {
    const send = () =>
      fetch(home + path, {
        method,
        headers: {
          origin: home,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(cookie === undefined ? {} : { cookie }),
          ...(from === null ? {} : { 'x-forwarded-for': from }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    // An idle connection may have been closed; a browser retries, too.
    return send().catch(send);
  };
  while (!(await fetch(`${home}/readyz`).catch(() => null))?.ok) {
    if (program.exitCode !== null) throw new Error('The program ended before it was ready.');
    await pause(100);
  }
  return {
    home,
    call,
    processorTime: () => processorTimeOf(program.pid ?? 0),
    stop: async () => {
      program.kill('SIGTERM');
      if (program.exitCode === null) await once(program, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Of all its threads, to the nanosecond: a busy machine makes a clock slow, but not this. */
function processorTimeOf(pid: number): number | null {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return null;
  const spent = readdirSync(threads).map((thread) =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

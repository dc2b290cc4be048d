import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { type DataFolder, newFilledFolder, serverPid } from './embedded-folder.ts';

/** Replaces the bundler: the "built" program is the one that the tests have built already. */
const BUNDLER = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const out = process.argv[process.argv.indexOf('--outDir') + 1];
mkdirSync(out, { recursive: true });
writeFileSync(out + '/main.js', readFileSync('src/main.ts', 'utf8'));
`;

/** Who is sent the signal: the group of `npm start`, or, as systemd's control-group does, PostgreSQL as well. */
export type Sent = 'group' | 'control-group';

export interface StopRound {
  readonly signal: 'SIGTERM' | 'SIGINT';
  readonly to: Sent;
  /** How many clients ask all the time. */
  readonly clients: number;
}

/** How a stop went. */
export interface Stopped {
  /** Exit code, or the signal it died of. */
  readonly end: number | string | null;
  /** Whether a PostgreSQL runs on after it. */
  readonly hasPostgres: boolean;
  /** Requests that had a connection when the signal was sent, and how many of them were not answered whole. */
  readonly underWay: number;
  readonly unanswered: readonly string[];
}

/** `npm start` on a data folder of its own, in a project whose build is made already. */
export interface Stopping {
  /** Starts it, lets clients ask, signals it under way, and waits for its end. */
  round(round: StopRound): Promise<Stopped>;
  remove(): Promise<void>;
}

export async function openStopping(): Promise<Stopping> {
  const data = await newFilledFolder();
  const project = join(data.parent, 'project');
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  };
  cpSync(join(import.meta.dirname, '../../scripts'), join(project, 'scripts'), { recursive: true });
  put('package.json', '{ "type": "module" }');
  put('package-lock.json', '{ "packages": {} }');
  put('node_modules/.package-lock.json', '{ "packages": {} }');
  put('node_modules/vite/bin/vite.js', BUNDLER);
  put('node_modules/vite/package.json', '{ "type": "module" }');
  put('src/main.ts', `await import(${JSON.stringify(join(inject('testPrograms'), 'main.js'))});`);
  return { round: (round) => runRound(project, data, round), remove: () => data.remove() };
}

async function runRound(project: string, data: DataFolder, round: StopRound): Promise<Stopped> {
  const child = spawn(process.execPath, [join(project, 'scripts/start.mjs')], {
    env: { PATH: process.env.PATH, PORT: '0', PRICEWRIGHT_DATA: data.path, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  try {
    const port = await portOf(child);
    const load = startLoad(port, round.clients);
    await load.warm;
    const others = round.to === 'group' ? [] : await serverProcesses(data);
    const requests = load.stop();
    process.kill(-(child.pid ?? 0), round.signal);
    for (const pid of others) process.kill(pid, round.signal);
    const unanswered = (await Promise.all(requests)).filter((problem) => problem !== null);
    const [code, signal] = await ended;
    load.close();
    const hasPostgres = (await serverPid(data.cluster)) !== null;
    return { end: code ?? signal, hasPostgres, underWay: requests.length, unanswered };
  } finally {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('started without an output');
  let text = '';
  for await (const part of stdout.iterator({ destroyOnReturn: false })) {
    text += part;
    const found = /is ready: http:\S+:(\d+)/.exec(text);
    if (found !== null) {
      stdout.resume();
      return Number(found[1]);
    }
  }
  throw new Error(`ended without an address: ${text}`);
}

async function serverProcesses(data: DataFolder): Promise<number[]> {
  const first = await serverPid(data.cluster);
  if (first === null) return [];
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const children = processes.map((line) => line.trim().split(/\s+/).map(Number));
  return [
    first,
    ...children.flatMap(([pid, parent]) => (pid !== undefined && parent === first ? [pid] : [])),
  ];
}

interface Load {
  /** Resolves when each client has been answered once. */
  readonly warm: Promise<unknown>;
  /** Ends all new requests. @returns the result of each open request: null, or what went wrong */
  stop(): Promise<string | null>[];
  close(): void;
}

const LOGIN = JSON.stringify({ username: 'no@example.com', password: 'none at all', twoFactorToken: '' });

/** Clients that ask all the time: every second one on a kept connection, every fourth for what takes long. */
function startLoad(port: number, clients: number): Load {
  const kept = new Agent({ keepAlive: true });
  const underWay = new Map<Promise<string | null>, { isConnected: boolean }>();
  let isOver = false;

  function ask(client: number): Promise<string | null> {
    const state = { isConnected: false };
    const isLogin = client % 4 === 0;
    const requested = request({
      host: '127.0.0.1',
      port,
      agent: client % 2 === 0 ? kept : false,
      path: isLogin ? '/api/login' : '/readyz',
      method: isLogin ? 'POST' : 'GET',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    });
    requested.once('socket', (socket) => {
      if (!socket.connecting) state.isConnected = true;
      else socket.once('connect', () => Object.assign(state, { isConnected: true }));
    });
    requested.end(isLogin ? LOGIN : '');
    const answered = new Promise<string | null>((resolve) => {
      requested.once('error', (error) => resolve(`${requested.path}: ${error.message}`));
      requested.once('response', (response) => {
        response.once('error', (error) => resolve(`${requested.path}: ${error.message}`));
        response.once('end', () => resolve(null)).resume();
      });
    });
    underWay.set(answered, state);
    return answered.finally(() => underWay.delete(answered));
  }
  async function goOn(client: number): Promise<void> {
    while (!isOver) if ((await ask(client)) !== null) return;
  }
  const names = Array.from({ length: clients }, (_, index) => index);
  const warm = Promise.all(names.map(async (client) => ask(client).then(() => void goOn(client))));
  return {
    warm,
    stop: () => {
      isOver = true;
      return [...underWay].filter(([, { isConnected }]) => isConnected).map(([answered]) => answered);
    },
    close: () => kept.destroy(),
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The nginx of this machine; null when it has none. It is never installed for a test. */
export function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find((program) => existsSync(program)) ?? null;
}

/** The file for nginx that the page about running shows, so that what is documented is what is tried. */
export async function documentedServer(): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../docs/running.md'), 'utf8');
  const shown = /```nginx\n([\s\S]+?)```/.exec(page)?.[1];
  if (shown === undefined) throw new Error('docs/running.md shows no file for nginx');
  return shown;
}

/**
 * A documented server on a port of this machine, in front of `upstream`. Without TLS, which needs a certificate.
 * @throws Error when a line that must be replaced is missing
 */
export function onPort(server: string, port: number, upstream: number): string {
  const without = server.replaceAll(/^ *ssl_.*\n/gm, '');
  const moved = without.replace(/listen 443 ssl;/, `listen 127.0.0.1:${port};`);
  const led = moved.replace('http://127.0.0.1:5000;', `http://127.0.0.1:${upstream};`);
  if (without === server || moved === without || led === moved) throw new Error(`cannot be moved: ${server}`);
  return led;
}

export interface Nginx {
  stop(): Promise<void>;
}

/** Starts nginx with these servers, as one process without a master; it answers on the port once this resolves. */
export async function startNginx(program: string, servers: string, port: number): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const lines = [
    ...(userInfo().uid === 0 ? [`user ${userInfo().username};`] : []),
    ...['daemon off;', 'master_process off;', `pid ${folder}/pid;`, 'error_log stderr warn;', 'events {}'],
    `http { access_log off; ${places.join(' ')}\n${servers}\n}`,
  ];
  await writeFile(join(folder, 'nginx.conf'), lines.join('\n'));
  const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part) => {
    said += part;
  });
  const ended = once(child, 'close');
  while (!(await answers(port))) {
    if (isOver(child)) throw new Error(`nginx did not start: ${said}`);
    await pause(10);
  }
  return {
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What a client of some address on this machine asks, such as 127.0.0.7, and is answered. */
export async function askFrom(
  localAddress: string,
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: Partial<{ method: string; headers: object; body: string }> = {},
): Promise<{ status: number; text: string }> {
  const requested = request({ host: '127.0.0.1', port, path, method, localAddress, headers: { ...headers } });
  requested.end(body);
  const [answer] = await once(requested, 'response');
  const parts = await answer.setEncoding('utf8').toArray();
  return { status: answer.statusCode, text: parts.join('') };
}

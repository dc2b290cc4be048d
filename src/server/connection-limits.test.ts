import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { buildApp } from './app.ts';
import type { AppDeps } from './app-deps.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limits.ts';

let shop: TestApp;
/** Another app on its database, for tests with limits of their own. */
let strict: FastifyInstance | null = null;
let port: number;
const sockets: Socket[] = [];
/** A reset connection fails with different errors. */
const ignored = (): undefined => undefined;
beforeEach(async () => {
  shop = await createTestApp();
  port = Number(new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const socket of sockets.splice(0)) socket.destroy();
  await strict?.close();
  strict = null;
  await shop.close();
});

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

test('the server has these timeouts', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = shop.app.server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections }).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 600_000,
    keepAliveTimeout: 72_000,
    timeout: 60_000,
    maxConnections: 4_000,
  });
  expect(shop.app.server).toHaveProperty('connectionsCheckingInterval', 2_000);
  expect(CONNECTION_LIMITS.body).toBe(20_000);
});

/** The same app with limits that a test can reach, on a port of its own. */
async function withLimits(
  over: Partial<ConnectionLimits>,
  deps: Partial<AppDeps> = {},
): Promise<FastifyInstance> {
  strict = await buildApp({ ...shop.deps, ...deps }, { ...CONNECTION_LIMITS, ...over });
  port = Number(new URL(await strict.listen({ port: 0, host: '127.0.0.1' })).port);
  return strict;
}

/** Sends a whole request at once, on a connection that stays open. */
async function askHealth(socket: Socket): Promise<string> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  return String(await once(socket, 'data'));
}

test('a request whose headers arrive byte by byte is ended, and others are answered in between', async () => {
  const { server } = await withLimits({ looks: 20 });
  // Its first request came before the limit was a short one, which it would miss on a busy machine.
  const other = await open();
  expect(await askHealth(other)).toMatch(/^HTTP\/1\.1 200 /);
  server.headersTimeout = 100;
  const slow = await open();
  const drops = setInterval(() => slow.write('X-Drop: 1\r\n'), 50);
  slow.on('error', ignored);
  slow.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n');
  const answer = text(slow);
  expect(await askHealth(other)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await answer).toMatch(
    /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*The request took too long to arrive\./,
  );
  clearInterval(drops);
});

test('a body that arrives byte by byte is ended too', async () => {
  const { server } = await withLimits({ looks: 20 });
  server.requestTimeout = 100;
  server.headersTimeout = 90;
  const slow = await open();
  slow.on('error', ignored);
  slow.write(
    'POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 408 /);
});

test('an idle connection is ended', async () => {
  shop.app.server.setTimeout(100);
  expect(await text(await open())).toBe('');
});

const HEAD = 'Host: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n';
const HALF = `POST /api/login HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{`;

/** An incomplete request. The server has received it once this resolves. */
async function halfSent(
  headers = '',
): Promise<{ socket: Socket; isOpen: () => boolean; closed: Promise<string> }> {
  const taken = strict === null ? Promise.resolve() : once(strict.server, 'request');
  const socket = await open();
  socket.on('error', ignored);
  const closed = text(socket).catch(String);
  socket.write(HALF.replace('Content-Length', `${headers}Content-Length`));
  await taken;
  return { socket, isOpen: () => !socket.destroyed && !socket.readableEnded, closed };
}

/** Sends a request on a connection of a logged-in user, which stays open. */
async function ask(socket: Socket, cookie: string): Promise<string> {
  socket.write(`GET /api/user HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`);
  return String(await once(socket, 'data'));
}

test('incomplete requests lock no user out: the oldest connection is closed, logged-in users stay', async () => {
  const cookie = await shop.admin();
  await withLimits({ connections: 4 });
  const person = await open();
  expect(await ask(person, cookie)).toMatch(/^HTTP\/1\.1 200 /);
  const flood = [];
  for (let count = 0; count < 8; count += 1) flood.push(await halfSent());
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  for (const { closed } of flood.slice(0, 5)) await closed;
  expect(flood.at(-1)?.isOpen()).toBe(true);
  expect(await ask(person, cookie)).toMatch(/^HTTP\/1\.1 200 /);
});

test('connections of a session that ended, and those beyond one user’s share, make room', async () => {
  const cookie = await shop.admin();
  await withLimits({ connections: 3, perUser: 2 });
  const own = [await open(), await open(), await open()] as const;
  const closed = own.map((socket) => once(socket, 'close'));
  for (const socket of own) expect(await ask(socket, cookie)).toMatch(/^HTTP\/1\.1 200 /);
  await halfSent();
  await closed[0];
  expect(await ask(own[1], cookie)).toMatch(/^HTTP\/1\.1 200 /);
  await shop.db.execute(sql`DELETE FROM sessions`);
  expect(await ask(own[2], cookie)).toMatch(/^HTTP\/1\.1 401 /);
  await halfSent();
  await halfSent();
  await closed[2];
  expect(own[1].destroyed).toBe(false);
});

test('the connections of one address without a session are limited', async () => {
  await withLimits({ strangers: 2 });
  const flood = [await halfSent(), await halfSent(), await halfSent()];
  await flood[0]?.closed;
  expect(flood.map(({ isOpen }) => isOpen())).toEqual([false, true, true]);
});

test('behind a trusted proxy the forwarded address counts, not the proxy', async () => {
  await withLimits({ strangers: 2 }, { trustedProxies: ['127.0.0.1'] });
  const other = await halfSent('X-Forwarded-For: 203.0.113.1\r\n');
  const flood = [];
  for (let count = 0; count < 3; count += 1) flood.push(await halfSent('X-Forwarded-For: 203.0.113.2\r\n'));
  await flood[0]?.closed;
  expect([other, ...flood].map(({ isOpen }) => isOpen())).toEqual([true, false, true, true]);
});

test('a body that does not arrive within its limit is ended', async () => {
  await withLimits({ body: 50 });
  expect(await (await halfSent()).closed).toMatch(/^HTTP\/1\.1 408 /);
});

test('once the session is known, no limit of seconds ends an upload', async () => {
  const cookie = await shop.admin();
  // A limit that nothing else has, and that is not reached while the session is read.
  const body = 600_007;
  await withLimits({ body });
  const set = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const upload = await open();
  upload.write(
    `POST /api/imports?kind=skus&name=a.csv HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\nContent-Type: text/csv\r\nContent-Length: 8\r\n\r\nsku`,
  );
  const limits = (): unknown[] =>
    set.mock.calls.flatMap(([, delay], at) => (delay === body ? [set.mock.results[at]?.value] : []));
  await expect
    .poll(() => limits().filter((timer) => cleared.mock.calls.some(([one]) => one === timer)).length)
    .toBe(1);
  expect(limits()).toHaveLength(1);
  upload.write(',cost');
  expect(String(await once(upload, 'data'))).toMatch(/^HTTP\/1\.1 (201|4(?!08))/);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let port: number;
const sockets: Socket[] = [];
/** A connection that is cut off says so in its own way. */
const ignored = (): undefined => undefined;
beforeEach(async () => {
  shop = await createTestApp();
  port = Number(new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await shop.close();
});

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

test('the server waits so long and no longer', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = shop.app.server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections }).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 600_000,
    keepAliveTimeout: 72_000,
    timeout: 60_000,
    maxConnections: 2_000,
  });
});

test('a request whose headers come drop by drop is ended, and others are answered meanwhile', async () => {
  shop.app.server.headersTimeout = 100;
  const slow = await open();
  const drops = setInterval(() => slow.write('X-Drop: 1\r\n'), 50);
  slow.on('error', ignored);
  slow.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n');
  const answer = text(slow);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect(await answer).toMatch(
    /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*The request took too long to arrive\./,
  );
  clearInterval(drops);
});

test('a body that comes drop by drop is ended too', async () => {
  shop.app.server.requestTimeout = 100;
  shop.app.server.headersTimeout = 90;
  const slow = await open();
  slow.on('error', ignored);
  slow.write(
    'POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 408 /);
});

test('a connection that says nothing is ended', async () => {
  shop.app.server.setTimeout(100);
  expect(await text(await open())).toBe('');
});

test('one connection too many is turned away at once', async () => {
  shop.app.server.maxConnections = 2;
  await open();
  await open();
  const third = connect(port, '127.0.0.1');
  sockets.push(third);
  third.on('error', ignored);
  await once(third, 'close');
  const connections = await new Promise<number>((resolve) =>
    shop.app.server.getConnections((_, count) => resolve(count)),
  );
  expect(connections).toBe(2);
});

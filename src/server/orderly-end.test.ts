import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { buildApp } from './app.ts';
import { CONNECTION_LIMITS } from './connection-limits.ts';

let shop: TestApp;
const sockets: Socket[] = [];
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await shop.close();
});

async function open(app = shop.app): Promise<Socket> {
  const address = app.server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const HEAD = 'Host: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n';
const LOGIN = `POST /api/login HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n`;

test('an active request is answered at the stop, its kept connection closes, and the server ends', async () => {
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const asking = once(shop.app.server, 'request');
  const kept = await open();
  const answer = text(kept);
  kept.write(`${LOGIN}{`);
  await asking;
  const closed = shop.app.close();
  kept.write('}');
  const reported = await answer;
  expect(reported).toMatch(/^HTTP\/1\.1 400 /);
  expect(reported.toLowerCase()).toContain('connection: close');
  await closed;
});

test('connections from before the stop are answered, with or without a request, and none after it', async () => {
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const early = await Promise.all(Array.from({ length: 20 }, () => open()));
  const idle = await open();
  const closed = shop.app.close();
  const answers = early.map((socket) => text(socket));
  for (const socket of early) socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  for (const answer of answers) expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(await text(idle)).toBe('');
  await closed;
});

test('a request that never ends is cut off at the limit, and logged', async () => {
  const app = await buildApp(shop.deps, { ...CONNECTION_LIMITS, ending: 20 });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const asking = once(app.server, 'request');
  const slow = await open(app);
  slow.write(`${LOGIN}{`);
  await asking;
  await app.close();
  expect(await text(slow)).toBe('');
  expect(shop.log.join('')).toContain('cut off connections');
});

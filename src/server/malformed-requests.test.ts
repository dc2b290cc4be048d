import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ErrorBody } from '#contract/errors.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let port: number;
beforeAll(async () => {
  shop = await createTestApp();
  port = Number(new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => shop.close());

/** Sends bytes and reads everything until the server hangs up. */
async function send(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

test.each([
  ['bytes that are no HTTP', 'hello\r\n\r\n', 400],
  ['a header line break in a name', 'GET / HTTP/1.1\r\nHo st: x\r\n\r\n', 400],
  [
    'two lengths',
    'POST /api/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
  ],
  [
    'two hosts',
    'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nhost: evil.example\r\nConnection: close\r\n\r\n',
    400,
  ],
  ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('%s: %s', async (_, bytes, status) => {
  const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/content-security-policy: default-src 'self'/);
  expect(head).toMatch(/x-content-type-options: nosniff/);
  expect(ErrorBody.parse(JSON.parse(body)).code).toBe('bad_request');
});

test('a NUL character is refused, not an error of ours', async () => {
  const login = { username: 'ann\u0000', password: 'some password', twoFactorToken: '' };
  const answer = await shop.post('/api/login', login);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'bad_request' });
});

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

test.each([
  ['a NUL character', { username: 'ann\u0000', password: 'some password', twoFactorToken: '' }],
  ['half a character', { username: 'ann', password: 'some password\ud83d', twoFactorToken: '' }],
  ['half a character in a name', { '\udc00': 1 }],
])('%s is refused, and no error of ours', async (_, login) => {
  const answer = await shop.post('/api/login', login);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/cannot be stored/),
  });
});

test('a surrogate pair is a character like any other', async () => {
  const login = { username: 'ann', password: 'a bag of money \u{1f4b0}', twoFactorToken: '' };
  expect((await shop.post('/api/login', login)).statusCode).toBe(401);
});

test('a body that is nested as deep as it is long is refused, and the server continues', async () => {
  const depth = 250_000;
  for (const deep of [
    `${'['.repeat(depth)}${']'.repeat(depth)}`,
    `${'{"a":'.repeat(depth / 2)}1${'}'.repeat(depth / 2)}`,
  ]) {
    const payload = `{"username":${deep},"password":"x","twoFactorToken":""}`;
    const answer = await shop.post('/api/login', undefined, {
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(400);
  }
});

import type { AddressInfo, LookupFunction } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { postWebhook } from './post-webhook.ts';
import { newWebhookSecret, signatureHeaders } from './signature.ts';

let server: Server;
let port: number;
let sockets: Set<Socket>;
let received: string[];
/** What the receiver writes once a request arrives; null: nothing, ever. */
let response: string | null;

// The receivers are bare sockets: some of them lie about HTTP itself.
beforeEach(async () => {
  sockets = new Set();
  received = [];
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received.push(bytes.toString('utf8'));
      if (response !== null) socket.write(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const never = new AbortController().signal;
const AT = instant(1_614_265_330_000);

function post(
  address = `http://127.0.0.1:${port}/in`,
  lookup?: LookupFunction,
  signal = never,
  limit?: number,
) {
  const body = '{"type":"test"}';
  const headers = signatureHeaders([newWebhookSecret()], { id: 'msg_1', at: AT, body });
  const options = { ...(lookup ? { lookup } : {}), ...(limit === undefined ? {} : { limit }) };
  return postWebhook({ address, headers, body, at: AT }, signal, options);
}

function namesGive(...addresses: string[]): LookupFunction {
  return (_name, options, callback) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

describe('a receiver of webhooks', () => {
  test('gets one signed request', async () => {
    response = 'HTTP/1.1 204 No Content\r\n\r\n';
    expect(await post()).toEqual({ kind: 'answered', status: 204, retryAfter: null });
    expect(received.join('')).toMatch(
      /^POST \/in HTTP\/1\.1\r\n(?=[\s\S]*webhook-id: msg_1\r\n)(?=[\s\S]*webhook-timestamp: 1614265330\r\n)(?=[\s\S]*webhook-signature: v1,)[\s\S]*\r\n\r\n\{"type":"test"\}$/,
    );
  });

  test('may ask for a wait', async () => {
    response = 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n';
    expect(await post()).toEqual({ kind: 'answered', status: 429, retryAfter: 120_000 });
  });

  test.each([
    ['an endless body', `HTTP/1.1 200 OK\r\ncontent-length: 9999999999\r\n\r\n${'x'.repeat(65_536)}`],
    ['a body that never comes', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'],
    ['an open chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffff\r\nx'],
  ])('with %s has answered, and its connection is closed', async (_what, text) => {
    response = text;
    expect(await post()).toMatchObject({ kind: 'answered', status: 200 });
    const [socket] = sockets;
    if (socket !== undefined && !socket.destroyed)
      await new Promise((resolve) => socket.once('close', resolve));
    expect(sockets.size).toBe(1);
  });

  test('that redirects to inside is not followed', async () => {
    response = `HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:${port}/inside\r\ncontent-length: 0\r\n\r\n`;
    expect(await post()).toMatchObject({ kind: 'answered', status: 307 });
    expect(sockets.size).toBe(1);
    expect(received.join('')).not.toContain('/inside');
  });

  test.each([
    ['something else than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['an impossible status', 'HTTP/1.1 042 Lie\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${`x-more: ${'y'.repeat(1_000)}\r\n`.repeat(200)}`],
  ])('that speaks %s is unreadable', async (_what, text) => {
    response = text;
    expect(await post()).toEqual({ kind: 'failed', reason: 'unreadable' });
  });

  test('that never answers is given up at the time limit', async () => {
    response = null;
    expect(await post(undefined, undefined, never, 50)).toEqual({ kind: 'failed', reason: 'timeout' });
  });

  test('that sends interim responses for ever is given up at the time limit', async () => {
    response = 'HTTP/1.1 102 Processing\r\n\r\n';
    expect(await post(undefined, undefined, never, 50)).toEqual({ kind: 'failed', reason: 'timeout' });
  });

  test('is not waited for once Pricewright shuts down, and the attempt does not count', async () => {
    response = null;
    const stopping = new AbortController();
    server.once('connection', () => stopping.abort());
    await expect(post(undefined, undefined, stopping.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('whose name is never resolved is given up at the time limit', async () => {
    expect(await post('https://hooks.example/', () => undefined, never, 50)).toEqual({
      kind: 'failed',
      reason: 'timeout',
    });
  });

  test('whose name is never resolved does not delay a shutdown', async () => {
    const stopping = new AbortController();
    const lookup = () => stopping.abort();
    await expect(post('https://hooks.example/', lookup, stopping.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('that never ends its TLS handshake is given up at the time limit', async () => {
    response = null;
    expect(await post(`https://127.0.0.1:${port}/`, undefined, never, 50)).toEqual({
      kind: 'failed',
      reason: 'timeout',
    });
  });

  test('that speaks no TLS is unreadable', async () => {
    response = 'HTTP/1.1 200 OK\r\n\r\n';
    expect(await post(`https://127.0.0.1:${port}/`)).toEqual({ kind: 'failed', reason: 'unreadable' });
  });

  test('that is down is unreachable', async () => {
    const { port: closed } = await new Promise<AddressInfo>((resolve) => {
      const other = createServer();
      other.listen(0, '127.0.0.1', () => {
        const address = other.address() as AddressInfo;
        other.close(() => resolve(address));
      });
    });
    expect(await post(`http://127.0.0.1:${closed}/`)).toEqual({ kind: 'failed', reason: 'unreachable' });
  });

  test.each([['127.0.0.1'], ['10.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']])(
    'whose name resolves to %s gets nothing',
    async (address) => {
      expect(await post(`https://hooks.example:${port}/`, namesGive(address))).toEqual({
        kind: 'failed',
        reason: 'refused_address',
      });
      expect(received).toEqual([]);
    },
  );

  test('whose name resolves to a public and a private address gets nothing', async () => {
    expect(await post(`https://hooks.example:${port}/`, namesGive('203.0.114.9', '127.0.0.1'))).toEqual({
      kind: 'failed',
      reason: 'refused_address',
    });
    expect(received).toEqual([]);
  });
});

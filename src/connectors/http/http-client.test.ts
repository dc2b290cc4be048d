import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Instant, instant } from '#domain/units.ts';
import { createHttpClient, type HttpCall, type HttpClientOptions } from './http-client.ts';

type Reply = (response: ServerResponse) => void;

let server: Server;
let received: string[];
let replies: Reply[];
let waits: number[];
let time: Instant;
beforeEach(async () => {
  received = [];
  replies = [];
  waits = [];
  time = instant(1_000_000);
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    const reply = replies.shift() ?? say(200, '{"ok":true}');
    reply(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

function say(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (response) => void response.writeHead(status, headers).end(body);
}
const hangUp: Reply = (response) => response.socket?.destroy();

function client(options: Partial<HttpClientOptions> = {}) {
  return createHttpClient({
    name: 'Shop',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    now: () => time,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      time = instant(time + milliseconds);
    },
    ...options,
  });
}

const never = new AbortController().signal;
const READ: HttpCall = { method: 'GET', path: '/items', operation: 'items' };
const write = (notAfter = instant(time + 60_000)): HttpCall => ({
  method: 'PUT',
  path: '/price',
  operation: 'price',
  changes: { notAfter },
  body: { type: 'application/json', text: '{"price":1}' },
});

describe('a call that changes something', () => {
  test.each<[string, Reply]>([
    ['an error of the service', say(500, 'oops')],
    ['a gateway that answers HTML', say(502, '<html>')],
    ['a line that breaks', hangUp],
    [
      'an answer that is cut off',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"ok"');
        response.socket?.end();
      },
    ],
    ['an unreadable response', say(200, 'fine')],
    ['a redirect', say(302, '', { location: 'http://127.0.0.1/' })],
  ])('after %s is not repeated, and may have been done', async (_, reply) => {
    replies.push(reply);
    await expect(client().call(write(), never)).rejects.toMatchObject({ mayHaveActed: true });
    expect(received).toEqual(['PUT /price']);
  });

  test.each([400, 401, 403, 404, 409, 422])('refused with %d was certainly not done', async (status) => {
    replies.push(say(status, '{}'));
    await expect(client().call(write(), never)).rejects.toMatchObject({ status, mayHaveActed: false });
    expect(received).toHaveLength(1);
  });

  test('that was throttled was not done, and is sent after the wait the service requests', async () => {
    replies.push(say(429, '', { 'retry-after': '7' }));
    expect(await client().call(write(), never)).toMatchObject({ status: 200 });
    expect(received).toHaveLength(2);
    expect(waits).toEqual([7_000]);
  });

  test('that finds no server at the address was not done', async () => {
    const baseUrl = 'http://127.0.0.1:9';
    await expect(client({ baseUrl }).call(write(), never)).rejects.toMatchObject({
      fault: 'network',
      mayHaveActed: false,
    });
  });

  test('is not sent after its deadline, whatever delayed it', async () => {
    await expect(client().call(write(instant(time - 1)), never)).rejects.toMatchObject({ fault: 'late' });
    replies.push(say(429, '', { 'retry-after': '20' }));
    await expect(client().call(write(instant(time + 10_000)), never)).rejects.toMatchObject({
      fault: 'late',
    });
    expect(received).toHaveLength(1);
  });

  test('aborted while the service works on it may have been done', async () => {
    const caller = new AbortController();
    replies.push(() => caller.abort());
    await expect(client().call(write(), caller.signal)).rejects.toMatchObject({
      fault: 'time',
      mayHaveActed: true,
    });
  });
});

describe('a call that is aborted while it connects ends at once', () => {
  const limits = { connect: 3_600_000, whole: 3_600_000 };

  test('while its name is resolved', async () => {
    const caller = new AbortController();
    // Never answers.
    const lookup = () => caller.abort();
    const shop = client({ baseUrl: 'http://localhost:9', lookup, limits });
    await expect(shop.call(READ, caller.signal)).rejects.toMatchObject({ fault: 'time' });
  });

  test('while the other side does not finish the handshake', async () => {
    const caller = new AbortController();
    const silent = createTcpServer((socket) => {
      socket.once('data', () => caller.abort());
      sockets.push(socket);
    });
    const sockets: Socket[] = [];
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const shop = client({ baseUrl: `https://127.0.0.1:${port}`, limits });
    await expect(shop.call(READ, caller.signal)).rejects.toMatchObject({ fault: 'time' });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('the error message of a refusal', () => {
  test("are the service's own, with its code", async () => {
    replies.push(say(400, '{"errors":[{"code":"25002","message":"Price too high"}]}'));
    const errorMessageOf = () => ({ code: '25002', message: 'Price too high' });
    await expect(client({ errorMessageOf }).call(write(), never)).rejects.toMatchObject({
      fault: 'refused',
      code: '25002',
      message: 'Shop rejected the request (400). Shop says: Price too high',
    });
  });

  test('can be a response, where the caller expects it', async () => {
    replies.push(say(404, '{"missing":true}'));
    expect(await client().call({ ...READ, alsoAnswers: [404] }, never)).toMatchObject({
      status: 404,
      body: { missing: true },
    });
  });

  test('needs no JSON as the response to a read; to a write it stays unknown', async () => {
    replies.push(say(404, '<html>'), say(404, '<html>'));
    expect(await client().call({ ...READ, alsoAnswers: [404] }, never)).toMatchObject({
      status: 404,
      body: null,
    });
    await expect(client().call({ ...write(), alsoAnswers: [404] }, never)).rejects.toMatchObject({
      fault: 'unreadable',
      mayHaveActed: true,
    });
  });
});

describe('the budget', () => {
  const budgets = { items: { perSecond: 0.5, burst: 2 } };

  test('allows a burst, then spaces out further calls', async () => {
    const shop = client({ budgets });
    for (let call = 0; call < 4; call++) await shop.call(READ, never);
    expect(waits).toEqual([2_000, 2_000]);
  });

  test('fails as "busy" where the next free slot is too far away, and sends nothing', async () => {
    const shop = client({ budgets: { items: { perSecond: 0.001, burst: 1 } } });
    await shop.call(READ, never);
    await expect(shop.call(READ, never)).rejects.toMatchObject({ fault: 'busy', retryAfter: 1_000_000 });
    expect(received).toHaveLength(1);
  });

  test('of one operation does not delay another', async () => {
    const shop = client({ budgets });
    for (let call = 0; call < 2; call++) await shop.call(READ, never);
    await shop.call({ ...READ, operation: 'orders' }, never);
    expect(waits).toEqual([]);
  });

  test('follows the remaining quota that the service reports', async () => {
    const shop = client({ budgets, learn: (budget, operation) => budget.remain(operation, 0) });
    await shop.call(READ, never);
    await shop.call(READ, never);
    expect(waits).toEqual([2_000]);
  });

  test.each(['99999999', 'Fri, 01 Jan 2100 00:00:00 GMT'])(
    'an absurd wait of %s ends within an hour',
    async (after) => {
      const shop = client({ budgets });
      replies.push(say(429, '', { 'retry-after': after }));
      await expect(shop.call(READ, never)).rejects.toMatchObject({ status: 429 });
      await expect(shop.call(READ, never)).rejects.toMatchObject({ fault: 'busy' });
      time = instant(time + 3_600_001);
      expect(await shop.call(READ, never)).toMatchObject({ status: 200 });
    },
  );
});

describe('a service that is down', () => {
  test('is paused after five failures in a row, then called once', async () => {
    const shop = client({ limits: { attempts: 1 } });
    replies.push(...Array.from({ length: 6 }, () => say(503, '')));
    for (let call = 0; call < 5; call++) await shop.call(READ, never).catch(() => undefined);
    await expect(shop.call(READ, never)).rejects.toMatchObject({ fault: 'service', retryAfter: 30_000 });
    expect(received).toHaveLength(5);
    time = instant(time + 30_001);
    await expect(shop.call(READ, never)).rejects.toMatchObject({ status: 503 });
    await expect(shop.call(READ, never)).rejects.toMatchObject({ status: null });
    expect(received).toHaveLength(6);
    time = instant(time + 30_001);
    expect(await shop.call(READ, never)).toMatchObject({ status: 200 });
  });

  test('a clock that was set back does not extend the pause', async () => {
    const shop = client({ limits: { attempts: 1 } });
    replies.push(...Array.from({ length: 5 }, () => say(503, '')));
    for (let call = 0; call < 5; call++) await shop.call(READ, never).catch(() => undefined);
    time = instant(time - 7_200_000 < 0 ? 0 : time - 900_000);
    expect(await shop.call(READ, never)).toMatchObject({ status: 200 });
  });
});

test('a log gets each attempt by its operation, and nothing that is secret', async () => {
  const seen: unknown[] = [];
  replies.push(say(503, ''));
  await client({ onCall: (call) => seen.push(call) }).call({ ...READ, path: '/items?key=canary' }, never);
  expect(seen).toEqual([
    { method: 'GET', operation: 'items', status: 503, milliseconds: 0 },
    { method: 'GET', operation: 'items', status: 200, milliseconds: 0 },
  ]);
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConnectorError } from '#connectors/connector-error.ts';
import { createHttpClient } from './http-client.ts';

let server: Server;
let port: number;
let received: (string | undefined)[];
beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    received.push(request.url);
    if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${port}/caught` });
    response.end('{"secret":"inside"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const never = new AbortController().signal;

/** A name server that returns one list after the other, and repeats the last one. */
function names(...answers: string[][]): LookupFunction & { asked: number } {
  const lookup = ((_name, options, callback) => {
    const addresses = answers[Math.min(lookup.asked, answers.length - 1)] ?? [];
    lookup.asked += 1;
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  }) as LookupFunction & { asked: number };
  lookup.asked = 0;
  return lookup;
}

const ask = (baseUrl: string, lookup?: LookupFunction, path = '/') =>
  createHttpClient({ name: 'Veeqo', baseUrl, wait: async () => undefined, ...(lookup ? { lookup } : {}) })
    .call({ method: 'GET', path, operation: 'ask', headers: { 'x-api-key': 'canary' } }, never)
    .catch((error: unknown) => error);

const REFUSED = {
  fault: 'network',
  message: expect.stringMatching(/points to a private network.*no credentials are sent.*DNS/),
};

describe('a name that resolves to a private network', () => {
  test.each([['127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['fe80::1']])(
    'to %s is refused before anything is sent',
    async (address) => {
      const lookup = names([address]);
      const error = await ask(`http://shop.example:${port}`, lookup);
      expect(error).toBeInstanceOf(ConnectorError);
      expect(error).toMatchObject(REFUSED);
      expect(lookup.asked).toBe(1);
      expect(received).toEqual([]);
    },
  );

  test('is refused although it has a public address too', async () => {
    expect(await ask(`http://shop.example:${port}`, names(['203.0.114.9', '127.0.0.1']))).toMatchObject(
      REFUSED,
    );
    expect(received).toEqual([]);
  });

  test('is refused when only the second lookup returns a private address', async () => {
    const lookup = names([], ['127.0.0.1']);
    expect(await ask(`http://shop.example:${port}`, lookup)).toMatchObject(REFUSED);
    expect(lookup.asked).toBeGreaterThan(1);
    expect(received).toEqual([]);
  });
});

describe('a numeric address', () => {
  test.each([
    '127.0.0.2',
    '10.0.0.1',
    '[::ffff:127.0.0.2]',
    '[fe80::1]',
    '0251.0376.0251.0376',
    '2852039166',
  ])('%s is refused without a call', async (host) => {
    const lookup = names(['203.0.114.9']);
    expect(await ask(`http://${host}:${port}`, lookup)).toMatchObject(REFUSED);
    expect(lookup.asked).toBe(0);
    expect(received).toEqual([]);
  });
});

describe('this machine, where the address names it', () => {
  test('is reached, as in tests', async () => {
    expect(await ask(`http://127.0.0.1:${port}`)).toMatchObject({ body: { secret: 'inside' } });
    expect(await ask(`http://localhost:${port}`, names(['127.0.0.1']))).toMatchObject({
      body: { secret: 'inside' },
    });
  });

  test('and no other machine that its name resolves to', async () => {
    expect(await ask(`http://localhost:${port}`, names(['10.0.0.1']))).toMatchObject(REFUSED);
  });

  test('a redirect is not followed', async () => {
    expect(await ask(`http://127.0.0.1:${port}`, undefined, '/away')).toMatchObject({
      fault: 'service',
      status: 302,
    });
    expect(received).toEqual(['/away']);
  });
});

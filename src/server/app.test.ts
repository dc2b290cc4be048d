import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ErrorBody } from '#contract/errors.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { AppError } from '#usecases/app-error.ts';

let shop: TestApp;
let failure: Error;
beforeAll(async () => {
  shop = await createTestApp();
  const config = { access: 'public' } as const;
  shop.app.get('/api/broken', { config }, async () => {
    throw new Error('relation "secrets" does not exist at /srv/app.ts:7');
  });
  shop.app.get('/api/away', { config }, async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.3:5432'), { code: 'ECONNREFUSED' });
    throw new Error('Failed query: select 1', { cause });
  });
  shop.app.get('/api/failing', { config }, async () => {
    throw failure;
  });
  shop.app.get('/api/busy', { config }, async () => {
    throw new AppError('too_many_requests', 'Slow down.', { retryAfterSeconds: 7 });
  });
  const body = z.strictObject({ quantity: z.number(), list: z.array(z.strictObject({ on: z.boolean() })) });
  shop.app.post('/api/probe/:id', { config, schema: { body } }, async (request) => ({ got: request.body }));
});
afterAll(() => shop.close());

const json = { 'content-type': 'application/json' };
const probe = (payload: string, headers: Record<string, string> = json) =>
  shop.post('/api/probe/1', undefined, { payload, headers });

test.each([
  ['a success', () => shop.get('/healthz'), 200],
  ['a refusal', () => shop.get('/api/user'), 401],
  ['a bug', () => shop.get('/api/broken'), 500],
  ['no such address', () => shop.get('/api/nothing'), 404],
  ['an unreadable address', () => shop.get('/api/%zz'), 404],
  [
    'a cross-site write',
    () => shop.post('/api/logout', {}, { headers: { 'sec-fetch-site': 'cross-site' } }),
    403,
  ],
])('%s carries the security headers and a request id', async (_, call, status) => {
  const { statusCode, headers } = await call();
  expect(statusCode).toBe(status);
  expect(headers['content-security-policy']).toMatch(/^default-src 'self'; script-src 'self'; /);
  expect(headers['content-security-policy']).toMatch(/object-src 'none'; base-uri 'none'/);
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'strict-transport-security']) {
    expect(headers[name]).toBeUndefined();
  }
});

test.each(['/api/user', '/readyz', '/nothing'])('the response to %s is never stored', async (url) => {
  expect((await shop.get(url)).headers['cache-control']).toBe('no-store');
});

test('a request ID of the client is not adopted', async () => {
  const answer = await shop.app.inject({
    url: '/healthz',
    headers: { 'x-request-id': 'mine\r\nx: y', 'request-id': 'mine' },
  });
  expect(answer.headers['x-request-id']).not.toContain('mine');
});

test('HSTS is sent behind https', async () => {
  const secure = await createTestApp({ publicUrl: 'https://prices.example.com' });
  expect((await secure.get('/healthz')).headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  await secure.close();
});

test('an unexpected error returns only its ID; the log has the rest', async () => {
  const answer = await shop.get('/api/broken');
  expect(answer.json()).toEqual({
    code: 'internal',
    message:
      'The server failed to process this request. Try again. If it fails again, search the server log for the request ID.',
    requestId: answer.headers['x-request-id'],
  });
  const lines = shop.log.filter((text) => text.includes(String(answer.headers['x-request-id'])));
  expect(lines.join('')).toContain('relation \\"secrets\\"');
});

test('an unavailable database is 503 with a time to retry', async () => {
  const answer = await shop.get('/api/away');
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.body).not.toContain('10.0.0.3');
});

test.each([
  [
    'its name is unknown for a moment',
    Object.assign(new Error('getaddrinfo EAI_AGAIN db'), { code: 'EAI_AGAIN' }),
  ],
  ['its network is down', Object.assign(new Error('connect EHOSTUNREACH'), { code: 'EHOSTUNREACH' })],
  ['it takes no writes', Object.assign(new Error('read-only transaction'), { code: '25006' })],
  ['it is frozen', new Error('Query read timeout')],
])('a database is away when %s', async (_, cause) => {
  failure = new Error('Failed query: select 1', { cause });
  expect((await shop.get('/api/failing')).statusCode).toBe(503);
});

test('a rate limit reports how long it lasts', async () => {
  const answer = await shop.get('/api/busy');
  expect(answer.statusCode).toBe(429);
  expect(answer.headers['retry-after']).toBe('7');
});

test.each([
  ['null for a number', '{"quantity":null,"list":[]}', 'quantity'],
  ['false for a number', '{"quantity":false,"list":[]}', 'quantity'],
  ['digits as text', '{"quantity":"16","list":[]}', 'quantity'],
  ['hexadecimal text', '{"quantity":"0x10","list":[]}', 'quantity'],
  ['a missing field', '{"list":[]}', 'quantity'],
  ['text for a boolean', '{"quantity":1,"list":[{"on":"true"}]}', 'list.0.on'],
])('%s is refused at its field', async (_, payload, field) => {
  const answer = await probe(payload);
  expect(answer.statusCode).toBe(400);
  expect(Object.keys(ErrorBody.parse(answer.json()).fields ?? {})).toEqual([field]);
});

test.each([
  ['null for a number', '{"quantity":null,"list":[]}', { quantity: 'Quantity must be a number' }],
  ['a missing field', '{"list":[]}', { quantity: 'Quantity is missing' }],
  [
    'text for a boolean',
    '{"quantity":1,"list":[{"on":"true"}]}',
    { 'list.0.on': 'On (entry 1) must be true or false' },
  ],
  ['an unknown field', '{"quantity":1,"list":[{"on":true,"x":1}]}', { 'list.0': 'Unknown: x' }],
])('%s is refused in words', async (_, payload, fields) => {
  expect((await probe(payload)).json()).toMatchObject({ fields, message: `${Object.values(fields)[0]}.` });
});

test.each([
  ['null', { username: null }, { username: 'Email address must be text' }],
  ['an empty text', { username: '' }, { username: 'Enter your email address' }],
  [
    'a long text',
    { username: 'x'.repeat(255) },
    { username: 'Email address can have at most 254 characters' },
  ],
])('%s for a name keeps our own words where there are any', async (_, over, fields) => {
  const login = { password: 'some password', twoFactorToken: '', ...over };
  expect((await shop.post('/api/login', login)).json()).toMatchObject({ fields });
});

test.each([
  ['an unknown field', '{"quantity":1,"list":[],"extra":1}', 'validation_failed'],
  ['an unknown field deep inside', '{"quantity":1,"list":[{"on":true,"x":1}]}', 'validation_failed'],
  ['no body', '', 'bad_request'],
  ['a list for an object', '[]', 'validation_failed'],
  ['broken JSON', '{"quantity":', 'bad_request'],
  ['__proto__', '{"quantity":1,"list":[],"__proto__":{"a":1}}', 'bad_request'],
  ['constructor', '{"quantity":1,"list":[],"constructor":{"prototype":{"a":1}}}', 'bad_request'],
])('%s is 400', async (_, payload, code) => {
  const answer = await probe(payload);
  expect(answer.statusCode).toBe(400);
  expect(ErrorBody.parse(answer.json()).code).toBe(code);
});

test('valid input passes unchanged', async () => {
  const body = { quantity: 1.5, list: [{ on: true }] };
  expect((await probe(JSON.stringify(body))).json()).toEqual({ got: body });
});

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/jsonx', 415],
  ['text/json', 415],
  ['APPLICATION/JSON', 200],
  ['application/json; charset=utf-8', 200],
])('a body sent as %s: %i', async (type, status) => {
  const answer = await probe('{"quantity":1,"list":[]}', { 'content-type': type });
  expect(answer.statusCode).toBe(status);
});

test.each([' application/json', '\tapplication/json'])(
  'an oddly spaced type is checked all the same: "%s"',
  async (type) => {
    const answer = await probe('{"quantity":null,"list":[]}', { 'content-type': type });
    expect([400, 415]).toContain(answer.statusCode);
  },
);

test('a body over 1 MB is refused', async () => {
  const answer = await probe(`"${'x'.repeat(1_048_576)}"`);
  expect(answer.statusCode).toBe(413);
  expect(answer.json()).toMatchObject({ code: 'payload_too_large' });
});

test('unknown query parameters are refused', async () => {
  const cookie = await shop.admin();
  expect((await shop.get('/api/user?include=password', cookie)).statusCode).toBe(400);
  expect((await shop.post('/api/logout', { everywhere: true })).statusCode).toBe(400);
});

test.each([
  '/api/user/',
  '/API/user',
  '/api//user',
  '/api%2Fuser',
  '//api/user',
  '/api/user%00',
  '/api/./user/x',
])('%s is not /api/user', async (url) => {
  const answer = await shop.app.inject({ url, headers: { accept: 'text/html' } });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 'not_found' });
});

test.each([
  ['GET', '/api/login', 'POST'],
  ['DELETE', '/api/user', 'GET'],
  ['HEAD', '/api/user', 'GET'],
  ['TRACE', '/healthz', 'GET'],
  ['PUT', '/api/probe/7', 'POST'],
])('%s %s is 405 and names %s', async (method, url, allow) => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await shop.app.inject({ method: method as 'GET', url, headers });
  expect(answer.statusCode).toBe(405);
  expect(answer.headers.allow).toBe(allow);
});

test('a write that another site started is refused before it is parsed', async () => {
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }, {}]) {
    const answer = await shop.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: aRegistration(),
      headers: { host: '127.0.0.1:5000', ...headers },
    });
    expect(answer.json()).toMatchObject({ code: 'cross_site' });
  }
});

test('a program may name our origin instead', async () => {
  const headers = { host: '127.0.0.1:5000', origin: 'http://127.0.0.1:5000' };
  const answer = await shop.app.inject({ method: 'POST', url: '/api/logout', headers });
  expect(answer.statusCode).toBe(200);
});

test('without PUBLIC_URL no other host name is served, which a page could point here', async () => {
  const headers = { host: 'evil.example:5000', 'sec-fetch-site': 'same-origin' };
  for (const [method, url] of [
    ['GET', '/healthz'],
    ['GET', '/api/nothing'],
    ['POST', '/api/login'],
  ] as const) {
    const answer = await shop.app.inject({ method, url, headers });
    expect(answer.statusCode).toBe(421);
    expect(answer.json()).toMatchObject({
      code: 'wrong_host',
      message: expect.stringContaining('PUBLIC_URL'),
    });
  }
});

test('the client address comes from listed proxies only', async () => {
  const behind = await createTestApp({ trustedProxies: ['10.0.0.1'] });
  behind.app.get('/api/ip', { config: { access: 'public' } }, async (request) => ({ ip: request.ip }));
  const ask = async (remoteAddress: string) => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' };
    return (await behind.app.inject({ url: '/api/ip', remoteAddress, headers })).json().ip;
  };
  expect(await ask('10.0.0.1')).toBe('203.0.113.9');
  expect(await ask('198.51.100.1')).toBe('198.51.100.1');
  await behind.close();
});

test('every request leaves one log line with its route and no query', async () => {
  await shop.get('/api/nothing?setup=SECRET');
  const line = shop.log.at(-1) ?? '';
  expect(JSON.parse(line)).toMatchObject({ msg: 'answered', method: 'GET', route: 'none', status: 404 });
  expect(shop.log.join('')).not.toContain('SECRET');
});

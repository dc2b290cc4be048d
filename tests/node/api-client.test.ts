import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '#clients/typescript/client.ts';

const SERVER = { baseUrl: 'http://127.0.0.1:5000/', token: 'pwt_a-token' };

/** What the server answers, one after the other; and what it was sent. */
let answers: Response[];
let sent: [url: string, request: RequestInit][];
beforeEach(() => {
  answers = [];
  sent = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, request) => {
    sent.push([String(url), request ?? {}]);
    request?.signal?.throwIfAborted();
    return answers.shift() ?? Response.json({ ok: true });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const tooMany = (seconds: string) => new Response(null, { status: 429, headers: { 'retry-after': seconds } });

test('a call goes to its address, with the token and a body of JSON', async () => {
  const pricewright = createClient(SERVER);
  await pricewright.call('PUT /api/listings/{id}', { path: { id: '7' }, body: { version: 1, fields: {} } });
  await pricewright.call('GET /api/bundles/{listingSku}', { path: { listingSku: 'A/B ?' } });
  await pricewright.call('GET /api/listings', { query: { q: 'a&b', size: 25 } });
  answers = [new Response(null, { status: 204 })];
  expect(await pricewright.call('DELETE /api/fees/{id}', { path: { id: '7' } })).toBeUndefined();
  expect(sent.map(([url]) => url)).toEqual([
    'http://127.0.0.1:5000/api/listings/7',
    'http://127.0.0.1:5000/api/bundles/A%2FB%20%3F',
    'http://127.0.0.1:5000/api/listings?q=a%26b&size=25',
    'http://127.0.0.1:5000/api/fees/7',
  ]);
  expect(sent[0]?.[1]).toMatchObject({
    method: 'PUT',
    headers: { authorization: 'Bearer pwt_a-token', 'content-type': 'application/json' },
    body: '{"version":1,"fields":{}}',
    redirect: 'error',
  });
});

test('a call over the limit of a minute waits as long as the server says, and not longer than allowed', async () => {
  answers = [tooMany('40'), tooMany('15'), Response.json({ rows: [] })];
  const call = createClient(SERVER).call('GET /api/stats');
  await vi.advanceTimersByTimeAsync(39_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await call).toEqual({ rows: [] });

  answers = [tooMany('40'), tooMany('21')];
  const second = createClient(SERVER).call('GET /api/stats');
  const refused = expect(second).rejects.toMatchObject({ status: 429, code: null, retryAfterSeconds: 21 });
  await vi.advanceTimersByTimeAsync(40_000);
  await refused;
  expect(sent).toHaveLength(5);
});

test('a signal ends a call, also while it waits', async () => {
  const stop = new AbortController();
  answers = [tooMany('40')];
  const waiting = createClient(SERVER).call('GET /api/stats', { signal: stop.signal });
  const ended = expect(waiting).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(1);
  stop.abort(new Error('enough'));
  await ended;
  expect(vi.getTimerCount()).toBe(0);
  const another = createClient(SERVER).call('GET /api/stats', { signal: stop.signal });
  await expect(another).rejects.toThrow('enough');
});

test('what is not of Pricewright is an error without a code', async () => {
  const html = { headers: { 'content-type': 'text/html' } };
  answers = [new Response('<p>', { ...html, status: 502 }), new Response('<p>', html)];
  const { call } = createClient(SERVER);
  await expect(call('GET /api/stats')).rejects.toMatchObject({ status: 502, code: null, fields: {} });
  await expect(call('GET /api/stats')).rejects.toMatchObject({ status: 200, code: null });
});

test.each(['', '.', '..'])('the path part "%s" is refused before anything is sent', async (id) => {
  const { call } = createClient(SERVER);
  await expect(call('DELETE /api/rules/{id}', { path: { id } })).rejects.toBeInstanceOf(TypeError);
  expect(sent).toEqual([]);
});

test.each([
  [{ ...SERVER, baseUrl: 'http://127.0.0.1:5000/api' }],
  [{ ...SERVER, baseUrl: 'ftp://127.0.0.1' }],
  [{ ...SERVER, token: undefined }],
  [{ ...SERVER, token: 'pwt_a b' }],
])('the client of %o is refused', (options) => {
  expect(() => createClient(options)).toThrow(TypeError);
});

import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { refusal, serveApi } from '#tests/support/fake-api.ts';
import { ApiError, call, errorText, NoAnswerError, UnknownAnswerError } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

const Thing = z.object({ name: z.string() });

test('a response is checked and stripped to the contract', async () => {
  serveApi({ 'GET /api/thing': { body: { name: 'A', more: 1 } } });
  expect(await call(Thing, 'GET', '/api/thing')).toEqual({ name: 'A' });
});

test('cookies are sent, and JSON only when there is a body', async () => {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response('{"name":"A"}'));
  vi.stubGlobal('fetch', fetch);
  await call(Thing, 'GET', '/api/thing');
  await call(Thing, 'POST', '/api/thing', { name: 'A' });
  expect(fetch.mock.calls.map(([, init]) => init)).toEqual([
    { method: 'GET', credentials: 'include' },
    {
      method: 'POST',
      credentials: 'include',
      body: '{"name":"A"}',
      headers: { 'content-type': 'application/json' },
    },
  ]);
});

test('an error is "<status>: <body>", with the sentence, code, request id and fields of the body', async () => {
  const answer = refusal(400, 'validation_failed', 'Check the fields', { email: 'Taken' });
  serveApi({ 'POST /api/thing': answer });
  const error = await call(Thing, 'POST', '/api/thing', {}).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    message: `400: ${JSON.stringify(answer.body)}`,
    status: 400,
    text: 'Check the fields',
    code: 'validation_failed',
    requestId: 'req-7',
    fields: { email: 'Taken' },
  });
});

test('an empty body gives the status text', () => {
  const error = new ApiError(502, 'Bad Gateway', '');
  expect(error.message).toBe('502: Bad Gateway');
  expect(error.text).toBe('The server returned 502 Bad Gateway');
});

test("a proxy's HTML page is not shown as a message", () => {
  const error = new ApiError(502, 'Bad Gateway', '<html>nginx</html>');
  expect(error.message).toBe('502: <html>nginx</html>');
  expect(error.text).not.toContain('<');
  expect(error.code).toBeNull();
});

test('a missing connection differs from an error response', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const error = await call(Thing, 'GET', '/api/thing').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NoAnswerError);
  expect(errorText(error)).toContain('is not responding');
});

test('a response with an unknown shape is an error', async () => {
  serveApi({ 'GET /api/thing': { body: { name: 7 } } });
  await expect(call(Thing, 'GET', '/api/thing')).rejects.toBeInstanceOf(UnknownAnswerError);
});

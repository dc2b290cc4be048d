import { expect, test } from 'vitest';
import { type Exchange, Exchanges } from './exchanges.ts';

const ONE: Omit<Exchange, 'number'> = {
  at: '2026-03-02T08:00:00.000Z',
  face: 'walmart',
  operation: 'getAllItems',
  method: 'GET',
  path: '/v3/items',
  requestHeaders: {},
  requestBody: '',
  status: 200,
  responseHeaders: {},
  responseBody: '{}',
  fault: null,
};

test('headers that hold secrets are left out, counters are not', () => {
  const exchanges = new Exchanges();
  const requestHeaders = {
    authorization: 'Basic abc',
    'wm_sec.access_token': 'abc',
    'x-amz-access-token': 'abc',
    'x-api-key': 'abc',
    'api-key': 'abc',
    'x-shopify-access-token': 'abc',
    accept: 'application/json',
  };
  exchanges.add({ ...ONE, requestHeaders, responseHeaders: { 'x-current-token-count': '7' } });
  const [kept] = exchanges.list();
  expect(Object.values(kept?.requestHeaders ?? {}).filter((value) => value !== '(left out)')).toEqual([
    'application/json',
  ]);
  expect(kept?.responseHeaders).toEqual({ 'x-current-token-count': '7' });
});

test('tokens in bodies are left out, and the codes of errors are not', () => {
  const exchanges = new Exchanges();
  exchanges.add({
    ...ONE,
    requestBody: '{"grant_type":"authorization_code","code":"s1","client_secret":"s2","refresh_token":"s3"}',
    responseBody: '{"access_token":"s4","expires_in":900,"errors":[{"code":"INVALID"}]}',
  });
  const text = JSON.stringify(exchanges.list());
  expect(text).not.toMatch(/s[1-4]/);
  expect(text).toContain('INVALID');
  expect(text).toContain('authorization_code');
});

test('secrets in a form are left out, wherever they stand in it', () => {
  const exchanges = new Exchanges();
  const requestBody = 'client_secret=s1&grant_type=refresh_token&code=s2&refresh_token=s3%7Cs4';
  exchanges.add({ ...ONE, requestBody });
  expect(exchanges.list()[0]?.requestBody).toBe(
    'client_secret=(left out)&grant_type=refresh_token&code=(left out)&refresh_token=(left out)',
  );
});

test('only the last ones are kept, by their numbers', () => {
  const exchanges = new Exchanges(2);
  for (let at = 0; at < 5; at++) exchanges.add(ONE);
  expect(exchanges.list().map(({ number }) => number)).toEqual([4, 5]);
  exchanges.clear();
  expect(exchanges.list()).toEqual([]);
});

test('they never fill the memory: the oldest go when bodies are large', () => {
  const exchanges = new Exchanges();
  for (let at = 0; at < 30; at++) exchanges.add({ ...ONE, responseBody: 'x'.repeat(3_000_000) });
  expect(exchanges.list().map(({ number }) => number)).toEqual(
    Array.from({ length: 16 }, (_, at) => at + 15),
  );
  exchanges.add({ ...ONE, responseBody: 'x'.repeat(5_000_000) });
  expect(exchanges.list().at(-1)?.responseBody).toBe('(5000000 characters)');
});

import { expect, test } from 'vitest';
import { type Exchange, Exchanges } from './exchanges.ts';

const EXCHANGE: Omit<Exchange, 'number'> = {
  at: '2026-03-02T08:00:00.000Z',
  service: 'walmart',
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

test('secret headers are redacted, counters are not', () => {
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
  exchanges.add({ ...EXCHANGE, requestHeaders, responseHeaders: { 'x-current-token-count': '7' } });
  const [kept] = exchanges.list();
  expect(Object.values(kept?.requestHeaders ?? {}).filter((value) => value !== '(redacted)')).toEqual([
    'application/json',
  ]);
  expect(kept?.responseHeaders).toEqual({ 'x-current-token-count': '7' });
});

test('tokens in bodies are redacted, error codes are not', () => {
  const exchanges = new Exchanges();
  exchanges.add({
    ...EXCHANGE,
    requestBody: '{"grant_type":"authorization_code","code":"s1","client_secret":"s2","refresh_token":"s3"}',
    responseBody: '{"access_token":"s4","expires_in":900,"errors":[{"code":"INVALID"}]}',
  });
  const text = JSON.stringify(exchanges.list());
  expect(text).not.toMatch(/s[1-4]/);
  expect(text).toContain('INVALID');
  expect(text).toContain('authorization_code');
});

test('secrets in a form are redacted at any position', () => {
  const exchanges = new Exchanges();
  const requestBody = 'client_secret=s1&grant_type=refresh_token&code=s2&refresh_token=s3%7Cs4';
  exchanges.add({ ...EXCHANGE, requestBody });
  expect(exchanges.list()[0]?.requestBody).toBe(
    'client_secret=(redacted)&grant_type=refresh_token&code=(redacted)&refresh_token=(redacted)',
  );
});

test('only the last exchanges are kept', () => {
  const exchanges = new Exchanges(2);
  for (let at = 0; at < 5; at++) exchanges.add(EXCHANGE);
  expect(exchanges.list().map(({ number }) => number)).toEqual([4, 5]);
  exchanges.clear();
  expect(exchanges.list()).toEqual([]);
});

test('memory is bounded: large bodies evict the oldest exchanges', () => {
  const exchanges = new Exchanges();
  for (let at = 0; at < 30; at++) exchanges.add({ ...EXCHANGE, responseBody: 'x'.repeat(3_000_000) });
  expect(exchanges.list().map(({ number }) => number)).toEqual(
    Array.from({ length: 16 }, (_, at) => at + 15),
  );
  exchanges.add({ ...EXCHANGE, responseBody: 'x'.repeat(5_000_000) });
  expect(exchanges.list().at(-1)?.responseBody).toBe('(5000000 characters)');
});

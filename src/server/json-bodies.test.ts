import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await createTestApp();
});
afterAll(() => shop.close());

test.each([
  ['{"username":"a","username":"b","password":"c"}', 'username'],
  ['{"a":[{"x":1},{"x":1,"y":{"z":1,"\\u007a":2}}]}', 'z'],
  ['{"a":"\\"b\\":1","b" : 1,\n"b"\t:2}', 'b'],
])('a field that is sent twice in one object is refused by its name: %s', async (payload, name) => {
  const answer = await shop.post('/api/login', undefined, {
    payload,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'bad_request', message: expect.stringContaining(`"${name}"`) });
});

test('equal field names in several objects, and names inside texts, are not duplicates', async () => {
  const payload = '{"username":"{\\"username\\":1,","password":"x","twoFactorToken":""}';
  const answer = await shop.post('/api/login', undefined, {
    payload,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.json().code).toBe('invalid_credentials');
});

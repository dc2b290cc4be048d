import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importDesk } from '#tests/support/import-file.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { exampleOf } from './api-docs/examples.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterAll(() => shop.close());

const BREAK = 'a\r\nSet-Cookie: stolen=1\r\n\r\n{"level":30}';

describe('a line break in user input', () => {
  test('starts no line of the log', async () => {
    const begin = shop.log.length;
    await shop.post('/api/login', { username: BREAK, password: BREAK, twoFactorToken: '' });
    await shop.post(
      '/api/engine/halt',
      { reason: BREAK },
      { headers: { cookie, 'user-agent': 'a\tb', 'x-forwarded-for': '6.6.6.6' } },
    );
    await shop.get(`/api/nothing/${encodeURIComponent(BREAK)}?q=${encodeURIComponent(BREAK)}`);
    const lines = shop.log.slice(begin);
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const line of lines) {
      expect(line.trimEnd().split(/[\r\n]/)).toHaveLength(1);
      expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  test('or a path traversal in a file name reaches no header and no path', async () => {
    const desk = importDesk(shop, cookie);
    const name = `../../etc/..\\${BREAK}".csv`;
    const rows = 'sku,currentPrice,fulfillmentType\nA-1,none,FBM\n';
    const { id, fileName } = await desk.check('listings', rows, name);
    expect(fileName).not.toMatch(/[/\\]/);
    const answer = await shop.get(`/api/imports/${id}/rejected.csv`, cookie);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w .-]+ rejected\.csv"$/);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('in a request ID is not adopted', async () => {
    const answer = await shop.app.inject({ url: '/healthz', headers: { 'x-request-id': 'mine' } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

/** Calls that accept keys chosen by a user, or members with external names. */
const WITH_KEYS: readonly [string, string, (keys: object) => object][] = [
  ['POST /api/views', 'query', (query) => ({ ...bodyOf('POST /api/views'), query })],
  [
    'POST /api/views',
    'layout.widths',
    (widths) => ({ ...bodyOf('POST /api/views'), layout: { order: [], hidden: [], density: null, widths } }),
  ],
  ['PUT /api/imports/:id/mapping', 'mapping', (mapping) => ({ mapping, defaults: {} })],
  ['PUT /api/imports/:id/mapping', 'defaults', (defaults) => ({ mapping: {}, defaults })],
  [
    'POST /api/rules',
    'marketplaceMargins',
    (marketplaceMargins) => ({ ...bodyOf('POST /api/rules'), marketplaceMargins }),
  ],
  ['PUT /api/settings', 'itself', (keys) => ({ ...bodyOf('PUT /api/settings'), ...keys })],
];

function bodyOf(call: string): object {
  return (exampleOf(call)?.body ?? {}) as object;
}

describe('a key with a meaning in JavaScript', () => {
  test.each(
    WITH_KEYS.flatMap(([call, place, body]) =>
      ['__proto__', 'constructor', 'prototype'].map((key) => [key, call, place, body] as const),
    ),
  )('%s is refused in %s, %s', async (key, call, _, body) => {
    const imported = (await shop.get('/api/imports', cookie)).json()[0];
    const [method = '', path = ''] = call.split(' ');
    const value = call === 'POST /api/views' ? '1' : '"1"';
    // As text: an object literal could not have these keys.
    const payload = JSON.stringify(body({ KEY: 0 })).replace('"KEY":0', `${JSON.stringify(key)}:${value}`);
    expect(payload).toContain(key);
    const answer = await shop.post(path.replace(':id', imported.id), undefined, {
      method: method as 'POST',
      payload,
      headers: { cookie, 'content-type': 'application/json' },
    });
    expect(answer.statusCode, answer.body).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each(['__proto__', 'constructor', ' Prototype ', 'PROTO'])(
    '%s is refused as a column of a file',
    async (name) => {
      const answer = await importDesk(shop, cookie).upload('skus', `sku,${name}\nA-1,x\n`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().message).toMatch(/a column may not be called/);
    },
  );
});

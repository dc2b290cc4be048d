import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, createClient, PricewrightError } from '#clients/typescript/client.ts';
import { aToken } from '#tests/support/api-tokens.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';

const BOSS = 'boss@example.com';

let shop: PricedShop;
let baseUrl: string;
beforeEach(async () => {
  shop = await createPricedShop();
  baseUrl = await shop.app.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => shop.app.close());

async function clientWith(token: Parameters<typeof aToken>[2] = {}, maxWaitSeconds = 0): Promise<Client> {
  return createClient({ baseUrl, token: await aToken(shop.app, BOSS, token), maxWaitSeconds });
}

/** The error that a call ends with. */
async function errorOf(call: Promise<unknown>): Promise<PricewrightError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PricewrightError)) throw error;
  return error;
}

test('the client for programs lists every row of a list, page by page', async () => {
  const pricewright = await clientWith({ scopes: ['read'] });
  const wanted = ['A-1'];
  for (let n = 10; n < 40; n += 1) wanted.push(`B-${n}`);
  for (const sku of wanted.slice(1)) await shop.addAnother(sku, 18);
  const skus: string[] = [];
  for await (const { sku } of pricewright.rows('GET /api/listings', { query: { size: 25 } })) skus.push(sku);
  expect(skus).toEqual(wanted);
  const stocked: string[] = [];
  for await (const { sku } of pricewright.rows('GET /api/skus', { query: { pageSize: 25 } }))
    stocked.push(sku);
  expect(stocked).toEqual(wanted);
  const second = await pricewright.call('GET /api/listings', { query: { size: 25, page: 2 } });
  expect([second.total, second.rows.map(({ sku }) => sku)]).toEqual([31, wanted.slice(25)]);
});

test('it changes a price, and downloads and uploads a file', async () => {
  const pricewright = await clientWith();
  const path = { id: String(shop.id) };
  const { currentPrice: from } = await pricewright.call('GET /api/listings/{id}', { path });
  const changed = await pricewright.call('PUT /api/listings/{id}/price', {
    path,
    body: { price: '21.5', from },
  });
  expect(changed.currentPrice).toBe('21.50');
  expect((await shop.listing()).currentPrice).toBe(2_150);

  const file = await pricewright.call('GET /api/skus/export.csv', { query: { q: 'A-1' } });
  expect(file.split(/[\r\n,]+/)).toEqual(expect.arrayContaining(['sku', 'A-1']));
  const query = { kind: 'skus', name: 'ours & theirs.csv' } as const;
  const uploaded = await pricewright.call('POST /api/imports', { query, body: new Blob([file]) });
  expect(uploaded).toMatchObject({ kind: 'skus', fileName: query.name, size: Buffer.byteLength(file) });
});

test('it throws what the server refused: the scope, the token, the fields, and the limit of a minute', async () => {
  const path = { id: String(shop.id) };
  const body = { price: '21.50', from: '20.00' };
  const reading = await clientWith({ name: 'Reading', scopes: ['read'] });
  const scope = await errorOf(reading.call('PUT /api/listings/{id}/price', { path, body }));
  expect([scope.status, scope.code, scope.retryAfterSeconds]).toEqual([403, 'scope_missing', null]);
  expect((await shop.listing()).currentPrice).toBe(2_000);

  const pricing = await clientWith({ name: 'Pricing' });
  const wrong = { path, body: { ...body, price: 'cheap' } };
  const fields = await errorOf(pricing.call('PUT /api/listings/{id}/price', wrong));
  expect([fields.status, fields.code, Object.keys(fields.fields)]).toEqual([
    400,
    'validation_failed',
    ['price'],
  ]);
  const outdated = { path, body: { ...body, from: '19.00' } };
  expect((await errorOf(pricing.call('PUT /api/listings/{id}/price', outdated))).code).toBe('conflict');

  const slow = await clientWith({ name: 'Slow', callsPerMinute: 1 }, 59);
  await slow.call('GET /api/stats');
  const limit = await errorOf(slow.call('GET /api/stats'));
  expect([limit.status, limit.code, limit.retryAfterSeconds]).toEqual([429, 'too_many_requests', 60]);

  await shop.app.db.execute(sql`DELETE FROM api_tokens`);
  const revoked = await errorOf(pricing.call('GET /api/stats'));
  expect([revoked.status, revoked.code, revoked.requestId]).toEqual([
    401,
    'token_invalid',
    expect.any(String),
  ]);
});

import { afterEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { callerOf, pass } from '#tests/support/sandbox-shop.ts';
import { michaelsKey } from './michaels-key.ts';

const API = '/api/mkp/v1';
const PUBLISH = `${API}/listing/price/publish-by-seller-sku-number`;
const NOT_FOUND = 'MCU_API_LISTING_NOT_FOUND';
const BAD = 'MCU_API_BAD_REQUEST';
const START = instant(Date.parse('2026-03-02T08:00:00Z'));

let sandbox: Sandbox;
afterEach(() => sandbox.close());

function planOf(sku: string, itemId: string, primarySkuNumber: string): ItemPlan {
  return {
    marketplace: 'michaels',
    sku,
    title: sku,
    price: cents(1_999),
    fulfillmentType: 'FBM',
    itemId,
    keys: { primarySkuNumber },
    viewsPerDay: 0,
  };
}

async function open(): Promise<ReturnType<typeof callerOf>> {
  const items = [planOf('YARN', '10', '10'), planOf('YARN-RED', '11', '10'), planOf('GLUE', '20', '20')];
  const world = createWorld({ seed: 'michaels', startsAt: START, items, stock: [] });
  sandbox = await startSandbox({ world, port: 0 });
  return callWith(sandbox.credentials.michaels.apiKey ?? '');
}

const callWith = (key: string) => callerOf(sandbox.addresses.michaels, { 'api-key': key });
const pricesNow = () =>
  sandbox.world
    .market('michaels')
    .items()
    .map(({ price }) => price);

describe('API keys', () => {
  test('are valid until they expire, and some are read-only', async () => {
    await open();
    const endsAt = START / 1_000 + 60;
    const reader = callWith(michaelsKey({ exp: endsAt, access: 'read' }));
    const rows = [{ sellerSkuNumber: 'GLUE', price: 9.5 }];
    expect(await reader('POST', PUBLISH, rows)).toMatchObject({
      code: 'MCU_DEVELOPER_API_DO_NOT_HAVE_PERMISSION',
    });
    const listings = `${API}/listing/all-listings`;
    expect(await reader('GET', listings)).toMatchObject({ code: '200' });
    pass(sandbox, 60_000);
    expect(await reader('GET', listings)).toMatchObject({ code: 'MCU_API_INVALID_API_KEY' });
    expect(await callWith('made up')('GET', listings)).toMatchObject({ code: 'MCU_API_INVALID_API_KEY' });
  });
});

describe('prices', () => {
  test.each([
    ['an unknown SKU', 'NO-SUCH-SKU', 9.5, NOT_FOUND],
    ['the parent of variations', 'YARN', 9.5, BAD],
    ['a negative price', 'YARN-RED', -1, BAD],
    ['a price as a text', 'YARN-RED', '9.50', BAD],
    ['an absurd price', 'YARN-RED', 1_000_000, BAD],
  ])('%s fails the whole batch', async (_, sellerSkuNumber, price, code) => {
    const call = await open();
    const rows = [
      { sellerSkuNumber: 'GLUE', price: 9.5 },
      { sellerSkuNumber, price },
    ];
    expect(await call('POST', PUBLISH, rows)).toMatchObject({ code });
    pass(sandbox, 600_000);
    expect(pricesNow()).toEqual([1_999, 1_999, 1_999]);
    expect(sandbox.world.receivedPrices().map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  });

  test('an accepted price is live minutes later; unknown SKUs are skipped in price reads', async () => {
    const call = await open();
    await call('POST', PUBLISH, [{ sellerSkuNumber: 'GLUE', price: 9.5 }]);
    expect(pricesNow()).toEqual([1_999, 1_999, 1_999]);
    pass(sandbox, 180_000);
    const read = `${API}/listing/price/seller-sku-number/batch-get`;
    expect(await call('POST', read, { sellerSkuNumbers: ['GLUE', 'NO-SUCH-SKU'] })).toEqual({
      code: '200',
      data: [{ sellerSkuNumber: 'GLUE', price: 9.5 }],
    });
  });
});

test('listings are paginated', async () => {
  const call = await open();
  const path = `${API}/listing/all-listings?limit=2`;
  const { data } = (await call('GET', path)) as { data: { listings: unknown[]; nextCursor: string } };
  expect(data.listings).toHaveLength(2);
  expect(await call('GET', `${path}&cursor=${data.nextCursor}`)).toMatchObject({
    data: { listings: [{ sellerSkuNumber: 'GLUE' }], nextCursor: null },
  });
  expect(await call('GET', `${path}&cursor=xyz`)).toMatchObject({ code: BAD });
});

import { afterEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { callerOf } from '#tests/support/sandbox-shop.ts';
import { SHOP_ID } from './shops.ts';

const API = '/v3/application';
const INVENTORY = `${API}/listings/7001/inventory`;

let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** Variations of one listing. */
function sizeOf(size: string, price: number): ItemPlan {
  return {
    marketplace: 'etsy',
    sku: `SOCKS-${size}`,
    title: `Socks, ${size}`,
    fulfillmentType: 'FBM',
    price: cents(price),
    itemId: '7001',
    quantity: 5,
    viewsPerDay: 0,
  };
}

async function open(keepsLimits = false): Promise<void> {
  const startsAt = instant(Date.parse('2026-03-02T08:00:00Z'));
  const items = [sizeOf('S', 1_000), sizeOf('M', 1_100), sizeOf('L', 1_200)];
  const world = createWorld({ seed: 'etsy', startsAt, items, stock: [] });
  sandbox = await startSandbox({ world, port: 0, keepsLimits });
}

function refresh(refresh_token: string): Promise<unknown> {
  const client_id = sandbox.credentials.etsy.keystring ?? '';
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token });
  return callerOf(sandbox.addresses.etsy)('POST', '/v3/public/oauth/token', form);
}

async function headersOf(): Promise<Record<string, string>> {
  const { keystring, sharedSecret, refreshToken = '' } = sandbox.credentials.etsy;
  const { access_token } = (await refresh(refreshToken)) as { access_token: string };
  return { 'x-api-key': `${keystring}:${sharedSecret}`, authorization: `Bearer ${access_token}` };
}

interface Variation {
  readonly size: string;
  readonly price: number;
  readonly quantity?: number;
}

function bodyOf(variations: readonly Variation[], varies: readonly number[] = [513]) {
  return {
    products: variations.map(({ size, price, quantity = 5 }) => ({
      sku: `SOCKS-${size}`,
      property_values: [{ property_id: 513, value_ids: [1], values: [size] }],
      offerings: [{ price, quantity, is_enabled: true, readiness_state_id: null }],
    })),
    price_on_property: varies,
    quantity_on_property: [513],
    sku_on_property: [513],
  };
}

const pricesNow = () =>
  sandbox.world
    .market('etsy')
    .items()
    .map(({ sku, price }) => `${sku} ${price}`);

describe('authentication', () => {
  test('a refresh token works once, and the response contains the next one', async () => {
    await open();
    const first = sandbox.credentials.etsy.refreshToken ?? '';
    const { refresh_token } = (await refresh(first)) as { refresh_token: string };
    expect(await refresh(first)).toMatchObject({ error: 'invalid_grant' });
    expect(await refresh(refresh_token)).toMatchObject({ expires_in: 3_600 });
  });

  test('the keystring needs its secret, and private data the token of the seller', async () => {
    await open();
    const headers = await headersOf();
    const { keystring = '' } = sandbox.credentials.etsy;
    const half = callerOf(sandbox.addresses.etsy, { ...headers, 'x-api-key': keystring });
    expect(await half('GET', `${API}/users/me`)).toEqual({
      error: 'Shared secret is required in x-api-key header.',
    });
    const { authorization: _, ...key } = headers;
    const stranger = callerOf(sandbox.addresses.etsy, key);
    expect(await stranger('GET', `${API}/users/me`)).toMatchObject({ error: 'invalid_token' });
    expect(await stranger('GET', `${API}/listings/7001`)).toMatchObject({ listing_id: 7_001 });
  });

  test('the limit of ten calls a second is enforced when limits are kept', async () => {
    await open(true);
    const headers = await headersOf();
    const ask = () => fetch(`${sandbox.addresses.etsy}${API}/users/me`, { headers });
    for (let left = 9; left >= 0; left--) {
      expect((await ask()).headers.get('x-remaining-this-second')).toBe(String(left));
    }
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  });
});

describe('the inventory', () => {
  test('is replaced as a whole: prices, quantities and removed products', async () => {
    await open();
    const call = callerOf(sandbox.addresses.etsy, await headersOf());
    const variations = [
      { size: 'S', price: 9.5, quantity: 2 },
      { size: 'M', price: 11 },
    ];
    expect(await call('PUT', INVENTORY, bodyOf(variations))).toMatchObject({
      products: [
        { sku: 'SOCKS-S', offerings: [{ price: { amount: 950, divisor: 100 }, quantity: 2 }] },
        { sku: 'SOCKS-M', offerings: [{ price: { amount: 1_100, divisor: 100 }, quantity: 5 }] },
      ],
    });
    expect(pricesNow()).toEqual(['SOCKS-S 950', 'SOCKS-M 1100']);
    // A price that does not change is not recorded.
    expect(sandbox.world.receivedPrices()).toMatchObject([{ sku: 'SOCKS-S', outcome: 'applied' }]);
  });

  test.each([
    [
      'prices that differ without being named as differing',
      bodyOf(
        [
          { size: 'S', price: 9 },
          { size: 'M', price: 8 },
        ],
        [],
      ),
    ],
    ['a price below twenty cents', bodyOf([{ size: 'S', price: 0.1 }])],
    ['a price with a fraction of a cent', bodyOf([{ size: 'S', price: 9.999 }])],
    ['a variation that it does not have', bodyOf([{ size: 'XL', price: 9 }])],
    ['members that Etsy counts itself', { ...bodyOf([{ size: 'S', price: 9 }]), product_id: 1 }],
  ])('refuses %s, and changes nothing', async (_, body) => {
    await open();
    const call = callerOf(sandbox.addresses.etsy, await headersOf());
    expect(await call('PUT', INVENTORY, body)).toEqual({ error: expect.any(String) });
    expect(pricesNow()).toEqual(['SOCKS-S 1000', 'SOCKS-M 1100', 'SOCKS-L 1200']);
    expect(sandbox.world.receivedPrices().every(({ outcome }) => outcome === 'refused')).toBe(true);
  });

  test('is included in a listing and in those of a shop on request, never in a batch', async () => {
    await open();
    const call = callerOf(sandbox.addresses.etsy, await headersOf());
    const inventory = { price_on_property: [513] };
    expect(await call('GET', `${API}/listings/7001?includes=Inventory`)).toMatchObject({ inventory });
    expect(await call('GET', `${API}/listings/7001`)).not.toHaveProperty('inventory');
    const resultsOf = async (path: string) => {
      const { results } = (await call('GET', `${API}${path}includes=Images,Inventory`)) as {
        results: readonly object[];
      };
      return results;
    };
    expect(await resultsOf(`/shops/${SHOP_ID}/listings?`)).toContainEqual(
      expect.objectContaining({ listing_id: 7001, inventory: expect.objectContaining(inventory) }),
    );
    const batch = await resultsOf('/listings/batch?listing_ids=7001,1&');
    expect(batch).toMatchObject([
      { listing_id: 7001, title: 'Socks', has_variations: true, images: expect.any(Array) },
    ]);
    expect(batch[0]).not.toHaveProperty('inventory');
  });
});

import type { Sandbox } from '#sandbox/server.ts';
import { callerOf } from './sandbox-shop.ts';

const API = '/v3/application';

interface Inventory {
  readonly products: readonly {
    readonly sku: string;
    readonly property_values: readonly object[];
    readonly offerings: readonly { readonly quantity: number; readonly readiness_state_id: number }[];
  }[];
}

/** Makes every call that the Etsy of the sandbox knows. */
export async function callEtsy(sandbox: Sandbox): Promise<void> {
  const { keystring = '', sharedSecret, refreshToken = '' } = sandbox.credentials.etsy;
  const sign = (refresh_token: string) => {
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: keystring, refresh_token });
    return callerOf(sandbox.addresses.etsy)('POST', '/v3/public/oauth/token', form);
  };
  const first = (await sign(refreshToken)) as { refresh_token: string };
  await sign(refreshToken);
  const { access_token } = (await sign(first.refresh_token)) as { access_token: string };
  const key = { 'x-api-key': `${keystring}:${sharedSecret}` };
  const call = callerOf(sandbox.addresses.etsy, { ...key, authorization: `Bearer ${access_token}` });
  const { shop_id } = (await call('GET', `${API}/users/me`)) as { shop_id: number };
  const shop = `${API}/shops/${shop_id}`;
  await call('GET', `${API}/shops?shop_name=sandboxshop`);
  await call('GET', `${API}/shops?shop_name=unknown`);
  await call('GET', shop);
  await call('GET', `${API}/shops/1`);
  const listings = `${shop}/listings?state=active&includes=Images,Inventory&legacy=false`;
  const page = (await call('GET', `${listings}&limit=5&offset=0`)) as { results: { listing_id: number }[] };
  await call('GET', `${listings}&limit=100&offset=5`);
  await call('GET', `${listings}&limit=1000`);
  const ids = page.results.map(({ listing_id }) => listing_id).join(',');
  await call('GET', `${API}/listings/batch?listing_ids=${ids}&includes=Images&legacy=false`);
  await call('GET', `${API}/listings/${page.results[0]?.listing_id}?includes=Images,Inventory`);
  await call('GET', `${API}/listings/${page.results[0]?.listing_id}/reviews?limit=100&offset=0`);
  await call('GET', `${shop}/listings/${page.results[0]?.listing_id}/variation-images`);
  await callPrices(sandbox, call);
  const since = Math.floor(sandbox.world.now() / 1_000) - 9 * 86_400;
  await call(
    'GET',
    `${shop}/receipts?min_last_modified=${since}&sort_on=updated&sort_order=asc&limit=100&offset=0`,
  );
  await call('GET', `${shop}/receipts?min_created=${since}&limit=3&was_canceled=true`);
  await call('GET', `${shop}/transactions?limit=20`);
  const until = since + 9 * 86_400;
  await call(
    'GET',
    `${shop}/payment-account/ledger-entries?min_created=${since}&max_created=${until}&limit=50`,
  );
  for (const receipt of [3_100_000_001, 1]) await call('GET', `${shop}/receipts/${receipt}/payments`);
}

async function callPrices(sandbox: Sandbox, call: ReturnType<typeof callerOf>): Promise<void> {
  const market = sandbox.world.market('etsy');
  const itemId = market.item('PW-001-1')?.itemId;
  const path = `${API}/listings/${itemId}/inventory?legacy=false`;
  const { products } = (await call('GET', path)) as Inventory;
  const bodyFor = (price: number) => ({
    products: products.map(({ sku, property_values, offerings }) => ({
      sku,
      property_values,
      offerings: offerings.map(({ quantity, readiness_state_id }) => {
        return { price, quantity, is_enabled: true, readiness_state_id };
      }),
    })),
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
  });
  await call('PUT', path, bodyFor(14.75));
  await call('PUT', path, bodyFor(0.01));
  await call('GET', `${API}/listings/1/inventory`);
  if (market.item('PW-001-1')?.price !== 1_475) throw new Error('the price is not live');
}

import { michaelsKey } from '#sandbox/adapters/michaels/michaels-key.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { callerOf, pass } from './sandbox-shop.ts';

const API = '/api/mkp/v1';
const PUBLISH = `${API}/listing/price/publish-by-seller-sku-number`;

/** Makes every call that the Michaels of the sandbox knows. */
export async function callMichaels(sandbox: Sandbox): Promise<void> {
  const callWith = (key = '') => callerOf(sandbox.addresses.michaels, { 'api-key': key });
  const call = callWith(sandbox.credentials.michaels.apiKey);
  const listings = `${API}/listing/all-listings`;
  const page = (await call('GET', `${listings}?limit=10`)) as { data: { nextCursor: string } };
  await call('GET', `${listings}?limit=100&cursor=${page.data.nextCursor}`);
  const prices = `${API}/listing/price/seller-sku-number/batch-get`;
  await call('POST', prices, { sellerSkuNumbers: ['PW-001-1', 'PW-002', 'unknown'] });
  await call('POST', PUBLISH, [{ sellerSkuNumber: 'unknown', price: 2 }]);
  await call('POST', PUBLISH, [{ sellerSkuNumber: 'PW-001-1', price: 14.75 }]);
  pass(sandbox, 3 * 60_000);
  if (sandbox.world.market('michaels').item('PW-001-1')?.price !== 1_475) {
    throw new Error('the price is not live');
  }
  const now = sandbox.world.now();
  const query = `startTime=${now - 9 * 86_400_000}&endTime=${now}&isAsc=true&pageNumber=1&pageSize=200`;
  await call('GET', `${API}/order/query?${query}&simpleMode=false`);
  await call('GET', `${API}/order/query?pageSize=0`);
  await callWith('a.b.c')('GET', listings);
  const readOnly = callWith(michaelsKey({ exp: now / 1_000 + 60, access: 'read' }));
  await readOnly('POST', PUBLISH, [{ sellerSkuNumber: 'PW-001-1', price: 14.5 }]);
}

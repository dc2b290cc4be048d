import { strFromU8, unzipSync } from 'fflate';
import { cents, instant } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { callerOf, pass, withoutMoneyRight } from './sandbox-shop.ts';

const MINUTE = 60_000;
const INVENTORY = '/sell/inventory/v1';

async function signIn({ addresses, credentials }: Sandbox, form: Readonly<Record<string, string>>) {
  const { appId, certId } = credentials.ebay;
  const basic = Buffer.from(`${appId}:${certId}`).toString('base64');
  const sign = callerOf(addresses.ebay, { authorization: `Basic ${basic}` });
  const answer = await sign('POST', '/identity/v1/oauth2/token', new URLSearchParams(form));
  const { access_token } = answer as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-language': 'en-US' };
  return { headers, call: callerOf(addresses.ebay, headers) };
}

/** Calls with a new token of the seller. */
export async function signInToEbay(sandbox: Sandbox): Promise<ReturnType<typeof callerOf>> {
  const refresh_token = sandbox.credentials.ebay.refreshToken ?? '';
  const { call } = await signIn(sandbox, { grant_type: 'refresh_token', refresh_token });
  return call;
}

/** Makes every call that the eBay of the sandbox knows. */
export async function callEbay(sandbox: Sandbox): Promise<void> {
  const refresh_token = sandbox.credentials.ebay.refreshToken ?? '';
  const seller = await signIn(sandbox, { grant_type: 'refresh_token', refresh_token });
  await signIn(sandbox, { grant_type: 'refresh_token', refresh_token: 'made up' });
  const { call } = seller;
  const page = (await call('GET', `${INVENTORY}/inventory_item?limit=10&offset=0`)) as { next: string };
  const next = new URL(page.next);
  await call('GET', `${next.pathname.replace(/^\/ebay/, '')}${next.search}`);
  await call('GET', `${INVENTORY}/inventory_item/PW-001-1`);
  await call('GET', `${INVENTORY}/inventory_item?limit=1000`);
  const { offers } = (await call('GET', `${INVENTORY}/offer?sku=PW-001-1`)) as {
    offers: { offerId: string }[];
  };
  const offerId = offers[0]?.offerId ?? '';
  await call('GET', `${INVENTORY}/offer?sku=PW-002`);
  for (const id of [offerId, '1']) await call('GET', `${INVENTORY}/offer/${id}`);
  await callPrices(sandbox, call, offerId);
  const since = new Date(sandbox.world.now() - 9 * 86_400_000).toISOString();
  const filter = encodeURIComponent(`lastmodifieddate:[${since}..]`);
  const path = '/sell/fulfillment/v1/order';
  const found = (await call('GET', `${path}?filter=${filter}&limit=5&offset=0`)) as {
    readonly next?: string;
    readonly orders: readonly { readonly orderId: string }[];
  };
  if (found.next === undefined) throw new Error('few orders');
  await call('GET', `${path}/${found.orders[0]?.orderId}`);
  await call('GET', `${path}?filter=madeup:[x..]`);
  await callSales(sandbox, call);
  await callFinances(sandbox, seller);
  await callReport(sandbox, seller);
  await callAsBuyer(sandbox);
}

/** The seller's own sales, and listings that change their API. */
async function callSales(sandbox: Sandbox, call: ReturnType<typeof callerOf>): Promise<void> {
  const market = sandbox.world.market('ebay');
  const from = sandbox.world.now();
  const sale = { price: cents(999), from, to: instant(from + 86_400_000) };
  const item = market.edit('PW-002', {
    terms: { sale, bestOffer: { autoAccept: cents(900), autoDecline: null } },
  });
  await call('GET', `${INVENTORY}/offer?sku=PW-002`);
  const query = 'marketplace_id=EBAY_US&promotion_status=RUNNING&promotion_type=MARKDOWN_SALE';
  const { promotions } = (await call('GET', `/sell/marketing/v1/promotion?${query}`)) as {
    readonly promotions: readonly { readonly promotionId: string }[];
  };
  await call('GET', `/sell/marketing/v1/promotion/${promotions[0]?.promotionId}/get_listing_set`);
  const outside = market.edit('PW-003-1', { keys: { offerId: '' } });
  const requests = [item, outside].map((one) => ({ listingId: one?.itemId }));
  await call('POST', `${INVENTORY}/bulk_migrate_listing`, { requests });
  await call('POST', `${INVENTORY}/bulk_migrate_listing`, { requests: [...requests, ...requests] });
}

async function callFinances(
  sandbox: Sandbox,
  { headers }: Awaited<ReturnType<typeof signIn>>,
): Promise<void> {
  const call = callerOf(sandbox.addresses.ebay, { ...headers, 'x-ebay-c-marketplace-id': 'EBAY_US' });
  const path = '/sell/finances/v1/transaction';
  const spanOf = (from: number) => encodeURIComponent(`transactionDate:[${new Date(from).toISOString()}..]`);
  const now = sandbox.world.now();
  const page = (await call('GET', `${path}?filter=${spanOf(now - 9 * 86_400_000)}&limit=1000`)) as {
    transactions: readonly unknown[];
  };
  if (page.transactions.length < 10) throw new Error('few transactions');
  await call('GET', `${path}?filter=${spanOf(now)}&sort=transactionDate`);
  await call('GET', `${path}?limit=5000`);
  const payouts = '/sell/finances/v1/payout';
  const filter = encodeURIComponent(`payoutDate:[${new Date(now - 9 * 86_400_000).toISOString()}..]`);
  const paid = (await call('GET', `${payouts}?filter=${filter}`)) as {
    payouts: readonly { readonly payoutId: string }[];
  };
  await call('GET', `${path}?filter=${encodeURIComponent(`payoutId:{${paid.payouts[0]?.payoutId}}`)}`);
  await call('GET', `${payouts}?limit=500`);
  await withoutMoneyRight(sandbox, 'ebay', () => call('GET', path));
}

async function callPrices(
  sandbox: Sandbox,
  call: ReturnType<typeof callerOf>,
  offerId: string,
): Promise<void> {
  const send = (id: string, value: string) => {
    const requests = [{ offers: [{ offerId: id, price: { value, currency: 'USD' } }] }];
    return call('POST', `${INVENTORY}/bulk_update_price_quantity`, { requests });
  };
  await send(offerId, '14.75');
  await send(offerId, '-3.00');
  await send('1', '14.75');
  await call('POST', `${INVENTORY}/bulk_update_price_quantity`, { requests: [] });
  pass(sandbox, MINUTE);
  const live = sandbox.world.market('ebay').item('PW-001-1')?.price;
  if (live !== 1_475) throw new Error(`the price is not live: ${live}`);
}

async function callReport(
  sandbox: Sandbox,
  { headers, call }: Awaited<ReturnType<typeof signIn>>,
): Promise<void> {
  const request = { feedType: 'LMS_ACTIVE_INVENTORY_REPORT', schemaVersion: '1.0' };
  const begun = await fetch(`${sandbox.addresses.ebay}/sell/feed/v1/inventory_task`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const task = begun.headers.get('location')?.split('/').at(-1);
  await call('GET', `/sell/feed/v1/inventory_task/${task}`);
  pass(sandbox, 3 * MINUTE);
  await call('GET', `/sell/feed/v1/inventory_task/${task}`);
  const file = await fetch(`${sandbox.addresses.ebay}/sell/feed/v1/task/${task}/download_result_file`, {
    headers,
  });
  const [xml] = Object.values(unzipSync(new Uint8Array(await file.arrayBuffer())));
  if (xml === undefined || !strFromU8(xml).includes('<SKU>PW-003-1</SKU>')) throw new Error('no report');
}

async function callAsBuyer(sandbox: Sandbox): Promise<void> {
  const scope = 'https://api.ebay.com/oauth/api_scope';
  const { call } = await signIn(sandbox, { grant_type: 'client_credentials', scope });
  const search = '/buy/browse/v1/item_summary/search';
  const filter = 'conditions:{NEW},buyingOptions:{FIXED_PRICE},itemLocationCountry:US,deliveryCountry:US';
  for (const { keys } of sandbox.world.market('ebay').items()) {
    const query = new URLSearchParams({ gtin: keys.gtin ?? '', filter, sort: 'price', limit: '100' });
    await call('GET', `${search}?${query}`);
  }
  await call('GET', `${search}?gtin=000000000000`);
  await call('GET', search);
  const item = sandbox.world.market('ebay').item('PW-001-1');
  await call('GET', `/buy/browse/v1/item/get_item_by_legacy_id?legacy_item_id=${item?.itemId}`);
  const taxonomy = '/commerce/taxonomy/v1';
  await call('GET', `${taxonomy}/get_default_category_tree_id?marketplace_id=EBAY_US`);
  await call('GET', `${taxonomy}/get_default_category_tree_id?marketplace_id=EBAY_MOON`);
  await call('GET', `${taxonomy}/category_tree/0`);
  await call('GET', `${taxonomy}/category_tree/77`);
  for (const limits of ['rate_limit', 'user_rate_limit']) {
    await call('GET', `/developer/analytics/v1_beta/${limits}/`);
  }
}

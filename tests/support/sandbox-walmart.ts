import { strFromU8, unzipSync } from 'fflate';
import { cents, instant } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { callerOf, pass } from './sandbox-shop.ts';

const MINUTE = 60_000;
const COMMON = {
  accept: 'application/json',
  'wm_qos.correlation_id': 'c-1',
  'wm_svc.name': 'Walmart Marketplace',
};

/** Calls with a token that is new: they live for a quarter of an hour. */
export async function signInToWalmart({
  addresses,
  credentials,
}: Sandbox): Promise<ReturnType<typeof callerOf>> {
  const { clientId, clientSecret } = credentials.walmart;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const sign = callerOf(addresses.walmart, { ...COMMON, authorization: `Basic ${basic}` });
  const { access_token } = (await sign('POST', '/v3/token', form)) as { access_token: string };
  return callerOf(addresses.walmart, { ...COMMON, 'wm_sec.access_token': access_token });
}

/** Makes every call that the Walmart of the sandbox knows. */
export async function callWalmart(sandbox: Sandbox): Promise<void> {
  const call = await signInToWalmart(sandbox);
  const page = (await call('GET', '/v3/items?nextCursor=*&limit=10')) as { nextCursor: string };
  await call('GET', `/v3/items?nextCursor=${encodeURIComponent(page.nextCursor)}&limit=50`);
  for (const sku of ['PW-001-1', 'unknown']) await call('GET', `/v3/items/${sku}?productIdType=SKU`);
  await call('GET', '/v3/token/detail');
  await call('POST', '/v3/items/catalog/search?page=0&limit=100', {});
  await call('POST', '/v3/items/catalog/search', { query: { field: 'sku', value: 'PW-001-1' } });
  await call('POST', '/v3/insights/items/listingQuality/items?limit=200&nextCursor=*', {});
  for (const pageNumber of [0, 1]) await call('POST', '/v3/price/getPricingInsights', { pageNumber });
  const from = sandbox.world.now();
  const sale = { price: cents(999), from, to: instant(from + 86_400_000) };
  sandbox.world.market('walmart').edit('PW-002', { terms: { sale } });
  await call('GET', '/v3/promo/sku/PW-002');
  await callPrices(sandbox);
  await callWebhooks(await signInToWalmart(sandbox));
  await callReports(sandbox);
  const later = await signInToWalmart(sandbox);
  const since = new Date(sandbox.world.now() - 20 * 86_400_000).toISOString();
  for (const node of ['SellerFulfilled', 'WFSFulfilled']) {
    const first = `/v3/orders?createdStartDate=${since}&limit=5&shipNodeType=${node}`;
    const orders = (await later('GET', first)) as { list: { meta: { nextCursor?: string } } };
    if (orders.list.meta.nextCursor === undefined) throw new Error(`few orders of ${node}`);
  }
  pass(sandbox, 5 * 24 * 60 * MINUTE);
  await callRecon(await signInToWalmart(sandbox));
  await callerOf(sandbox.addresses.walmart, { ...COMMON, 'wm_sec.access_token': 'made up' })(
    'GET',
    '/v3/items',
  );
}

async function callRecon(call: ReturnType<typeof callerOf>): Promise<void> {
  const base = '/v3/report/reconreport';
  const { availableApReportDates } = (await call('GET', `${base}/availableReconFiles?reportVersion=v1`)) as {
    availableApReportDates: readonly string[];
  };
  const file = `${base}/reconFileJson?reportDate=${availableApReportDates[0]}`;
  const page = (await call('GET', `${file}&offset=0&noOfRecords=20`)) as { nextOffset: number };
  await call('GET', `${file}&offset=${page.nextOffset}&noOfRecords=1000`);
  if (!(page.nextOffset > 0)) throw new Error('no rows');
}

async function callWebhooks(call: ReturnType<typeof callerOf>): Promise<void> {
  const authDetails = { authMethod: 'HMAC', authHeaderName: 'x-signature', clientSecret: 'ours' };
  const event = {
    eventType: 'PO_CREATED',
    eventVersion: 'V1',
    resourceName: 'ORDER',
    status: 'ACTIVE',
    authDetails,
    eventUrl: 'http://127.0.0.1:9/events',
  };
  await call('POST', '/v3/webhooks/subscriptions', { events: [event] });
  await call('POST', '/v3/webhooks/subscriptions', {
    events: [{ ...event, eventUrl: 'https://shop.example/events' }],
  });
  await call('GET', '/v3/webhooks/subscriptions');
  await call('DELETE', '/v3/webhooks/subscriptions/subscription-1');
}

async function callPrices(sandbox: Sandbox): Promise<void> {
  const call = await signInToWalmart(sandbox);
  for (const sku of ['PW-001-1', 'unknown']) {
    const currentPrice = { currency: 'USD', amount: 14.75 };
    await call('PUT', '/v3/price', { sku, pricing: [{ currentPriceType: 'BASE', currentPrice }] });
  }
  const header = { businessUnit: 'WALMART_US', version: '2.0.20240126-12_25_52-api', locale: 'en' };
  const items = ['PW-003-1', 'PW-003-2', 'PW-003-1', 'unknown'].map((sku) => ({
    'Promo&Discount': { sku, price: 19.99 },
  }));
  const feed = { MPItemFeedHeader: header, MPItem: items };
  const { feedId } = (await call('POST', '/v3/feeds?feedType=PRICE_AND_PROMOTION', feed)) as {
    feedId: string;
  };
  const path = `/v3/feeds/${encodeURIComponent(feedId)}`;
  await call('GET', `${path}?includeDetails=true&offset=0&limit=50`);
  pass(sandbox, 15 * MINUTE);
  const later = await signInToWalmart(sandbox);
  await later('GET', `${path}?includeDetails=true&offset=0&limit=50`);
  await later('GET', '/v3/feeds?limit=10');
  const live = sandbox.world.market('walmart').item('PW-003-2')?.price;
  if (live !== 1_999) throw new Error(`the feed's price is not live: ${live}`);
}

async function callReports(sandbox: Sandbox): Promise<void> {
  const call = await signInToWalmart(sandbox);
  const base = '/v3/reports';
  const path = `${base}/reportRequests?reportType=BUYBOX&reportVersion=v1`;
  const { requestId } = (await call('POST', path, {})) as { requestId: string };
  await call('GET', `${base}/reportRequests/${requestId}`);
  pass(sandbox, 30 * MINUTE);
  const again = await signInToWalmart(sandbox);
  const ready = (await again('GET', `${base}/reportRequests/${requestId}`)) as { requestStatus: string };
  const download = (await again('GET', `${base}/downloadReport?requestId=${requestId}`)) as {
    downloadURL: string;
  };
  const files = unzipSync(new Uint8Array(await (await fetch(download.downloadURL)).arrayBuffer()));
  const csv = strFromU8(Object.values(files)[0] ?? new Uint8Array());
  if (ready.requestStatus !== 'READY' || !csv.includes('PW-001-1'))
    throw new Error('no report of the buy box');
}

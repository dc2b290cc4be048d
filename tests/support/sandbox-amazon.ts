import { gunzipSync } from 'node:zlib';
import type { Sandbox } from '#sandbox/server.ts';
import { callerOf, pass, withoutMoneyRight } from './sandbox-shop.ts';

const MINUTE = 60_000;
const US = 'ATVPDKIKX0DER';

const REPORTS = [
  'GET_MERCHANT_LISTINGS_ALL_DATA',
  'GET_SALES_AND_TRAFFIC_REPORT',
  'GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA',
];

type Answer = Readonly<Record<string, unknown>>;

/** Calls with a new token of the seller. */
export async function signInToAmazon({ addresses, credentials }: Sandbox): Promise<Call> {
  const { refreshToken = '', lwaClientId = '', lwaClientSecret = '' } = credentials.amazon;
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: lwaClientId,
    client_secret: lwaClientSecret,
  });
  const { access_token } = (await callerOf(addresses.amazon)('POST', '/auth/o2/token', form)) as Answer;
  return callerOf(addresses.amazon, { 'x-amz-access-token': String(access_token) });
}

/** Makes every call that the Amazon of the sandbox knows. */
export async function callAmazon(sandbox: Sandbox): Promise<void> {
  const address = sandbox.addresses.amazon;
  const { amazon } = sandbox.credentials;
  const call = await signInToAmazon(sandbox);
  await callListings(call, `/listings/2021-08-01/items/${amazon.sellerId}`);
  await callPricing(call, sandbox);
  await callReports(call, sandbox);
  await callFeeds(call, sandbox);
  const since = new Date(sandbox.world.now() - 20 * 86_400_000).toISOString();
  const parts =
    'marketplaceIds=ATVPDKIKX0DER&includedData=PROCEEDS,FULFILLMENT,CANCELLATION&maxResultsPerPage=50';
  const { orders } = (await call(
    'GET',
    `/orders/2026-01-01/orders?createdAfter=${since}&${parts}`,
  )) as Answer;
  await call('GET', `/orders/2026-01-01/orders?lastUpdatedAfter=${since}&${parts}&paginationToken=50`);
  const [first] = orders as unknown as readonly { orderId: string }[];
  await call('GET', `/orders/2026-01-01/orders/${first?.orderId}?includedData=PROCEEDS`);
  await call('GET', '/sellers/v1/marketplaceParticipations');
  await callerOf(address)('GET', '/sellers/v1/marketplaceParticipations');
  await callNotifications(call, sandbox);
}

type Call = ReturnType<typeof callerOf>;

async function callNotifications(call: Call, { addresses, credentials }: Sandbox): Promise<void> {
  const { lwaClientId, lwaClientSecret, sqsQueueArn } = credentials.amazon;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    scope: 'sellingpartnerapi::notifications',
    client_id: lwaClientId ?? '',
    client_secret: lwaClientSecret ?? '',
  });
  const { access_token } = (await callerOf(addresses.amazon)('POST', '/auth/o2/token', form)) as Answer;
  const grantless = callerOf(addresses.amazon, { 'x-amz-access-token': String(access_token) });
  const base = '/notifications/v1';
  const resourceSpecification = { sqs: { arn: sqsQueueArn } };
  await grantless('POST', `${base}/destinations`, { name: 'offers', resourceSpecification });
  const { payload } = (await grantless('GET', `${base}/destinations`)) as {
    payload: readonly { destinationId: string }[];
  };
  const eventFilter = {
    eventFilterType: 'ANY_OFFER_CHANGED',
    marketplaceIds: [US],
    aggregationSettings: { aggregationTimePeriod: 'FiveMinutes' },
  };
  await call('GET', `${base}/subscriptions/ANY_OFFER_CHANGED`);
  await call('POST', `${base}/subscriptions/ANY_OFFER_CHANGED`, {
    payloadVersion: '1.0',
    destinationId: payload[0]?.destinationId,
    processingDirective: { eventFilter },
  });
  await call('GET', `${base}/subscriptions/ANY_OFFER_CHANGED?payloadVersion=1.0`);
}

async function callListings(call: Call, base: string): Promise<void> {
  const parts = 'includedData=summaries,attributes,issues,offers,fulfillmentAvailability,productTypes';
  const page = (await call('GET', `${base}?marketplaceIds=${US}&${parts}&pageSize=5`)) as {
    pagination: { nextToken: string };
  };
  await call('GET', `${base}?marketplaceIds=${US}&pageSize=20&pageToken=${page.pagination.nextToken}`);
  await call('GET', `${base}?marketplaceIds=${US}&identifiers=PW-001-1&identifiersType=SKU`);
  await call('GET', `${base}/PW-001-1?marketplaceIds=${US}&${parts}`);
  await call('GET', `${base}/unknown?marketplaceIds=${US}`);
  for (const mode of ['', '&mode=VALIDATION_PREVIEW']) {
    for (const price of [17.49, 'N/A']) {
      await call('PATCH', `${base}/PW-001-1?marketplaceIds=${US}${mode}`, patchOf(price));
    }
  }
}

function patchOf(price: unknown) {
  const value = [
    { marketplace_id: US, currency: 'USD', our_price: [{ schedule: [{ value_with_tax: price }] }] },
  ];
  return { productType: 'PRODUCT', patches: [{ op: 'merge', path: '/attributes/purchasable_offer', value }] };
}

async function callPricing(call: Call, { world }: Sandbox): Promise<void> {
  const items = world.market('amazon').items().slice(0, 10);
  const offers = (kind: string, names: readonly string[]) => ({
    requests: [...names, 'unknown'].map((name) => ({
      uri: `/products/pricing/v0/${kind}/${encodeURIComponent(name)}/offers`,
      method: 'GET',
      MarketplaceId: US,
      ItemCondition: 'New',
    })),
  });
  const pricing = '/batches/products/pricing';
  await call(
    'POST',
    `${pricing}/v0/listingOffers`,
    offers(
      'listings',
      items.map(({ sku }) => sku),
    ),
  );
  await call(
    'POST',
    `${pricing}/v0/itemOffers`,
    offers(
      'items',
      items.map(({ itemId }) => itemId),
    ),
  );
  await call('POST', `${pricing}/2022-05-01/items/competitiveSummary`, {
    requests: [...items.map(({ itemId }) => itemId), 'B000000000'].map((asin) => ({
      asin,
      marketplaceId: US,
      method: 'GET',
      includedData: ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers'],
      lowestPricedOffersInputs: [{ itemCondition: 'New', offerType: 'Consumer' }],
      uri: '/products/pricing/2022-05-01/items/competitiveSummary',
    })),
  });
  await call('POST', `${pricing}/2022-05-01/offer/featuredOfferExpectedPrice`, {
    requests: [...items.map(({ sku }) => sku), 'unknown'].map((sku) => ({
      marketplaceId: US,
      sku,
      method: 'GET',
      uri: '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice',
    })),
  });
  const money = { CurrencyCode: 'USD', Amount: 19.99 };
  const fees = ['PW-001-1', 'unknown'].map((IdValue) => ({
    IdType: 'SellerSKU',
    IdValue,
    FeesEstimateRequest: {
      MarketplaceId: US,
      IsAmazonFulfilled: true,
      Identifier: IdValue,
      PriceToEstimateFees: { ListingPrice: money, Shipping: { CurrencyCode: 'USD', Amount: 0 } },
    },
  }));
  await call('POST', '/products/fees/v0/feesEstimate', fees);
  const asins = items.map(({ itemId }) => itemId).join(',');
  const included = 'includedData=summaries,images,salesRanks,productTypes';
  const query = `identifiers=${asins}&identifiersType=ASIN&marketplaceIds=${US}&${included}`;
  await call('GET', `/catalog/2022-04-01/items?${query}`);
}

async function callReports(call: Call, sandbox: Sandbox): Promise<void> {
  const base = '/reports/2021-06-30';
  for (const reportType of REPORTS) {
    const requested = { reportType, marketplaceIds: [US], reportOptions: { asinGranularity: 'SKU' } };
    const { reportId } = (await call('POST', `${base}/reports`, requested)) as Answer;
    await call('GET', `${base}/reports/${reportId}`);
    pass(sandbox, 5 * MINUTE);
    const report = (await call('GET', `${base}/reports/${reportId}`)) as Answer;
    const document = (await call('GET', `${base}/documents/${report.reportDocumentId}`)) as Answer;
    const answer = await fetch(String(document.url));
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = document.compressionAlgorithm === 'GZIP' ? gunzipSync(bytes).toString() : bytes.toString();
    if (!text.includes('PW-0')) throw new Error(`${reportType} does not name a listing`);
  }
  await call('GET', `${base}/reports/unknown`);
  await call('GET', `${base}/reports?reportTypes=GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2`);
  const since = new Date(sandbox.world.now() - 10 * 86_400_000).toISOString();
  const path = '/finances/2024-06-19/transactions';
  const page = (await call('GET', `${path}?postedAfter=${since}`)) as { payload: { nextToken: string } };
  await call('GET', `${path}?postedAfter=${since}&nextToken=${page.payload.nextToken}`);
  await call('GET', path);
  await withoutMoneyRight(sandbox, 'amazon', () => call('GET', `${path}?postedAfter=${since}`));
}

async function callFeeds(call: Call, sandbox: Sandbox): Promise<void> {
  const base = '/feeds/2021-06-30';
  const contentType = 'application/json; charset=UTF-8';
  const { feedDocumentId, url } = (await call('POST', `${base}/documents`, { contentType })) as Answer;
  const messages = ['PW-002', 'unknown'].map((sku, at) => ({
    messageId: at + 1,
    sku,
    operationType: 'PATCH',
    ...patchOf(21.5),
  }));
  const feed = { header: { sellerId: sandbox.credentials.amazon.sellerId, version: '2.0' }, messages };
  await fetch(String(url), {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: JSON.stringify(feed),
  });
  const requested = {
    feedType: 'JSON_LISTINGS_FEED',
    marketplaceIds: [US],
    inputFeedDocumentId: feedDocumentId,
  };
  const { feedId } = (await call('POST', `${base}/feeds`, requested)) as Answer;
  await call('GET', `${base}/feeds/${feedId}`);
  pass(sandbox, 5 * MINUTE);
  const done = (await call('GET', `${base}/feeds/${feedId}`)) as Answer;
  await call('GET', `${base}/documents/${done.resultFeedDocumentId}`);
}

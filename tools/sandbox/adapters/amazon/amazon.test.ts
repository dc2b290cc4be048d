import { afterEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { callerOf, openSandboxShop, pass } from '#tests/support/sandbox-shop.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const US = 'ATVPDKIKX0DER';
const ITEMS = '/listings/2021-08-01/items/A1SANDBOXSELLER';

interface Page {
  readonly items: readonly { readonly sku: string }[];
  readonly pagination: { readonly nextToken?: string };
}

interface Estimated {
  readonly FeesEstimate: {
    readonly FeeDetailList: readonly {
      readonly FeeAmount: { readonly Amount: number };
      readonly FinalFee: { readonly Amount: number };
    }[];
  };
}

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function tokenFor(change: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const { amazon } = sandbox.credentials;
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: amazon.refreshToken ?? '',
    client_id: amazon.lwaClientId ?? '',
    client_secret: amazon.lwaClientSecret ?? '',
    ...change,
  });
  return (await callerOf(sandbox.addresses.amazon)('POST', '/auth/o2/token', form)) as Record<string, string>;
}

async function signIn(change: Readonly<Record<string, string>> = {}): Promise<ReturnType<typeof callerOf>> {
  const { access_token = '' } = await tokenFor(change);
  return callerOf(sandbox.addresses.amazon, { 'x-amz-access-token': access_token });
}

function patchOf(price: number, op: string, bounds: Readonly<Record<string, number>> = {}) {
  const priced = (amount: number) => [{ schedule: [{ value_with_tax: amount }] }];
  const limits = Object.entries(bounds).map(([name, amount]) => [name, priced(amount)]);
  const value = [{ marketplace_id: US, our_price: priced(price), ...Object.fromEntries(limits) }];
  return { productType: 'PRODUCT', patches: [{ op, path: '/attributes/purchasable_offer', value }] };
}

describe('authentication', () => {
  test('rejects wrong credentials in the error format of Login with Amazon', async () => {
    sandbox = await openSandboxShop();
    expect(await tokenFor({ client_secret: 'wrong' })).toMatchObject({ error: 'invalid_client' });
    expect(await tokenFor({ refresh_token: 'wrong' })).toMatchObject({ error: 'invalid_grant' });
    expect(await tokenFor({ grant_type: 'password' })).toMatchObject({ error: 'unsupported_grant_type' });
  });

  test('a notifications token does not read listings, and a seller token does not read those of another seller', async () => {
    sandbox = await openSandboxShop();
    const scope = 'sellingpartnerapi::notifications';
    const grantless = await signIn({ grant_type: 'client_credentials', scope });
    expect(await grantless('GET', `${ITEMS}?marketplaceIds=${US}`)).toMatchObject({
      errors: [{ code: 'Unauthorized' }],
    });
    const call = await signIn();
    const other = await call('GET', `/listings/2021-08-01/items/AOTHER?marketplaceIds=${US}`);
    expect(other).toMatchObject({ errors: [{ code: 'Unauthorized' }] });
    expect(await call('GET', ITEMS)).toMatchObject({ errors: [{ code: 'InvalidInput' }] });
  });
});

describe('listings', () => {
  test('are paginated without duplicates, up to 1,000 of them', async () => {
    const plan: Omit<ItemPlan, 'sku'> = {
      marketplace: 'amazon',
      title: 'Mug',
      price: cents(999),
      fulfillmentType: 'FBM',
      competitors: [],
      viewsPerDay: 0,
    };
    const items = Array.from({ length: 1_015 }, (_, at) => ({ ...plan, sku: `S-${at}` }));
    const world = createWorld({ seed: 'many', startsAt: instant(0), items, stock: [] });
    sandbox = await startSandbox({ world, port: 0 });
    const call = await signIn();
    const skus: string[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query: string = token === '' ? '' : `&pageToken=${token}`;
      const page = (await call('GET', `${ITEMS}?marketplaceIds=${US}&pageSize=20${query}`)) as Page;
      skus.push(...page.items.map(({ sku }) => sku));
      token = page.pagination.nextToken;
    }
    expect([skus.length, new Set(skus).size]).toEqual([1_000, 1_000]);
    for (const query of ['pageSize=21', 'pageToken=made-up', 'pageSize=0']) {
      const refused = await call('GET', `${ITEMS}?marketplaceIds=${US}&${query}`);
      expect(refused).toMatchObject({ errors: [{ code: 'InvalidInput' }] });
    }
  });

  test('"merge" keeps and enforces the price limits of the offer, "replace" removes them', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    const path = `${ITEMS}/PW-001-1?marketplaceIds=${US}`;
    const limits = { minimum_seller_allowed_price: 9, maximum_seller_allowed_price: 30 };
    expect(await call('PATCH', path, patchOf(12, 'merge', limits))).toMatchObject({ status: 'ACCEPTED' });
    expect(await call('PATCH', path, patchOf(8, 'merge'))).toMatchObject({
      status: 'INVALID',
      issues: [{ message: expect.stringContaining('below the minimum') }],
    });
    expect(await call('PATCH', path, patchOf(31, 'merge'))).toMatchObject({ status: 'INVALID' });
    expect(await call('PATCH', path, patchOf(8, 'replace'))).toMatchObject({ status: 'ACCEPTED' });
    const item = await call('GET', `${path}&includedData=attributes`);
    expect(JSON.stringify(item)).not.toContain('allowed_price');
    expect(sandbox.world.receivedPrices().map(({ outcome }) => outcome)).toEqual([
      ...['replaced', 'refused', 'refused', 'pending'],
    ]);
  });
});

describe('fee estimates', () => {
  test('report each true fee before its promotion, and a promotion that may never come', async () => {
    const startsAt = instant(Date.parse('2026-03-02T08:00:00Z'));
    const items = Array.from(
      { length: 60 },
      (_, at): ItemPlan => ({
        marketplace: 'amazon',
        sku: `S-${at}`,
        title: 'Mug',
        price: cents(2_000),
        fulfillmentType: 'FBA/WFS',
      }),
    );
    const world = createWorld({ seed: 'fees', startsAt, items, stock: [] });
    sandbox = await startSandbox({ world, port: 0, services: ['amazon'] });
    const call = await signIn();
    const shown = new Set<string>();
    for (const start of [0, 20, 40]) {
      const requested = items.slice(start, start + 20).map(({ sku }) => ({
        IdType: 'SellerSKU',
        IdValue: sku,
        FeesEstimateRequest: {
          MarketplaceId: US,
          IsAmazonFulfilled: true,
          Identifier: sku,
          PriceToEstimateFees: { ListingPrice: { CurrencyCode: 'USD', Amount: 24.99 } },
        },
      }));
      const answers = (await call(
        'POST',
        '/products/fees/v0/feesEstimate',
        requested,
      )) as readonly Estimated[];
      for (const [at, { FeesEstimate }] of answers.entries()) {
        const { fees } = world.market('amazon');
        const item = world.market('amazon').item(`S-${start + at}`);
        if (item === null) throw new Error('no such item');
        const no = cents(0);
        const basis = { unitPrice: cents(2_499), shipping: no, quantity: 1, tax: no, at: world.now() };
        const { commission, closing, fulfillment } = fees.feesFor(item, basis);
        const reported = FeesEstimate.FeeDetailList.map(({ FeeAmount }) =>
          Math.round(FeeAmount.Amount * 100),
        );
        expect(reported).toEqual([commission, closing, 0, fulfillment]);
        const promotion = fees.promotionOf(item.sku, world.now());
        const [referral] = FeesEstimate.FeeDetailList;
        const isFree = referral?.FinalFee.Amount === 0;
        expect(isFree).toBe(promotion?.isFalse === true);
        shown.add(promotion === null ? 'none' : isFree ? 'false' : 'true');
      }
    }
    expect(shown).toEqual(new Set(['none', 'true', 'false']));
  });
});

describe('batches', () => {
  test('one element can fail alone, and more than 20 elements are rejected', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    const requested = (sku: string) => ({
      uri: `/products/pricing/v0/listings/${sku}/offers`,
      method: 'GET',
      MarketplaceId: US,
      ItemCondition: 'New',
    });
    const path = '/batches/products/pricing/v0/listingOffers';
    const answer = await call('POST', path, { requests: [requested('PW-001-1'), requested('NO-SUCH-SKU')] });
    expect(answer).toMatchObject({
      responses: [{ status: { statusCode: 200 } }, { status: { statusCode: 400 } }],
    });
    const many = Array.from({ length: 21 }, () => requested('PW-001-1'));
    expect(await call('POST', path, { requests: many })).toMatchObject({
      errors: [{ code: 'InvalidInput' }],
    });
  });

  test('the featured offer is one of the listed offers, and ours is marked', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    const requests = sandbox.world
      .market('amazon')
      .items()
      .map(({ sku }) => ({
        uri: `/products/pricing/v0/listings/${sku}/offers`,
        method: 'GET',
        MarketplaceId: US,
        ItemCondition: 'New',
      }));
    const { responses } = (await call('POST', '/batches/products/pricing/v0/listingOffers', {
      requests,
    })) as {
      responses: { body: { payload: { Offers: { IsBuyBoxWinner: boolean; MyOffer: boolean }[] } } }[];
    };
    expect(responses).toHaveLength(requests.length);
    for (const { body } of responses.filter((one) => one.body.payload.Offers.length > 0)) {
      expect(body.payload.Offers.filter(({ IsBuyBoxWinner }) => IsBuyBoxWinner)).toHaveLength(1);
      expect(body.payload.Offers.filter(({ MyOffer }) => MyOffer).length).toBeLessThanOrEqual(1);
    }
  });
});

describe('feeds', () => {
  test('apply valid messages and report the others; a newer single price wins over a feed', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    const base = '/feeds/2021-06-30';
    const contentType = 'application/json; charset=UTF-8';
    const document = (await call('POST', `${base}/documents`, { contentType })) as Record<string, string>;
    const put = (type: string, body: string) =>
      fetch(document.url ?? '', { method: 'PUT', headers: { 'content-type': type }, body });
    expect((await put('text/plain', 'x')).status).toBe(403);
    const messages = ['PW-001-1', 'PW-003-1', 'NO-SUCH-SKU'].map((sku, at) => ({
      messageId: at + 1,
      sku,
      operationType: 'PATCH',
      ...patchOf(25, 'merge'),
    }));
    const header = { sellerId: 'A1SANDBOXSELLER', version: '2.0' };
    await put(contentType, JSON.stringify({ header, messages }));
    const requested = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [US] };
    const { feedId } = (await call('POST', `${base}/feeds`, {
      ...requested,
      inputFeedDocumentId: document.feedDocumentId,
    })) as { feedId: string };
    await call('PATCH', `${ITEMS}/PW-003-1?marketplaceIds=${US}`, patchOf(26, 'merge'));
    expect(await call('GET', `${base}/feeds/${feedId}`)).toMatchObject({ processingStatus: 'IN_QUEUE' });
    pass(sandbox, 20 * MINUTE);
    const done = (await call('GET', `${base}/feeds/${feedId}`)) as Record<string, string>;
    const result = (await call('GET', `${base}/documents/${done.resultFeedDocumentId}`)) as { url: string };
    expect(await (await fetch(result.url)).json()).toMatchObject({
      issues: [{ messageId: 3, sku: 'NO-SUCH-SKU', severity: 'ERROR' }],
      summary: { messagesProcessed: 3, messagesAccepted: 2, messagesInvalid: 1 },
    });
    const prices = ['PW-001-1', 'PW-003-1'].map((sku) => sandbox.world.market('amazon').item(sku)?.price);
    expect(prices).toEqual([2_500, 2_600]);
  });
});

describe('orders', () => {
  test('return the requested parts, and appear after two minutes', async () => {
    sandbox = await openSandboxShop();
    const orders = () => sandbox.world.market('amazon').orders();
    while (!orders().some(({ updatedAt }) => updatedAt > sandbox.world.now() - MINUTE)) pass(sandbox, MINUTE);
    const call = await signIn();
    const path = '/orders/2026-01-01/orders';
    const since = new Date(sandbox.world.now() - 20 * DAY).toISOString();
    const bare = JSON.stringify(await call('GET', `${path}?createdAfter=${since}`));
    expect(bare).not.toMatch(/proceeds|fulfillmentStatus/);
    const both = await call('GET', `${path}?createdAfter=${since}&lastUpdatedAfter=${since}`);
    expect(both).toMatchObject({ errors: [{ code: 'InvalidInput' }] });
    const all = new Set<string>();
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query: string = token === '' ? '' : `&paginationToken=${token}`;
      const page = (await call('GET', `${path}?lastUpdatedAfter=${since}&maxResultsPerPage=30${query}`)) as {
        orders: { orderId: string }[];
        pagination?: { nextToken: string };
      };
      for (const { orderId } of page.orders) all.add(orderId);
      token = page.pagination?.nextToken;
    }
    const latest = sandbox.world.now() - 2 * MINUTE;
    const known = orders().filter(({ updatedAt }) => updatedAt <= latest);
    expect(all.size).toBe(known.length);
    expect(all.size).toBeLessThan(orders().length);
  });
});

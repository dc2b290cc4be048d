import { afterEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { callerOf, openSandboxShop, pass } from '#tests/support/sandbox-shop.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const COMMON = {
  accept: 'application/json',
  'wm_qos.correlation_id': 'c-1',
  'wm_svc.name': 'Walmart Marketplace',
};
const HEADER = { businessUnit: 'WALMART_US', version: '2.0.20240126-12_25_52-api', locale: 'en' };

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function tokenFor(
  secret?: string,
  headers: Readonly<Record<string, string>> = COMMON,
): Promise<unknown> {
  const { clientId, clientSecret } = sandbox.credentials.walmart;
  const basic = Buffer.from(`${clientId}:${secret ?? clientSecret}`).toString('base64');
  const call = callerOf(sandbox.addresses.walmart, { ...headers, authorization: `Basic ${basic}` });
  return call('POST', '/v3/token', new URLSearchParams({ grant_type: 'client_credentials' }));
}

async function headersOf(): Promise<Record<string, string>> {
  const { access_token } = (await tokenFor()) as { access_token: string };
  return { ...COMMON, 'wm_sec.access_token': access_token };
}

async function signIn(): Promise<ReturnType<typeof callerOf>> {
  return callerOf(sandbox.addresses.walmart, await headersOf());
}

function priceOf(sku: string, amount: unknown) {
  return { sku, pricing: [{ currentPriceType: 'BASE', currentPrice: { currency: 'USD', amount } }] };
}

function feedOf(prices: readonly (readonly [sku: string, price: number])[]) {
  return {
    MPItemFeedHeader: HEADER,
    MPItem: prices.map(([sku, price]) => ({ 'Promo&Discount': { sku, price } })),
  };
}

describe('authentication', () => {
  test('rejects a wrong secret, a missing header and an expired token', async () => {
    sandbox = await openSandboxShop();
    expect(await tokenFor('wrong')).toMatchObject({ error: [{ code: 'UNAUTHORIZED.GMP_GATEWAY_API' }] });
    const { 'wm_svc.name': _, ...fewer } = COMMON;
    expect(await tokenFor(undefined, fewer)).toMatchObject({ error: [{ field: 'WM_SVC.NAME' }] });
    const call = await signIn();
    expect(await call('GET', '/v3/items?limit=1')).toMatchObject({ ItemResponse: [{ sku: 'PW-001-1' }] });
    pass(sandbox, 15 * MINUTE);
    expect(await call('GET', '/v3/items?limit=1')).toMatchObject({
      error: [{ code: 'UNAUTHORIZED.GMP_GATEWAY_API' }],
    });
  });

  test('a client that does not accept JSON receives XML', async () => {
    sandbox = await openSandboxShop();
    const { accept: _, ...headers } = await headersOf();
    const answer = await fetch(`${sandbox.addresses.walmart}/v3/items?limit=1`, { headers });
    expect(answer.headers.get('content-type')).toContain('application/xml');
    expect(await answer.text()).toMatch(/^<\?xml .*<sku>PW-001-1<\/sku>/);
  });
});

describe('items', () => {
  test('are paginated under one cursor without duplicates, and the last page has no cursor', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    const skus: string[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | undefined = '*'; cursor !== undefined; ) {
      cursors.add(cursor);
      const page = (await call('GET', `/v3/items?limit=6&nextCursor=${encodeURIComponent(cursor)}`)) as {
        ItemResponse: { sku: string }[];
        nextCursor?: string;
      };
      skus.push(...page.ItemResponse.map(({ sku }) => sku));
      cursor = page.nextCursor;
    }
    expect(skus).toEqual(
      sandbox.world
        .market('walmart')
        .items()
        .map(({ sku }) => sku),
    );
    expect(cursors.size).toBe(2);
    expect(await call('GET', '/v3/items?nextCursor=made-up')).toHaveProperty('errors');
  });

  test('insights match the buy box of the world', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    const { pricingInsightsResponseList: rows } = (await call('POST', '/v3/price/getPricingInsights', {
      pageNumber: 0,
    })) as { pricingInsightsResponseList: { sku: string; buyBoxTotalPrice: number; currentPrice: number }[] };
    const items = sandbox.world.market('walmart').items();
    expect(rows.map(({ sku }) => sku)).toEqual(items.map(({ sku }) => sku));
    for (const [at, item] of items.entries()) {
      expect(rows[at]?.currentPrice).toBe(item.price / 100);
      if (item.competitors.length === 0)
        expect(rows[at]?.buyBoxTotalPrice).toBe((item.price + item.shippingCharge) / 100);
    }
  });
});

describe('prices', () => {
  test('a single price is accepted and live in minutes; an invalid price and an unknown SKU are rejected', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    expect(await call('PUT', '/v3/price', priceOf('PW-003-1', 21.5))).toMatchObject({ sku: 'PW-003-1' });
    for (const [sku, amount] of [
      ['PW-003-1', 0],
      ['PW-003-1', -5],
      ['PW-003-1', '21.5'],
      ['NO-SUCH-SKU', 9],
    ] as const) {
      expect(await call('PUT', '/v3/price', priceOf(sku, amount))).toHaveProperty('errors');
    }
    expect(await call('PUT', '/v3/price?promo=true', priceOf('PW-003-1', 9))).toHaveProperty('errors');
    pass(sandbox, 5 * MINUTE);
    expect(sandbox.world.market('walmart').item('PW-003-1')?.price).toBe(2_150);
  });

  test('a feed reports its failures, and a newer single price wins over it', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    const prices = [
      ['PW-001-1', 11],
      ['PW-001-2', 12],
      ['PW-001-1', 13],
      ['NO-SUCH-SKU', 14],
    ] as const;
    const { feedId } = (await call('POST', '/v3/feeds?feedType=PRICE_AND_PROMOTION', feedOf(prices))) as {
      feedId: string;
    };
    await call('PUT', '/v3/price', priceOf('PW-001-2', 15));
    const status = async (from: Awaited<ReturnType<typeof signIn>>) =>
      from('GET', `/v3/feeds/${encodeURIComponent(feedId)}?includeDetails=true`);
    expect(await status(call)).toMatchObject({ feedStatus: 'RECEIVED', itemsProcessing: 4 });
    pass(sandbox, 6 * MINUTE);
    expect(await status(call)).toMatchObject({ feedStatus: 'INPROGRESS' });
    pass(sandbox, 30 * MINUTE);
    expect(await status(await signIn())).toMatchObject({
      feedStatus: 'PROCESSED',
      itemsSucceeded: 2,
      itemsFailed: 2,
      itemDetails: {
        itemIngestionStatus: [
          { sku: 'PW-001-1', ingestionStatus: 'SUCCESS' },
          { sku: 'PW-001-2', ingestionStatus: 'SUCCESS' },
          { sku: 'PW-001-1', ingestionStatus: 'DATA_ERROR' },
          { sku: 'NO-SUCH-SKU', ingestionStatus: 'DATA_ERROR' },
        ],
      },
    });
    const live = ['PW-001-1', 'PW-001-2'].map((sku) => sandbox.world.market('walmart').item(sku)?.price);
    expect(live).toEqual([1_100, 1_500]);
  });

  test('ten feeds an hour are allowed, and the error says when the next one is', async () => {
    const startsAt = instant(Date.parse('2026-03-02T08:00:00Z'));
    const world = createWorld(sampleWorld('feeds', startsAt));
    sandbox = await startSandbox({ world, port: 0, keepsLimits: true });
    const headers = { ...(await headersOf()), 'content-type': 'application/json' };
    const body = JSON.stringify(feedOf([['PW-001-1', 11]]));
    const url = `${sandbox.addresses.walmart}/v3/feeds?feedType=PRICE_AND_PROMOTION`;
    const statuses: number[] = [];
    for (let at = 0; at < 11; at++) {
      const answer = await fetch(url, { method: 'POST', headers, body });
      statuses.push(answer.status);
      if (answer.status === 429) {
        expect(answer.headers.get('x-current-token-count')).toBe('0');
        expect(Number(answer.headers.get('x-next-replenishment-time'))).toBeGreaterThan(world.now());
        expect(await answer.json()).toMatchObject({
          error: [{ code: 'REQUEST_THRESHOLD_VIOLATED.GMP_GATEWAY_API' }],
        });
      }
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});

describe('reports and orders', () => {
  test('a report is ready after its delay, and its address is valid for ten minutes', async () => {
    sandbox = await openSandboxShop();
    const call = await signIn();
    const path = '/v3/reports/reportRequests';
    const { requestId } = (await call('POST', `${path}?reportType=BUYBOX&reportVersion=v1`, {})) as {
      requestId: string;
    };
    expect(await call('GET', `/v3/reports/downloadReport?requestId=${requestId}`)).toHaveProperty('errors');
    pass(sandbox, 25 * MINUTE);
    const later = await signIn();
    expect(await later('GET', `${path}/${requestId}`)).toMatchObject({ requestStatus: 'READY' });
    const { downloadURL } = (await later('GET', `/v3/reports/downloadReport?requestId=${requestId}`)) as {
      downloadURL: string;
    };
    expect((await fetch(downloadURL)).headers.get('content-type')).toBe('application/zip');
    pass(sandbox, 11 * MINUTE);
    expect((await fetch(downloadURL)).status).toBe(403);
  });

  test('orders are returned by ship node type, with cursors that are whole queries', async () => {
    sandbox = await openSandboxShop({});
    const call = await signIn();
    const found: string[] = [];
    const since = new Date(sandbox.world.now() - 20 * DAY).toISOString();
    for (const node of ['SellerFulfilled', 'WFSFulfilled', '3PLFulfilled']) {
      let query: string | undefined = `?limit=25&createdStartDate=${since}&shipNodeType=${node}`;
      while (query !== undefined) {
        const { list } = (await call('GET', `/v3/orders${query}`)) as {
          list: { meta: { nextCursor?: string }; elements: { order: { purchaseOrderId: string }[] } };
        };
        found.push(...list.elements.order.map(({ purchaseOrderId }) => purchaseOrderId));
        query = list.meta.nextCursor;
      }
    }
    const known = sandbox.world.market('walmart').orders().length;
    expect([found.length, new Set(found).size]).toEqual([known, known]);
  });
});

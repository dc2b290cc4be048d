import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import type { QuirkPlan } from '#sandbox/world/quirks.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { signInToAmazon } from '#tests/support/sandbox-amazon.ts';
import { signInToEbay } from '#tests/support/sandbox-ebay.ts';
import { callerOf, pass } from '#tests/support/sandbox-shop.ts';
import { signInToWalmart } from '#tests/support/sandbox-walmart.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ITEMS = '/listings/2021-08-01/items/A1SANDBOXSELLER';
const US = 'ATVPDKIKX0DER';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** A store of one marketplace with listings at 20.00, 21.00 and so on. */
async function open(
  marketplace: Marketplace,
  quirks: QuirkPlan,
  plans: readonly Partial<ItemPlan>[] = [{}],
  options: { readonly keepsLimits?: boolean } = {},
): Promise<void> {
  const items = plans.map((plan, at) => ({
    marketplace,
    sku: `S-${at + 1}`,
    title: `Mug ${at + 1}`,
    fulfillmentType: 'FBM' as const,
    price: cents(2_000 + 100 * at),
    shippingCharge: cents(0),
    handlingDays: 0,
    competitors: [],
    viewsPerDay: 0,
    ...plan,
  }));
  const world = createWorld({
    seed: 'quirks',
    startsAt: START,
    items,
    stock: [{ sku: 'S-1', name: 'Mug', cost: cents(400), weightOunces: 8 }],
    quirks: { [marketplace]: quirks },
  });
  sandbox = await startSandbox({ world, port: 0, services: [marketplace, 'veeqo'], ...options });
}

type Call = ReturnType<typeof callerOf>;

function walmart(): Promise<Call> {
  return signInToWalmart(sandbox);
}

function amazon(): Promise<Call> {
  return signInToAmazon(sandbox);
}

function ebay(): Promise<Call> {
  return signInToEbay(sandbox);
}

function walmartPrice(sku: string, amount: number) {
  return { sku, pricing: [{ currentPriceType: 'BASE', currentPrice: { currency: 'USD', amount } }] };
}

describe('totals and pages', () => {
  const plans = Array.from({ length: 5 }, () => ({}));
  const page = async (call: Call, cursor: string) =>
    (await call('GET', `/v3/items?limit=2&nextCursor=${encodeURIComponent(cursor)}`)) as {
      readonly ItemResponse: readonly { readonly sku: string }[];
      readonly totalItems: number;
      readonly nextCursor: string;
    };
  const skusOf = ({ ItemResponse }: Awaited<ReturnType<typeof page>>) => ItemResponse.map(({ sku }) => sku);

  test('a total that is one too high and changes, a page that comes twice, one that is lost', async () => {
    await open('walmart', { totals: { off: 1, changes: true, repeatsPage: 1 } }, plans);
    const call = await walmart();
    const first = await page(call, '*');
    const second = await page(call, first.nextCursor);
    expect([first.totalItems, second.totalItems]).toEqual([6, 7]);
    expect([skusOf(first), skusOf(second)]).toEqual([
      ['S-1', 'S-2'],
      ['S-1', 'S-2'],
    ]);
    sandbox.world.market('walmart').setQuirks({ totals: { losesPage: 1 } });
    const lost = await page(call, '*');
    expect([skusOf(lost), lost.totalItems]).toEqual([[], 5]);
  });

  test('a cursor that is over after two minutes', async () => {
    await open('walmart', { totals: { cursorSeconds: 120 } }, plans);
    const call = await walmart();
    const { nextCursor } = await page(call, '*');
    pass(sandbox, 2 * MINUTE);
    expect(skusOf(await page(call, nextCursor))).toEqual(['S-3', 'S-4']);
    pass(sandbox, 1);
    expect(await page(call, nextCursor)).toMatchObject({ errors: [{ field: 'nextCursor' }] });
  });

  test('an empty list as a 404, an empty search as a 400', async () => {
    const emptyStatus = { getAllItems: 404, getPricingInsights: 404, getCatalogSearch: 400 } as const;
    await open('walmart', { emptyStatus }, []);
    const call = await walmart();
    expect(await call('GET', '/v3/items')).toMatchObject({ errors: [{ code: /^CONTENT_NOT_FOUND/ }] });
    expect(await call('POST', '/v3/items/catalog/search', {})).toMatchObject({
      errors: [{ description: 'No data found.' }],
    });
    sandbox.world.market('walmart').setQuirks({ emptyStatus: {} });
    expect(await call('GET', '/v3/items')).toMatchObject({ ItemResponse: [], totalItems: 0 });
  });
});

describe('odd values', () => {
  const textOf = async (path: string, headers: Record<string, string>) =>
    (await fetch(path, { headers })).text();

  test('are written literally, for one SKU and one call', async () => {
    await open('michaels', {}, [{}, {}]);
    const headers = { 'api-key': sandbox.credentials.michaels.apiKey ?? '' };
    const path = `${sandbox.addresses.michaels}/api/mkp/v1/listing/all-listings`;
    const plan = { service: 'michaels', operation: 'listAllListings', member: 'price', sku: 'S-1' } as const;
    for (const becomes of ['19.990000000000002', '25.123', '1e2', '"15.0"', 'null', '""', '0.00', '-1']) {
      sandbox.oddValues.clear();
      sandbox.oddValues.add({ ...plan, becomes });
      expect(await textOf(path, headers)).toContain(`"itemName":"Mug 1","price":${becomes},`);
    }
    expect(await textOf(path, headers)).toContain('"price":21,');
    sandbox.oddValues.clear();
    sandbox.oddValues.add(plan);
    expect(await textOf(path, headers)).toContain('"itemName":"Mug 1","status"');
    expect(() => sandbox.oddValues.add({ ...plan, becomes: 'USD 5' })).toThrow('must be JSON');
  });

  test('concern a share of the rows, the same ones every time; nested members too, costs too', async () => {
    await open(
      'walmart',
      {},
      Array.from({ length: 40 }, () => ({})),
    );
    const call = await walmart();
    sandbox.oddValues.add({ service: 'walmart', member: 'price.currency', becomes: '"CAD"', share: 0.3 });
    const oddOnes = async () => {
      const { ItemResponse } = (await call('GET', '/v3/items?limit=40')) as {
        ItemResponse: readonly { readonly sku: string; readonly price: { readonly currency: string } }[];
      };
      return ItemResponse.filter(({ price }) => price.currency === 'CAD').map(({ sku }) => sku);
    };
    const found = await oddOnes();
    expect(found.length).toBeGreaterThan(5);
    expect(found.length).toBeLessThan(20);
    expect(await oddOnes()).toEqual(found);
    sandbox.oddValues.add({ service: 'veeqo', member: 'cost_price', becomes: '-1' });
    const veeqo = callerOf(sandbox.addresses.veeqo, { 'x-api-key': sandbox.credentials.veeqo.apiKey ?? '' });
    expect(await veeqo('GET', '/products')).toMatchObject([{ sellables: [{ cost_price: -1 }] }]);
  });
});

describe('refusals that pass', () => {
  test('any status and body, for one SKU, for a while, after having acted', async () => {
    await open('walmart', {}, [{}, {}]);
    const call = await walmart();
    const body = { errors: [{ code: 'LOCKED', description: 'The item is locked.' }] };
    const plan = { service: 'walmart', operation: 'updatePrice', kind: 'refused', sku: 'S-1' } as const;
    sandbox.faults.add({
      ...plan,
      status: 423,
      body,
      headers: { 'retry-after': '60' },
      seconds: 60,
      acts: true,
    });
    expect(await call('PUT', '/v3/price', walmartPrice('S-1', 19))).toEqual(body);
    expect(await call('PUT', '/v3/price', walmartPrice('S-2', 19))).toMatchObject({ sku: 'S-2' });
    expect(await call('PUT', '/v3/price', walmartPrice('S-1', 18))).toEqual(body);
    pass(sandbox, MINUTE);
    expect(await call('PUT', '/v3/price', walmartPrice('S-1', 17))).toMatchObject({ sku: 'S-1' });
    expect(sandbox.world.receivedPrices().map(({ price }) => price)).toEqual([1_900, 1_900, 1_800, 1_700]);
    expect(sandbox.faults.list()).toEqual([]);
  });

  test('items that are too new', async () => {
    await open('walmart', { tooNewHours: 24 });
    const first = await walmart();
    expect(await first('PUT', '/v3/price', walmartPrice('S-1', 19))).toMatchObject({
      errors: [{ description: expect.stringContaining('not set up') }],
    });
    pass(sandbox, 24 * HOUR);
    const call = await walmart();
    expect(await call('PUT', '/v3/price', walmartPrice('S-1', 19))).toMatchObject({ sku: 'S-1' });
  });

  test("eBay's revisions come back at midnight in Los Angeles, its calls too", async () => {
    await open('ebay', { revisions: { refusesCall: true } }, [{ keys: { offerId: '501' } }], {
      keepsLimits: true,
    });
    const market = sandbox.world.market('ebay');
    market.revisions.use(market.items()[0]?.itemId ?? '', 250);
    const send = async () => {
      const offers = [{ offerId: '501', price: { value: '19.00', currency: 'USD' } }];
      const call = await ebay();
      return call('POST', '/sell/inventory/v1/bulk_update_price_quantity', { requests: [{ offers }] });
    };
    const words = expect.stringContaining('number of revisions');
    const refused = {
      errors: [{ errorId: 25_002, message: words, parameters: [{ name: 'sku', value: 'S-1' }] }],
    };
    expect(await send()).toMatchObject(refused);
    pass(sandbox, 24 * HOUR - 1);
    expect(await send()).toMatchObject(refused);
    sandbox.countElsewhere('ebay', 'search', 5_000);
    const limits = async () => {
      const call = await ebay();
      return call('GET', '/developer/analytics/v1_beta/rate_limit/');
    };
    const rates = (remaining: number) => ({
      rateLimits: [
        { resources: [{ rates: [{ remaining, reset: '2026-03-03T08:00:00.000Z' }] }] },
        {},
        {},
        {},
      ],
    });
    expect(await limits()).toMatchObject(rates(0));
    const call = await ebay();
    expect(await call('GET', '/buy/browse/v1/item_summary/search?gtin=1')).toMatchObject({
      errors: [{ errorId: 2_001 }],
    });
    pass(sandbox, 1);
    expect(await send()).toMatchObject({ responses: [{ statusCode: 200 }] });
    const next = await ebay();
    expect(await next('GET', '/buy/browse/v1/item_summary/search?gtin=1')).toMatchObject({ total: 0 });
  });

  test("Etsy's day slides", async () => {
    await open('etsy', {}, [{}], { keepsLimits: true });
    const { keystring, sharedSecret } = sandbox.credentials.etsy;
    const ask = () =>
      fetch(`${sandbox.addresses.etsy}/v3/application/shops?shop_name=x`, {
        headers: { 'x-api-key': `${keystring}:${sharedSecret}` },
      });
    sandbox.countElsewhere('etsy', '', 9_000);
    pass(sandbox, 6 * HOUR);
    sandbox.countElsewhere('etsy', '', 1_000);
    const refused = await ask();
    expect([
      refused.status,
      refused.headers.get('retry-after'),
      refused.headers.get('x-remaining-today'),
    ]).toEqual([429, String(18 * 3_600), '0']);
    // Midnight forgives nothing: the first calls are over a day after they were made.
    pass(sandbox, 18 * HOUR - 1);
    expect((await ask()).status).toBe(429);
    pass(sandbox, 1);
    const answered = await ask();
    expect([answered.status, answered.headers.get('x-remaining-today')]).toEqual([200, '8999']);
  });
});

describe("Amazon's offers", () => {
  const path = `${ITEMS}/S-1?marketplaceIds=${US}`;
  const priced = (value: number | string) => [{ schedule: [{ value_with_tax: value }] }];
  const entryOf = (price: number | string) => ({
    marketplace_id: US,
    audience: 'ALL',
    currency: 'USD',
    our_price: priced(price),
  });
  const patchOf = (op: string, ...value: object[]) => ({
    productType: 'PRODUCT',
    patches: [{ op, path: '/attributes/purchasable_offer', value }],
  });
  const terms = {
    sale: { price: cents(1_500), from: instant(START + HOUR), to: instant(START + 9 * HOUR) },
    bounds: { min: cents(1_400), max: cents(2_600) },
    mapPrice: cents(1_450),
    business: { price: cents(1_900), levels: [{ from: 5, price: cents(1_800) }] },
  };
  const read = async (call: Call) =>
    (await call('GET', `${path}&includedData=attributes,offers`)) as {
      attributes: { purchasable_offer: Record<string, unknown>[] };
      offers: { offerType: string; price: { amount: string } }[];
    };

  test('a merge keeps what it does not name, a replace erases it', async () => {
    await open('amazon', {}, [{ terms }]);
    const call = await amazon();
    const before = (await read(call)).attributes.purchasable_offer;
    expect(before).toMatchObject([
      {
        audience: 'ALL',
        discounted_price: [{ schedule: [{ value_with_tax: 15, start_at: '2026-03-02T09:00:00Z' }] }],
      },
      { audience: 'B2B', our_price: priced(19) },
    ]);
    expect(await call('PATCH', path, patchOf('merge', entryOf(18.5)))).toMatchObject({ status: 'ACCEPTED' });
    pass(sandbox, 8 * MINUTE);
    const [all, business] = (await read(call)).attributes.purchasable_offer;
    expect([all, business]).toEqual([{ ...before[0], our_price: priced(18.5) }, before[1]]);
    expect(await call('PATCH', path, patchOf('replace', entryOf(18)))).toMatchObject({ status: 'ACCEPTED' });
    pass(sandbox, 8 * MINUTE);
    expect((await read(call)).attributes.purchasable_offer).toEqual([entryOf(18)]);
    expect(sandbox.world.market('amazon').item('S-1')?.terms.bounds).toEqual({ min: null, max: null });
  });

  test('null removes a member, unknown members stay, the price cannot be null', async () => {
    await open('amazon', {}, [{ terms }]);
    const call = await amazon();
    const { our_price: _, ...selectors } = entryOf(1);
    await call(
      'PATCH',
      path,
      patchOf('merge', { ...selectors, start_at: [{ value: 'x' }], discounted_price: null }),
    );
    const [all] = (await read(call)).attributes.purchasable_offer;
    expect(all).toMatchObject({ start_at: [{ value: 'x' }], our_price: priced(20) });
    expect(all).not.toHaveProperty('discounted_price');
    expect(await call('PATCH', path, patchOf('merge', { ...selectors, our_price: null }))).toMatchObject({
      status: 'INVALID',
    });
    expect(sandbox.world.receivedPrices()).toMatchObject([{ outcome: 'refused' }]);
  });

  test("the seller's own limits refuse, and a consumer price below the business price hides that", async () => {
    await open('amazon', {}, [{ terms }]);
    const call = await amazon();
    for (const price of [13.99, 26.01]) {
      expect(await call('PATCH', path, patchOf('merge', entryOf(price)))).toMatchObject({
        status: 'INVALID',
      });
    }
    expect((await read(call)).offers.map(({ offerType }) => offerType)).toEqual(['B2C', 'B2B']);
    await call('PATCH', path, patchOf('merge', entryOf(18.99)));
    pass(sandbox, 8 * MINUTE);
    expect((await read(call)).offers).toMatchObject([{ offerType: 'B2C', price: { amount: '18.99' } }]);
    pass(sandbox, HOUR);
    expect((await read(await amazon())).offers).toMatchObject([{ price: { amount: '15.00' } }]);
  });

  test('accounts where a merge erases, is refused, or a price has to be a text', async () => {
    await open('amazon', { offerChanges: { mergeErases: ['discounted_price'] } }, [{ terms }]);
    const call = await amazon();
    const preview = `${path}&mode=VALIDATION_PREVIEW`;
    expect(await call('PATCH', preview, patchOf('merge', entryOf(19)))).toMatchObject({ status: 'VALID' });
    await call('PATCH', path, patchOf('merge', entryOf(19)));
    expect(sandbox.world.market('amazon').item('S-1')?.terms).toMatchObject({ sale: null, mapPrice: 1_450 });
    sandbox.world.market('amazon').setQuirks({ offerChanges: { refusesMerge: true } });
    expect(await call('PATCH', preview, patchOf('merge', entryOf(19)))).toMatchObject({ status: 'INVALID' });
    sandbox.world.market('amazon').setQuirks({ offerChanges: { wantsText: true } });
    expect(await call('PATCH', preview, patchOf('merge', entryOf(19)))).toMatchObject({ status: 'INVALID' });
    expect(await call('PATCH', preview, patchOf('merge', entryOf('19.00')))).toMatchObject({
      status: 'VALID',
    });
  });
});

describe('what is reported about competitors', () => {
  const competitors = Array.from({ length: 8 }, (_, at) => ({
    name: `Shop ${at + 1}`,
    habit: 'stubborn' as const,
    price: cents(1_800 + 50 * at),
    shippingCharge: cents(0),
    fulfillmentType: 'FBM' as const,
  }));
  const FOEP = '/batches/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice';
  const requested = {
    requests: [{ marketplaceId: US, sku: 'S-1', method: 'GET', uri: FOEP.replace('/batches', '') }],
  };

  test('the price with which we would be featured, which then is', async () => {
    await open('amazon', {}, [{ competitors: competitors.slice(0, 1) }]);
    const call = await amazon();
    const answer = (await call('POST', FOEP, requested)) as {
      responses: {
        body: {
          featuredOfferExpectedPriceResults: {
            resultStatus: string;
            featuredOfferExpectedPrice: { listingPrice: { amount: number } };
          }[];
        };
      }[];
    };
    const [result] = answer.responses[0]?.body.featuredOfferExpectedPriceResults ?? [];
    expect(result).toMatchObject({
      resultStatus: 'VALID_FOEP',
      competingFeaturedOffer: {},
      currentFeaturedOffer: {},
    });
    const amount = Math.round((result?.featuredOfferExpectedPrice.listingPrice.amount ?? 0) * 100);
    const isFeatured = async (price: number) => {
      sandbox.world.market('amazon').edit('S-1', { price: cents(price) });
      const uri = '/products/pricing/v0/listings/S-1/offers';
      const requests = [{ uri, method: 'GET', MarketplaceId: US, ItemCondition: 'New' }];
      const { responses } = (await call('POST', '/batches/products/pricing/v0/listingOffers', {
        requests,
      })) as {
        responses: { body: { payload: { Offers: { MyOffer: boolean; IsBuyBoxWinner: boolean }[] } } }[];
      };
      return responses[0]?.body.payload.Offers.find(({ MyOffer }) => MyOffer)?.IsBuyBoxWinner;
    };
    expect([await isFeatured(amount), await isFeatured(amount + 1)]).toEqual([true, false]);
  });

  test('its other statuses, elements of a batch that fail, and offers that are counted but not listed', async () => {
    await open('amazon', {}, [{}]);
    const call = await amazon();
    const status = async () => {
      const { responses } = (await call('POST', FOEP, requested)) as {
        responses: {
          status: object;
          body: { featuredOfferExpectedPriceResults?: { resultStatus: string }[] };
        }[];
      };
      return responses[0]?.body.featuredOfferExpectedPriceResults?.[0]?.resultStatus;
    };
    const market = sandbox.world.market('amazon');
    expect(await status()).toBe('NO_COMPETING_OFFER');
    market.setQuirks({ told: { featuredPrice: { 'S-1': 'ASIN_NOT_ELIGIBLE' } } });
    expect(await status()).toBe('ASIN_NOT_ELIGIBLE');
    market.setQuirks({ told: {} });
    market.edit('S-1', { quantity: 0 });
    expect(await status()).toBe('OFFER_NOT_ELIGIBLE');
    market.edit('S-1', { quantity: 5 });
    market.setQuirks({ told: { uncounted: 3 } });
    const uri = '/products/pricing/v0/listings/S-1/offers';
    const offers = () =>
      call('POST', '/batches/products/pricing/v0/listingOffers', {
        requests: [{ uri, method: 'GET', MarketplaceId: US, ItemCondition: 'New' }],
      });
    expect(await offers()).toMatchObject({
      responses: [{ body: { payload: { Summary: { TotalOfferCount: 4 }, Offers: [{ MyOffer: true }] } } }],
    });
    market.setQuirks({ told: { batchFails: 1 } });
    expect(await offers()).toMatchObject({ responses: [{ status: { statusCode: 500 } }] });
  });

  test("Walmart's events list five of nine, and others if planned", async () => {
    await open('walmart', {}, [{ competitors }]);
    const bodies: string[] = [];
    const signatures: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => {
        body += part.toString();
      });
      request.on('end', () => {
        bodies.push(body);
        signatures.push(String(request.headers['x-signature']));
        response.end();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const eventUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    const authDetails = { authMethod: 'HMAC', authHeaderName: 'x-signature', clientSecret: 'ours' };
    const event = {
      eventType: 'BUY_BOX_CHANGED',
      eventVersion: 'V1',
      resourceName: 'PRICE',
      status: 'ACTIVE',
      authDetails,
      eventUrl,
    };
    const call = await walmart();
    await call('POST', '/v3/webhooks/subscriptions', { events: [event] });
    const market = sandbox.world.market('walmart');
    market.edit('S-1', { price: cents(1_700) });
    await expect.poll(() => bodies.length).toBe(1);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      payload: {
        itemInfo: { sku: 'S-1', totalNumberOfOffers: 9, itemCondition: 'New' },
        offer: {
          currentOffer: { sellerOfferPrice: 17 },
          winningOffer: { sellerName: 'Sandbox Shop', sellerOfferPrice: 17 },
          offers: [17, 18, 18.5, 19, 19.5].map((sellerOfferPrice) => ({ sellerOfferPrice })),
        },
      },
    });
    expect(signatures[0]).toBe(
      createHmac('sha256', 'ours')
        .update(bodies[0] ?? '')
        .digest('base64'),
    );
    market.setQuirks({ told: { twice: 1, unnamedBox: true, usedOffers: 2 } });
    market.edit('S-1', { price: cents(1_600) });
    await expect.poll(() => bodies.length).toBe(3);
    expect(bodies[1]).toBe(bodies[2]);
    const { offer } = (JSON.parse(bodies[1] ?? '') as { payload: { offer: Record<string, unknown> } })
      .payload;
    expect(offer.winningOffer).not.toHaveProperty('sellerName');
    expect(offer.offers).toMatchObject([
      { itemCondition: 'Used', sellerOfferPrice: 9.6 },
      { itemCondition: 'Used' },
      { itemCondition: 'New' },
      {},
      {},
    ]);
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
});

test('Walmart shows its repricer and its promotions, Shopify a struck-through price, eBay what buyers may offer', async () => {
  const repricer = { min: cents(1_500), max: cents(2_500) };
  const sale = { price: cents(1_800), from: instant(START + HOUR), to: instant(START + 2 * HOUR) };
  await open('walmart', {}, [{ terms: { repricer, sale } }]);
  const call = await walmart();
  expect(await call('POST', '/v3/price/getPricingInsights', { pageNumber: 0 })).toMatchObject({
    pricingInsightsResponseList: [{ repricerStatus: 'ACTIVE', repricerMinPrice: 15, repricerMaxPrice: 25 }],
  });
  expect(await call('GET', '/v3/promo/sku/S-1')).toMatchObject({
    payload: { pricingList: { pricing: [{ effectiveDate: sale.from, expirationDate: sale.to }] } },
  });
});

test('quirks, odd values and the truth by the control API', async () => {
  await open('walmart', {}, [{}]);
  const control = callerOf(sandbox.url);
  const lag = { list: [600, 600], box: [60, 1_800] };
  expect(await control('POST', '/_sandbox/quirks', { marketplace: 'walmart', lag })).toEqual({
    marketplace: 'walmart',
    lag,
  });
  expect(
    await control('POST', '/_sandbox/quirks', { marketplace: 'walmart', lag: { list: [9, 1] } }),
  ).toMatchObject({ message: expect.stringContaining('shortest delay') });
  const edit = { marketplace: 'walmart', sku: 'S-1', price: 1_900, terms: { mapPrice: 1_500 } };
  expect(await control('POST', '/_sandbox/edit', edit)).toMatchObject({ terms: { mapPrice: 1_500 } });
  const call = await walmart();
  expect(await call('GET', '/v3/items')).toMatchObject({ ItemResponse: [{ price: { amount: 20 } }] });
  expect(await call('GET', '/v3/items/S-1?productIdType=SKU')).toMatchObject({
    responseRecord: { price: { amount: 19 } },
  });
  const truth = (await control('GET', '/_sandbox/truth')) as { marketplace: string; listings: object[] }[];
  expect(truth.find(({ marketplace }) => marketplace === 'walmart')?.listings).toMatchObject([
    { sku: 'S-1', prices: [{ cause: 'start' }, { cause: 'seller', price: 1_900 }, { cause: 'terms' }] },
  ]);
});

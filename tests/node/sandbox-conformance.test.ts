import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { boxEvent } from '#sandbox/adapters/walmart/box-event.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { documentsFolder } from '#tests/contracts/document-files.ts';
import { readOfficialDocuments } from '#tests/contracts/official-documents.ts';
import { schemaChecks } from '#tests/contracts/schema-checks.ts';
import { signInToAmazon } from '#tests/support/sandbox-amazon.ts';
import { signInToEbay } from '#tests/support/sandbox-ebay.ts';
import { callerOf } from '#tests/support/sandbox-shop.ts';
import { signInToWalmart } from '#tests/support/sandbox-walmart.ts';

const FOLDER = documentsFolder();
const START = instant(Date.parse('2026-11-20T08:00:00Z'));
const US = 'ATVPDKIKX0DER';

type Json = Readonly<Record<string, unknown>>;

/** A pointer to an example in one of the vendors' documents. */
interface Pointer {
  readonly file: string;
  readonly operation: string;
  readonly side: 'request' | 'response';
  readonly status?: number;
  readonly pointer: string;
}

/** Example requests that the sandbox does not take, with the reason. */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  putListingsItem: 'a repricer never writes whole listings',
  cancelFeed: 'a repricer cancels no feed',
  getFeeds: 'feeds are asked for by their ID',
  createFeed: 'the example sends a type of feed that Amazon has removed',
  getCatalogItem: 'items are searched in batches',
  searchCatalogItems: 'items are searched by their IDs, never by words',
  patchListingsItem: 'the example has no body',
  getListingOffers: 'offers are read in batches',
  getSubscriptions: 'subscriptions are read by type',
  // Examples with IDs that only the vendor's own simulation knows.
  getFeed: 'the feed is made up',
  getFeedDocument: 'the document is made up',
  getReport: 'the report is made up',
  getReportDocument: 'the document is made up',
  getOrder: 'the order is made up',
};

/** SKUs and ASINs in the examples. */
const NAMED: readonly (readonly [sku: string, asin: string])[] = [
  ['GC-QTMS-SV2I', 'B000P6Q7MY'],
  ['VT-DEIT-57TQ', 'B001Q3KU9Q'],
  ['VALIDATION_VALID', 'B00ZIAODGE'],
];

function read(folder: string, file: string): Json {
  return JSON.parse(readFileSync(join(folder, 'conformance', file), 'utf8')) as Json;
}

function at(document: Json, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>(
    (node, part) => (node as Json)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}

describe.runIf(FOLDER !== null)('the conformance examples', () => {
  const folder = FOLDER ?? '';
  let sandbox: Sandbox;
  let call: ReturnType<typeof callerOf>;
  const sale = {
    price: cents(2_499),
    from: instant(Date.parse('2026-11-20T00:00:00Z')),
    to: instant(Date.parse('2026-11-30T23:59:59Z')),
  };
  const full: Partial<ItemPlan> = {
    price: cents(2_999),
    terms: {
      sale,
      bounds: { min: cents(2_200), max: cents(3_999) },
      mapPrice: cents(2_700),
      repricer: { min: null, max: null },
      business: {
        price: cents(2_800),
        levels: [
          { from: 5, price: cents(2_700) },
          { from: 20, price: cents(2_550) },
        ],
      },
    },
  };

  beforeAll(async () => {
    const plan = { title: 'Mug', fulfillmentType: 'FBM' as const, competitors: [], viewsPerDay: 0 };
    const ours = { marketplace: 'amazon' as const, ...plan, price: cents(2_000) };
    const shirt = { marketplace: 'etsy' as const, ...plan, itemId: '7001', price: cents(2_400) };
    const variation = (color: string) => ({
      values: { 514: color },
      pricedBy: [],
      quantityBy: [514],
      skuBy: [514],
    });
    const world = createWorld({
      seed: 'conformance',
      startsAt: START,
      stock: [],
      items: [
        ...NAMED.map(([sku, itemId]) => ({ ...ours, sku, itemId })),
        { ...ours, ...full, sku: 'FULL' },
        ...['W-1', 'W-2', 'W-3', 'W-4'].map((sku) => ({
          ...ours,
          marketplace: 'walmart' as const,
          sku,
          price: cents(1_999),
        })),
        {
          ...ours,
          marketplace: 'ebay' as const,
          sku: 'E-1',
          itemId: '110000000001',
          keys: { offerId: '501' },
        },
        { ...shirt, sku: 'TS-RED', quantity: 2, variation: variation('Red') },
        { ...shirt, sku: 'TS-BLUE', quantity: 7, variation: variation('Blue') },
      ],
    });
    sandbox = await startSandbox({ world, port: 0, services: ['amazon', 'etsy', 'ebay', 'walmart'] });
    call = await signInToAmazon(sandbox);
  });
  afterAll(() => sandbox.close());

  /** Makes the request of a vendor's example. @returns the status */
  async function send({ file, pointer }: Pointer): Promise<number> {
    const document = read(folder, file);
    const [, , path = '', method = ''] = pointer.split('/').map((part) => part.replaceAll('~1', '/'));
    const described = at(document, `/paths/${pointer.split('/')[2]}/${method}`) as {
      readonly parameters?: readonly {
        readonly name?: string;
        readonly in?: string;
        readonly $ref?: string;
      }[];
    };
    const sent = at(document, pointer) as Readonly<Record<string, { readonly value?: unknown }>>;
    const query = new URLSearchParams();
    let url = path.replace('{sellerId}', 'A1SANDBOXSELLER');
    let body: unknown;
    for (const [name, { value }] of Object.entries(sent)) {
      const place = described.parameters?.find((one) => one.name === name)?.in;
      if (name === 'body' || place === 'body') body = value;
      else if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(String(value)));
      else query.set(name, Array.isArray(value) ? value.join(',') : String(value));
    }
    const before = sandbox.exchanges.list().length;
    const suffix = query.size === 0 ? '' : `?${query}`;
    await call(method.toUpperCase(), `${url}${suffix}`, body);
    return sandbox.exchanges.list()[before]?.status ?? 0;
  }

  test("every example of a vendor's request that succeeds is taken", async () => {
    const index = read(folder, 'index.json') as unknown as readonly Pointer[];
    const requests = index.filter(({ side, file, operation, status = 0, pointer }) => {
      if (side !== 'request' || status >= 400 || !file.includes('amazon')) return false;
      const sent = Object.entries(at(read(folder, file), pointer) as Readonly<Record<string, Json>>);
      // Examples without values show nothing, and page tokens are made up.
      const isMeant = sent.every(([name, { value }]) => value !== undefined && name !== 'paginationToken');
      return isMeant && NOT_TAKEN[operation] === undefined;
    });
    expect(requests.length).toBe(10);
    const found: string[] = [];
    for (const one of requests) {
      const status = await send(one);
      if (status !== one.status) found.push(`${one.operation}: ${status} instead of ${one.status}`);
    }
    expect(found).toEqual([]);
  });

  test('the merge that clients send is taken, and the attribute reads as in the example', async () => {
    const path = `/listings/2021-08-01/items/A1SANDBOXSELLER/FULL?marketplaceIds=${US}`;
    const { purchasable_offer } = read(folder, 'derived/amazon-purchasable-offer-full.json');
    const attribute = async () => {
      const view = (await call('GET', `${path}&includedData=attributes`)) as {
        attributes: { purchasable_offer: unknown };
      };
      return view.attributes.purchasable_offer;
    };
    expect(await attribute()).toEqual(purchasable_offer);
    const { _comment, ...body } = read(folder, 'derived/amazon-merge.request.json');
    expect(await call('PATCH', path, body)).toMatchObject({ status: 'ACCEPTED' });
    expect(sandbox.world.receivedPrices().at(-1)).toMatchObject({
      sku: 'FULL',
      price: 2_599,
      outcome: 'pending',
    });
    expect(await attribute()).toEqual(purchasable_offer);
  });

  test("Walmart's odd answers are told member by member", async () => {
    const rowsOf = (file: string, member: string) => {
      const { expect: _, ...answer } = read(folder, file);
      return at(answer, member) as readonly (Json & { readonly sku: string })[];
    };
    const items = rowsOf('derived/walmart-items-odd.json', '/ItemResponse');
    const insights = rowsOf('derived/walmart-insights-odd.json', '/pricingInsightsResponseList');
    const plan = (
      operation: string,
      rows: readonly (Json & { readonly sku: string })[],
      members: readonly string[],
    ) => {
      for (const { sku, ...row } of rows) {
        for (const member of members) {
          const value = member
            .split('.')
            .reduce<unknown>((node, name) => (node as Json | undefined)?.[name], row);
          const becomes = value === undefined ? {} : { becomes: JSON.stringify(value) };
          sandbox.oddValues.add({ service: 'walmart', operation, sku, member, ...becomes });
        }
      }
    };
    plan('getAllItems', items, ['productName', 'price', 'publishedStatus', 'wpid']);
    plan('getPricingInsights', insights, [
      'currentPrice',
      'buyBoxBasePrice',
      'buyBoxTotalPrice',
      'repricerStatus',
    ]);
    sandbox.world.market('walmart').setQuirks({ totals: { off: 1 } });
    const walmart = await signInToWalmart(sandbox);
    const list = (await walmart('GET', '/v3/items')) as { readonly ItemResponse: readonly Json[] };
    expect(list).toMatchObject({ ItemResponse: items, totalItems: 5 });
    expect(list.ItemResponse[3]).not.toHaveProperty('price');
    const reported = (await walmart('POST', '/v3/price/getPricingInsights', { pageNumber: 0 })) as {
      readonly pricingInsightsResponseList: readonly Json[];
    };
    const members = ({ sku, currentPrice, buyBoxBasePrice, buyBoxTotalPrice, repricerStatus }: Json) => ({
      sku,
      currentPrice,
      buyBoxBasePrice,
      buyBoxTotalPrice,
      repricerStatus,
    });
    expect(reported.pricingInsightsResponseList.slice(0, 3).map(members)).toEqual(insights.map(members));
  });

  test("eBay's refusal of one revision too many reads as in the example", async () => {
    const { errors } = read(folder, 'derived/ebay-25002-revisions.json');
    const market = sandbox.world.market('ebay');
    market.setQuirks({ revisions: { refusesCall: true } });
    market.revisions.use('110000000001', 250);
    const ebay = await signInToEbay(sandbox);
    const offers = [{ offerId: '501', price: { value: '19.00', currency: 'USD' } }];
    const path = '/sell/inventory/v1/bulk_update_price_quantity';
    expect(await ebay('POST', path, { requests: [{ offers }] })).toEqual({ errors });
    expect(sandbox.exchanges.list().at(-1)?.status).toBe(400);
  });

  test("the content of Walmart's event fits its schema and has the members of the example", () => {
    const { source: _, payload } = read(folder, 'derived/walmart-buy-box-changed.json') as {
      readonly payload: {
        readonly offer: Readonly<Record<string, Json>> & { readonly offers: readonly Json[] };
      };
    } & Json;
    const item = sandbox.world.market('walmart').item('W-1');
    if (item === null) throw new Error('no listing');
    const { offer } = boxEvent(item, {});
    const { documents } = readOfficialDocuments(folder);
    const place = 'walmart/walmart-2026-derived.openapi.yaml#/components/schemas/BuyBoxChangedEvent';
    expect(schemaChecks(documents).json(place, { payload: { offer } })).toEqual([]);
    expect(Object.keys(offer).toSorted()).toEqual(Object.keys(payload.offer).toSorted());
    expect(Object.keys(offer.offers[0] ?? {})).toEqual(
      expect.arrayContaining(Object.keys(payload.offer.offers[0] ?? {})),
    );
  });

  test("Etsy's inventory with one price for several SKUs reads as in the example", async () => {
    const { products, price_on_property, quantity_on_property, sku_on_property } = read(
      folder,
      'derived/etsy-price-groups.json',
    ) as { products: readonly { sku: string; offerings: readonly object[] }[] } & Json;
    const { keystring, sharedSecret } = sandbox.credentials.etsy;
    const etsy = callerOf(sandbox.addresses.etsy, { 'x-api-key': `${keystring}:${sharedSecret}` });
    const path = '/v3/application/listings/7001?includes=Inventory';
    const { inventory } = (await etsy('GET', path)) as { inventory: Json };
    expect(inventory).toMatchObject({ price_on_property, quantity_on_property, sku_on_property });
    const shapes = (list: readonly { sku: string; offerings: readonly object[] }[]) =>
      list.map(({ sku, offerings, ...rest }) => [
        sku,
        Object.keys(rest).toSorted(),
        Object.keys(offerings[0] ?? {}).toSorted(),
      ]);
    const reported = inventory.products as readonly {
      sku: string;
      offerings: readonly { price: object }[];
    }[];
    expect(shapes(reported)).toEqual(shapes(products));
    expect(reported.map(({ offerings }) => offerings[0])).toMatchObject([
      { quantity: 2, price: { amount: 2_400 } },
      { quantity: 7, price: { amount: 2_400 } },
    ]);
  });
});

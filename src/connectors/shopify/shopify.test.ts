import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { endOf, entriesOf } from '#tests/support/all-of.ts';
import { CALL_ERRORS, NO_PRICES } from '#tests/support/call-errors.ts';
import { anAccount, collect, never } from '#tests/support/connector-fixture.ts';
import {
  aGraphqlError,
  aVariant,
  type FakeShopify,
  SHOP_KEY,
  startFakeShopify,
} from '#tests/support/fake-shopify.ts';
import { createShopify } from './shopify.ts';

let fake: FakeShopify;
beforeEach(async () => {
  fake = await startFakeShopify();
});
afterEach(() => fake.close());

const PAIR = { storeUrl: 'my-shop.myshopify.com', clientId: 'client-1', clientSecret: 'secret-1' };
const readAll = () => collect(entriesOf(fake.connect().readListings(anAccount(SHOP_KEY), never)));

describe('the key', () => {
  test('is the token that a user entered, and is sent with every call', async () => {
    await fake.connect().check(anAccount(SHOP_KEY), never);
    expect(fake.asked.map(({ headers }) => headers['x-shopify-access-token'])).toEqual([
      'shpat_key-1',
      'shpat_key-1',
    ]);
  });

  test('or is fetched with a client ID and secret, reused, and replaced before it expires', async () => {
    let bought = 0;
    fake.on('POST', /^\/admin\/oauth\/access_token$/, () => ({
      body: { access_token: `token-${++bought}`, scope: 'read_products', expires_in: 86_399 },
    }));
    const [of, shop] = [anAccount(PAIR), fake.connect()];
    await shop.check(of, never);
    expect(fake.asked[0]?.text).toBe(
      'grant_type=client_credentials&client_id=client-1&client_secret=secret-1',
    );
    expect(fake.asked[1]?.headers['x-shopify-access-token']).toBe('token-1');
    fake.faults.push({ status: 401, body: { errors: '[API] Invalid access token' } });
    await shop.check(of, never);
    fake.clock.time = instant(fake.clock.time + 80_000_000);
    await shop.check(of, never);
    expect(bought).toBe(3);
  });

  test.each([400, 401])('a pair that is refused with %i is reported', async (status) => {
    fake.on('POST', /access_token$/, () => ({ status, body: { error: 'invalid_client' } }));
    await expect(fake.connect().check(anAccount(PAIR), never)).rejects.toMatchObject({
      fault: 'key',
      status,
    });
  });

  test.each([
    [{ ...SHOP_KEY, storeUrl: '' }, /shop address of Shopify is missing/],
    [{ ...SHOP_KEY, storeUrl: 'my-shop.myshopify.com.evil.test' }, /has to be like/],
    [{ ...SHOP_KEY, storeUrl: 'https://evil.test/my-shop.myshopify.com' }, /has to be like/],
    [{ storeUrl: SHOP_KEY.storeUrl }, /access token of Shopify is missing/],
    [{ ...PAIR, clientSecret: '' }, /access token of Shopify is missing/],
    [{ ...SHOP_KEY, apiKey: 'two words' }, /characters that no token has/],
  ])('%j sends nothing', async (credentials, message) => {
    await expect(fake.connect().check(anAccount(credentials), never)).rejects.toMatchObject({
      fault: 'key',
      message: expect.stringMatching(message),
    });
    expect(fake.asked).toEqual([]);
  });

  test('is sent to the store itself, whatever the base address, unless that is this machine', async () => {
    const requested: string[] = [];
    const shop = createShopify({
      baseUrl: 'https://elsewhere.test',
      limits: { attempts: 1 },
      lookup: (name, _, callback) => {
        requested.push(name);
        callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '', 4);
      },
    });
    await expect(shop.check(anAccount(SHOP_KEY), never)).rejects.toMatchObject({ fault: 'network' });
    expect(new Set(requested)).toEqual(new Set(['my-shop.myshopify.com']));
  });

  test('is in no error message', async () => {
    for (const problem of [{ status: 401, body: { errors: SHOP_KEY.apiKey } }, { body: SHOP_KEY.apiKey }]) {
      fake.faults.push(problem);
      const error = await fake
        .connect()
        .check(anAccount({ ...SHOP_KEY, apiKey: 'shpat_canary' }), never)
        .catch((caught: unknown) => caught);
      expect(JSON.stringify([String(error), error])).not.toContain('shpat_canary');
    }
  });
});

describe('check', () => {
  test('names the store', async () => {
    const report = await fake.connect().check(anAccount(SHOP_KEY), never);
    expect(report).toEqual({ shopName: 'My shop', notes: [], endsAt: null });
  });

  test('names a missing permission, another currency and an unexpected API version', async () => {
    fake.currency = 'CAD';
    fake.answer('currentAppInstallation', () => ({
      currentAppInstallation: { accessScopes: [{ handle: 'read_products' }, { handle: 'read_inventory' }] },
    }));
    fake.faults.push({
      body: { data: { shop: { name: 'My shop', currencyCode: 'CAD' } } },
      headers: { 'x-shopify-api-version': '2027-01' },
    });
    const { notes } = await fake.connect().check(anAccount(SHOP_KEY), never);
    expect(notes).toEqual([
      'The key may not change prices: give the app the right write_products.',
      'The key may not read orders: give the app the right read_orders.',
      'The key may not read payouts: give the app the right read_shopify_payments_payouts.',
      'The shop sells in CAD. Only listings in US dollars are repriced.',
      'Shopify responds with API version 2027-01 instead of 2026-10. Update Pricewright.',
    ]);
  });

  test('works when the permissions are not reported', async () => {
    fake.answer('currentAppInstallation', () => null);
    expect((await fake.connect().check(anAccount(SHOP_KEY), never)).notes).toEqual([]);
  });
});

describe('price lists', () => {
  const readEnd = () => endOf(fake.connect().readListings(anAccount(SHOP_KEY), never));

  test('with fixed prices are named with their share of the variants', async () => {
    fake.variants.push(aVariant(1), aVariant(2), aVariant(3));
    const lists = Array.from({ length: 51 }, (_, at) => ({ name: `List ${at}`, fixedPricesCount: 0 }));
    // The last one is on the second page.
    fake.priceLists.push(...lists, { name: 'Wholesale', fixedPricesCount: 2 });
    expect(await readEnd()).toMatchObject({
      unavailable: [],
      fixedPriceLists: [{ name: 'Wholesale', fixed: 2, of: 3 }],
    });
  });

  test('that cannot be read are noted, and all listings are taken', async () => {
    fake.variants.push(aVariant(1));
    fake.answer('priceLists(', () => null);
    expect(await readAll()).toHaveLength(1);
    expect((await readEnd()).unavailable).toMatchObject([{ what: 'the price lists' }]);
  });
});

describe('the catalog', () => {
  const total = async () => (await endOf(fake.connect().readListings(anAccount(SHOP_KEY), never))).total;
  const counts = (...reported: { count: number; precision: string }[]) => {
    const shop = { name: 'My shop', currencyCode: 'USD' };
    fake.answer('productVariantsCount', () => ({
      shop,
      productVariantsCount: reported.length > 1 ? reported.shift() : reported[0],
    }));
  };

  test("is held against Shopify's number of variants, where that is exact", async () => {
    fake.variants.push(aVariant(1), aVariant(2, { sku: null }), aVariant(3, { price: 'N/A' }));
    expect(await total()).toEqual({ told: 3, came: 3 });
    counts({ count: 4, precision: 'EXACT' });
    expect(await total()).toEqual({ told: 4, came: 3 });
    counts({ count: 4, precision: 'AT_LEAST' });
    expect(await total()).toBeNull();
    // A variant was removed while the others were read.
    counts({ count: 4, precision: 'EXACT' }, { count: 3, precision: 'EXACT' });
    expect(await total()).toEqual({ told: 3, came: 3 });
  });

  test('is every variant, with the IDs that calls need', async () => {
    fake.variants.push(aVariant(1));
    const id = 'gid://shopify/ProductVariant/1';
    expect(await readAll()).toEqual([
      {
        kind: 'listing',
        sku: 'SKU-1',
        itemId: id,
        title: 'Mug - Blue',
        imageUrl: 'https://img.test/mug.jpg',
        price: 1250,
        fulfillmentType: 'FBM',
        quantity: 4,
        isActive: true,
        notRepriceableReason: null,
        priceLimits: null,
        keys: { product: 'gid://shopify/Product/1', variant: id },
      },
    ]);
  });

  test.each([
    ['the only variant of its product', { title: 'Default Title' }, {}, { title: 'Mug' }],
    [
      'a picture of its own',
      { media: { nodes: [{ preview: { image: { url: 'https://img.test/blue.jpg' } } }] } },
      {},
      { imageUrl: 'https://img.test/blue.jpg' },
    ],
    ['no picture', {}, { featuredMedia: null }, { imageUrl: null }],
    ['a draft', {}, { status: 'DRAFT' }, { isActive: false }],
    ['oversold', { inventoryQuantity: -3 }, {}, { quantity: 0 }],
    ['not counted', { inventoryItem: { tracked: false } }, {}, { quantity: null }],
    ['a price of nothing', { price: '0.00' }, {}, { price: null }],
  ])('with %s', async (_, given, product, expected) => {
    fake.variants.push(aVariant(1, given, product));
    expect(await readAll()).toEqual([expect.objectContaining(expected)]);
  });

  test.each([
    [{ sku: null }, {}, { what: 'Mug - Blue', why: 'no_sku' }],
    [{}, { isGiftCard: true }, { what: 'SKU-1', why: 'not_ours_to_price' }],
  ])('%j is passed over and named', async (given, product, expected) => {
    fake.variants.push(aVariant(1, given, product));
    expect(await readAll()).toEqual([{ kind: 'passed_over', ...expected }]);
  });

  test('in another currency is skipped', async () => {
    fake.currency = 'EUR';
    fake.variants.push(aVariant(1));
    expect(await readAll()).toEqual([{ kind: 'passed_over', what: 'SKU-1', why: 'other_currency' }]);
  });

  test('is read to the last page; two variants with one SKU are kept apart', async () => {
    for (let number = 1; number <= 230; number++) fake.variants.push(aVariant(number));
    fake.variants.push(aVariant(231, { sku: 'SKU-7' }), aVariant(7));
    const all = await readAll();
    expect(all).toHaveLength(231);
    expect(all.at(-1)).toEqual({ kind: 'passed_over', what: 'SKU-7', why: 'repeated' });
  });

  test('a page that is too expensive is requested with fewer rows', async () => {
    for (let number = 1; number <= 60; number++) fake.variants.push(aVariant(number));
    fake.on('POST', /graphql/, ({ json }) => {
      const { variables, query } = json as {
        query: string;
        variables: { first: number; after: string | null };
      };
      if (query.includes('Count')) return { body: { data: { shop: { currencyCode: 'USD' } } } };
      if (variables.first > 25) return aGraphqlError('MAX_COST_EXCEEDED');
      const from = Number(variables.after ?? 0);
      const nodes = fake.variants.slice(from, from + variables.first);
      const pageInfo = {
        hasNextPage: from + variables.first < 60,
        endCursor: String(from + variables.first),
      };
      return { body: { data: { productVariants: { pageInfo, nodes } } } };
    });
    expect(await readAll()).toHaveLength(60);
  });

  test('a repeated cursor fails the sync', async () => {
    fake.variants.push(aVariant(1));
    const pageInfo = { hasNextPage: true, endCursor: 'same' };
    fake.answer('productVariants(', () => ({ productVariants: { pageInfo, nodes: [aVariant(1)] } }));
    await expect(readAll()).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    fake.variants.push(aVariant(1));
    fake.faults.push(fault());
    const result = readAll();
    if (reading === 'passes') expect(await result).toHaveLength(1);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });

  test.each(NO_PRICES)('a price of %j is passed over', async (price) => {
    fake.variants.push(aVariant(1), aVariant(2, { price }));
    const [, odd] = await readAll();
    expect(odd).toMatchObject({ why: 'unreadable', member: 'price' });
  });

  test.each([
    ['ACCESS_DENIED', 'permission'],
    ['INTERNAL_SERVER_ERROR', 'service'],
    ['SOMETHING', 'refused'],
  ])('an error %s inside a 200 is a %s fault', async (code, fault) => {
    fake.faults.push(aGraphqlError(code));
    await expect(readAll()).rejects.toMatchObject({ fault, code });
  });
});

describe('a large catalog', () => {
  const started = { id: 'gid://shopify/BulkOperation/1', status: 'CREATED', errorCode: null, url: null };

  function serve(lines: string, ends: object = { status: 'COMPLETED', url: `${fake.url}/bulk.jsonl` }): void {
    fake.answer('productVariantsCount', () => ({
      shop: { currencyCode: 'USD' },
      productVariantsCount: { count: 10_001 },
    }));
    const looks = [{ status: 'RUNNING' }, ends];
    fake.answer('bulkOperation(', () => ({ bulkOperation: { ...started, ...(looks.shift() ?? ends) } }));
    fake.answer('bulkOperationRunQuery', () => ({
      bulkOperationRunQuery: { bulkOperation: started, userErrors: [] },
    }));
    fake.on('GET', /^\/bulk\.jsonl$/, () => (response) => void response.end(lines));
  }

  test('is streamed line by line from the document that Shopify writes', async () => {
    const lines = [aVariant(1), aVariant(2)].map(({ media, ...line }) => JSON.stringify(line));
    serve(`${lines.join('\n')}\n`);
    expect(await readAll()).toMatchObject([{ sku: 'SKU-1' }, { sku: 'SKU-2' }]);
    expect(fake.clock.waits).toEqual([10_000, 10_000]);
  });

  test.each([
    ['a broken line', '{"id": 1\n', undefined, 'unreadable'],
    ['an operation that failed', '', { status: 'FAILED', errorCode: 'TIMEOUT' }, 'service'],
    ['an operation without an end', '', { status: 'RUNNING' }, 'time'],
    ['a document elsewhere', '', { status: 'COMPLETED', url: 'https://evil.test/x' }, 'unreadable'],
  ])('%s fails the reading', async (_, lines, ends, fault) => {
    serve(lines, ends);
    await expect(readAll()).rejects.toMatchObject({ fault });
  });

  test("is postponed while another program's bulk operation runs", async () => {
    serve('');
    fake.answer('bulkOperationRunQuery', () => ({
      bulkOperationRunQuery: {
        bulkOperation: null,
        userErrors: [{ message: 'One runs.', code: 'OPERATION_IN_PROGRESS' }],
      },
    }));
    await expect(readAll()).rejects.toMatchObject({ fault: 'busy', code: 'OPERATION_IN_PROGRESS' });
  });
});

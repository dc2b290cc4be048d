import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allOf, endOf, entriesOf } from '#tests/support/all-of.ts';
import {
  type EtsyShop,
  etsyInventory,
  etsyMoney,
  etsyProduct,
  startEtsyShop,
} from '#tests/support/fake-etsy.ts';

let shop: EtsyShop;
let listings: unknown[];
beforeEach(async () => {
  shop = await startEtsyShop();
  listings = [];
  shop.service.on('GET', /\/shops\/5501\/listings/, ({ query }) => {
    const offset = Number(query.get('offset'));
    return { body: { count: listings.length, results: listings.slice(offset, offset + 100) } };
  });
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const read = () => allOf(entriesOf(shop.connector.readListings(shop.account, never)));

function listing(listing_id: number, inventory: unknown, changes: Record<string, unknown> = {}): void {
  listings.push({
    listing_id,
    title: 'Mug',
    state: 'active',
    price: etsyMoney(2_500),
    quantity: 4,
    skus: ['MUG-1'],
    images: [{ url_570xN: 'https://i.example/mug.jpg' }],
    inventory,
    ...changes,
  });
}

const shared = { price_on_property: [] };

describe('a listing', () => {
  test('with one product is one row', async () => {
    listing(9_001, etsyInventory([etsyProduct(1, ' MUG-1 ', 2_500)]), {
      title: 'Mug &amp; &quot;Saucer&quot;',
    });
    expect(await read()).toEqual([
      {
        kind: 'listing',
        groupKey: null,
        sku: 'MUG-1',
        itemId: '9001',
        title: 'Mug & "Saucer"',
        imageUrl: 'https://i.example/mug.jpg',
        price: 2_500,
        fulfillmentType: 'FBM',
        quantity: 4,
        isActive: true,
        notRepriceableReason: null,
        keys: { listingId: '9001' },
      },
    ]);
    expect(Object.fromEntries(shop.asked('/listings')[0]?.query ?? [])).toEqual({
      state: 'active',
      includes: 'Images,Inventory',
      legacy: 'false',
      limit: '100',
      offset: '0',
    });
  });

  test('with several SKUs is several rows, named by the values of the variation', async () => {
    listing(9_001, etsyInventory([etsyProduct(1, 'A', 2_500), etsyProduct(2, 'B', 2_600, { quantity: 0 })]));
    expect(await read()).toMatchObject([
      { sku: 'A', title: 'Mug (Color 1)', price: 2_500, quantity: 4, notRepriceableReason: null },
      { sku: 'B', title: 'Mug (Color 2)', price: 2_600, quantity: 0, notRepriceableReason: null },
    ]);
  });

  test('with one SKU for several products is one row with the quantity of all of them', async () => {
    listing(9_001, etsyInventory([etsyProduct(1, 'A', 2_500), etsyProduct(2, 'A', 2_500, { quantity: 3 })]));
    expect(await read()).toMatchObject([{ sku: 'A', title: 'Mug', price: 2_500, quantity: 7 }]);
  });

  test('whose products share a stock counts it once', async () => {
    const inventory = etsyInventory([etsyProduct(1, 'A', 2_500), etsyProduct(2, 'A', 2_500)], {
      quantity_on_property: [],
    });
    listing(9_001, inventory);
    expect(await read()).toMatchObject([{ quantity: 4 }]);
  });

  test('without SKUs is identified by the values of the variation, as one row where all share a price', async () => {
    listing(9_001, etsyInventory([etsyProduct(12, '', 2_500), etsyProduct(11, null, 2_500)], shared));
    const large = etsyProduct(22, '', 2_600, { value: ' Große  Tasse, 12" ' });
    listing(9_002, etsyInventory([etsyProduct(21, '', 2_500), large, etsyProduct(23, 'MUG', 2_500)]));
    listing(9_003, etsyInventory([etsyProduct(31, ' ', 2_500)]));
    expect(await read()).toMatchObject([
      { sku: 'etsy-9001', notRepriceableReason: null },
      { sku: 'etsy-9002-color-21', price: 2_500 },
      { sku: 'etsy-9002-große-tasse-12', price: 2_600 },
      { sku: 'MUG', price: 2_500 },
      { sku: 'etsy-9003', price: 2_500 },
    ]);
  });

  test('keeps its generated SKUs when Etsy changes the IDs of products and values', async () => {
    const products = [
      etsyProduct(1, '', 2_500, { value: 'Red' }),
      etsyProduct(2, '', 2_600, { value: 'Blue' }),
    ];
    const anew = [
      etsyProduct(701, '', 2_500, { value: 'Red' }),
      etsyProduct(702, '', 2_600, { value: 'Blue' }),
    ];
    listing(9_001, etsyInventory(products));
    const before = await read();
    listings = [];
    listing(9_001, etsyInventory(anew));
    expect(await read()).toEqual(before);
  });

  test('whose SKUs share one price has one group key for them, and none for a price of its own', async () => {
    listing(9_001, etsyInventory([etsyProduct(1, 'A', 2_500), etsyProduct(2, 'B', 2_500)], shared));
    listing(9_002, etsyInventory([etsyProduct(1, 'C', 2_500), etsyProduct(2, 'D', 2_500)], shared));
    listing(9_003, etsyInventory([etsyProduct(1, 'E', 2_500), etsyProduct(2, 'F', 2_500)]));
    const rows = await read();
    expect(rows.map((row) => row.kind === 'listing' && row.notRepriceableReason)).toEqual(
      Array(6).fill(null),
    );
    const [a, b, c, d, ...others] = rows.map((row) => (row.kind === 'listing' ? row.groupKey : undefined));
    expect([a, c]).toEqual([b, d]);
    expect(a).not.toBe(c);
    expect([a, c].every((key) => typeof key === 'string' && key.length <= 200)).toBe(true);
    expect(others).toEqual([null, null]);
  });

  test('with two prices under one SKU has none, and the reason', async () => {
    listing(9_001, etsyInventory([etsyProduct(1, 'A', 2_500), etsyProduct(2, 'A', 2_600)]));
    expect(await read()).toMatchObject([{ sku: 'A', price: null, notRepriceableReason: expect.any(String) }]);
  });

  test('counts only what buyers can choose', async () => {
    const off = etsyProduct(2, 'A', 9_900);
    const offerings = off.offerings.map((one) => ({ ...one, is_enabled: false }));
    const deleted = etsyProduct(3, 'B', 2_500, { is_deleted: true });
    listing(9_001, etsyInventory([etsyProduct(1, 'A', 2_500), { ...off, offerings }, deleted]));
    expect(await read()).toMatchObject([{ sku: 'A', price: 2_500, quantity: 4, isActive: true }]);
    listings = [];
    listing(9_001, etsyInventory([{ ...off, offerings }]));
    expect(await read()).toMatchObject([{ sku: 'A', isActive: false }]);
  });

  test('without an inventory is for display only', async () => {
    listing(9_001, null);
    listing(9_002, null, { skus: [], title: 'Cup' });
    expect(await read()).toMatchObject([
      {
        sku: 'MUG-1',
        price: 2_500,
        quantity: 4,
        notRepriceableReason: expect.stringContaining('no inventory'),
      },
      { kind: 'passed_over', what: 'Cup', why: 'no_sku' },
    ]);
  });

  test.each([
    ['in another currency', 'A', { price: etsyMoney(2_500, 'EUR') }, 'other_currency'],
    ['with a SKU of another listing', 'MUG-1', {}, 'repeated'],
    ['with a SKU that is too long', 'x'.repeat(201), {}, 'no_sku'],
  ])('%s is passed over and named', async (_, sku, changes, why) => {
    listing(9_001, etsyInventory([etsyProduct(1, 'MUG-1', 2_500)]));
    listing(9_002, etsyInventory([etsyProduct(2, sku, 2_500, changes)]));
    expect((await read())[1]).toEqual({ kind: 'passed_over', what: sku.slice(0, 200), why });
  });

  test('that is returned twice counts once', async () => {
    listing(9_001, etsyInventory([etsyProduct(1, 'MUG-1', 2_500)]));
    listings.push(listings[0]);
    expect(await read()).toHaveLength(1);
  });

  test('with an unsafe image address has none', async () => {
    listing(9_001, etsyInventory([etsyProduct(1, 'A', 2_500)]), {
      images: [{ url_570xN: 'http://i.example/a' }],
    });
    expect(await read()).toMatchObject([{ imageUrl: null }]);
  });

  test.each([
    ['below nothing', etsyMoney(-1)],
    ['that is none', { amount: 'N/A', divisor: 100, currency_code: 'USD' }],
    ['that is missing', undefined],
  ])('with a price %s is passed over', async (_, price) => {
    const product = etsyProduct(1, 'A', 1);
    listing(
      9_001,
      etsyInventory([{ ...product, offerings: product.offerings.map((one) => ({ ...one, price })) }]),
    );
    expect(await read()).toMatchObject([{ what: '9001', why: 'unreadable' }]);
  });

  test('with a price in parts of a cent has none', async () => {
    const price = { amount: 19_995, divisor: 1_000, currency_code: 'USD' };
    listing(9_001, etsyInventory([etsyProduct(1, 'A', 1, { price })]));
    expect(await read()).toMatchObject([{ sku: 'A', price: null, priceNotInCents: '19.995' }]);
  });

  test('whose amount has another divisor than 100 is read to the cent', async () => {
    const price = { amount: 25, divisor: 1, currency_code: 'USD' };
    listing(9_001, etsyInventory([etsyProduct(1, 'A', 1, { price })]));
    expect(await read()).toMatchObject([{ price: 2_500 }]);
  });
});

test('the catalog is read page by page to the end', async () => {
  for (let id = 1; id <= 230; id++) listing(id, etsyInventory([etsyProduct(id, `MUG-${id}`, 2_500)]));
  expect(await read()).toHaveLength(230);
  expect(shop.asked('/listings').map(({ query }) => query.get('offset'))).toEqual(['0', '100', '200']);
});

test('a total above the number of listings means an incomplete catalog, and no page after an empty one is requested', async () => {
  shop.service.on('GET', /\/shops\/5501\/listings/, () => ({ body: { count: 9_999, results: [] } }));
  expect(await endOf(shop.connector.readListings(shop.account, never))).toMatchObject({
    total: { told: 9_999, came: 0 },
  });
  expect(shop.asked('/listings')).toHaveLength(1);
});

test('a shop without a listing is empty where Etsy says "not found"', async () => {
  shop.service.on('GET', /\/shops\/5501\/listings/, () => ({ status: 404, body: { error: 'Not found' } }));
  expect(await read()).toEqual([]);
});

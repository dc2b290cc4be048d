import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { allOf, linesOf, unreadableOf } from '#tests/support/all-of.ts';
import {
  type EtsyShop,
  etsyInventory,
  etsyMoney,
  etsyProduct,
  etsyRef,
  NOON,
  startEtsyShop,
} from '#tests/support/fake-etsy.ts';

let shop: EtsyShop;
beforeEach(async () => {
  shop = await startEtsyShop();
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const pagesOf = () => shop.connector.readSales?.(shop.account, instant(NOON - 86_400_000), never);
const read = () => linesOf(pagesOf());
const PAID_AT = NOON / 1_000 - 3_600;

function line(number: number, changes: Record<string, unknown> = {}) {
  return {
    transaction_id: 100 + number,
    listing_id: 9_001,
    product_id: 1,
    sku: 'MUG-1',
    quantity: 2,
    price: etsyMoney(1_999),
    paid_timestamp: PAID_AT,
    ...changes,
  };
}

function receipt(transactions: unknown[], changes: Record<string, unknown> = {}) {
  return {
    receipt_id: 4,
    status: 'Completed',
    is_paid: true,
    created_timestamp: PAID_AT - 60,
    transactions,
    ...changes,
  };
}

function receipts(...results: unknown[]): void {
  shop.service.on('GET', /\/receipts/, () => ({ body: { count: results.length, results } }));
}

describe('sales', () => {
  test('identical duplicates of a line count once; of different ones none is read', async () => {
    receipts(receipt([line(1)]), receipt([line(1)]));
    expect(await read()).toHaveLength(1);
    receipts(receipt([line(1)]), receipt([line(1, { quantity: 7 })]));
    expect(await read()).toEqual([]);
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test('are the lines of receipts that changed after that time', async () => {
    receipts(receipt([line(1)]));
    expect(await read()).toEqual([
      {
        externalId: '101',
        orderRef: '4',
        lineNumber: 1,
        sku: 'MUG-1',
        itemId: '9001',
        soldAt: NOON - 3_600_000,
        quantity: 2,
        unitPrice: 1_999,
        revenue: 3_998,
        shippingRevenue: null,
        fees: null,
        isCancelled: false,
      },
    ]);
    expect(shop.asked('/receipts')[0]?.query.get('min_last_modified')).toBe(String(NOON / 1_000 - 86_400));
  });

  test('have their part of what the buyer paid for shipping', async () => {
    const shipped = (cost: number, number: number) => line(number, { shipping_cost: etsyMoney(cost) });
    const total_shipping_cost = etsyMoney(600);
    receipts(receipt([shipped(800, 1), shipped(400, 2)], { total_shipping_cost }));
    expect(await read()).toMatchObject([{ shippingRevenue: 400 }, { shippingRevenue: 200 }]);
    receipts(receipt([line(1), line(2)], { total_shipping_cost }));
    expect(await read()).toMatchObject([{ shippingRevenue: 300 }, { shippingRevenue: 300 }]);
  });

  test('with a discount share what the buyer paid, to the cent', async () => {
    const lines = [1, 2, 3].map((number) => line(number, { quantity: 1, price: etsyMoney(1_000) }));
    receipts(receipt(lines, { subtotal: etsyMoney(2_000) }));
    expect((await read()).map(({ revenue }) => revenue)).toEqual([667, 667, 666]);
  });

  test.each([
    ['Canceled', true, true],
    ['fully refunded', true, true],
    ['Partially Refunded', true, false],
    ['canceled', false, true],
  ])('of a receipt that is %s: cancelled is %s', async (status, is_paid, isCancelled) => {
    receipts(receipt([line(1)], { status, is_paid }));
    const [one] = await read();
    expect(one).toMatchObject({ isCancelled });
    expect(one?.isRefunded ?? false).toBe(status === 'fully refunded');
  });

  test('are included once they are paid, and only in US dollars', async () => {
    const euros = line(2, { price: etsyMoney(1_000, 'EUR') });
    receipts(receipt([line(1)], { status: 'open', is_paid: false }), receipt([euros]));
    expect(await read()).toEqual([]);
  });

  test('without a payment time have the time of the receipt', async () => {
    receipts(receipt([line(1, { paid_timestamp: null })]));
    expect(await read()).toMatchObject([{ soldAt: NOON - 3_660_000 }]);
  });

  test('without a SKU are identified by the values of the variation, even after Etsy changed the product IDs', async () => {
    const nameless = (number: number, listing_id: number | null, product_id: number, value?: string) => {
      const product_data = value === undefined ? [] : etsyProduct(99, '', 1, { value }).property_values;
      return line(number, { listing_id, product_id, sku: '', product_data });
    };
    receipts(
      receipt([
        nameless(1, 9_001, 2),
        nameless(2, 9_001, 77, 'Color 1'),
        nameless(3, 9_001, 77, 'Pink'),
        nameless(4, 9_002, 77),
        nameless(5, 9_003, 5),
        nameless(6, null, 5),
        nameless(7, 9_004, 5),
      ]),
    );
    const two = etsyInventory([etsyProduct(1, '', 2_500), etsyProduct(2, '', 2_600)]);
    shop.service.on('GET', /\/9001\/inventory/, () => ({ body: two }));
    shop.service.on('GET', /\/9002\/inventory/, () => ({
      body: etsyInventory([etsyProduct(3, '', 2_500)]),
    }));
    const error = 'Could not find a Listing with listing_id = 9003';
    shop.service.on('GET', /\/9003\/inventory/, () => ({ status: 404, body: { error } }));
    shop.service.on('GET', /\/9004\/inventory/, () => ({ status: 404, body: '<html>404</html>' }));
    expect((await read()).map(({ sku }) => sku)).toEqual([
      ...['etsy-9001-color-2', 'etsy-9001-color-1', null, 'etsy-9002', null, null, null],
    ]);
    expect(shop.asked('/inventory')).toHaveLength(4);
  });

  test.each([
    ['a price below nothing', { price: etsyMoney(-1) }],
    ['a price that is none', { price: { amount: 'N/A', divisor: 100, currency_code: 'USD' } }],
    ['no quantity', { quantity: 0 }],
    ['more than any order costs', { quantity: 999_999, price: etsyMoney(9_999_999) }],
  ])('with %s are passed over', async (_, changes) => {
    receipts(receipt([line(1), line(2, changes)]));
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test('are read page by page to the end', async () => {
    shop.service.on('GET', /\/receipts/, ({ query }) => ({
      body: { count: 201, results: [receipt([line(Number(query.get('offset')))])] },
    }));
    expect((await read()).map(({ externalId }) => externalId)).toEqual(['100', '200', '300']);
  });
});

describe('reviews', () => {
  const figures = (...refs: ReturnType<typeof etsyRef>[]) =>
    allOf(shop.connector.readFigures?.(shop.account, refs, never));

  test('become a count and a mean, once for all SKUs of a listing', async () => {
    const stars = [5, 5, 4];
    const results = stars.map((rating) => ({ rating, review: 'Fine' }));
    shop.service.on('GET', /\/9001\/reviews/, () => ({ body: { count: 3, results } }));
    const expected = {
      kind: 'figures',
      reviewCount: 3,
      averageRating: 467,
      salesRank: null,
      buyBoxShare: null,
    };
    expect(await figures(etsyRef(1), etsyRef(2))).toMatchObject([
      { listingId: 1, ...expected },
      { listingId: 2, ...expected },
    ]);
    expect(shop.asked('/reviews')).toHaveLength(1);
  });

  test('without any have no mean', async () => {
    shop.service.on('GET', /\/reviews/, () => ({ body: { count: 0, results: [] } }));
    expect(await figures(etsyRef(1))).toMatchObject([{ reviewCount: 0, averageRating: null }]);
  });

  test('are read page by page, the newest thousand', async () => {
    const results = Array.from({ length: 100 }, () => ({ rating: 4 }));
    shop.service.on('GET', /\/reviews/, () => ({ body: { count: 5_000, results } }));
    expect(await figures(etsyRef(1))).toMatchObject([{ reviewCount: 5_000, averageRating: 400 }]);
    expect(shop.asked('/reviews')).toHaveLength(10);
  });

  test('of one unreadable listing stop no other', async () => {
    shop.service.on('GET', /\/9002\/reviews/, () => ({ body: { count: 1, results: [{ rating: 5 }] } }));
    shop.service.on('GET', /\/9003\/reviews/, () => ({ body: { count: 1, results: [{ rating: 9 }] } }));
    const refs = [etsyRef(1), etsyRef(2, 'B', '9002'), etsyRef(3, 'C', '9003'), etsyRef(4, 'D', 'x')];
    expect((await figures(...refs)).map(({ kind }) => kind)).toEqual([
      'unread',
      'figures',
      'unread',
      'unread',
    ]);
  });
});

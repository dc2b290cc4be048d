import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { linesOf, unreadableOf } from '#tests/support/all-of.ts';
import { type EbayShop, NOON, startEbayShop } from '#tests/support/fake-ebay.ts';

let shop: EbayShop;
beforeEach(async () => {
  shop = await startEbayShop();
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const SINCE = instant(NOON - 86_400_000);
const pagesOf = () => shop.connector.readSales?.(shop.account, SINCE, never);
const read = () => linesOf(pagesOf());
const dollars = (value: string, currency = 'USD') => ({ value, currency });

function line(number: number, changes: Record<string, unknown> = {}) {
  return {
    lineItemId: `L-${number}`,
    legacyItemId: '110001',
    sku: 'MUG-1',
    quantity: 2,
    lineItemCost: dollars('39.98'),
    listingMarketplaceId: 'EBAY_US',
    ...changes,
  };
}

function order(lineItems: unknown[], changes: Record<string, unknown> = {}) {
  return {
    orderId: '12-1',
    creationDate: '2026-03-01T08:00:00.000Z',
    orderPaymentStatus: 'PAID',
    cancelStatus: { cancelState: 'NONE_REQUESTED', cancelRequests: [] },
    totalMarketplaceFee: dollars('5.41'),
    lineItems,
    ...changes,
  };
}

function orders(...list: unknown[]): void {
  shop.service.on('GET', /fulfillment\/v1\/order/, () => ({ body: { total: list.length, orders: list } }));
}

describe('sales', () => {
  test('are the lines of orders that changed after that time', async () => {
    orders(order([line(1)]));
    expect(await read()).toEqual([
      {
        externalId: 'L-1',
        orderRef: '12-1',
        lineNumber: 1,
        sku: 'MUG-1',
        itemId: '110001',
        soldAt: Date.UTC(2026, 2, 1, 8),
        quantity: 2,
        unitPrice: 1_999,
        revenue: 3_998,
        shippingRevenue: null,
        fees: 541,
        isCancelled: false,
      },
    ]);
    expect(shop.service.asked.at(-1)?.query.get('filter')).toBe(
      'lastmodifieddate:[2026-02-28T12:00:00.000Z..2026-03-01T12:00:00.000Z]',
    );
  });

  test('have what the buyer paid for shipping, less a discount', async () => {
    const deliveryCost = { shippingCost: dollars('7.50'), discountAmount: dollars('2.00') };
    orders(order([line(1, { deliveryCost }), line(2, { deliveryCost: { shippingCost: dollars('0.0') } })]));
    expect(await read()).toMatchObject([{ shippingRevenue: 550 }, { lineNumber: 2, shippingRevenue: 0 }]);
  });

  test('share the fee of their order in proportion to their price, to the cent', async () => {
    const lines = [
      line(1, { lineItemCost: dollars('10.00'), quantity: 1 }),
      line(2, { lineItemCost: dollars('10.00'), quantity: 1 }),
      line(3, { lineItemCost: dollars('10.00'), quantity: 1 }),
    ];
    orders(order(lines, { totalMarketplaceFee: dollars('4.00') }));
    expect((await read()).map(({ fees }) => fees)).toEqual([134, 133, 133]);
  });

  test('with a discount count what the buyer paid', async () => {
    orders(order([line(1, { discountedLineItemCost: dollars('30.00') })]));
    expect(await read()).toMatchObject([{ revenue: 3_000, unitPrice: 1_500 }]);
  });

  test.each([
    ['CANCELED', 'PAID', { isCancelled: true }],
    ['CANCELED', 'FULLY_REFUNDED', { isCancelled: true }],
    ['IN_PROGRESS', 'PAID', { isCancelled: false }],
    ['NONE_REQUESTED', 'FULLY_REFUNDED', { isCancelled: true, isRefunded: true }],
    ['NONE_REQUESTED', 'PARTIALLY_REFUNDED', { isCancelled: false }],
    ['NONE_REQUESTED', 'FAILED', { isCancelled: true }],
  ])('of an order that is %s and %s: %o', async (cancelState, orderPaymentStatus, expected) => {
    orders(order([line(1)], { cancelStatus: { cancelState }, orderPaymentStatus }));
    const [one] = await read();
    expect({ isRefunded: undefined, ...one }).toMatchObject({ isRefunded: undefined, ...expected });
  });

  test('are included once they are paid', async () => {
    orders(order([line(1)], { orderPaymentStatus: 'PENDING' }));
    expect(await read()).toEqual([]);
  });

  test.each([
    ['no fee', { totalMarketplaceFee: undefined }],
    ['a fee in pounds', { totalMarketplaceFee: dollars('5.00', 'GBP') }],
  ])('with %s have none that is known', async (_, changes) => {
    orders(order([line(1)], changes));
    expect(await read()).toMatchObject([{ fees: null }]);
  });

  test('on other sites and in other currencies are excluded', async () => {
    orders(
      order([
        line(1, { listingMarketplaceId: 'EBAY_GB' }),
        line(2, { lineItemCost: dollars('9.00', 'CAD') }),
        line(3, { sku: ' ' }),
      ]),
    );
    expect(await read()).toMatchObject([{ externalId: 'L-3', sku: null }]);
  });

  test.each([['-1.00'], ['N/A'], ['NaN'], ['']])('with a cost of "%s" are passed over', async (value) => {
    orders(order([line(1), line(2, { lineItemCost: dollars(value) })]));
    expect(await unreadableOf(pagesOf())).toEqual([expect.stringContaining('lineItemCost')]);
  });

  test('identical duplicates of a line count once; of different ones none is read', async () => {
    orders(order([line(1), line(2)]), order([line(1), line(2)]));
    expect((await read()).map(({ externalId }) => externalId)).toEqual(['L-1', 'L-2']);
    orders(order([line(1)]), order([line(1, { quantity: 7 })]));
    expect(await read()).toEqual([]);
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test('are read page by page to the end', async () => {
    shop.service.on('GET', /fulfillment\/v1\/order/, ({ query }) => {
      const offset = Number(query.get('offset'));
      return { body: { total: 3, orders: [order([line(offset)])], ...(offset < 400 && { next: 'more' }) } };
    });
    expect((await read()).map(({ externalId }) => externalId)).toEqual(['L-0', 'L-200', 'L-400']);
  });
});

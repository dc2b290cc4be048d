import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { linesOf, unreadableOf } from '#tests/support/all-of.ts';
import { CALL_ERRORS } from '#tests/support/call-errors.ts';
import { anAccount, never } from '#tests/support/connector-fixture.ts';
import { type FakeShopify, SHOP_KEY, startFakeShopify } from '#tests/support/fake-shopify.ts';

let fake: FakeShopify;
beforeEach(async () => {
  fake = await startFakeShopify();
});
afterEach(() => fake.close());

const account = anAccount(SHOP_KEY);
const variantOf = (number: number) => `gid://shopify/ProductVariant/${number}`;

describe('sales', () => {
  const SINCE = instant(Date.parse('2026-11-18T12:00:00Z'));
  const pagesOf = () => fake.connect().readSales?.(account, SINCE, never);
  const readSales = () => linesOf(pagesOf());
  const line = (number: number, given: Record<string, unknown> = {}) => ({
    id: `gid://shopify/LineItem/${number}`,
    sku: 'SKU-1',
    quantity: 3,
    currentQuantity: 3,
    variant: { id: variantOf(1) },
    priceAfterAllDiscountsBeforeTaxesSet: { shopMoney: { amount: '25.5', currencyCode: 'USD' } },
    ...given,
  });
  const anOrderOf = (number: number, lines: object[], given: Record<string, unknown> = {}) => ({
    id: `gid://shopify/Order/${number}`,
    createdAt: '2026-11-19T08:00:00Z',
    cancelledAt: null,
    test: false,
    currentShippingPriceSet: { shopMoney: { amount: '5.01', currencyCode: 'USD' } },
    lineItems: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: lines },
    refunds: [],
    ...given,
  });

  test('are the lines of orders', async () => {
    fake.orders.push(anOrderOf(1, [line(1)]));
    expect(await readSales()).toEqual([
      {
        externalId: 'gid://shopify/LineItem/1',
        orderRef: 'gid://shopify/Order/1',
        lineNumber: 1,
        sku: 'SKU-1',
        itemId: variantOf(1),
        soldAt: Date.parse('2026-11-19T08:00:00Z'),
        quantity: 3,
        unitPrice: 850,
        revenue: 2550,
        shippingRevenue: 501,
        fees: null,
        isCancelled: false,
      },
    ]);
    const [requested] = fake.askedFor('orders(');
    expect(requested?.variables.changed).toBe("updated_at:>='2026-11-18T12:00:00.000Z'");
    expect(requested?.query).not.toMatch(/customer|email|address|phone/i);
  });

  test.each([
    ['of a cancelled order', {}, { cancelledAt: '2026-11-19T09:00:00Z' }, { isCancelled: true }],
    ['given back', { currentQuantity: 0 }, {}, { isCancelled: true, quantity: 3 }],
    ['given back in part', { currentQuantity: 2 }, {}, { isCancelled: false, quantity: 2 }],
    ['without a variant or SKU', { sku: null, variant: null }, {}, { sku: null, itemId: null }],
  ])('a line %s', async (_, given, order, expected) => {
    fake.orders.push(anOrderOf(1, [line(1, given)], order));
    expect(await readSales()).toEqual([expect.objectContaining(expected)]);
  });

  const refundOf = (number: number, quantity: number, restockType: string, amount: string) => ({
    lineItem: { id: `gid://shopify/LineItem/${number}` },
    quantity,
    restockType,
    subtotalSet: { shopMoney: { amount, currencyCode: 'USD' } },
  });
  const WHOLE = { hasNextPage: false, endCursor: null };
  const refundsOf = (nodes: object[], pageInfo: object = WHOLE) => [
    {
      id: 'gid://shopify/Refund/1',
      createdAt: '2026-11-20T08:00:00Z',
      refundLineItems: { pageInfo, nodes },
    },
  ];
  const kept = {
    currentQuantity: 1,
    priceAfterAllDiscountsBeforeTaxesSet: { shopMoney: { amount: '8.5', currencyCode: 'USD' } },
  };

  test.each([
    [
      'came back',
      'RETURN',
      { quantity: 3, revenue: 2_550 },
      { units: 2, at: Date.parse('2026-11-20T08:00:00Z') },
    ],
    ['were never sent', 'CANCEL', { quantity: 1, revenue: 850 }, undefined],
    ['did not come back', 'NO_RESTOCK', { quantity: 3, revenue: 2_550 }, undefined],
  ])('refunded units that %s are sold: %o', async (_, restockType, expected, restocked) => {
    const nodes = [refundOf(1, 2, restockType, '17.0'), refundOf(2, 1, 'NO_RESTOCK', '5.0')];
    fake.orders.push(anOrderOf(1, [line(1, kept)], { refunds: refundsOf(nodes) }));
    const [sale] = await readSales();
    expect(sale).toMatchObject({ ...expected, unitPrice: 850, isCancelled: false });
    expect(sale?.restocked).toEqual(restocked);
  });

  test.each(['NO_RESTOCK', 'RETURN'])(
    'a line stays sold when all of it is refunded: %s',
    async (restockType) => {
      const none = {
        currentQuantity: 0,
        priceAfterAllDiscountsBeforeTaxesSet: { shopMoney: { amount: '0.0', currencyCode: 'USD' } },
      };
      const nodes = [refundOf(1, 3, restockType, '25.5')];
      fake.orders.push(anOrderOf(1, [line(1, none)], { refunds: refundsOf(nodes) }));
      expect(await readSales()).toMatchObject([{ quantity: 3, revenue: 2_550, isCancelled: false }]);
    },
  );

  test('a line that only a later page of its refund has stays sold', async () => {
    const back = {
      currentQuantity: 0,
      priceAfterAllDiscountsBeforeTaxesSet: { shopMoney: { amount: '0.0', currencyCode: 'USD' } },
    };
    const more = { hasNextPage: true, endCursor: 'R25' };
    const refunds = refundsOf([refundOf(1, 3, 'RETURN', '25.5')], more);
    fake.orders.push(anOrderOf(1, [line(1, back), line(2, back)], { refunds }));
    fake.answer('refund(id', ({ id, after }) => ({
      refund:
        id === 'gid://shopify/Refund/1' && after === 'R25'
          ? { refundLineItems: { pageInfo: WHOLE, nodes: [refundOf(2, 3, 'RETURN', '25.5')] } }
          : null,
    }));
    expect(await readSales()).toMatchObject([
      { externalId: 'gid://shopify/LineItem/1', quantity: 3, revenue: 2_550, isCancelled: false },
      { externalId: 'gid://shopify/LineItem/2', quantity: 3, revenue: 2_550, isCancelled: false },
    ]);
  });

  test('identical duplicates of a line count once; of different ones none is read', async () => {
    fake.orders.push(anOrderOf(1, [line(1), line(1)]));
    expect(await readSales()).toHaveLength(1);
    fake.orders.push(anOrderOf(2, [line(1, { quantity: 9, currentQuantity: 9 })]));
    expect(await readSales()).toHaveLength(0);
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test('share the shipping of their order by price', async () => {
    fake.orders.push(anOrderOf(1, [line(1), line(2), line(3)]));
    expect(await readSales()).toMatchObject(
      [1, 2, 3].map((lineNumber) => ({ lineNumber, shippingRevenue: 167 })),
    );
  });

  test.each([
    ['a tip has none of the shipping', [{}, { sku: null, variant: null, requiresShipping: false }], [501, 0]],
    [
      'of an order without a parcel all have it',
      [{ requiresShipping: false }, { requiresShipping: false }],
      [251, 250],
    ],
  ])('%s', async (_, given, expected) => {
    fake.orders.push(
      anOrderOf(
        1,
        given.map((each, index) => line(index + 1, each)),
      ),
    );
    expect((await readSales()).map(({ shippingRevenue }) => shippingRevenue)).toEqual(expected);
  });

  test('have the shipping that was paid, also where it went back', async () => {
    const back = { totalRefundedShippingSet: { shopMoney: { amount: '2.0', currencyCode: 'USD' } } };
    fake.orders.push(anOrderOf(1, [line(1)], back));
    expect(await readSales()).toMatchObject([{ shippingRevenue: 701 }]);
  });

  test('exclude test orders', async () => {
    fake.orders.push(anOrderOf(1, [line(1)], { test: true }));
    expect(await readSales()).toEqual([]);
  });

  test('are read to the last order and the last line', async () => {
    const long = { lineItems: { pageInfo: { hasNextPage: true, endCursor: 'L25' }, nodes: [line(1)] } };
    for (let number = 1; number <= 30; number++) fake.orders.push(anOrderOf(number, [line(number)]));
    fake.orders.push(anOrderOf(31, [], long));
    fake.answer('order(id', ({ after }) => ({
      order: {
        lineItems: {
          pageInfo: { hasNextPage: after === 'L25', endCursor: 'L26' },
          nodes: [line(after === 'L25' ? 91 : 92)],
        },
      },
    }));
    expect((await readSales()).map(({ externalId }) => externalId.split('/').at(-1))).toEqual(
      expect.arrayContaining(['1', '30', '91', '92']),
    );
  });

  test.each([
    { amount: '-1.00', currencyCode: 'USD' },
    { amount: 'N/A', currencyCode: 'USD' },
    { amount: '5.00', currencyCode: 'CAD' },
  ])('%j is passed over', async (shopMoney) => {
    fake.orders.push(anOrderOf(1, [line(1, { priceAfterAllDiscountsBeforeTaxesSet: { shopMoney } })]));
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    fake.orders.push(anOrderOf(1, [line(1)]));
    fake.faults.push(fault());
    const result = readSales();
    if (reading === 'passes') expect(await result).toHaveLength(1);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });
});

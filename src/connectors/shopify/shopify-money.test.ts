import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MoneyPage } from '#domain/money/money-event.ts';
import { instant } from '#domain/units.ts';
import { anAccount, never } from '#tests/support/connector-fixture.ts';
import { aGraphqlError, type FakeShopify, SHOP_KEY, startFakeShopify } from '#tests/support/fake-shopify.ts';

let fake: FakeShopify;
beforeEach(async () => {
  fake = await startFakeShopify();
  payouts();
});
afterEach(() => fake.close());

const account = anAccount(SHOP_KEY);
const SINCE = instant(Date.parse('2026-11-17T12:00:00Z'));
const AT = '2026-11-19T08:00:00Z';
const ORDER = 'gid://shopify/Order/1';
const lineOf = (number: number) => `gid://shopify/LineItem/${number}`;
const paymentOf = (number: number) => `gid://shopify/OrderTransaction/${number}`;

async function read(): Promise<MoneyPage> {
  const pages: MoneyPage[] = [];
  const window = { since: SINCE, until: fake.clock.now() };
  for await (const page of fake.connect().readMoney?.(account, window, never) ?? []) pages.push(page);
  return {
    events: pages.flatMap(({ events }) => events),
    settlements: pages.flatMap(({ settlements }) => settlements),
    refused: pages.flatMap(({ refused }) => refused),
  };
}

const money = (amount: unknown, currencyCode = 'USD') => ({ amount, currencyCode });
const bag = (amount: unknown, currencyCode = 'USD') => ({ shopMoney: money(amount, currencyCode) });

function payment(number: number, amount: unknown, given: Record<string, unknown> = {}) {
  return {
    id: paymentOf(number),
    kind: 'SALE',
    status: 'SUCCESS',
    test: false,
    createdAt: AT,
    processedAt: AT,
    amountSet: bag(amount),
    fees: [],
    ...given,
  };
}

const WHOLE = { hasNextPage: false, endCursor: null };

function refund(transactions: readonly number[], lines: object[], shipping: object[] = []) {
  return {
    id: 'gid://shopify/Refund/1',
    transactions: { nodes: transactions.map((number) => ({ id: paymentOf(number) })) },
    refundLineItems: { pageInfo: WHOLE, nodes: lines },
    refundShippingLines: { nodes: shipping },
  };
}

function order(transactions: object[], given: Record<string, unknown> = {}) {
  return {
    id: ORDER,
    test: false,
    fullyPaid: true,
    totalTaxSet: bag('0.0'),
    transactions,
    refunds: [],
    ...given,
  };
}

/** One payout with transactions of the balance; without them there is no Shopify Payments. */
function payouts(...transactions: object[]): void {
  const one = {
    id: 'gid://shopify/ShopifyPaymentsPayout/60',
    issuedAt: '2026-11-20T00:00:00Z',
    status: 'PAID',
  };
  const pageInfo = { hasNextPage: false, endCursor: null };
  const nodes = [{ ...one, transactionType: 'DEPOSIT', net: money('45.98') }];
  fake.answer('payouts(', () => ({
    shopifyPaymentsAccount: transactions.length === 0 ? null : { payouts: { pageInfo, nodes } },
  }));
  fake.answer('balanceTransactions(', () => ({
    shopifyPaymentsAccount: { balanceTransactions: { pageInfo, nodes: transactions } },
  }));
}

function balance(number: number, type: string, amount: unknown, fee: unknown, given: object = {}) {
  return {
    id: `gid://shopify/ShopifyPaymentsBalanceTransaction/${number}`,
    type,
    test: false,
    transactionDate: AT,
    amount: money(amount),
    fee: money(fee),
    associatedOrder: null,
    sourceOrderTransactionId: null,
    ...given,
  };
}

const brief = ({ events }: MoneyPage) =>
  events.map(({ kind, amount, lineRef }) => [kind, amount, ...(lineRef === null ? [] : [lineRef])]);

const CARD = [{ amount: money('1.12') }, { amount: money('0.5') }];
/** Two of three mugs given back with their tax and the shipping, less 1.00 for restocking. */
const GIVEN_BACK = order([payment(1, '38.4', { fees: CARD }), payment(2, '23.0', { kind: 'REFUND' })], {
  totalTaxSet: bag('3.4'),
  refunds: [
    refund(
      [2],
      [
        {
          id: 'gid://shopify/RefundLineItem/1',
          lineItem: { id: lineOf(7) },
          quantity: 2,
          subtotalSet: bag('20.0'),
          totalTaxSet: bag('2.0'),
        },
      ],
      [{ id: 'gid://shopify/RefundShippingLine/1', subtotalAmountSet: bag('2.0'), taxAmountSet: bag('0.0') }],
    ),
  ],
});

describe('money', () => {
  test('is what was paid for an order, its tax apart, and the fee of the card', async () => {
    fake.orders.push(order([payment(1, '38.4', { fees: CARD })], { totalTaxSet: bag('3.4') }));
    const page = await read();
    expect(page.events).toEqual([
      {
        externalId: paymentOf(1),
        kind: 'principal',
        rawType: 'SALE',
        amount: 3_500,
        orderRef: ORDER,
        lineRef: null,
        sku: null,
        itemId: null,
        quantity: null,
        postedAt: Date.parse(AT),
        releasedAt: Date.parse(AT),
        settlementRef: null,
      },
      expect.objectContaining({ externalId: `${paymentOf(1)}:tax`, kind: 'transfer', amount: 340 }),
      expect.objectContaining({ externalId: `${paymentOf(1)}:fee`, kind: 'payment', amount: -162 }),
    ]);
    const [requested] = fake.askedFor('transactions {');
    expect(requested?.variables.changed).toBe(
      "updated_at:>='2026-11-17T12:00:00.000Z' updated_at:<='2026-11-20T12:00:00.000Z'",
    );
    expect(requested?.query).not.toMatch(/customer|email|address|phone|card/i);
  });

  test('has a tip apart: it is for no line', async () => {
    const tip = { totalTipReceivedSet: bag('5.0'), totalTaxSet: bag('3.4') };
    fake.orders.push(
      order([payment(1, '43.4')], tip),
      order([payment(2, '9.0')], { ...tip, fullyPaid: false }),
    );
    expect(brief(await read())).toEqual([
      ['principal', 3_500],
      ['other', 500],
      ['transfer', 340],
      ['transfer', 60],
      ['transfer', 500],
      ['transfer', 340],
    ]);
  });

  test.each([
    [
      'customs charges apart, which are for no line',
      { originalTotalDutiesSet: bag('7.0'), dutiesIncluded: false },
      [payment(1, '42.0')],
      [
        ['principal', 3_500],
        ['other', 700],
      ],
    ],
    [
      'customs charges that are in the prices with them',
      { originalTotalDutiesSet: bag('7.0'), dutiesIncluded: true },
      [payment(1, '42.0')],
      [['principal', 4_200]],
    ],
    [
      'no change that was given back in cash',
      {},
      [payment(1, '40.0'), payment(2, '5.0', { kind: 'CHANGE' })],
      [
        ['principal', 4_000],
        ['principal', -500],
      ],
    ],
  ])('has %s', async (_, given, moved, expected) => {
    fake.orders.push(order(moved, given));
    expect(brief(await read())).toEqual(expected);
  });

  test('of another way of payment has no fee, which stays unknown', async () => {
    fake.orders.push(order([payment(1, '35.0')]));
    expect(brief(await read())).toEqual([['principal', 3_500]]);
  });

  test('of an order that is partly paid is no revenue until the rest is paid, and neither is its fee', async () => {
    const deposit = payment(1, '30.0', { fees: CARD });
    fake.orders.push(order([deposit], { fullyPaid: false }));
    const before = await read();
    expect(brief(before)).toEqual([
      ['transfer', 3_000],
      ['transfer', -162],
    ]);
    fake.orders.splice(0, 1, order([deposit, payment(2, '70.0')]));
    const after = await read();
    expect(brief(after)).toEqual([
      ['principal', 3_000],
      ['principal', 7_000],
      ['payment', -162],
    ]);
    const ids = after.events.map(({ externalId }) => externalId);
    expect(before.events.map(({ externalId }) => externalId)).toEqual([ids[0], ids[2]]);
  });

  test('that goes back is told by line, shipping and tax, with what they do not explain', async () => {
    fake.orders.push(GIVEN_BACK);
    const page = await read();
    expect(brief(page)).toEqual([
      ['principal', 3_500],
      ['transfer', 340],
      ['refund_principal', -2_000, lineOf(7)],
      ['transfer', -200, lineOf(7)],
      ['refund_shipping', -200],
      ['refund_other', 100],
      ['payment', -162],
    ]);
    expect(page.events[2]).toMatchObject({ quantity: 2, externalId: 'gid://shopify/RefundLineItem/1' });
    expect(page.events.reduce((sum, { amount }) => sum + amount, 0)).toBe(3_840 - 2_300 - 162);
  });

  test('that goes back for more lines than a page has is booked for all of them', async () => {
    const lineNumber = (number: number) => ({
      id: `gid://shopify/RefundLineItem/${number}`,
      lineItem: { id: lineOf(number) },
      quantity: 1,
      restockType: 'NO_RESTOCK',
      subtotalSet: bag('10.0'),
      totalTaxSet: bag('1.0'),
    });
    const paged = {
      ...refund([2], []),
      refundLineItems: { pageInfo: { hasNextPage: true, endCursor: 'R25' }, nodes: [lineNumber(1)] },
    };
    fake.answer('refund(id', () => ({
      refund: { refundLineItems: { pageInfo: WHOLE, nodes: [lineNumber(2)] } },
    }));
    const moved = [payment(1, '22.0'), payment(2, '22.0', { kind: 'REFUND' })];
    fake.orders.push(order(moved, { totalTaxSet: bag('2.0'), refunds: [paged] }));
    expect(brief(await read())).toEqual([
      ['principal', 2_000],
      ['transfer', 200],
      ['refund_principal', -1_000, lineOf(1)],
      ['transfer', -100, lineOf(1)],
      ['refund_principal', -1_000, lineOf(2)],
      ['transfer', -100, lineOf(2)],
    ]);
  });

  test('of units that were never sent is no revenue of the order, and no return', async () => {
    const line = {
      id: 'gid://shopify/RefundLineItem/1',
      lineItem: { id: lineOf(7) },
      quantity: 1,
      restockType: 'CANCEL',
      subtotalSet: bag('10.0'),
      totalTaxSet: bag('1.0'),
    };
    const moved = [payment(1, '33.0'), payment(2, '11.0', { kind: 'REFUND' })];
    fake.orders.push(order(moved, { totalTaxSet: bag('3.0'), refunds: [refund([2], [line])] }));
    expect(brief(await read())).toEqual([
      ['principal', 3_000],
      ['transfer', 300],
      ['principal', -1_000],
      ['transfer', -100, lineOf(7)],
    ]);
  });

  const CANCELED = order([payment(1, '38.4', { fees: CARD }), payment(2, '38.4', { kind: 'REFUND' })], {
    totalTaxSet: bag('3.4'),
    cancelledAt: AT,
    refunds: [
      refund(
        [2],
        [
          {
            id: 'gid://shopify/RefundLineItem/1',
            lineItem: { id: lineOf(7) },
            quantity: 1,
            restockType: 'NO_RESTOCK',
            subtotalSet: bag('35.0'),
            totalTaxSet: bag('3.4'),
          },
        ],
      ),
    ],
  });

  test('of a canceled order passed through, and the fee that Shopify keeps belongs to no order', async () => {
    fake.orders.push(CANCELED);
    const { events } = await read();
    const passed = events.filter(({ kind }) => kind === 'transfer');
    expect(passed.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
    expect(passed.map(({ orderRef }) => orderRef)).toEqual(passed.map(() => ORDER));
    expect(events.filter((event) => !passed.includes(event))).toMatchObject([
      {
        externalId: `${paymentOf(1)}:fee`,
        kind: 'refund_fee',
        amount: -162,
        orderRef: null,
        isOfNoOrder: true,
      },
    ]);
  });

  test.each([
    ['all of its units were canceled before they were sent', 'CANCEL', 3, null],
    ['its units came back', 'RETURN', 3, ORDER],
    ['it has gift cards alone', 'CANCEL', 0, ORDER],
  ])('an order of which nothing is left is no sale where %s', async (_, restockType, ordered, feeOf) => {
    const line = {
      id: 'gid://shopify/RefundLineItem/1',
      lineItem: { id: lineOf(7) },
      quantity: 3,
      restockType,
      subtotalSet: bag('35.0'),
      totalTaxSet: bag('3.4'),
    };
    fake.orders.push({
      ...CANCELED,
      cancelledAt: null,
      subtotalLineItemsQuantity: ordered,
      currentSubtotalLineItemsQuantity: 0,
      refunds: [refund([2], [line])],
    });
    const fee = (await read()).events.find(({ externalId }) => externalId === `${paymentOf(1)}:fee`);
    expect(fee?.orderRef).toBe(feeOf);
  });

  test.each([
    ['only authorized', { kind: 'AUTHORIZATION' }],
    ['refused', { status: 'FAILURE' }],
    ['of a test', { test: true }],
  ])('that is %s does not move', async (_, given) => {
    fake.orders.push(order([payment(1, '35.0', given)]));
    expect((await read()).events).toEqual([]);
  });

  test('of a refund without lines goes back to the order; goods given back for nothing move none', async () => {
    const line = {
      lineItem: { id: lineOf(7) },
      quantity: 1,
      subtotalSet: bag('5.0'),
      totalTaxSet: bag('0.0'),
    };
    fake.orders.push(order([payment(2, '5.0', { kind: 'REFUND' })], { refunds: [refund([], [line])] }));
    expect(brief(await read())).toEqual([['refund_principal', -500]]);
  });

  test.each([
    ['a currency', { amountSet: bag('1.0', 'CAD') }, paymentOf(1), 'currency'],
    ['a third decimal', { amountSet: bag('1.005') }, paymentOf(1), 'fraction'],
    ['no number', { amountSet: bag('NaN') }, paymentOf(1), 'unreadable'],
    [
      'an unreadable fee',
      { amountSet: bag('0'), fees: [{ amount: money('x') }] },
      `${paymentOf(1)}:fee`,
      'unreadable',
    ],
    ['a time to come', { processedAt: '2026-12-01T00:00:00Z' }, paymentOf(1), 'future'],
    ['no kind', { kind: undefined }, ORDER, 'unreadable'],
  ])('with %s is refused, and the others are booked', async (_, given, where, why) => {
    fake.orders.push(order([payment(1, '1.0', given)]), order([payment(2, '2.0')]));
    const { events, refused } = await read();
    expect(refused).toEqual([{ where, why }]);
    expect(events).toMatchObject([{ amount: 200 }]);
  });
});

describe('payouts', () => {
  test('are told with their total and all that they contain, with the same IDs as orders tell', async () => {
    fake.orders.push(GIVEN_BACK);
    fake.answer('nodes(ids', () => ({ nodes: [GIVEN_BACK] }));
    const ofOrder = (number: number) => ({
      associatedOrder: { id: ORDER },
      sourceOrderTransactionId: String(number),
    });
    payouts(
      balance(1, 'CHARGE', '38.4', '1.62', ofOrder(1)),
      balance(2, 'REFUND', '-23.0', '-0.10', ofOrder(2)),
      balance(3, 'CHARGEBACK_FEE', '0.0', '15.0'),
      balance(4, 'SHIPPING_LABEL', '-4.5', '0.0', { associatedOrder: { id: ORDER } }),
      balance(5, 'TRANSFER', '-45.98', '0.0'),
    );
    const { events, settlements } = await read();
    const issued = Date.parse('2026-11-20T00:00:00Z');
    const ref = 'gid://shopify/ShopifyPaymentsPayout/60';
    expect(settlements).toEqual([
      { ref, from: null, to: issued, paidAt: issued, total: 4_598, isClosed: true },
    ]);
    const [fromOrder, fromPayout] = [events.slice(0, 7), events.slice(7)];
    expect(fromPayout.slice(0, 7)).toEqual(fromOrder.map((event) => ({ ...event, settlementRef: ref })));
    expect(
      fromPayout
        .slice(7)
        .map(({ kind, amount, rawType, settlementRef }) => [kind, amount, rawType, settlementRef]),
    ).toEqual([
      ['refund_other', 10, 'REFUND > fee', ref],
      ['payment', -1_500, 'CHARGEBACK_FEE > fee', ref],
      ['label', -450, 'SHIPPING_LABEL', ref],
      ['transfer', -4_598, 'TRANSFER', null],
    ]);
  });

  test('tell what the exchange rate changed of a payment in another currency', async () => {
    const paid = order([payment(1, '38.4', { fees: CARD }), payment(2, '10.0', { kind: 'REFUND' })]);
    fake.answer('nodes(ids', () => ({ nodes: [paid] }));
    const ofOrder = (number: number) => ({
      associatedOrder: { id: ORDER },
      sourceOrderTransactionId: String(number),
    });
    payouts(
      balance(1, 'CHARGE', '38.51', '1.62', ofOrder(1)),
      balance(2, 'REFUND', '-10.2', '0.0', ofOrder(2)),
    );
    const { events } = await read();
    expect(brief({ events, refused: [], settlements: [] })).toEqual([
      ['principal', 3_840],
      ['refund_principal', -1_000],
      ['payment', -162],
      ['other', 11],
      ['refund_other', -20],
    ]);
    // The balance to the cent.
    expect(events.reduce((sum, { amount }) => sum + amount, 0)).toBe(3_851 - 1_020 - 162);
  });

  test('of a canceled order leave the fee that was kept, to the cent', async () => {
    const canceled = order([payment(1, '38.4', { fees: CARD }), payment(2, '38.4', { kind: 'REFUND' })], {
      cancelledAt: AT,
    });
    fake.answer('nodes(ids', () => ({ nodes: [canceled] }));
    const ofOrder = (number: number) => ({
      associatedOrder: { id: ORDER },
      sourceOrderTransactionId: String(number),
    });
    payouts(
      balance(1, 'CHARGE', '38.4', '1.62', ofOrder(1)),
      balance(2, 'REFUND', '-38.4', '-0.32', ofOrder(2)),
    );
    const { events } = await read();
    const counted = events.filter(({ kind }) => kind !== 'transfer');
    expect(counted.map(({ kind, amount, isOfNoOrder }) => [kind, amount, isOfNoOrder])).toEqual([
      ['refund_fee', -162, true],
      ['refund_other', 32, true],
    ]);
    expect(events.reduce((sum, { amount }) => sum + amount, 0)).toBe(-162 + 32);
  });

  test('with payments of orders that the key may not read tell them as one amount', async () => {
    fake.answer('nodes(ids', () => ({ nodes: [null] }));
    const ofOrder = { associatedOrder: { id: ORDER }, sourceOrderTransactionId: '1' };
    payouts(balance(1, 'CHARGE', '38.4', '1.62', ofOrder));
    expect((await read()).events).toMatchObject([
      { externalId: paymentOf(1), kind: 'principal', amount: 3_840, orderRef: ORDER },
      { externalId: `${paymentOf(1)}:fee`, kind: 'payment', amount: -162, orderRef: ORDER },
    ]);
  });

  test.each([
    ['RESERVED_FUNDS', 'transfer'],
    ['LENDING_DEBIT', 'transfer'],
    ['DISPUTE_WITHDRAWAL', 'refund_principal'],
    ['SELLER_PROTECTION_CREDIT', 'reimbursement'],
    ['SHIPPING_LABEL_ADJUSTMENT', 'label'],
    ['SOMETHING_NEW', 'other'],
  ])('with %s have kind %s', async (type, kind) => {
    payouts(balance(1, type, '-2.0', '0.0'));
    expect((await read()).events).toMatchObject([{ kind, amount: -200, rawType: type }]);
  });

  test('need a right of their own, without which orders are read all the same', async () => {
    fake.orders.push(order([payment(1, '35.0')]));
    payouts(balance(1, 'ADJUSTMENT', '-2.0', '0.0'));
    const orders = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: fake.orders };
    const denied = aGraphqlError('ACCESS_DENIED', { data: { shopifyPaymentsAccount: null } });
    fake.faults.push({ body: { data: { orders } } }, denied);
    expect(brief(await read())).toEqual([['principal', 3_500]]);
  });
});

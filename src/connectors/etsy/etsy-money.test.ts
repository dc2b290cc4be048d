import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MoneyPage } from '#domain/money/money-event.ts';
import { instant } from '#domain/units.ts';
import { type EtsyShop, NOON, startEtsyShop } from '#tests/support/fake-etsy.ts';

let shop: EtsyShop;
beforeEach(async () => {
  shop = await startEtsyShop();
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const DAY = 86_400_000;
const SOLD_AT = NOON / 1_000 - 3_600;

async function read(days = 3): Promise<Pick<MoneyPage, 'events' | 'refused'>> {
  const window = { since: instant(NOON - days * DAY), until: NOON };
  const pages: MoneyPage[] = [];
  for await (const page of shop.connector.readMoney?.(shop.account, window, never) ?? []) pages.push(page);
  return {
    events: pages.flatMap(({ events }) => events),
    refused: pages.flatMap(({ refused }) => refused),
  };
}

function entry(
  entry_id: number,
  ledger_type: string,
  amount: unknown,
  changes: Record<string, unknown> = {},
) {
  return {
    entry_id,
    ledger_id: 1,
    sequence_number: entry_id,
    amount,
    currency: 'USD',
    description: ledger_type,
    balance: 0,
    create_date: SOLD_AT,
    created_timestamp: SOLD_AT,
    ledger_type,
    reference_type: 'receipt',
    reference_id: '4',
    parent_entry_id: 0,
    payment_adjustments: [],
    ...changes,
  };
}
const of = (reference_type: string, reference_id: string | null) => ({ reference_type, reference_id });

function ledger(...results: unknown[]): void {
  shop.service.on('GET', /\/ledger-entries\?/, () => ({ body: { count: results.length, results } }));
}

/** Receipts by when they were made, each of one line of a listing. */
function receipts(...sold: readonly [transaction: number, listing: number | null, at: number][]): void {
  const results = sold.map(([transaction_id, listing_id, at]) => ({
    receipt_id: transaction_id + 1_000,
    created_timestamp: at,
    transactions: [{ transaction_id, listing_id }],
  }));
  shop.service.on('GET', /\/receipts\?/, () => ({ body: { count: results.length, results } }));
}

describe('money', () => {
  test('example 29: of a sale is what the buyer paid without tax, and each fee', async () => {
    receipts([101, 9_001, SOLD_AT]);
    ledger(
      entry(8, 'offsite_ads_fee', -435),
      entry(7, 'transaction_quantity', -20, of('transaction', '101')),
      entry(6, 'renew_sold_auto', -20, of('listing', '9001')),
      entry(5, 'PAYMENT_PROCESSING_FEE', -119),
      entry(4, 'shipping_transaction', -33),
      entry(3, 'transaction', -156, of('transaction', '101')),
      entry(2, 'sales_tax', -232),
      entry(1, 'PAYMENT_GROSS', 3_132),
    );
    const { events } = await read();
    const sums: Record<string, number> = {};
    for (const { kind, amount } of events) sums[kind] = (sums[kind] ?? 0) + amount;
    expect(sums).toEqual({
      principal: 3_132,
      tax: -232,
      commission: -189,
      payment: -119,
      renewal: -40,
      ad: -435,
    });
    expect(events.map(({ orderRef, lineRef, itemId }) => orderRef ?? `${lineRef} ${itemId}`)).toEqual([
      '4',
      '101 null',
      '101 9001',
      '4',
      '4',
      '101 null',
      '4',
      '4',
    ]);
    expect(events[0]).toEqual({
      externalId: '8',
      kind: 'ad',
      rawType: 'offsite_ads_fee',
      amount: -435,
      orderRef: '4',
      lineRef: null,
      sku: null,
      itemId: null,
      quantity: null,
      postedAt: SOLD_AT * 1_000,
      releasedAt: SOLD_AT * 1_000,
      settlementRef: null,
    });
  });

  test.each([
    ['REFUND', 'refund_principal'],
    ['sales_tax_refund', 'refund_principal'],
    ['transaction_refund', 'refund_commission'],
    ['REFUND_PROCESSING_FEE', 'refund_other'],
    ['renew_sold_auto_refund', 'refund_other'],
    ['offsite_ads_fee_refund', 'ad'],
    ['prolist', 'ad'],
    ['listing', 'renewal'],
    ['shipping_labels', 'label'],
    ['shipping_label_adjustment', 'label'],
    ['seller_credit', 'reimbursement'],
    ['DISBURSE2', 'transfer'],
    ['a_new_type', 'other'],
    ['a_new_type_refund', 'other'],
  ])('of %s is kind %s, by that name', async (rawType, kind) => {
    ledger(entry(1, rawType, -100));
    expect((await read()).events).toMatchObject([{ kind, rawType, amount: -100 }]);
  });

  test('of a renewal belongs to the sale of its listing at that time, and else to the listing', async () => {
    receipts(
      [101, 9_001, SOLD_AT - 600],
      [102, 9_001, SOLD_AT + 5],
      [103, 9_002, SOLD_AT],
      [104, null, SOLD_AT],
    );
    ledger(
      entry(3, 'renew_sold', -20, of('listing', '9001')),
      entry(2, 'renew_sold', -20, { ...of('listing', '9001'), created_timestamp: SOLD_AT - 7_200 }),
      entry(1, 'renew_expired', -20, of('listing', '9002')),
    );
    expect((await read()).events.map(({ lineRef, itemId }) => [lineRef, itemId])).toEqual([
      ['102', '9001'],
      [null, '9001'],
      [null, '9002'],
    ]);
    const requested = shop.asked('/receipts?')[0]?.query;
    expect([requested?.get('min_created'), requested?.get('max_created')]).toEqual([
      String(SOLD_AT - 10_800),
      String(SOLD_AT + 3_600),
    ]);
  });

  test('of a payment belongs to its receipt, also next to payments that cannot be read', async () => {
    const payment = { payment_id: 70, receipt_id: 4, payment_adjustments: [{ payment_adjustment_id: 80 }] };
    const results = [{ payment_id: 71, receipt_id: null }, null, payment];
    shop.service.on('GET', /ledger-entries\/payments/, () => ({ body: { count: 3, results } }));
    ledger(
      entry(3, 'REFUND', -500, of('payment_adjustment', '80')),
      entry(2, 'PAYMENT_GROSS', 3_132, of('shop_payment', '70')),
      entry(1, 'PAYMENT_GROSS', 900, of('shop_payment', '71')),
    );
    expect((await read()).events.map(({ orderRef }) => orderRef)).toEqual(['4', '4', null]);
    const [requested] = shop.asked('/ledger-entries/payments');
    expect(requested?.query.getAll('ledger_entry_ids')).toEqual(['3', '2', '1']);
  });

  test('is reported without what it belongs to where Etsy refuses to report that', async () => {
    ledger(
      entry(2, 'PAYMENT_GROSS', 3_132, of('shop_payment', '70')),
      entry(1, 'renew_sold', -20, of('listing', '9001')),
    );
    expect((await read()).events).toMatchObject([
      { amount: 3_132, orderRef: null },
      { amount: -20, lineRef: null, itemId: '9001' },
    ]);
  });

  test.each([
    ['a currency', { currency: 'CAD' }, 'transaction 1', 'currency'],
    ['part of a penny', { amount: -100.5 }, 'transaction 1', 'fraction'],
    ['text', { amount: 'NaN' }, 'transaction 1', 'unreadable'],
    ['too much', { amount: 10_000_000_000 }, 'transaction 1', 'out_of_range'],
    ['a time to come', { created_timestamp: SOLD_AT + 172_800 }, 'transaction 1', 'future'],
    ['no time', { created_timestamp: undefined }, 'transaction 1', 'unreadable'],
    ['no ID', { entry_id: undefined }, 'Etsy ledger entry', 'no_id'],
  ])('with %s is refused, and the others are booked', async (_, changes, where, why) => {
    ledger(entry(1, 'transaction', -100, changes), entry(2, 'transaction', -200));
    const { events, refused } = await read();
    expect(refused).toEqual([{ where, why }]);
    expect(events).toMatchObject([{ externalId: '2', amount: -200 }]);
  });

  test('is read page by page, in periods of 30 days, the newest first', async () => {
    shop.service.on('GET', /\/ledger-entries\?/, ({ query }) => {
      const [offset, until] = [Number(query.get('offset')), Number(query.get('max_created'))];
      return { body: { count: 150, results: [entry(until + offset, 'listing', -20, of('listing', '1'))] } };
    });
    const end = NOON / 1_000;
    expect((await read(40)).events.map(({ externalId }) => Number(externalId))).toEqual([
      end,
      end + 100,
      end - 30 * 86_400,
      end - 30 * 86_400 + 100,
    ]);
  });
});

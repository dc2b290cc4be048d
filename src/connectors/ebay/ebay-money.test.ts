import type { LookupFunction } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MoneyPage } from '#domain/money/money-event.ts';
import { instant } from '#domain/units.ts';
import { type EbayShop, NOON, startEbayShop } from '#tests/support/fake-ebay.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { createEbay } from './ebay.ts';

let shop: EbayShop;
beforeEach(async () => {
  shop = await startEbayShop();
  shop.service.on('GET', /finances\/v1\/payout/, () => ({ status: 204 }));
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const DAY = 86_400_000;

async function read(days = 3): Promise<MoneyPage> {
  const window = { since: instant(NOON - days * DAY), until: NOON };
  const all = { events: [], settlements: [], refused: [], whole: [] } as {
    [Part in keyof MoneyPage]-?: NonNullable<MoneyPage[Part]>[number][];
  };
  for await (const page of shop.connector.readMoney?.(shop.account, window, never) ?? []) {
    all.events.push(...page.events);
    all.settlements.push(...page.settlements);
    all.refused.push(...page.refused);
    all.whole.push(...(page.whole ?? []));
  }
  return all;
}

const dollars = (value: string, currency = 'USD') => ({ value, currency });
const fee = (feeType: string, value: string) => ({ feeType, amount: dollars(value), feeMemo: '' });

function transaction(changes: Record<string, unknown> = {}) {
  return {
    transactionId: '26-1',
    transactionType: 'SALE',
    transactionStatus: 'PAYOUT',
    transactionDate: '2026-02-28T08:00:00.000Z',
    bookingEntry: 'CREDIT',
    amount: dollars('37.99'),
    payoutId: '5001',
    orderId: '12-1',
    ...changes,
  };
}

/** Example 24: goods for 30.00 and 10.00 with 5.00 shipping and 3.60 sales tax, at 13.6% and 0.40. */
const EXAMPLE_24 = {
  totalFeeBasisAmount: dollars('48.60'),
  eBayCollectedTaxAmount: dollars('3.60'),
  totalFeeAmount: dollars('7.01'),
  orderLineItems: [
    {
      lineItemId: 'L-1',
      marketplaceFees: [fee('FINAL_VALUE_FEE', '5.14'), fee('FINAL_VALUE_FEE_FIXED_PER_ORDER', '0.31')],
    },
    {
      lineItemId: 'L-2',
      marketplaceFees: [fee('FINAL_VALUE_FEE', '1.47'), fee('FINAL_VALUE_FEE_FIXED_PER_ORDER', '0.09')],
    },
  ],
};

/** The body of a page. An empty one is 204. */
function transactions(...list: unknown[]): void {
  shop.service.on('GET', /finances\/v1\/transaction/, () =>
    list.length === 0 ? { status: 204 } : { body: { total: list.length, transactions: list } },
  );
}

/** One payout with transactions of its own. */
function payout(changes: Record<string, unknown>, ...list: unknown[]): void {
  const one = { payoutId: '5001', payoutStatus: 'SUCCEEDED', payoutDate: '2026-03-01T02:00:00.000Z' };
  const payouts = [{ ...one, amount: dollars('37.99'), ...changes }];
  shop.service.on('GET', /finances\/v1\/payout/, () => ({ body: { payouts } }));
  shop.service.on('GET', /filter=payoutId/, () => ({ body: { transactions: list } }));
}

const brief = ({ events }: MoneyPage) =>
  events.map(({ kind, amount, lineRef }) => [kind, amount, ...(lineRef === null ? [] : [lineRef])]);
const sumOf = ({ events }: MoneyPage) => events.reduce((sum, { amount }) => sum + amount, 0);

describe('money', () => {
  test('example 24: of a sale is what the buyer paid without tax, and each fee of each line', async () => {
    transactions(transaction(EXAMPLE_24));
    const page = await read();
    expect(brief(page)).toEqual([
      ['commission', -514, 'L-1'],
      ['per_order', -31, 'L-1'],
      ['commission', -147, 'L-2'],
      ['per_order', -9, 'L-2'],
      ['principal', 4_500],
    ]);
    expect(page.events[0]).toEqual({
      externalId: 'SALE:26-1:L-1:FINAL_VALUE_FEE',
      kind: 'commission',
      rawType: 'SALE > FINAL_VALUE_FEE',
      amount: -514,
      orderRef: '12-1',
      lineRef: 'L-1',
      sku: null,
      itemId: null,
      quantity: null,
      postedAt: Date.UTC(2026, 1, 28, 8),
      releasedAt: Date.UTC(2026, 1, 28, 8),
      settlementRef: '5001',
    });
    const [, requested] = shop.service.asked;
    expect(requested?.query.get('filter')).toBe(
      'transactionDate:[2026-02-26T12:00:00.000Z..2026-03-01T12:00:00.000Z]',
    );
  });

  test.each([
    ['of each line', ['35.64', '12.96'], [3_564, 1_296]],
    ['of none where they are not the total', ['48.60', '48.60'], [undefined, undefined]],
    ['of none where one is missing', ['48.60', undefined], [undefined, undefined]],
  ])('tells what the commission was taken on %s', async (_, reported, bases) => {
    const orderLineItems = EXAMPLE_24.orderLineItems.map((line, at) => {
      const base = reported[at];
      return base === undefined ? line : { ...line, feeBasisAmount: dollars(base) };
    });
    transactions(transaction({ ...EXAMPLE_24, orderLineItems }));
    const { events } = await read();
    const commissions = events.filter(({ kind }) => kind === 'commission');
    expect(commissions.map(({ fee }) => fee?.base)).toEqual(bases);
    expect(events.some(({ kind, fee }) => kind !== 'commission' && fee !== undefined)).toBe(false);
  });

  test('of a refund goes back to the buyer, and its fees come back', async () => {
    const refund = { ...EXAMPLE_24, transactionType: 'REFUND', bookingEntry: 'DEBIT' };
    transactions(transaction(refund));
    expect(brief(await read())).toEqual([
      ['refund_commission', 514, 'L-1'],
      ['refund_other', 31, 'L-1'],
      ['refund_commission', 147, 'L-2'],
      ['refund_other', 9, 'L-2'],
      ['refund_principal', -4_500],
    ]);
  });

  test('on hold is not released, and is in no payout', async () => {
    transactions(transaction({ transactionStatus: 'FUNDS_ON_HOLD', payoutId: undefined }));
    expect((await read()).events).toMatchObject([{ amount: 3_799, releasedAt: null, settlementRef: null }]);
  });

  test.each([
    ['SHIPPING_LABEL', 'DEBIT', undefined, 'label', -450],
    ['NON_SALE_CHARGE', 'DEBIT', 'AD_FEE', 'ad', -450],
    ['NON_SALE_CHARGE', 'DEBIT', 'INSERTION_FEE', 'renewal', -450],
    ['NON_SALE_CHARGE', 'CREDIT', 'FINAL_VALUE_FEE', 'refund_commission', 450],
    ['NON_SALE_CHARGE', 'DEBIT', 'REGULATORY_FEE', 'other', -450],
    ['CREDIT', 'CREDIT', undefined, 'reimbursement', 450],
    ['DISPUTE', 'CREDIT', undefined, 'refund_principal', 450],
    ['TRANSFER', 'DEBIT', undefined, 'transfer', -450],
    ['LOAN_REPAYMENT', 'DEBIT', undefined, 'transfer', -450],
    ['SOMETHING_NEW', 'CREDIT', undefined, 'other', 450],
  ])('of %s as %s for %s is kind %s', async (transactionType, bookingEntry, feeType, kind, amount) => {
    const amountSet = dollars('4.50');
    transactions(transaction({ transactionType, bookingEntry, feeType, amount: amountSet }));
    expect(brief(await read())).toEqual([[kind, amount]]);
  });

  test('for advertising that is charged on its own is for the order and item that it names', async () => {
    const references = [
      { referenceId: '110001', referenceType: 'ITEM_ID' },
      { referenceId: '12-7', referenceType: 'ORDER_ID' },
    ];
    const charge = {
      transactionType: 'NON_SALE_CHARGE',
      bookingEntry: 'DEBIT',
      feeType: 'AD_FEE',
      references,
    };
    transactions(transaction({ ...charge, orderId: undefined, amount: dollars('0.75') }));
    expect((await read()).events).toMatchObject([{ kind: 'ad', orderRef: '12-7', itemId: '110001' }]);
  });

  test('for advertising counts with the sale only where the total of its fees includes it', async () => {
    const [line] = EXAMPLE_24.orderLineItems;
    const fees = [...(line?.marketplaceFees ?? []), fee('AD_FEE', '1.00')];
    const orderLineItems = [{ lineItemId: 'L-1', marketplaceFees: fees }];
    transactions(
      transaction({ amount: dollars('20.00'), totalFeeAmount: dollars('6.45'), orderLineItems }),
      transaction({
        transactionId: '26-2',
        amount: dollars('21.00'),
        totalFeeAmount: dollars('5.45'),
        orderLineItems,
      }),
    );
    expect(brief(await read()).filter(([kind]) => kind === 'ad' || kind === 'principal')).toEqual([
      ['ad', -100, 'L-1'],
      ['principal', 2_645, 'L-1'],
      ['principal', 2_645, 'L-1'],
    ]);
  });

  test('of fees that no line explains is reported by the name of their total', async () => {
    transactions(transaction({ ...EXAMPLE_24, totalFeeAmount: dollars('7.51') }));
    expect((await read()).events).toContainEqual(
      expect.objectContaining({ kind: 'other', amount: -50, rawType: 'SALE > totalFeeAmount' }),
    );
  });

  test('of a transaction with a total of its fees is all of it', async () => {
    const whole = async (changes: Record<string, unknown>) => {
      transactions(transaction({ ...EXAMPLE_24, ...changes }));
      return (await read()).whole;
    };
    expect(await whole({})).toEqual([{ id: 'SALE:26-1', orderRef: '12-1' }]);
    expect(await whole({ orderId: null })).toEqual([{ id: 'SALE:26-1', orderRef: null }]);
    expect(await whole({ totalFeeAmount: null })).toEqual([]);
    const bad = { feeType: 'AD_FEE', amount: dollars('x') };
    expect(await whole({ orderLineItems: [{ lineItemId: 'L-1', marketplaceFees: [bad] }] })).toEqual([]);
  });

  test('always adds up to what each transaction booked', async () => {
    const cents = fc.integer({ min: 0, max: 5_000 });
    const types = fc.constantFrom('FINAL_VALUE_FEE', 'AD_FEE', 'INTERNATIONAL_FEE');
    const lines = fc.array(fc.record({ line: fc.integer({ min: 1, max: 3 }), type: types, amount: cents }));
    const text = (amount: number) => (amount / 100).toFixed(2);
    await fc.assert(
      fc.asyncProperty(
        cents,
        cents,
        lines,
        fc.boolean(),
        fc.boolean(),
        async (net, total, fees, isSale, isReported) => {
          const orderLineItems = fees.map(({ line, type, amount }) => ({
            lineItemId: `L-${line}`,
            marketplaceFees: [fee(type, text(amount))],
            donations: [fee('CHARITY_DONATION', text(amount))],
          }));
          transactions(
            transaction({
              ...(isSale ? {} : { transactionType: 'REFUND', bookingEntry: 'DEBIT' }),
              amount: dollars(text(net)),
              ...(isReported && { totalFeeAmount: dollars(text(total)) }),
              orderLineItems,
            }),
          );
          const page = await read();
          expect(sumOf(page)).toBe(isSale ? net : 0 - net);
          expect(new Set(page.events.map(({ externalId }) => externalId)).size).toBe(page.events.length);
        },
      ),
      { seed: 20_261_123, numRuns: 40 },
    );
  });

  test.each([
    ['a currency', { amount: dollars('1.00', 'CAD') }, 'SALE 26-1', 'currency'],
    ['a third decimal', { amount: dollars('1.005') }, 'SALE 26-1', 'fraction'],
    ['no number', { amount: dollars('NaN') }, 'SALE 26-1', 'unreadable'],
    ['a thousands separator', { amount: dollars('1,234.00') }, 'SALE 26-1', 'unreadable'],
    ['too much', { amount: dollars('100000000.00') }, 'SALE 26-1', 'out_of_range'],
    ['no sign', { bookingEntry: undefined }, 'SALE 26-1', 'unreadable'],
    ['a time to come', { transactionDate: '2026-03-09T08:00:00.000Z' }, 'SALE 26-1', 'future'],
    ['no ID', { transactionId: undefined }, 'eBay transaction', 'no_id'],
  ])('with %s is refused, and the others are booked', async (_, changes, where, why) => {
    transactions(transaction(changes), transaction({ transactionId: '26-2' }));
    const { events, refused } = await read();
    expect(refused).toEqual([{ where, why }]);
    expect(events).toMatchObject([{ externalId: 'SALE:26-2' }]);
  });

  test('with one unreadable fee is reported without it, and what the buyer paid by the total', async () => {
    const marketplaceFees = [fee('FINAL_VALUE_FEE', '5.14'), fee('AD_FEE', 'N/A')];
    const orderLineItems = [{ lineItemId: 'L-1', marketplaceFees }];
    transactions(transaction({ orderLineItems, totalFeeAmount: dollars('6.00') }));
    const page = await read();
    expect(brief(page)).toEqual([
      ['commission', -514, 'L-1'],
      ['principal', 4_399, 'L-1'],
    ]);
    expect(page.refused).toEqual([{ where: 'SALE 26-1 > L-1 > AD_FEE', why: 'unreadable' }]);
    transactions(transaction({ orderLineItems }));
    expect(brief(await read())).toEqual([['commission', -514, 'L-1']]);
  });

  test('is read page by page, in periods of 90 days, the newest first', async () => {
    shop.service.on('GET', /finances\/v1\/transaction/, ({ query }) => {
      const offset = Number(query.get('offset'));
      if (offset === 2_000) return { status: 204 };
      const transactionId = `${query.get('filter')?.slice(17, 27)}-${offset}`;
      return { body: { transactions: [transaction({ transactionId })], next: 'more' } };
    });
    expect((await read(100)).events.map(({ externalId }) => externalId)).toEqual([
      'SALE:2025-12-01-0',
      'SALE:2025-12-01-1000',
      'SALE:2025-11-21-0',
      'SALE:2025-11-21-1000',
    ]);
  });

  test('has payouts, which are read with what they contain: its payout is reported later', async () => {
    transactions(transaction({ payoutId: undefined }));
    payout({}, transaction());
    const { events, settlements } = await read();
    const at = Date.UTC(2026, 2, 1, 2);
    expect(settlements).toEqual([
      { ref: '5001', from: null, to: at, paidAt: at, total: 3_799, isClosed: true },
    ]);
    expect(events).toMatchObject([
      { externalId: 'SALE:26-1', settlementRef: null },
      { externalId: 'SALE:26-1', settlementRef: '5001' },
    ]);
    const filters = shop.service.asked.map(({ query }) => query.get('filter'));
    expect(filters.slice(2)).toEqual([
      'payoutDate:[2026-02-26T12:00:00.000Z..2026-03-01T12:00:00.000Z]',
      'payoutId:{5001}',
    ]);
  });

  test.each([
    ['an instant payout by what it is taken from', { totalAmount: dollars('39.99') }, { total: 3_999 }],
    ['one that failed as not paid', { payoutStatus: 'RETRYABLE_FAILED' }, { paidAt: null }],
    ['one in another currency without a total', { amount: dollars('37.99', 'CAD') }, { total: null }],
  ])('has payouts: %s', async (_, changes, expected) => {
    transactions();
    payout(changes);
    expect((await read()).settlements).toMatchObject([expected]);
  });

  test.each([
    ['https://api.ebay.com', 'apiz.ebay.com'],
    ['https://api.sandbox.ebay.com', 'apiz.sandbox.ebay.com'],
  ])('is read for %s from %s', async (baseUrl, host) => {
    const hosts: string[] = [];
    const lookup: LookupFunction = (name, _, done) => {
      hosts.push(name);
      done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '');
    };
    const held = { access: { value: 'seller-1', obtainedAt: NOON, expiresAt: instant(NOON + DAY) } };
    const connector = createEbay({ baseUrl, lookup, now: () => NOON, limits: { attempts: 1 } });
    const account = { ...shop.account, tokens: memoryVault(held) };
    const pages = connector.readMoney?.(account, { since: instant(NOON - DAY), until: NOON }, never);
    await expect(pages?.next()).rejects.toMatchObject({ fault: 'network' });
    expect(new Set(hosts)).toEqual(new Set([host]));
  });

  test('needs a right that older authorizations do not have, and they stay valid', async () => {
    const errors = [{ errorId: 1_100, message: 'Access denied' }];
    shop.service.on('GET', /finances\/v1\/transaction/, () => ({ status: 403, body: { errors } }));
    await expect(read()).rejects.toMatchObject({
      fault: 'permission',
      sentence: expect.stringContaining('sell.finances'),
    });
    // Without scopes, eBay renews what was granted; a scope that was not would be refused.
    const [token] = shop.service.asked;
    expect(new URLSearchParams(token?.text).has('scope')).toBe(false);
  });
});

import { expect, test } from 'vitest';
import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { cents, instant } from '#domain/units.ts';
import { oneOrderPerSku, outcomesInOrder } from './batch-outcomes.ts';

function orderOf(listingId: number, sku: string): PriceOrder {
  return {
    ref: { listingId, sku, itemId: null, fulfillmentType: 'FBM', keys: {} },
    price: cents(1_999),
    currentPrice: cents(2_100),
    ownPrices: [],
    sequence: 1,
    isUrgent: false,
    idempotencyKey: `price-${listingId}`,
    notAfter: instant(0),
  };
}

test('of listings with the same SKU the first is sent, and the others are rejected', () => {
  const orders = [orderOf(1, 'MUG'), orderOf(2, 'CUP'), orderOf(3, 'MUG')];
  const outcomes = new Map<number, SendOutcome>();
  expect(oneOrderPerSku(orders, outcomes)).toEqual(orders.slice(0, 2));
  expect([...outcomes.values()]).toEqual([
    {
      listingId: 3,
      kind: 'not_sent',
      retryAfter: null,
      message: 'Another listing with the same SKU was sent at the same time.',
    },
  ]);
});

test('outcomes come in the order of the orders, and those without a result are unknown', () => {
  const orders = [orderOf(7, 'MUG'), orderOf(5, 'CUP')];
  const live: SendOutcome = { listingId: 5, kind: 'accepted', receipt: null };
  expect(outcomesInOrder('Walmart', orders, new Map([[5, live]]))).toEqual([
    { listingId: 7, kind: 'unknown', message: 'Walmart did not report a result for the price.' },
    live,
  ]);
});

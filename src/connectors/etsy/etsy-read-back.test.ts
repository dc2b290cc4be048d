import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cents } from '#domain/units.ts';
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
const held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 2_600)]);

describe('prices that are read back', () => {
  const sent = (...refs: ReturnType<typeof etsyRef>[]) =>
    refs.map((ref) => ({ ref, price: cents(1_999), receipt: null, sentAt: NOON, isLastLook: false }));
  const listing = (listing_id: number, inventory: unknown) => ({
    listing_id,
    title: 'Mug',
    state: 'active',
    inventory,
  });

  test('are requested by listing, each once, and returned in their order', async () => {
    const results = [listing(9_001, held), listing(9_003, null)];
    shop.service.on('GET', /\/listings\/batch/, () => ({ body: { count: 2, results } }));
    const refs = [
      ...[etsyRef(2), etsyRef(5, 'X', '9002'), etsyRef(1), etsyRef(6, 'DELETED'), etsyRef(7, 'Y', '9003')],
      etsyRef(8, 'Z', 'no number'),
    ];
    expect(await shop.connector.readPrices(shop.account, sent(...refs), never)).toMatchObject([
      { listingId: 2, kind: 'price', price: 2_600, source: 'item', refusal: null },
      { listingId: 5, kind: 'missing' },
      { listingId: 1, kind: 'price', price: 2_500 },
      { listingId: 6, kind: 'missing' },
      { listingId: 7, kind: 'unreadable' },
      { listingId: 8, kind: 'unreadable' },
    ]);
    expect(shop.asked('/batch').map(({ query }) => query.get('listing_ids'))).toEqual(['9001,9002,9003']);
  });

  test.each([
    ['in euros', etsyMoney(2_500, 'EUR')],
    ['of nothing', etsyMoney(0)],
  ])('%s are none', async (_, price) => {
    const results = [listing(9_001, etsyInventory([etsyProduct(1, 'MUG-1', 1, { price })]))];
    shop.service.on('GET', /\/batch/, () => ({ body: { count: 1, results } }));
    expect(await shop.connector.readPrices(shop.account, sent(etsyRef(1)), never)).toMatchObject([
      { kind: 'unreadable' },
    ]);
  });

  test.each([
    ['below nothing', etsyMoney(-2_500)],
    ['that is text', { amount: 'N/A', divisor: 100, currency_code: 'USD' }],
    ['in parts of a cent', { amount: 1_999, divisor: 1_000, currency_code: 'USD' }],
    ['divided by nothing', { amount: 1_999, divisor: 0, currency_code: 'USD' }],
  ])('%s cannot be read', async (_, price) => {
    const results = [listing(9_001, etsyInventory([etsyProduct(1, 'MUG-1', 1, { price })]))];
    shop.service.on('GET', /\/batch/, () => ({ body: { count: 1, results } }));
    expect(await shop.connector.readPrices(shop.account, sent(etsyRef(1)), never)).toMatchObject([
      { listingId: 1, kind: 'unreadable' },
    ]);
  });

  test('that are duplicates with different prices cannot be read', async () => {
    const other = etsyInventory([etsyProduct(1, 'MUG-1', 2_400)]);
    const results = [listing(9_001, held), listing(9_001, other)];
    shop.service.on('GET', /\/batch/, () => ({ body: { count: 2, results } }));
    expect(await shop.connector.readPrices(shop.account, sent(etsyRef(1)), never)).toMatchObject([
      { listingId: 1, kind: 'unreadable' },
    ]);
  });
});

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
  const shows = (item: number, body: unknown) =>
    shop.service.on('GET', new RegExp(`/${item}/inventory`), () => ({ body }));
  const read = (...refs: ReturnType<typeof etsyRef>[]) =>
    shop.connector.readPrices(shop.account, sent(...refs), never);

  test('are requested from the item, each once, and returned in their order', async () => {
    shows(9_001, held);
    for (const item of [9_002, 9_003]) {
      shop.service.on('GET', new RegExp(`/${item}/inventory`), () => ({
        status: item === 9_002 ? 404 : 400,
        body: { error: item === 9_002 ? 'Could not find a Listing with listing_id = 9002' : 'No.' },
      }));
    }
    const refs = [
      ...[etsyRef(2), etsyRef(5, 'X', '9002'), etsyRef(1), etsyRef(6, 'DELETED'), etsyRef(7, 'Y', '9003')],
      etsyRef(8, 'Z', 'no number'),
    ];
    expect(await read(...refs)).toMatchObject([
      { listingId: 2, kind: 'price', price: 2_600, source: 'item', refusal: null },
      { listingId: 5, kind: 'missing' },
      { listingId: 1, kind: 'price', price: 2_500 },
      { listingId: 6, kind: 'missing' },
      { listingId: 7, kind: 'unreadable' },
      { listingId: 8, kind: 'unreadable' },
    ]);
    expect(shop.asked('/inventory')).toHaveLength(3);
    // Since July 2026 listings that are requested by ID come without their inventory.
    expect(shop.asked('/batch')).toEqual([]);
  });

  test.each([
    ['HTML', '<html>404</html>'],
    ['nothing', ''],
    ['an error that names no listing', { error: 'Resource not found' }],
    ['an error of the address', { error: 'No route for /v3/application/listings/9001/inventory' }],
    ['an error of something in between', { status: 404, message: 'listing not found' }],
  ])('behind a 404 with %s are not read: it says nothing about the listing', async (_, body) => {
    shop.service.on('GET', /\/9001\/inventory/, () => ({ status: 404, body }));
    expect(await read(etsyRef(1))).toMatchObject([{ listingId: 1, kind: 'unreadable' }]);
  });

  test.each([
    ['in euros', etsyMoney(2_500, 'EUR')],
    ['of nothing', etsyMoney(0)],
    ['below nothing', etsyMoney(-2_500)],
    ['that is text', { amount: 'N/A', divisor: 100, currency_code: 'USD' }],
    ['in parts of a cent', { amount: 1_999, divisor: 1_000, currency_code: 'USD' }],
    ['divided by nothing', { amount: 1_999, divisor: 0, currency_code: 'USD' }],
  ])('%s are none', async (_, price) => {
    shows(9_001, etsyInventory([etsyProduct(1, 'MUG-1', 1, { price })]));
    expect(await read(etsyRef(1))).toMatchObject([{ listingId: 1, kind: 'unreadable' }]);
  });
});

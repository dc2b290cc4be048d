import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceOrder } from '#connectors/connector.ts';
import {
  type EtsyShop,
  type EtsyWritten,
  etsyInventory,
  etsyMoney,
  etsyOrder,
  etsyProduct,
  etsyStored,
  NOON,
  startEtsyShop,
} from '#tests/support/fake-etsy.ts';

let shop: EtsyShop;
let held: ReturnType<typeof etsyInventory>;
beforeEach(async () => {
  shop = await startEtsyShop();
  held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 2_600, { quantity: 1 })]);
  shop.service.on('GET', /\/9001\/inventory/, () => ({ body: held }));
  shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => ({ body: etsyStored(json) }));
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const send = (...orders: PriceOrder[]) => shop.connector.sendPrices(shop.account, orders, never);
const written = () => shop.asked('/inventory', 'PUT').map(({ json }) => json as EtsyWritten);

describe('the last unit', () => {
  function sold(listing_id: number, count = 1): void {
    const line = {
      transaction_id: 5,
      listing_id,
      product_id: 2,
      sku: 'MUG-2',
      quantity: 1,
      price: etsyMoney(1),
    };
    const receipt = { receipt_id: 4, status: 'paid', is_paid: true, created_timestamp: 1_772_366_399 };
    const results = [{ ...receipt, transactions: [line] }];
    shop.service.on('GET', /\/receipts/, () => ({ body: { count, results } }));
  }

  test('that was just sold is not restored: the price is not sent', async () => {
    sold(9_001);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'not_sent', retryAfter: 60_000 }]);
    expect(written()).toEqual([]);
    expect(shop.asked('/receipts')[0]?.query.get('min_created')).toBe(String(NOON / 1_000 - 60));
  });

  test('of another listing does not matter', async () => {
    sold(9_002);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'live' }]);
    expect(written()[0]?.products.map(({ offerings }) => offerings[0]?.quantity)).toEqual([4, 1]);
  });

  test('among more sales than one response has counts as sold', async () => {
    sold(9_002, 101);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'not_sent' }]);
  });

  test('is not checked where there are more', async () => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500, { quantity: 2 })]);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'live' }]);
    expect(shop.asked('/receipts')).toEqual([]);
  });
});

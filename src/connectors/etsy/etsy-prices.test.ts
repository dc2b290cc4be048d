import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceOrder } from '#connectors/connector.ts';
import { cents, instant } from '#domain/units.ts';
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
import { Inventory } from './etsy-responses.ts';
import { groupsOf, priceGroupsOf } from './sku-groups.ts';

let shop: EtsyShop;
/** Etsy's data of the listing 9001. */
let held: ReturnType<typeof etsyInventory>;
beforeEach(async () => {
  shop = await startEtsyShop();
  held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 2_600)]);
  shop.service.on('GET', /\/9001\/inventory/, () => ({ body: held }));
  shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => ({ body: etsyStored(json) }));
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const send = (...orders: PriceOrder[]) => shop.connector.sendPrices(shop.account, orders, never);
const written = () => shop.asked('/inventory', 'PUT').map(({ json }) => json as EtsyWritten);

describe('a price', () => {
  test('is written with the complete inventory, read just before', async () => {
    expect(await send(etsyOrder(1, 1_990))).toEqual([{ listingId: 1, kind: 'live', price: 1_990 }]);
    const calls = shop.service.asked.filter(({ path }) => path.includes('/inventory'));
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'PUT']);
    const value = (id: number) => ({
      property_id: 200,
      property_name: 'Primary color',
      scale_id: null,
      value_ids: [id + 50],
      values: [`Color ${id}`],
    });
    expect(written()).toEqual([
      {
        products: [
          {
            sku: 'MUG-1',
            property_values: [value(1)],
            offerings: [{ price: 19.9, quantity: 4, is_enabled: true, readiness_state_id: 31 }],
          },
          {
            sku: 'MUG-2',
            property_values: [value(2)],
            offerings: [{ price: 26, quantity: 4, is_enabled: true, readiness_state_id: 31 }],
          },
        ],
        price_on_property: [200],
        quantity_on_property: [200],
        sku_on_property: [200],
        readiness_state_on_property: [],
      },
    ]);
  });

  test('has only the digits it needs: no binary fraction is sent', async () => {
    for (const price of [1, 10, 29, 57, 115, 1_001, 1_999, 9_999_999]) await send(etsyOrder(1, price));
    const digits = shop.asked('/inventory', 'PUT').map(({ text }) => /"price":([\d.]+)/.exec(text)?.[1]);
    expect(digits).toEqual(['0.01', '0.1', '0.29', '0.57', '1.15', '10.01', '19.99', '99999.99']);
  });

  test('of several SKUs of a listing is one call; outcomes come in the order of the orders', async () => {
    const error = 'Could not find a Listing with listing_id = 9002';
    shop.service.on('GET', /\/9002\/inventory/, () => ({ status: 404, body: { error } }));
    const orders = [etsyOrder(2, 2_111), etsyOrder(3, 1_000, 'CUP', '9002'), etsyOrder(1, 2_222)];
    expect(await send(...orders)).toMatchObject([
      { listingId: 2, kind: 'live', price: 2_111 },
      { listingId: 3, kind: 'not_sent', why: 'not_found', othersMayGo: true },
      { listingId: 1, kind: 'live', price: 2_222 },
    ]);
    expect(written()).toHaveLength(1);
  });

  test('that is set already is confirmed, and nothing is written', async () => {
    expect(await send(etsyOrder(1, 2_500))).toEqual([{ listingId: 1, kind: 'live', price: 2_500 }]);
    expect(written()).toEqual([]);
  });

  test('that the seller changed there is not overwritten, and others of the listing are', async () => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 3_000), etsyProduct(2, 'MUG-2', 2_600)]);
    expect(await send(etsyOrder(1, 1_990), etsyOrder(2, 2_111))).toMatchObject([
      { listingId: 1, kind: 'stopped', found: { kind: 'other_price', price: 3_000, source: 'item' } },
      { listingId: 2, kind: 'live', price: 2_111 },
    ]);
    expect(written()[0]?.products.map(({ offerings }) => offerings[0]?.price)).toEqual([30, 21.11]);
  });

  test('that Etsy shows as 0.00 is unknown, and no edit of the seller', async () => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 0), etsyProduct(2, 'MUG-2', 2_600)]);
    expect(await send(etsyOrder(1, 1_990))).toMatchObject([{ kind: 'live', price: 1_990 }]);
  });

  test('is not written together with 0.00 for a variation whose price Etsy does not show', async () => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 0)]);
    expect(await send(etsyOrder(1, 1_990))).toMatchObject([{ kind: 'not_sent', othersMayGo: true }]);
    expect(written()).toEqual([]);
  });

  test('that was sent before and arrived late is replaced', async () => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 2_600)]);
    expect(await send(etsyOrder(1, 1_990))).toMatchObject([{ kind: 'live', price: 1_990 }]);
  });

  test('does not send deleted products', async () => {
    held.products.push(etsyProduct(3, 'OLD', 2_500, { is_deleted: true }));
    await send(etsyOrder(1));
    expect(written()[0]?.products.map(({ sku }) => sku)).toEqual(['MUG-1', 'MUG-2']);
  });

  test('is set on every product of its SKU', async () => {
    held.products.push(etsyProduct(3, 'MUG-1', 2_500));
    expect(await send(etsyOrder(1, 2_400))).toMatchObject([{ kind: 'live', price: 2_400 }]);
    expect(written()[0]?.products.map(({ offerings }) => offerings[0]?.price)).toEqual([24, 26, 24]);
  });

  test('of a product without a SKU is identified by the values of the variation', async () => {
    held = etsyInventory([etsyProduct(1, '', 2_500), etsyProduct(2, 'MUG-2', 2_600)]);
    expect(await send(etsyOrder(1, 2_400, 'etsy-9001-color-1'))).toMatchObject([
      { kind: 'live', price: 2_400 },
    ]);
  });

  test('of a listing without SKUs and with one price is set on all of it', async () => {
    held = etsyInventory([etsyProduct(11, '', 2_500), etsyProduct(12, null, 2_500)], {
      price_on_property: [],
    });
    expect(await send(etsyOrder(1, 2_400, 'etsy-9001'))).toMatchObject([{ kind: 'live', price: 2_400 }]);
    expect(written()[0]?.products.map(({ offerings }) => offerings[0]?.price)).toEqual([24, 24]);
  });
});

describe('a price that is not possible', () => {
  /** A product of one color and one size. */
  const sized = (id: number, sku: string, amount: number, size: number) => {
    const product = etsyProduct(id, sku, amount);
    const value = {
      property_id: 300,
      property_name: 'Size',
      scale_id: 7,
      value_ids: [size],
      values: [`Size ${size}`],
    };
    return { ...product, property_values: [...product.property_values, value] };
  };

  /** An order with the group that the catalog shows. */
  const grouped = (listingId: number, price: number, sku = `MUG-${listingId}`) => {
    const inventory = Inventory.parse(held);
    const keys = priceGroupsOf(9_001, groupsOf(9_001, inventory), inventory);
    return etsyOrder(listingId, price, sku, undefined, keys.get(sku) ?? null);
  };

  test('one price for all: an order for one SKU alone would change the others', async () => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 2_500)], {
      price_on_property: [],
    });
    expect(await send(grouped(1, 2_400))).toMatchObject([
      { kind: 'stopped', found: { kind: 'not_repriceable' }, message: expect.stringContaining('MUG-2') },
    ]);
    expect(await send(grouped(1, 2_400), grouped(2, 2_300))).toMatchObject([
      { kind: 'stopped' },
      { kind: 'stopped' },
    ]);
    expect(written()).toEqual([]);
    expect(await send(grouped(1, 2_400), grouped(2, 2_400))).toMatchObject([
      { kind: 'live', price: 2_400 },
      { kind: 'live', price: 2_400 },
    ]);
    expect(written()).toHaveLength(1);
  });

  test('C17: the group was split or merged since the catalog was read: nothing is written', async () => {
    const shared = [etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 2_500)];
    held = etsyInventory(shared, { price_on_property: [] });
    const together = [grouped(1, 2_400), grouped(2, 2_400)];
    const regrouped = { kind: 'stopped', found: { kind: 'regrouped' } };
    expect(await send(etsyOrder(1, 2_400))).toMatchObject([regrouped]);
    held = etsyInventory(shared);
    expect(await send(...together)).toMatchObject([regrouped, regrouped]);
    expect(written()).toEqual([]);
  });

  test('of what is not for sale follows the others, without an order of its own', async () => {
    const off = etsyProduct(2, 'MUG-2', 2_500);
    const offerings = off.offerings.map((one) => ({ ...one, is_enabled: false }));
    held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500), { ...off, offerings }], { price_on_property: [] });
    expect(await send(grouped(1, 2_400))).toMatchObject([{ kind: 'live', price: 2_400 }]);
    expect(written()[0]?.products.map((product) => product.offerings[0]?.price)).toEqual([24, 24]);
  });

  test('prices by size, SKUs by color: those of one size must be equal', async () => {
    held = etsyInventory([sized(1, 'A', 2_500, 1), sized(2, 'B', 2_500, 1), sized(3, 'C', 2_700, 2)], {
      price_on_property: [300],
    });
    const other = { ...grouped(3, 2_600, 'C'), currentPrice: cents(2_700) };
    expect(await send(grouped(1, 2_400, 'A'), other)).toMatchObject([
      { kind: 'stopped' },
      { kind: 'live', price: 2_600 },
    ]);
    expect(written()[0]?.products.map(({ offerings }) => offerings[0]?.price)).toEqual([25, 25, 26]);
  });

  test('prices by size: SKUs that share a price with the same one are one group', async () => {
    held = etsyInventory(
      [sized(1, 'A', 2_500, 1), sized(2, 'A', 2_500, 2), sized(3, 'B', 2_500, 1), sized(4, 'C', 2_500, 2)],
      { price_on_property: [300] },
    );
    expect(await send(grouped(1, 2_400, 'A'), grouped(4, 2_400, 'C'))).toMatchObject([
      { kind: 'stopped' },
      { kind: 'stopped' },
    ]);
    expect(written()).toEqual([]);
    const all = [grouped(1, 2_400, 'A'), grouped(3, 2_400, 'B'), grouped(4, 2_400, 'C')];
    expect((await send(...all)).map(({ kind }) => kind)).toEqual(['live', 'live', 'live']);
  });

  test.each([
    ['its SKU is missing', () => etsyInventory([etsyProduct(2, 'MUG-2', 2_600)])],
    [
      'its SKU has several prices',
      () => etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-1', 2_600)]),
    ],
  ])('%s: rejected, and nothing is written', async (_, inventory) => {
    held = inventory();
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'rejected' }]);
    expect(written()).toEqual([]);
  });

  test('it is in euros: stopped, since one reading that says so is not final, and nothing is written', async () => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 1, { price: etsyMoney(2_500, 'EUR') })]);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'stopped', found: { kind: 'not_repriceable' } }]);
    expect(written()).toEqual([]);
  });

  test('without a listing ID: rejected, without a call', async () => {
    const order = etsyOrder(1, 1_999, 'MUG-1', '../7');
    expect(await send(order)).toMatchObject([{ kind: 'rejected' }]);
    expect(shop.service.asked).toEqual([]);
  });
});

test.each([400, 409])(
  'an inventory that Etsy refuses to show (%i) is no refusal of its prices',
  async (status) => {
    const other = etsyInventory([etsyProduct(3, 'MUG-3', 2_500)]);
    shop.service.on('GET', /\/9001\/inventory/, () => ({ status, body: { error: 'Not now.' } }));
    shop.service.on('GET', /\/9002\/inventory/, () => ({ body: other }));
    shop.service.on('PUT', /\/9002\/inventory/, ({ json }) => ({ body: etsyStored(json) }));
    const elsewhere = { listingId: '9002' };
    const third = etsyOrder(3, 1_990);
    expect(
      await send(etsyOrder(1, 1_990), { ...third, ref: { ...third.ref, itemId: '9002', keys: elsewhere } }),
    ).toMatchObject([{ kind: 'not_sent', othersMayGo: true }, { kind: 'live' }]);
    expect(written()).toHaveLength(1);
  },
);

describe("Etsy's response", () => {
  const answers = (...list: { status?: number; body?: unknown }[]) =>
    shop.service.on('PUT', /\/inventory/, ({ json }) => list.shift() ?? { body: etsyStored(json) });
  const refusal = { error: 'price is not valid' };

  test.each([400, 409])('%i: the inventory is read again, once', async (status) => {
    answers({ status, body: refusal });
    shop.service.on('GET', /\/9001\/inventory/, () => {
      if (written().length > 0) held.products = [etsyProduct(1, 'MUG-1', 2_500, { quantity: 3 })];
      return { body: held };
    });
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'live' }]);
    expect(written().map(({ products }) => products[0]?.offerings[0]?.quantity)).toEqual([4, 3]);
  });

  test("400 twice is a refusal, with Etsy's message", async () => {
    answers({ status: 400, body: refusal }, { status: 400, body: refusal });
    expect(await send(etsyOrder(1))).toEqual([
      { listingId: 1, kind: 'rejected', message: 'price is not valid', code: '400' },
    ]);
    expect(written()).toHaveLength(2);
  });

  test('409 twice is no refusal: the listing is being changed', async () => {
    answers({ status: 409, body: refusal }, { status: 409, body: refusal });
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'not_sent', retryAfter: 60_000 }]);
    expect(written()).toHaveLength(2);
  });

  test.each([
    ['3600', NOON + 3_600_000],
    [undefined, null],
  ])('429 without calls left today waits until Etsy has some again (%s)', async (after, until) => {
    const headers = { 'x-remaining-today': '0', ...(after === undefined ? {} : { 'retry-after': after }) };
    shop.service.faults.push({ status: 429, headers });
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'not_sent', why: 'daily_limit', until }]);
    expect(written()).toHaveLength(0);
  });

  test.each([
    ['Could not find a Listing with listing_id = 9001', true],
    ['Resource not found', false],
  ])(
    '404 (%s) is a refusal immediately, and for good where it names the listing',
    async (error, isForGood) => {
      answers({ status: 404, body: { error } });
      const [outcome] = await send(etsyOrder(1));
      expect(outcome).toMatchObject({ kind: 'rejected', code: expect.any(String), message: error });
      const code = outcome?.kind === 'rejected' ? outcome.code : null;
      expect(shop.connector.finalRefusals.has(code ?? '')).toBe(isForGood);
      expect(written()).toHaveLength(1);
    },
  );

  test.each(['<html>404</html>', { error: 'Resource not found' }])(
    'behind an address that Etsy does not have (404, %j) wait: nothing is said of the listing',
    async (body) => {
      shop.service.on('GET', /\/9001\/inventory/, () => ({ status: 404, body }));
      expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'not_sent', why: 'not_told' }]);
      expect(written()).toEqual([]);
    },
  );

  test('a different price than the one sent is reported as it is', async () => {
    answers({ body: etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 2_600)]) });
    expect(await send(etsyOrder(1))).toEqual([{ listingId: 1, kind: 'live', price: 2_500 }]);
  });

  test('with only some of the products of a SKU is unknown', async () => {
    held.products.push(etsyProduct(3, 'MUG-1', 2_500));
    answers({ body: etsyInventory([etsyProduct(1, 'MUG-1', 1_999), etsyProduct(2, 'MUG-2', 2_600)]) });
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'unknown' }]);
  });

  test.each([
    ['without the product', () => etsyInventory([etsyProduct(2, 'MUG-2', 2_600)])],
    ['with a price below nothing', () => etsyInventory([etsyProduct(1, 'MUG-1', -1)])],
    ['in euros', () => etsyInventory([etsyProduct(1, 'MUG-1', 1, { price: etsyMoney(1_999, 'EUR') })])],
  ])('%s is unknown', async (_, body) => {
    answers({ body: body() });
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'unknown' }]);
    expect(written()).toHaveLength(1);
  });

  test('too long after the read nothing is written', async () => {
    shop.service.on('PUT', /\/inventory/, () => ({ status: 429, headers: { 'retry-after': '6' }, body: {} }));
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'not_sent' }]);
    expect(written()).toHaveLength(1);
  });

  test('an order past its deadline is not written', async () => {
    expect(await send({ ...etsyOrder(1), notAfter: instant(NOON - 1) })).toMatchObject([
      { kind: 'not_sent' },
    ]);
    expect(written()).toEqual([]);
  });

  test('a revoked key ends all of them, instead of ten thousand failing calls', async () => {
    shop.service.on('POST', /oauth/, () => ({ status: 400, body: { error: 'invalid_grant' } }));
    const orders = [1, 2, 3].map((number) => etsyOrder(number, 1_999, 'MUG-1', `900${number}`));
    expect((await send(...orders)).map(({ kind }) => kind)).toEqual(['not_sent', 'not_sent', 'not_sent']);
    expect(shop.service.asked).toHaveLength(1);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceOrder } from '#connectors/connector.ts';
import { allOf } from '#tests/support/all-of.ts';
import { never } from '#tests/support/connector-fixture.ts';
import {
  type EtsyShop,
  etsyInventory,
  etsyOrder,
  etsyProduct,
  etsyRef,
  etsyStored,
  NOON,
  startEtsyShop,
} from '#tests/support/fake-etsy.ts';

const PAUSE = 900_000;

let shop: EtsyShop;
/** Calls of the day that Etsy's answers report, of 10,000. */
let left: number;
beforeEach(async () => {
  shop = await startEtsyShop();
  left = 10_000;
  const headers = () => ({ 'x-limit-per-day': '10000', 'x-remaining-today': String(left) });
  const held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500)]);
  shop.service.on('GET', /\/inventory/, () => ({ body: held, headers: headers() }));
  shop.service.on('PUT', /\/inventory/, ({ json }) => ({ body: etsyStored(json), headers: headers() }));
  shop.service.on('GET', /\/receipts/, () => ({ body: { count: 0, results: [] }, headers: headers() }));
});
afterEach(() => shop.service.close());

const send = (...orders: PriceOrder[]) =>
  shop.connector.sendPrices(
    shop.account,
    orders.map((one) => ({ ...one, notAfter: (shop.clock.now + 20_000) as typeof one.notAfter })),
    never,
  );
const many = (count: number, isUrgent = false) =>
  Array.from({ length: count }, (_, at) => ({
    ...etsyOrder(at + 1, 1_990, 'MUG-1', String(9_001 + at)),
    isUrgent,
  }));
const readSales = () => allOf(shop.connector.readSales?.(shop.account, NOON, never));

describe('when less of the day is left', () => {
  test('than sales may use, prices go on as before', async () => {
    left = 3_000;
    await readSales();
    await expect(readSales()).rejects.toThrow(/Rate limit/);
    // One every other second, as before.
    for (const order of many(20)) {
      expect(await send(order)).toMatchObject([{ kind: 'live', price: 1_990 }]);
      shop.clock.now = (shop.clock.now + 2_000) as typeof shop.clock.now;
    }
    const one = { ref: etsyRef(1), price: etsyOrder(1).price, receipt: null };
    const sent = { ...one, sentAt: NOON, isLastLook: false };
    expect(await shop.connector.readPrices(shop.account, [sent], never)).toMatchObject([{ kind: 'price' }]);
  });

  test('than a quarter, only urgent prices go', async () => {
    left = 2_500;
    await send(...many(1, true));
    const [urgent, other] = await send(...many(1, true), etsyOrder(2, 1_990, 'MUG-1', '9002'));
    expect(urgent).toMatchObject({ kind: 'live' });
    const until = NOON + PAUSE;
    const later = { kind: 'not_sent', why: 'daily_limit', othersMayGo: true, urgentMayGo: true };
    expect(other).toMatchObject({ ...later, message: expect.stringContaining('end a loss') });
    expect(other?.kind === 'not_sent' && other.until).toBeGreaterThanOrEqual(until);
    expect(shop.asked('/9002/')).toEqual([]);
  });

  test('than a fifth, none goes for a quarter of an hour', async () => {
    left = 2_000;
    await readSales();
    shop.service.asked.length = 0;
    expect(await send(...many(1, true))).toMatchObject([
      { kind: 'not_sent', why: 'daily_limit', until: shop.clock.now + PAUSE },
    ]);
    expect(shop.service.asked).toEqual([]);
    shop.clock.now = (shop.clock.now + PAUSE) as typeof shop.clock.now;
    left = 2_600;
    expect(await send(...many(1, true))).toMatchObject([{ kind: 'live' }]);
  });

  test('in the middle of a write, it is finished', async () => {
    shop.service.on('PUT', /\/inventory/, ({ json }) => {
      left = 1_990;
      return { body: etsyStored(json), headers: { 'x-limit-per-day': '10000', 'x-remaining-today': '1990' } };
    });
    expect(await send(...many(1))).toMatchObject([{ kind: 'live' }]);
    expect(shop.asked('/receipts')).toHaveLength(1);
  });
});

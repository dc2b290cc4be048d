import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Account } from '#connectors/connector.ts';
import { hours, instant } from '#domain/units.ts';
import {
  type EtsyShop,
  etsyInventory,
  etsyOrder,
  etsyProduct,
  etsyStored,
  startEtsyShop,
} from '#tests/support/fake-etsy.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';

let shop: EtsyShop;
let account: Account;
/** The pictures of the variations, by their value; a write clears them where the test says so. */
let pictures: Map<number, number>;
let isUnlinking: boolean;
let price: number;
beforeEach(async () => {
  shop = await startEtsyShop();
  account = { ...shop.account, findings: memoryFindings({}, () => shop.clock.now) };
  pictures = new Map([
    [51, 901],
    [52, 902],
  ]);
  isUnlinking = false;
  price = 2_000;
  shop.service.on('GET', /\/9001\/inventory/, () => ({
    body: etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 2_600)]),
  }));
  shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => {
    if (isUnlinking) pictures.clear();
    return { body: etsyStored(json) };
  });
  shop.service.on('GET', /\/shops\/5501\/listings\/9001\/variation-images$/, () => ({
    body: {
      count: pictures.size,
      results: [...pictures].map(([value_id, image_id]) => ({
        property_id: 200,
        value_id,
        value: null,
        image_id,
      })),
    },
  }));
});
afterEach(() => shop.service.close());

const looks = () => shop.asked('/variation-images').length;
async function send() {
  price += 1;
  const [outcome] = await shop.connector.sendPrices(
    account,
    [etsyOrder(1, price)],
    new AbortController().signal,
  );
  return outcome?.kind;
}

test('pictures that stay are compared with every write until three listings kept theirs', async () => {
  for (let time = 1; time <= 5; time++) expect(await send()).toBe('live');
  expect(looks()).toBe(10);
  const kept = { is: 'seen', kept: [9001, 9002, 9003], without: [] };
  account = { ...account, findings: memoryFindings({ etsy_pictures: kept }) };
  expect(await send()).toBe('live');
  expect(looks()).toBe(10);
});

test('once a write unlinked some, listings with linked pictures get no price for 30 days', async () => {
  isUnlinking = true;
  expect(await send()).toBe('live');
  expect(await account.findings?.read('etsy_pictures')).toEqual({ is: 'lost', unlinked: '9001' });
  pictures.set(51, 901);
  expect(await send()).toBe('stopped');
  shop.service.on('GET', /variation-images$/, () => ({ status: 500, body: {} }));
  expect(await send()).toBe('not_sent');
  expect(shop.asked('/inventory', 'PUT')).toHaveLength(1);
  shop.clock.now = instant(shop.clock.now + hours(24 * 30));
  expect(await account.findings?.read('etsy_pictures')).toBeNull();
});

test('a listing without linked pictures gets its price also then', async () => {
  account = { ...account, findings: memoryFindings({ etsy_pictures: { is: 'lost', unlinked: '9002' } }) };
  pictures.clear();
  expect(await send()).toBe('live');
});

test('a shop in which 20 listings have no linked pictures is not checked for a week', async () => {
  pictures.clear();
  for (let time = 1; time <= 3; time++) expect(await send()).toBe('live');
  expect(looks()).toBe(3);
  expect(await account.findings?.read('etsy_pictures')).toEqual({ is: 'seen', kept: [], without: [9001] });
  const without = Array.from({ length: 20 }, (_, at) => at + 1);
  account = { ...account, findings: memoryFindings({ etsy_pictures: { is: 'seen', kept: [], without } }) };
  expect(await send()).toBe('live');
  expect(looks()).toBe(3);
});

test('a price does not wait for pictures that Etsy does not show', async () => {
  shop.service.on('GET', /variation-images$/, () => ({ status: 500, body: {} }));
  expect(await send()).toBe('live');
  expect(await account.findings?.read('etsy_pictures')).toBeNull();
});

test('a listing without variations has none', async () => {
  shop.service.on('GET', /\/9001\/inventory/, () => ({
    body: etsyInventory([etsyProduct(1, 'MUG-1', 2_500, { property_values: [] })], {
      price_on_property: [],
      quantity_on_property: [],
    }),
  }));
  expect(await send()).toBe('live');
  expect(looks()).toBe(0);
});

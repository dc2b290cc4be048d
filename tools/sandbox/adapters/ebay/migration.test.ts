import { afterEach, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { signInToEbay } from '#tests/support/sandbox-ebay.ts';

const INVENTORY = '/sell/inventory/v1';
let sandbox: Sandbox;
afterEach(() => sandbox.close());

const OUTSIDE: Omit<ItemPlan, 'sku' | 'itemId'> = {
  marketplace: 'ebay',
  title: 'Mug',
  fulfillmentType: 'FBM',
  price: cents(2_499),
  competitors: [],
  viewsPerDay: 0,
  keys: { offerId: '' },
};
const by = { pricedBy: [513], quantityBy: [513], skuBy: [513] };

async function open(...items: readonly ItemPlan[]) {
  const world = createWorld({
    seed: 'migration',
    startsAt: instant(Date.UTC(2026, 10, 20)),
    items,
    stock: [],
  });
  sandbox = await startSandbox({ world, port: 0, services: ['ebay'] });
  const call = await signInToEbay(sandbox);
  const migrate = (...ids: readonly string[]) =>
    call('POST', `${INVENTORY}/bulk_migrate_listing`, { requests: ids.map((listingId) => ({ listingId })) });
  return { call, migrate, market: world.market('ebay') };
}

test('a listing with variations becomes an item of each, with one group', async () => {
  const colors = ['Red', 'Blue'].map((color) => ({
    ...OUTSIDE,
    sku: `TS-${color}`,
    itemId: '110000000003',
    variation: { values: { 513: color }, ...by },
  }));
  const { call, migrate } = await open(...colors);
  const answer = (await migrate('110000000003')) as {
    readonly responses: readonly { readonly inventoryItems: readonly { sku: string; offerId: string }[] }[];
  };
  expect(answer).toMatchObject({
    responses: [{ statusCode: 200, inventoryItemGroupKey: 'group-110000000003' }],
  });
  for (const { sku, offerId } of answer.responses[0]?.inventoryItems ?? []) {
    expect(await call('GET', `${INVENTORY}/offer/${offerId}`)).toMatchObject({ sku, status: 'PUBLISHED' });
  }
  expect(await call('GET', `${INVENTORY}/inventory_item`)).toMatchObject({ total: 2 });
});

test('of five listings each has its own status: what is missing is said, and its SKU is reported', async () => {
  const forms: readonly ItemPlan['ebay'][] = [
    {},
    { hasPolicies: false },
    { wantsPaymentAtOnce: false },
    { hasPlace: false },
    { hasLabel: false },
  ];
  const ids = forms.map((_, at) => `11000000000${at}`);
  const { migrate, market } = await open(
    ...forms.map((ebay, at) => ({ ...OUTSIDE, sku: `E-${at}`, itemId: ids[at] ?? '', ebay: ebay ?? {} })),
  );
  const refused = (inventoryItems: object[]) => ({
    statusCode: 400,
    inventoryItems,
    errors: [{ errorId: 25_718, message: expect.stringMatching(/^Cannot migrate listing\. ./) }],
  });
  expect(await migrate(...ids)).toMatchObject({
    responses: [
      { statusCode: 200, inventoryItems: [{ sku: 'E-0', offerId: expect.any(String) }] },
      ...[1, 2, 3].map((at) => refused([{ sku: `E-${at}` }])),
      refused([]),
    ],
  });
  market.edit('E-1', { ebay: { hasPolicies: true } });
  market.setQuirks({ migrationsFail: 1 });
  expect(await migrate('110000000001')).toMatchObject({ responses: [{ statusCode: 500 }] });
  market.setQuirks({ migrationsFail: 0 });
  expect(await migrate('110000000001')).toMatchObject({ responses: [{ statusCode: 200 }] });
  expect(await migrate('110000000001')).toMatchObject({ responses: [refused([{ sku: 'E-1' }])] });
  expect(await migrate('110000000001', '110000000001')).toMatchObject({ errors: [{ errorId: 25_709 }] });
});

test('Best Offers are reported, hold prices above the one that is accepted, and exist without variations only', async () => {
  const bestOffer = { autoAccept: cents(2_100), autoDecline: cents(1_800) };
  const offer = { ...OUTSIDE, terms: { bestOffer } };
  const { call } = await open(
    { ...offer, sku: 'E-1', itemId: '110000000001', keys: { offerId: '501' } },
    {
      ...offer,
      sku: 'E-2',
      itemId: '110000000002',
      keys: { offerId: '502' },
      variation: { values: { 513: 'Red' }, ...by },
    },
  );
  const termsOf = async (offerId: string) => {
    const { listingPolicies } = (await call('GET', `${INVENTORY}/offer/${offerId}`)) as {
      listingPolicies: Record<string, unknown>;
    };
    return listingPolicies.bestOfferTerms;
  };
  expect(await termsOf('501')).toEqual({
    bestOfferEnabled: true,
    autoAcceptPrice: { value: '21.00', currency: 'USD' },
    autoDeclinePrice: { value: '18.00', currency: 'USD' },
  });
  expect(await termsOf('502')).toBeUndefined();
  const send = (offerId: string, value: string) =>
    call('POST', `${INVENTORY}/bulk_update_price_quantity`, {
      requests: [{ offers: [{ offerId, price: { value, currency: 'USD' } }] }],
    });
  expect(await send('501', '21.00')).toMatchObject({
    responses: [{ statusCode: 400, errors: [{ errorId: 25_002 }] }],
  });
  expect(await send('501', '21.01')).toMatchObject({ responses: [{ statusCode: 200 }] });
  expect(await send('502', '20.00')).toMatchObject({ responses: [{ statusCode: 200 }] });
});

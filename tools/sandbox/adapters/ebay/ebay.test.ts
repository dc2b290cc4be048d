import { afterEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { callerOf, pass } from '#tests/support/sandbox-shop.ts';

const INVENTORY = '/sell/inventory/v1';
const MUG: ItemPlan = {
  marketplace: 'ebay',
  sku: 'MUG',
  title: 'Mug',
  price: cents(1_999),
  fulfillmentType: 'FBM',
  itemId: '110000000001',
  keys: { offerId: '501', gtin: '012345678905' },
  viewsPerDay: 0,
  competitors: [
    { name: 'Dear', habit: 'stubborn', price: cents(2_100), shippingCharge: cents(0) },
    { name: 'Cheap', habit: 'stubborn', price: cents(1_500), shippingCharge: cents(100) },
  ],
};
/** Listed by an older API: without an offer ID. */
const OLD: ItemPlan = { ...MUG, sku: 'OLD', itemId: '110000000002', keys: { offerId: '' }, competitors: [] };

let sandbox: Sandbox;
afterEach(() => sandbox.close());

type Form = Readonly<Record<string, string>>;

async function open(): Promise<void> {
  const startsAt = instant(Date.parse('2026-03-02T08:00:00Z'));
  const world = createWorld({ seed: 'ebay', startsAt, items: [MUG, OLD], stock: [] });
  sandbox = await startSandbox({ world, port: 0 });
}

function sign(form: Form, certId = sandbox.credentials.ebay.certId): Promise<unknown> {
  const basic = Buffer.from(`${sandbox.credentials.ebay.appId}:${certId}`).toString('base64');
  const call = callerOf(sandbox.addresses.ebay, { authorization: `Basic ${basic}` });
  return call('POST', '/identity/v1/oauth2/token', new URLSearchParams(form));
}

async function callAs(form: Form, headers: Form = { 'content-language': 'en-US' }) {
  const { access_token } = (await sign(form)) as { access_token: string };
  return callerOf(sandbox.addresses.ebay, { ...headers, authorization: `Bearer ${access_token}` });
}

const seller = (): Form => ({
  grant_type: 'refresh_token',
  refresh_token: sandbox.credentials.ebay.refreshToken ?? '',
});
const BUYER = { grant_type: 'client_credentials', scope: 'https://api.ebay.com/oauth/api_scope' };

function pricesOf(...offers: readonly (readonly [offerId: string, value: unknown])[]) {
  const sent = offers.map(([offerId, value]) => ({ offerId, price: { value, currency: 'USD' } }));
  return { requests: [{ offers: sent }] };
}

describe('authentication', () => {
  test('each kind of token grants its own scope until it expires', async () => {
    await open();
    expect(await sign(seller(), 'wrong')).toMatchObject({ error: 'invalid_client' });
    expect(await sign({ ...seller(), refresh_token: 'made up' })).toMatchObject({ error: 'invalid_grant' });
    const buyer = await callAs(BUYER);
    const items = `${INVENTORY}/inventory_item`;
    expect(await buyer('GET', items)).toMatchObject({ errors: [{ errorId: 1_100 }] });
    const call = await callAs(seller());
    expect(await call('GET', items)).toMatchObject({ total: 1 });
    pass(sandbox, 7_200_000);
    expect(await call('GET', items)).toMatchObject({ errors: [{ errorId: 1_001 }] });
  });
});

describe('prices', () => {
  test('each offer of a call has its own status; an accepted price is live within a minute', async () => {
    await open();
    const call = await callAs(seller());
    const path = `${INVENTORY}/bulk_update_price_quantity`;
    expect(
      await call('POST', path, pricesOf(['501', '14.75'], ['999', '14.75'], ['501', 'N/A'])),
    ).toMatchObject({
      responses: [
        { offerId: '501', sku: 'MUG', statusCode: 200 },
        { offerId: '999', statusCode: 404, errors: [{ errorId: 25_713 }] },
        { offerId: '501', statusCode: 400, errors: [{ errorId: 25_709 }] },
      ],
    });
    const offer = `${INVENTORY}/offer/501`;
    expect(await call('GET', offer)).toMatchObject({ pricingSummary: { price: { value: '19.99' } } });
    pass(sandbox, 60_000);
    expect(await call('GET', offer)).toMatchObject({ pricingSummary: { price: { value: '14.75' } } });
    const mute = await callAs(seller(), {});
    expect(await mute('POST', path, pricesOf(['501', '2.00']))).toMatchObject({
      errors: [{ errorId: 25_709 }],
    });
  });

  test('a listing can be revised 250 times a day', async () => {
    await open();
    const call = await callAs(seller());
    const send = (count: number) => {
      const offers = Array.from({ length: count }, (_, at) => ['501', (10 + at).toFixed(2)] as const);
      return call('POST', `${INVENTORY}/bulk_update_price_quantity`, pricesOf(...offers));
    };
    for (let at = 0; at < 10; at++) await send(25);
    expect(await send(1)).toMatchObject({ responses: [{ statusCode: 400, errors: [{ errorId: 25_002 }] }] });
    expect(await send(26)).toMatchObject({ errors: [{ errorId: 25_002 }] });
    pass(sandbox, 86_400_000);
    const next = await callAs(seller());
    expect(
      await next('POST', `${INVENTORY}/bulk_update_price_quantity`, pricesOf(['501', '9.00'])),
    ).toMatchObject({
      responses: [{ statusCode: 200 }],
    });
  });
});

describe('listings', () => {
  test('an inactive offer has no listing, a sold-out one is marked out of stock', async () => {
    await open();
    const call = await callAs(seller());
    const market = sandbox.world.market('ebay');
    market.edit('MUG', { quantity: 0 });
    const path = `${INVENTORY}/offer?sku=MUG`;
    expect(await call('GET', path)).toMatchObject({
      offers: [{ status: 'PUBLISHED', listing: { listingStatus: 'OUT_OF_STOCK' } }],
    });
    market.edit('MUG', { isActive: false });
    const { offers } = (await call('GET', path)) as { offers: object[] };
    expect(offers).toEqual([expect.objectContaining({ status: 'UNPUBLISHED' })]);
    expect(offers[0]).not.toHaveProperty('listing');
  });

  test('the search finds all sellers of an item, the lowest landed price first', async () => {
    await open();
    const buyer = await callAs(BUYER);
    const path = '/buy/browse/v1/item_summary/search';
    const { itemSummaries } = (await buyer('GET', `${path}?gtin=012345678905&sort=price`)) as {
      itemSummaries: { price: { value: string }; seller: { username: string } }[];
    };
    expect(itemSummaries.map(({ price }) => price.value)).toEqual(['15.00', '19.99', '21.00']);
    expect(itemSummaries[1]?.seller.username).toBe(sandbox.credentials.ebay.username);
    expect(await buyer('GET', `${path}?gtin=000000000000`)).toMatchObject({ total: 0 });
    expect(await buyer('GET', path)).toMatchObject({ errors: [{ errorId: 12_001 }] });
  });
});

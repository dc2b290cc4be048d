import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ListingMigration, MigrationOrder } from '#connectors/listing-migration.ts';
import { instant } from '#domain/units.ts';
import { type EbayShop, ebayOffer, ebayRef, NOON, startEbayShop } from '#tests/support/fake-ebay.ts';

let shop: EbayShop;
beforeEach(async () => {
  shop = await startEbayShop();
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const SOON = instant(NOON + 20_000);
const migration = (): ListingMigration => {
  const { migration: found } = shop.connector;
  if (found === undefined) throw new Error('eBay offers no migration.');
  return found;
};
/** A listing of ours that is not in the Inventory model. */
const order = (number: number): MigrationOrder => {
  const { offerId: _, ...keys } = ebayRef(number).keys;
  return { itemId: `11000${number}`, refs: [{ ...ebayRef(number), keys }] };
};
const migrate = (...orders: MigrationOrder[]) => migration().migrate(shop.account, orders, SOON, never);
const requested = () => shop.service.asked.filter(({ path }) => path.includes('bulk_migrate'));
const answers = (answer: (ids: string[]) => { status: number; body: unknown }) =>
  shop.service.on('POST', /bulk_migrate_listing$/, ({ text }) => {
    const { requests } = JSON.parse(text) as { requests: { listingId: string }[] };
    return answer(requests.map(({ listingId }) => listingId));
  });
const taken = (listingId: string, number = listingId.slice(5)) => ({
  statusCode: 200,
  listingId,
  marketplaceId: 'EBAY_US',
  inventoryItems: [{ sku: `MUG-${number}`, offerId: `90${number}` }],
});
const CANNOT = {
  errorId: 25_718,
  domain: 'API_INVENTORY',
  category: 'REQUEST',
  message: 'Cannot migrate listing.',
  longMessage: 'Cannot migrate listing. Business policies are required.',
};

test('each has a result of its own: what is migrated has its offer, what is not has the words of eBay (C21)', async () => {
  answers((ids) => ({
    status: 207,
    body: {
      responses: ids.map((id) =>
        id === '110002' ? { ...taken(id), statusCode: 400, errors: [CANNOT] } : taken(id),
      ),
    },
  }));
  expect(await migrate(order(1), order(2))).toEqual([
    {
      itemId: '110001',
      kind: 'migrated',
      places: [
        {
          listingId: 1,
          place: { channel: 'inventory', keys: { gtin: '012345678905', offerId: '901' } },
        },
      ],
    },
    { itemId: '110002', kind: 'refused', message: CANNOT.longMessage },
  ]);
  expect(requested().map(({ text }) => JSON.parse(text))).toEqual([
    { requests: [{ listingId: '110001' }, { listingId: '110002' }] },
  ]);
});

test('of a listing with variations each one has its own offer, and is named by its SKU from then on', async () => {
  const { refs } = order(1);
  const red = {
    ...refs[0],
    listingId: 7,
    sku: 'MUG-RED',
    keys: { listingId: '110001', variation: 'MUG-RED' },
  };
  const lost = { ...red, listingId: 8, sku: 'MUG-BLUE' };
  answers(() => ({
    status: 200,
    body: {
      responses: [
        {
          ...taken('110001'),
          inventoryItemGroupKey: 'group-1',
          inventoryItems: [{ sku: 'MUG-RED', offerId: '77' }],
          warnings: [CANNOT],
        },
      ],
    },
  }));
  expect(await migrate({ itemId: '110001', refs: [red, lost] as MigrationOrder['refs'] })).toEqual([
    {
      itemId: '110001',
      kind: 'migrated',
      places: [
        { listingId: 7, place: { channel: 'inventory', keys: { listingId: '110001', offerId: '77' } } },
      ],
    },
  ]);
});

test('a refusal of the whole call is about one of them, so each is asked for alone', async () => {
  answers((ids) =>
    ids.length > 1 || ids[0] === '110002'
      ? { status: 400, body: { errors: [CANNOT] } }
      : { status: 200, body: { responses: ids.map((id) => taken(id)) } },
  );
  expect(await migrate(order(1), order(2))).toMatchObject([
    { itemId: '110001', kind: 'migrated' },
    { itemId: '110002', kind: 'refused', message: expect.stringContaining(CANNOT.longMessage) },
  ]);
  expect(requested()).toHaveLength(3);
});

test.each([
  ['an error of eBay', { status: 500, body: { errors: [{ errorId: 25_001, message: 'System error' }] } }],
  ['an answer without it', { status: 200, body: { responses: [] } }],
  ['two results', { status: 200, body: { responses: [taken('110001'), taken('110001')] } }],
  ['an error in its result', { status: 207, body: { responses: [{ ...taken('110001'), statusCode: 500 }] } }],
  ['what is no such answer', { status: 200, body: { migrated: true } }],
])('after %s it is unknown, and not asked for again', async (_, answer) => {
  answers(() => answer);
  expect(await migrate(order(1))).toMatchObject([{ itemId: '110001', kind: 'unknown' }]);
  expect(requested()).toHaveLength(1);
});

test('what cannot have arrived is not sent', async () => {
  expect(await migration().migrate(shop.account, [order(1)], instant(NOON - 1), never)).toMatchObject([
    { itemId: '110001', kind: 'not_sent' },
  ]);
  expect(requested()).toEqual([]);
});

test.each([
  ['an offer of this listing', [ebayOffer(1)], 'migrated'],
  ['an offer of another listing', [ebayOffer(1, { listing: { listingId: '999' } })], 'refused'],
  ['no offer', [], 'refused'],
])('after a lost answer %s tells: %s', async (_, offers, kind) => {
  shop.service.on('GET', /offer\?sku=MUG-1$/, () => ({ body: { offers } }));
  expect(await migration().readBack(shop.account, order(1), never)).toMatchObject({ itemId: '110001', kind });
});

test('after a lost answer it stays unknown while eBay does not answer', async () => {
  shop.service.on('GET', /offer\?sku=/, () => ({ status: 500, body: {} }));
  expect(await migration().readBack(shop.account, order(1), never)).toMatchObject({ kind: 'unknown' });
});

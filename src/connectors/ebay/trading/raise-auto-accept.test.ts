import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RaiseOrder } from '#connectors/auto-accept-raises.ts';
import { type Cents, instant } from '#domain/units.ts';
import {
  type EbayShop,
  ebayOrder,
  startEbayShop,
  tradingFailure,
  tradingItem,
} from '#tests/support/fake-ebay.ts';

const ITEM = '110000000001';
const never = new AbortController().signal;
let shop: EbayShop;
/** What GetItem shows besides the price. */
let shown: { price: string; accept: string | null; decline: string | null; sale: string };
beforeEach(async () => {
  shop = await startEbayShop();
  shown = { price: '25.00', accept: '21.0', decline: '18.0', sale: '' };
  shop.trade('GetItem', () => {
    const item = tradingItem(ITEM, shown.price, bestOffer());
    return `<Ack>Success</Ack>${item.replace('</SellingStatus>', `${shown.sale}</SellingStatus>`)}`;
  });
  shop.trade('ReviseFixedPriceItem', (xml) => {
    shown.accept = /<BestOfferAutoAcceptPrice[^>]*>([\d.]+)/.exec(xml)?.[1] ?? shown.accept;
    return `<Ack>Success</Ack><ItemID>${ITEM}</ItemID>`;
  });
});
afterEach(() => shop.service.close());

function bestOffer(): string {
  const money = (name: string, value: string | null) =>
    value === null ? '' : `<${name} currencyID="USD">${value}</${name}>`;
  const details =
    money('MinimumBestOfferPrice', shown.decline) + money('BestOfferAutoAcceptPrice', shown.accept);
  return `<ListingDetails>${details}</ListingDetails><BestOfferDetails><BestOfferEnabled>true</BestOfferEnabled></BestOfferDetails>`;
}
const revisions = () => shop.traded().filter(({ name }) => name === 'ReviseFixedPriceItem');

/** Raises it to a lowest allowed price of 22.40. */
function raise(over: Partial<RaiseOrder> = {}) {
  const { ref } = ebayOrder(1, 2_500);
  const order: RaiseOrder = {
    ref: { ...ref, itemId: ITEM, keys: { listingId: ITEM } },
    refused: null,
    allowed: { marginFloor: 2_240 as Cents, priceCeiling: 9_000 as Cents, ranges: [2_240, 9_000] },
    notAfter: instant(shop.clock.now + 20_000),
    ...over,
  };
  return shop.connector.bestOffers?.raise(shop.account, order, never);
}

test('it is raised by ReviseFixedPriceItem, which shows no price and no quantity, and read back', async () => {
  expect(await raise()).toEqual({ kind: 'raised', from: 2_100, to: 2_240 });
  const [revision] = revisions();
  expect(revision?.xml).toContain(
    `<Item><ItemID>${ITEM}</ItemID><ListingDetails><MinimumBestOfferPrice currencyID="USD">18.00</MinimumBestOfferPrice><BestOfferAutoAcceptPrice currencyID="USD">22.40</BestOfferAutoAcceptPrice></ListingDetails><BestOfferDetails><BestOfferEnabled>true</BestOfferEnabled></BestOfferDetails></Item>`,
  );
  expect(revision?.xml).not.toMatch(/StartPrice|Quantity/);
  expect(shop.traded().map(({ name }) => name)).toEqual(['GetItem', 'ReviseFixedPriceItem', 'GetItem']);
});

test.each([
  ['which is high enough', { accept: '22.4' }, { kind: 'unneeded', autoAccept: 2_240 }],
  ['which the seller took away', { accept: null }, { kind: 'unneeded', autoAccept: null }],
  ['at a price that leaves no room', { price: '21.01' }, { kind: 'unneeded', autoAccept: 2_100 }],
  [
    'in a sale, whose price may be lower',
    {
      sale: '<PromotionalSaleDetails><OriginalPrice currencyID="USD">25.0</OriginalPrice></PromotionalSaleDetails>',
    },
    { kind: 'not_sent' },
  ],
])('one %s is left', async (_, over, outcome) => {
  shown = { ...shown, ...over };
  expect(await raise()).toMatchObject(outcome);
  expect(revisions()).toEqual([]);
});

test.each([
  ['a refusal', () => tradingFailure('21919474', 'Inventory-based.'), { kind: 'refused' }],
  ['a response that says nothing', () => '<', { kind: 'unknown' }],
  ['success that does not show', () => '<Ack>Success</Ack>', { kind: 'unknown' }],
  ['too many calls', () => tradingFailure('21919144', 'Limit.'), { kind: 'not_sent', retryAfter: 60_000 }],
])('answered with %s', async (_, answer, outcome) => {
  shop.trade('ReviseFixedPriceItem', answer);
  expect(await raise()).toMatchObject(outcome);
  expect(revisions()).toHaveLength(1);
});

test.each([
  ['accepts offers from', { accept: 'twenty' }],
  ['declines offers below', { decline: 'eighteen' }],
  ['declines offers below, in parts of a cent', { decline: '18.005' }],
])(
  'a listing whose price that it %s cannot be read is left as it is, and nothing is taken from it',
  async (_, over) => {
    shown = { ...shown, ...over };
    const outcome = await raise();
    expect(outcome?.kind).not.toBe('unneeded');
    expect(outcome?.kind).not.toBe('raised');
    expect(revisions()).toEqual([]);
  },
);

test.each([
  ['the price of the listing', { price: '18.00', accept: '17.00', decline: '18.0' }],
  ['the price from which they are to be accepted', { decline: '22.4' }],
])('offers that are declined up to %s: nothing is asked for', async (_, over) => {
  shown = { ...shown, ...over };
  const allowed = { marginFloor: 1_750 as Cents, priceCeiling: 9_000 as Cents, ranges: [1_750, 9_000] };
  const outcome = await raise('accept' in over ? { allowed } : {});
  expect(outcome).toMatchObject({ kind: 'refused', asked: null });
  expect(revisions()).toEqual([]);
});

test('what was refused is not asked for again until the listing or its limits changed', async () => {
  shop.trade('ReviseFixedPriceItem', () => tradingFailure('22003', 'Auto decline amount.'));
  const first = await raise();
  expect(first).toMatchObject({ kind: 'refused', message: expect.stringContaining('Auto decline amount.') });
  const refused = first?.kind === 'refused' ? first.asked : null;
  expect(await raise({ refused })).toEqual({ kind: 'refused', message: null, asked: refused });
  expect(revisions()).toHaveLength(1);
  for (const over of [{ decline: '17.0' }, { price: '25.50' }, { accept: '21.5' }]) {
    const before = shown;
    shown = { ...shown, ...over };
    await raise({ refused });
    shown = before;
  }
  expect(revisions()).toHaveLength(4);
});

test('it is wanted only where the seller turned it on', () => {
  const { credentials } = shop.account;
  expect(shop.connector.bestOffers?.isWanted(shop.account)).toBe(false);
  const account = { ...shop.account, credentials: { ...credentials, raiseBestOffers: 'yes' } };
  expect(shop.connector.bestOffers?.isWanted(account)).toBe(true);
});

import { expect } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import { cents, hours, type Instant, instant, minutes } from '#domain/units.ts';
import type { OddValuePlan } from '#sandbox/faults/odd-values.ts';
import type { QuirkPlan } from '#sandbox/world/quirks.ts';
import { NO_TERMS, type Terms } from '#sandbox/world/terms.ts';
import { IS_ALL } from './breadth.ts';
import type { FaultShopPlan } from './fault-shop.ts';
import { type FaultBench, type State, SUBJECT } from './fault-states.ts';

/** The stores of the table: eBay has two kinds of listings, which other calls read and price. */
export const SHOPS = {
  amazon: { marketplace: 'amazon' },
  walmart: { marketplace: 'walmart' },
  ebay: { marketplace: 'ebay' },
  'ebay, Trading API': { marketplace: 'ebay', keys: { offerId: '' } },
  etsy: { marketplace: 'etsy' },
  shopify: { marketplace: 'shopify' },
  michaels: { marketplace: 'michaels' },
} as const satisfies Record<string, { readonly marketplace: Marketplace } & FaultShopPlan>;
export type ShopName = keyof typeof SHOPS;
const ALL = Object.keys(SHOPS) as readonly ShopName[];

/** What each action leads to, by its name. */
type Steps = Readonly<Record<string, State | null>>;

/** A fault, with the state in which each action ends. */
export interface FaultColumn {
  readonly name: string;
  readonly plan?: FaultShopPlan;
  /** The stores where the fault makes sense. */
  readonly shops: readonly ShopName[];
  readonly run: (bench: FaultBench, shop: ShopName) => Promise<Steps>;
  readonly ends: (shop: ShopName) => Steps;
}

/** Their answer to a price shows the price in force. */
const AT_ONCE: ReadonlySet<ShopName> = new Set(['ebay, Trading API', 'etsy', 'shopify']);
const sentAs = (shop: ShopName): State => (AT_ONCE.has(shop) ? 'confirmed' : 'accepted');

/** Where a price of ours is read: in the catalog, for itself, and right before the next one is sent. */
const PRICE_MEMBERS: Readonly<Record<ShopName, readonly (readonly [operation: string, member: string])[]>> = {
  amazon: ['searchListingsItems', 'getListingsItem'].flatMap((operation) => [
    [operation, 'offers.price.amount'] as const,
    [operation, 'our_price.schedule.value_with_tax'] as const,
  ]),
  walmart: [
    ['getAllItems', 'price.amount'],
    ['getAnItem', 'price.amount'],
    ['getPricingInsights', 'currentPrice'],
  ],
  ebay: [
    ['getOffers', 'pricingSummary.price.value'],
    ['getOffer', 'pricingSummary.price.value'],
  ],
  'ebay, Trading API': [
    ['GetMyeBaySelling', 'Item.SellingStatus.CurrentPrice'],
    ...['GetSellerEvents', 'GetItem'].flatMap((operation) => [
      [operation, 'Item.SellingStatus.CurrentPrice'] as const,
      [operation, 'Item.StartPrice'] as const,
    ]),
  ],
  etsy: [
    ['getListingsByShop', 'offerings.price'],
    ['getListingsByListingIds', 'offerings.price'],
    ['getListingInventory', 'offerings.price'],
  ],
  shopify: [
    ['productVariants', 'nodes.price'],
    ['shop', 'nodes.price'],
  ],
  michaels: [
    ['listAllListings', 'price'],
    ['getPricesBySellerSku', 'price'],
  ],
};

/** The calls whose responses hold the subject alone and do not name its SKU. */
const UNNAMED = new Set(['GetItem', 'shop']);

/** Their own price is read right before each price is sent. */
const NEEDS_OWN_PRICE: ReadonlySet<ShopName> = new Set(['amazon', 'ebay', 'etsy', 'shopify', 'michaels']);

function writeOdd({ shop, market }: FaultBench, name: ShopName, becomes: string): void {
  for (const [operation, member] of PRICE_MEMBERS[name]) {
    const place = { service: market.marketplace, operation, member } satisfies Partial<OddValuePlan>;
    const sku = UNNAMED.has(operation) ? {} : { sku: SUBJECT };
    shop.sandbox.oddValues.add({ ...place, ...sku, becomes });
  }
}

/** An odd value in the price of one listing: in the catalog, for itself, right before sending, and after it is over. */
function oddColumn(
  name: string,
  literal: (shop: ShopName) => string,
  ends: (shop: ShopName) => Steps,
  shops = ALL,
): FaultColumn {
  return {
    name,
    shops,
    run: async (bench, shop) => {
      writeOdd(bench, shop, literal(shop));
      const { whole, row } = await bench.catalog();
      const states = {
        catalog: whole,
        row,
        'reading it': await bench.readBack(),
        sending: await bench.send(),
      };
      bench.shop.sandbox.oddValues.clear();
      return { ...states, 'sending later': await bench.send() };
    },
    ends,
  };
}

function quirksColumn(
  name: string,
  quirks: QuirkPlan,
  shops: readonly ShopName[],
  run: FaultColumn['run'],
  ends: FaultColumn['ends'],
): FaultColumn {
  const begin: FaultColumn['run'] = (bench, shop) => {
    bench.market.setQuirks(quirks);
    return run(bench, shop);
  };
  return { name, shops, run: begin, ends };
}

/** Their lists name a total that a reading is held against; an empty list of eBay's other kind would hide it. */
const COUNTED: readonly ShopName[] = ['amazon', 'walmart', 'ebay', 'etsy', 'shopify'];
/** The next page of their lists is asked for by a cursor that may be over. */
const WITH_CURSORS: readonly ShopName[] = ['amazon', 'walmart', 'michaels'];
/** More than a page of any of the lists has. */
const PAGED_LISTINGS = 210;
const readAll: FaultColumn['run'] = async (bench) => ({ ...(await bench.catalog()) });

/** How a catalog of several pages is read whose list is counted or paged in an odd way. */
function pagesColumn(
  name: string,
  totals: NonNullable<QuirkPlan['totals']>,
  shops: readonly ShopName[],
  whole: State,
): FaultColumn {
  const run: FaultColumn['run'] = async (bench) => ({ whole: await bench.pages() });
  return {
    ...quirksColumn(name, { totals }, shops, run, () => ({ whole })),
    plan: { count: PAGED_LISTINGS },
  };
}

const PAGES: readonly FaultColumn[] = [
  pagesColumn('a page that is lost', { losesPage: 2 }, COUNTED, 'partial'),
  pagesColumn('a page that comes twice', { repeatsPage: 1 }, COUNTED, 'partial'),
  // An entry that was added after the first page need not have been seen.
  pagesColumn('a total that grows while it is read', { changes: true }, COUNTED, 'complete'),
  pagesColumn('a cursor that is over at once', { cursorSeconds: 0 }, WITH_CURSORS, 'failed'),
];

/** A price is sent, and looked for at once, after 15 minutes, and two hours later for the last time. */
const sendAndLook: FaultColumn['run'] = async (bench) => {
  const sending = await bench.send();
  const atOnce = await bench.readBack();
  bench.shop.pass(minutes(15));
  const later = await bench.readBack();
  bench.shop.pass(minutes(105));
  return {
    sending,
    'at once': atOnce,
    '15 minutes later': later,
    'two hours later': await bench.readBack(true),
  };
};

/**
 * What the seller arranged there about the price of the subject.
 * @param unreported the stores whose catalog does not report it: it is found right before a price is sent
 */
function arrangedColumn(
  name: string,
  terms: Partial<Terms>,
  shops: readonly ShopName[],
  later: (shop: ShopName) => Steps,
  unreported: readonly ShopName[] = [],
): FaultColumn {
  return {
    name,
    shops,
    plan: { first: { terms } },
    run: async (bench) => {
      const { row } = await bench.catalog();
      const sending = await bench.send();
      bench.market.edit(SUBJECT, { terms: NO_TERMS });
      bench.shop.pass(hours(2));
      const after = await bench.send();
      bench.shop.pass(hours(2));
      return { row, sending, 'after its end': after, 'hours later': await bench.send() };
    },
    ends: (shop) => ({
      row: unreported.includes(shop) ? 'taken' : 'on hold',
      sending: 'expired',
      ...later(shop),
    }),
  };
}

/** A refusal that passes: the price is not refused, and the next try after its end goes. */
function passingColumn(
  name: string,
  refuse: (bench: FaultBench, shop: ShopName) => void,
  passes: (bench: FaultBench) => void,
  ends: Readonly<Partial<Record<ShopName, State>>>,
  again: typeof ends = {},
): FaultColumn {
  return {
    name,
    plan: { keepsLimits: true },
    shops: ALL.filter((shop) => ends[shop] !== undefined),
    run: async (bench, shop) => {
      refuse(bench, shop);
      const sending = await bench.send();
      const second = await bench.send();
      passes(bench);
      return { sending, 'the same price again': second, 'after its end': await bench.send() };
    },
    ends: (shop) => {
      const state = ends[shop] ?? null;
      return { sending: state, 'the same price again': again[shop] ?? state, 'after its end': sentAs(shop) };
    },
  };
}

const PRICE_CALLS: Readonly<Record<ShopName, string>> = {
  amazon: 'patchListingsItem',
  walmart: 'updatePrice',
  ebay: 'bulkUpdatePriceQuantity',
  'ebay, Trading API': 'ReviseInventoryStatus',
  etsy: 'updateListingInventory',
  shopify: 'productVariantsBulkUpdate',
  michaels: 'publishPricesBySellerSku',
};

/** What is read right before a price is sent. */
const CHECKS: Readonly<Record<ShopName, string>> = {
  amazon: 'getListingsItem',
  walmart: 'getPricingInsights',
  ebay: 'getOffer',
  'ebay, Trading API': 'GetItem',
  etsy: 'getListingInventory',
  shopify: 'shop',
  michaels: 'getPricesBySellerSku',
};

const USED_UP: Readonly<Partial<Record<ShopName, readonly [operation: string, calls: number]>>> = {
  ebay: ['bulkUpdatePriceQuantity', 2_000_000],
  'ebay, Trading API': ['tradingCalls', 5_000],
  etsy: ['', 10_000],
};

/** Where the price of a competitor is. */
const OFFER_PRICES: Readonly<Partial<Record<ShopName, Pick<OddValuePlan, 'operation' | 'member'>>>> = {
  amazon: { operation: 'getListingOffersBatch', member: 'ListingPrice.Amount' },
  walmart: { operation: 'getPricingInsights', member: 'buyBoxBasePrice' },
  ebay: { operation: 'search', member: 'itemSummaries.price.value' },
};

/** The faults beyond single calls: stores that disagree, counts, values, limits, and other hands. */
export function faultColumns(startsAt: Instant): readonly FaultColumn[] {
  const running = { price: cents(1_500), from: startsAt, to: instant(startsAt + hours(40)) };
  return [
    quirksColumn(
      'lists that are behind',
      { lag: { list: [1_800, 1_800], document: [1_800, 1_800], box: [1_800, 1_800] } },
      ALL,
      async (bench) => {
        const sending = await bench.send();
        bench.shop.pass(minutes(20));
        const { whole, row } = await bench.catalog();
        return {
          sending,
          catalog: whole,
          row,
          'reading it': await bench.readBack(),
          'sending again': await bench.send(),
        };
      },
      (shop) => ({
        sending: sentAs(shop),
        catalog: 'complete',
        row: 'stale',
        'reading it': 'confirmed',
        'sending again': sentAs(shop),
      }),
    ),
    quirksColumn('a total that is one too high', { totals: { off: 1 } }, COUNTED, readAll, () => ({
      whole: 'partial',
      row: 'taken',
    })),
    quirksColumn('a total that is one too low', { totals: { off: -1 } }, COUNTED, readAll, () => ({
      whole: 'complete',
      row: 'taken',
    })),
    ...(IS_ALL ? PAGES : []),
    oddColumn(
      'a price finer than a cent',
      (shop) =>
        shop === 'etsy'
          ? '{"amount":20115,"divisor":1000,"currency_code":"USD"}'
          : shop === 'walmart' || shop === 'michaels'
            ? '20.115'
            : '"20.115"',
      (shop) => ({
        catalog: 'complete',
        row: 'price_not_in_cents',
        'reading it': 'unreadable',
        // Amazon compares no such price, and Walmart's check right before does not depend on it.
        sending: shop === 'amazon' || shop === 'walmart' ? 'accepted' : 'queued',
        'sending later': sentAs(shop),
      }),
    ),
    oddColumn(
      'a price that is no amount',
      (shop) => (shop === 'etsy' ? '{"amount":"N/A","divisor":100,"currency_code":"USD"}' : '"N/A"'),
      (shop) => ({
        catalog: 'complete',
        row: 'unreadable',
        'reading it': 'unreadable',
        // Walmart's insights and eBay's Trading API name the row right before sending too, where it cannot be read either.
        sending: NEEDS_OWN_PRICE.has(shop)
          ? 'queued'
          : shop === 'walmart' || shop === 'ebay, Trading API'
            ? 'not_told'
            : sentAs(shop),
        'sending later': sentAs(shop),
      }),
    ),
    oddColumn(
      'a price with the noise of binary numbers',
      (shop) => amountOf(shop, '20.110000000000003', 2_011),
      (shop) => ({
        catalog: 'complete',
        row: 'taken',
        'reading it': 'confirmed',
        sending: sentAs(shop),
        'sending later': sentAs(shop),
      }),
    ),
    oddColumn(
      'a price in other digits',
      (shop) => (shop === 'walmart' || shop === 'michaels' ? '2.011e1' : amountOf(shop, '20.1100', 2_011)),
      (shop) => ({
        catalog: 'complete',
        row: 'taken',
        'reading it': 'confirmed',
        sending: sentAs(shop),
        'sending later': sentAs(shop),
      }),
    ),
    oddColumn(
      'a price of zero',
      (shop) => amountOf(shop, '0.00', 0),
      (shop) => ({
        catalog: 'complete',
        row: 'taken',
        'reading it': 'unreadable',
        sending: sentAs(shop),
        'sending later': sentAs(shop),
      }),
    ),
    oddColumn(
      'a price below zero',
      (shop) => amountOf(shop, '-1.00', -100),
      (shop) => ({
        catalog: 'complete',
        row: 'unreadable',
        'reading it': 'unreadable',
        sending: NEEDS_OWN_PRICE.has(shop)
          ? 'queued'
          : shop === 'walmart' || shop === 'ebay, Trading API'
            ? 'not_told'
            : sentAs(shop),
        'sending later': sentAs(shop),
      }),
    ),
    {
      name: 'a price in another currency',
      shops: ['amazon', 'walmart', 'ebay', 'etsy'],
      run: async (bench, shop) => {
        const before = await bench.catalog();
        for (const [operation, member, becomes] of CURRENCIES[shop] ?? []) {
          const place = { service: bench.market.marketplace, operation, member, sku: SUBJECT } as const;
          bench.shop.sandbox.oddValues.add({ ...place, becomes });
        }
        const { whole, row } = await bench.catalog();
        expect(before).toEqual({ whole, row: 'taken' });
        const states = { row, 'reading it': await bench.readBack(), sending: await bench.send() };
        bench.shop.sandbox.oddValues.clear();
        return { ...states, 'sending later': await bench.send() };
      },
      ends: (shop) => ({
        row: 'other_currency',
        'reading it': 'unreadable',
        // Walmart's insights, which are read right before, name no currency.
        sending: shop === 'walmart' ? 'accepted' : 'expired',
        'sending later': sentAs(shop),
      }),
    },
    {
      name: 'a store that sells in another currency for a while',
      shops: ['shopify'],
      run: async (bench) => {
        const place = { service: 'shopify', operation: 'shop', member: 'shop.currencyCode' } as const;
        bench.shop.sandbox.oddValues.add({ ...place, becomes: '"CAD"' });
        const states = { 'reading it': await bench.readBack(), sending: await bench.send() };
        bench.shop.sandbox.oddValues.clear();
        return { ...states, 'sending later': await bench.send() };
      },
      ends: () => ({ 'reading it': 'unreadable', sending: 'expired', 'sending later': 'confirmed' }),
    },
    passingColumn(
      'a listing that it does not find right before',
      ({ shop, market }, name) =>
        shop.sandbox.faults.add({
          service: market.marketplace,
          kind: 'refused',
          operation: CHECKS[name],
          status: 404,
          body: NOT_FOUND_BODY[name],
          count: 1_000,
        }),
      ({ shop }) => shop.sandbox.faults.clear(),
      {
        ...({ amazon: 'not_found', etsy: 'not_found', michaels: 'not_found' } as const),
        // A SKU without insights may have none. eBay's listing is there, and its list has the offer.
        ...({ walmart: 'accepted', ebay: 'not_found', 'ebay, Trading API': 'confirmed' } as const),
      },
    ),
    passingColumn(
      'an address that it does not find right before',
      ({ shop, market }, name) =>
        shop.sandbox.faults.add({
          service: market.marketplace,
          kind: 'refused',
          operation: CHECKS[name],
          status: 404,
          body: '<html>404</html>',
          count: 1_000,
        }),
      ({ shop }) => shop.sandbox.faults.clear(),
      // Their 404 about a listing says so: another one is not about it.
      { amazon: 'not_told', ebay: 'not_told', etsy: 'not_told', michaels: 'not_told' },
    ),
    passingColumn(
      'a listing that is locked',
      ({ shop, market }, name) =>
        shop.sandbox.faults.add({
          service: market.marketplace,
          kind: 'refused',
          operation: PRICE_CALLS[name],
          status: 423,
          body: UNKNOWN_BODY[name],
          count: 1_000,
        }),
      ({ shop }) => shop.sandbox.faults.clear(),
      // Not taken, and yet read back before anything else is sent.
      Object.fromEntries(ALL.map((shop) => [shop, 'unknown'])),
    ),
    passingColumn(
      'the calls of a day are used up',
      ({ shop, market }, name) => {
        const [operation = '', calls = 0] = USED_UP[name] ?? [];
        shop.sandbox.countElsewhere(market.marketplace, operation, calls);
      },
      ({ shop }) => shop.pass(hours(24)),
      { ebay: 'daily_limit', 'ebay, Trading API': 'daily_limit', etsy: 'daily_limit' },
    ),
    passingColumn(
      'the revisions of a listing are used up',
      ({ market }) => market.revisions.use(market.item(SUBJECT)?.itemId ?? '', 250),
      ({ shop }) => shop.pass(hours(24)),
      { ebay: 'revision_limit', 'ebay, Trading API': 'revision_limit' },
    ),
    passingColumn(
      'an item that is too new',
      ({ market }) => market.setQuirks({ tooNewHours: 24 }),
      ({ shop }) => shop.pass(hours(24)),
      { walmart: 'too_new' },
    ),
    passingColumn(
      'a refusal that no one knows',
      ({ shop, market }, name) =>
        shop.sandbox.faults.add({
          service: market.marketplace,
          kind: 'refused',
          operation: PRICE_CALLS[name],
          status: 422,
          body: UNKNOWN_BODY[name],
          count: 1_000,
        }),
      ({ shop }) => shop.sandbox.faults.clear(),
      { amazon: 'unclear', walmart: 'unclear', ebay: 'unclear', etsy: 'unclear', michaels: 'unclear' },
    ),
    passingColumn(
      'a listing that it refuses to show right before',
      ({ shop, market }, name) =>
        shop.sandbox.faults.add({
          service: market.marketplace,
          kind: 'refused',
          operation: CHECKS[name],
          status: 400,
          body: UNKNOWN_BODY[name],
          count: 1_000,
        }),
      ({ shop }) => shop.sandbox.faults.clear(),
      {
        ...({ amazon: 'not_told', walmart: 'not_told', ebay: 'not_told', etsy: 'not_told' } as const),
        // Lists of the last hour are enough for the Trading API.
        ...({ 'ebay, Trading API': 'confirmed', shopify: 'queued', michaels: 'not_told' } as const),
      },
    ),
    arrangedColumn(
      "the marketplace's own repricer",
      { repricer: { min: cents(1_800), max: cents(2_600) } },
      [
        'amazon',
        'walmart',
        // It left another price there, which counts as changed by the seller.
      ],
      () => ({ 'after its end': 'expired', 'hours later': 'expired' }),
    ),
    arrangedColumn(
      'a running sale',
      { sale: running },
      ['amazon', 'walmart', 'ebay', 'ebay, Trading API'],
      (shop) => ({
        // For an hour after it was found to be over, a lower buy box may still be the price of the promotion.
        'after its end': shop === 'walmart' ? 'queued' : sentAs(shop),
        'hours later': sentAs(shop),
      }),
      ['walmart', 'ebay'],
    ),
    arrangedColumn('a compare-at price', { compareAtPrice: cents(2_999) }, ['shopify'], (shop) => ({
      'after its end': sentAs(shop),
      'hours later': sentAs(shop),
    })),
    quirksColumn(
      'a price that is live an hour late',
      { effects: { late: 1, lateByMinutes: 60 } },
      ALL,
      sendAndLook,
      (shop) => ({
        sending: sentAs(shop),
        'at once': AT_ONCE.has(shop) ? 'seen once' : 'accepted',
        '15 minutes later': AT_ONCE.has(shop) ? 'seen once' : 'accepted',
        'two hours later': 'confirmed',
      }),
    ),
    quirksColumn('a price that is never live', { effects: { neverLive: 1 } }, ALL, sendAndLook, (shop) => ({
      sending: sentAs(shop),
      'at once': AT_ONCE.has(shop) ? 'seen once' : 'accepted',
      '15 minutes later': AT_ONCE.has(shop) ? 'seen once' : 'accepted',
      'two hours later': AT_ONCE.has(shop) ? 'seen once' : 'rejected',
    })),
    quirksColumn(
      'a price that falls back after half an hour',
      { effects: { fallsBack: 1, fallsBackAfterMinutes: 30 } },
      ALL,
      sendAndLook,
      (shop) => ({
        sending: sentAs(shop),
        // In force 45 seconds to 8 minutes after it was accepted, at Etsy and Shopify within the call.
        'at once': shop === 'ebay, Trading API' ? 'seen once' : AT_ONCE.has(shop) ? 'confirmed' : 'accepted',
        '15 minutes later': 'confirmed',
        'two hours later': 'seen once',
      }),
    ),
    quirksColumn(
      'a price that is live after the next one',
      { effects: { late: 1, lateByMinutes: 60 } },
      ALL,
      async (bench) => {
        const first = await bench.send();
        bench.market.setQuirks({ effects: { outOfOrder: 1 } });
        bench.shop.pass(minutes(1));
        const next = await bench.send();
        bench.shop.pass(minutes(20));
        const states = { first, next, 'the next one': await bench.readBack() };
        bench.shop.pass(minutes(60));
        const behind = await bench.readBack();
        const again = await bench.send();
        bench.shop.pass(minutes(20));
        return { ...states, 'the first one': behind, again, 'in the end': await bench.readBack() };
      },
      (shop) => ({
        first: sentAs(shop),
        next: sentAs(shop),
        'the next one': 'confirmed',
        // A price of ours: read again ten minutes later, and no edit of the seller's.
        'the first one': 'seen once',
        again: sentAs(shop),
        'in the end': 'confirmed',
      }),
    ),
    {
      name: 'prices of a feed that fail while others of it arrive',
      // Their files of many prices; the others take them call by call.
      shops: ['amazon', 'walmart'],
      plan: { count: 60, takesMerges: true },
      run: async (bench) => {
        bench.market.setQuirks({ effects: { feedFails: 0.5 } });
        const states = await bench.feed();
        const failed = states.filter((state) => state !== 'confirmed');
        expect(failed.length).toBeGreaterThan(10);
        expect(failed.length).toBeLessThan(50);
        expect(new Set(failed).size).toBe(1);
        return { 'those that arrive': 'confirmed', 'those that fail': failed[0] ?? null };
      },
      // Their codes are none of those that the price would meet again.
      ends: () => ({ 'those that arrive': 'confirmed', 'those that fail': 'unclear' }),
    },
    {
      name: "competitors' prices that are no amounts",
      shops: ['amazon', 'walmart', 'ebay'],
      run: async (bench, shop) => {
        const place = OFFER_PRICES[shop] ?? { member: 'price' };
        const before = await bench.competitors();
        bench.shop.sandbox.oddValues.add({ service: bench.market.marketplace, ...place, becomes: '"N/A"' });
        const read = await bench.competitors();
        expect(before).not.toEqual([]);
        expect([[], null]).toContainEqual(read);
        bench.shop.sandbox.oddValues.clear();
        expect(await bench.competitors()).toEqual(before);
        return {};
      },
      ends: () => ({}),
    },
  ];
}

/** An amount as the store writes one. @param hundredths for those that write whole numbers */
function amountOf(shop: ShopName, decimal: string, hundredths: number): string {
  if (shop === 'etsy')
    return JSON.stringify({ amount: hundredths * 10, divisor: 1_000, currency_code: 'USD' });
  return shop === 'walmart' || shop === 'michaels' ? decimal : JSON.stringify(decimal);
}

/** Where the currency of a price of ours is, and what another one looks like. */
const CURRENCIES: Readonly<
  Partial<Record<ShopName, readonly (readonly [operation: string, member: string, becomes: string])[]>>
> = {
  amazon: ['searchListingsItems', 'getListingsItem'].flatMap((operation) => [
    [operation, 'offers.price.currencyCode', '"CAD"'] as const,
    [operation, 'purchasable_offer.currency', '"CAD"'] as const,
  ]),
  walmart: [
    ['getAllItems', 'price.currency', '"CAD"'],
    ['getAnItem', 'price.currency', '"CAD"'],
  ],
  ebay: [
    ['getOffers', 'pricingSummary.price.currency', '"CAD"'],
    ['getOffer', 'pricingSummary.price.currency', '"CAD"'],
  ],
  etsy: ['getListingsByShop', 'getListingsByListingIds', 'getListingInventory'].map(
    (operation) => [operation, 'offerings.price.currency_code', '"CAD"'] as const,
  ),
};

const NOT_FOUND_BODY: Readonly<Record<ShopName, unknown>> = {
  amazon: { errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] },
  walmart: { errors: [{ code: 'CONTENT_NOT_FOUND.GMP_ITEM_QUERY_API', description: 'Not found.' }] },
  ebay: {
    errors: [{ errorId: 25_713, domain: 'API_INVENTORY', category: 'REQUEST', message: 'Not found.' }],
  },
  'ebay, Trading API': '',
  etsy: { error: 'Could not find a Listing with listing_id = 1' },
  shopify: '',
  michaels: { code: 'MCU_API_LISTING_NOT_FOUND', message: 'Not found.' },
};

const UNKNOWN_BODY: Readonly<Record<ShopName, unknown>> = {
  amazon: { errors: [{ code: 'SomethingNew', message: 'Something new.' }] },
  walmart: { errors: [{ code: 'SOMETHING_NEW', description: 'Something new.' }] },
  ebay: {
    errors: [{ errorId: 99_999, domain: 'API_INVENTORY', category: 'REQUEST', message: 'Something new.' }],
  },
  'ebay, Trading API': '',
  etsy: { error: 'Something new.' },
  shopify: '',
  michaels: { code: 'MCU_SOMETHING_NEW', message: 'Something new.' },
};

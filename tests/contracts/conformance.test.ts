import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { MarketplaceListing, SaleLine } from '#connectors/connector.ts';
import { isUnreadable } from '#connectors/passed-over.ts';
import { cents } from '#domain/units.ts';
import { allOf, entriesOf } from '#tests/support/all-of.ts';
import { anAccount, anOrder, aRef, aSent } from '#tests/support/connector-fixture.ts';
import {
  amazonAccount,
  amazonItem,
  amazonRef,
  type FakeAmazon,
  startFakeAmazon,
} from '#tests/support/fake-amazon.ts';
import { type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';
import { documentsFolder } from './document-files.ts';

/*
 * The vendors' own examples, which are not part of the project: each answer of a call that a connector
 * makes is given to that connector, which has to read it.
 */

const DOCUMENTS = documentsFolder();
const KIT = DOCUMENTS === null ? null : join(DOCUMENTS, 'conformance');
const never = new AbortController().signal;

interface Example {
  readonly file: string;
  readonly operation: string;
  readonly status?: number;
  readonly side: 'request' | 'response';
  readonly pointer: string;
}

function examples(): Example[] {
  return KIT !== null && existsSync(KIT) ? JSON.parse(readFileSync(join(KIT, 'index.json'), 'utf8')) : [];
}

const documents = new Map<string, unknown>();
function documentOf(file: string): unknown {
  const text = () => readFileSync(join(KIT ?? '', file), 'utf8');
  const known = documents.get(file) ?? (file.endsWith('.json') ? JSON.parse(text()) : parse(text()));
  documents.set(file, known);
  return known;
}

/** RFC 6901. */
function bodyOf({ file, pointer }: Example): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], documentOf(file));
}

/** One of ours: what the vendors print no example of. */
function derived(name: string): { readonly body: Record<string, unknown>; readonly expect: unknown } {
  const {
    expect: expected,
    _comment: _,
    ...body
  } = documentOf(`derived/${name}.json`) as Record<string, unknown>;
  return { body, expect: expected };
}

let amazon: FakeAmazon;
let walmart: FakeWalmart;
beforeEach(async () => {
  amazon = await startFakeAmazon();
  walmart = await startFakeWalmart();
});
afterEach(async () => {
  await amazon.close();
  await walmart.close();
});

const skuIn = (body: unknown): string =>
  /"(?:SellerSKU|SKU|sku)":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? 'SKU-1';

/** How a connector reads the answer of an operation, and what shows that it could. */
const READS: Readonly<Record<string, (body: unknown) => Promise<void>>> = {
  getListingsItem: async (body) => {
    amazon.service.on('GET', /^\/listings\/2021-08-01\/items\/[^/]+\/[^?]+/, () => ({ body }));
    const sent = aSent(1, 100, null, { sku: skuIn(body) });
    const [reading] = await amazon.amazon.readPrices(amazonAccount(), [sent], never);
    expect(reading).toMatchObject({ kind: 'price', price: 10_000 });
  },
  searchListingsItems: async (body) => {
    const page = { ...(body as object), pagination: {} };
    amazon.service.on('GET', /^\/listings\/2021-08-01\/items\/[^/]+\?/, () => ({ body: page }));
    const entries = await allOf(entriesOf(amazon.amazon.readListings(amazonAccount(), never)));
    expect(entries.filter(({ kind }) => kind === 'listing').length).toBeGreaterThan(0);
    expect(entries.filter(isUnreadable)).toEqual([]);
  },
  patchListingsItem: async (body) => {
    amazon.service.on('GET', /^\/listings/, () => ({ body: amazonItem(1) }));
    amazon.service.on('PATCH', /^\/listings/, () => ({ body: { ...(body as object), sku: 'SKU-1' } }));
    const order = { ...anOrder(1, 1_900), ref: amazonRef(1), currentPrice: cents(3_100) };
    const [outcome] = await amazon.amazon.sendPrices(amazonAccount(), [order], never);
    const { status } = body as { status: string };
    // A preview is never asked for: its VALID would not say that the price was taken.
    const kinds: Record<string, string> = { ACCEPTED: 'accepted', INVALID: 'rejected', VALID: 'unknown' };
    expect(outcome?.kind).toBe(kinds[status]);
  },
  getListingOffersBatch: async (body) => {
    const sku = skuIn(body);
    amazon.service.on('POST', /listingOffers$/, () => ({ body }));
    amazon.service.on('POST', /competitiveSummary$/, () => ({ body: { responses: [] } }));
    const readings = await allOf(amazon.amazon.readOffers?.(amazonAccount(), [amazonRef(1, { sku })], never));
    expect(readings).toMatchObject([{ kind: 'offers', listingId: 1 }]);
  },
  searchCatalogItems: async (body) => {
    amazon.service.on('GET', /^\/catalog\/2022-04-01\/items\?/, () => ({ body }));
    const itemId = /"asin":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? null;
    const figures = await allOf(
      amazon
        .connector({ limits: { attempts: 1 } })
        .readFigures?.(amazonAccount(), [amazonRef(1, { itemId })], never),
    );
    expect(figures).toMatchObject([{ kind: 'figures', salesRank: expect.any(Number) }]);
  },
  searchOrders: async (body) => {
    const page = { ...(body as object), pagination: {} };
    amazon.service.on('GET', /^\/orders\/2026-01-01\/orders\?/, () => ({ body: page }));
    const lines = await allOf(amazon.amazon.readSales?.(amazonAccount(), amazon.now(), never));
    // Amounts in another currency belong to stores that are never asked for; they are named, and never taken.
    const odd = lines.filter(isUnreadable);
    for (const { member } of odd) expect(member).toMatch(/currencyCode$/);
    const isForeign = !JSON.stringify(body).includes('"USD"');
    expect(lines.filter((line): line is SaleLine => !isUnreadable(line)).length > 0).toBe(!isForeign);
  },
  getMarketplaceParticipations: async (body) => {
    const payload = Array.isArray(body) ? { payload: body } : body;
    amazon.service.on('GET', /^\/sellers\/v1\/marketplaceParticipations/, () => ({ body: payload }));
    amazon.service.on('GET', /^\/listings/, () => ({ body: { numberOfResults: 0, items: [] } }));
    expect(await amazon.amazon.check(amazonAccount(), never)).toMatchObject({ shopName: 'BestSellerStore' });
  },
  getAnItem: async (body) => {
    walmart.on('GET', /^\/v3\/items\/[^?]+\?productIdType=SKU$/, () => ({ body }));
    const sent = aSent(1, 100, null, { sku: skuIn(body) });
    const [reading] = await walmart.connect().readPrices(anAccount(WALMART_PAIR), [sent], never);
    expect(reading).toMatchObject({ kind: 'price', price: 300 });
  },
  updatePrice: async (body) => {
    walmart.on('PUT', /^\/v3\/price$/, () => ({ body }));
    const order = anOrder(1, 1_900, { sku: skuIn(body) });
    const [outcome] = await walmart.connect().sendPrices(anAccount(WALMART_PAIR), [order], never);
    expect(outcome).toMatchObject({ kind: 'accepted' });
  },
  getFeedItemStatus: async (body) => {
    const sku = skuIn(body);
    walmart.items.push({ sku, price: { currency: 'USD', amount: 5 } });
    walmart.on('GET', /^\/v3\/feeds\/[^?]+\?/, () => ({ body }));
    const sent = aSent(1, 500, 'F129C19240844B97A3C6AD8F1A2C4997@AU8BAQA', { sku });
    const [reading] = await walmart.connect().readPrices(anAccount(WALMART_PAIR), [sent], never);
    expect(reading).toMatchObject({ kind: 'price', price: 500, refusal: null });
  },
  getPricingInsights: async (body) => {
    walmart.on('POST', /getPricingInsights/, () => ({ body }));
    const readings = await allOf(
      walmart.connect().readOffers?.(anAccount(WALMART_PAIR), [aRef(1, { sku: skuIn(body) })], never),
    );
    expect(readings).toMatchObject([
      { kind: 'offers', offers: [{ price: 1_849, isFeatured: true }, { isOurs: true }] },
    ]);
  },
  getPromotionalPrices: async (body) => {
    const sku = skuIn(body);
    walmart.items.push({
      sku,
      wpid: 'wp',
      productName: 'x',
      price: { currency: 'USD', amount: 5 },
      publishedStatus: 'PUBLISHED',
    });
    walmart.insights.push({ sku, currentPrice: 4, buyBoxBasePrice: null, buyBoxTotalPrice: null });
    walmart.on('GET', /^\/v3\/promo\/sku\//, () => ({ body }));
    const listings = walmart.connect().readListings(anAccount(WALMART_PAIR), never);
    // The promotion of the example is over.
    expect(await allOf(entriesOf(listings))).toMatchObject([{ sku, notRepriceableReason: null }]);
    expect(walmart.askedOf(/promo/)).toHaveLength(1);
  },
};

/** Operations of the kit that no connector calls, or whose answers are read only together with a document. */
const OTHER_OPERATIONS = new Set([
  ...[
    'deleteListingsItem',
    'putListingsItem',
    'getListingOffers',
    'getItemOffersBatch',
    'getCatalogItem',
    'getOrder',
  ],
  ...['getFeaturedOfferExpectedPriceBatch', 'getCompetitiveSummary', 'getMyFeesEstimates', 'getAccount'],
  ...['getFeeds', 'createFeed', 'cancelFeed', 'getFeed', 'createFeedDocument', 'getFeedDocument'],
  ...['createReport', 'getReport', 'getReportDocument', 'generateReport'],
  ...[
    'getSubscriptions',
    'getSubscription',
    'createSubscription',
    'getSubscriptionById',
    'deleteSubscriptionById',
  ],
  ...['sendTestNotification', 'getDestinations', 'createDestination', 'getDestination', 'deleteDestination'],
  ...[
    'priceBulkUploads',
    'getAllFeedStatuses',
    'testNotification',
    'deleteSubscription',
    'updateSubscription',
  ],
  ...[
    'getEventTypes',
    'updatePromotionalPrices',
    'updateBulkPromotionalPrice',
    'submitPriceAndPromotionFeed',
  ],
]);

const answers = examples().filter(({ side, status = 200 }) => side === 'response' && status < 300);

test.skipIf(answers.length === 0)('every operation of the kit is read, or known as one that is not', () => {
  const unknown = answers.filter(
    ({ operation }) => !(operation in READS) && !OTHER_OPERATIONS.has(operation),
  );
  expect(unknown.map(({ operation }) => operation)).toEqual([]);
});

describe.skipIf(answers.length === 0)('the connector reads the example of', () => {
  const read = answers.filter(({ operation }) => operation in READS);
  test.each(read.map((example) => [`${example.operation} at ${example.pointer}`, example] as const))(
    '%s',
    async (_, example) => {
      await READS[example.operation]?.(bodyOf(example));
    },
  );
});

describe.skipIf(answers.length === 0)('the connector reads the odd answers', () => {
  test('of an offer at Amazon with all that a seller may set', async () => {
    const { body, expect: expected } = derived('amazon-purchasable-offer-full');
    const { bounds, b2b } = expected as {
      bounds: object;
      b2b: { price: number; levels: readonly (readonly [from: number, price: number])[] };
    };
    const page = { numberOfResults: 1, items: [amazonItem(1, { attributes: body })], pagination: {} };
    amazon.service.on('GET', /^\/listings\/2021-08-01\/items\/[^/]+\?/, () => ({ body: page }));
    const [listing] = await allOf(entriesOf(amazon.amazon.readListings(amazonAccount(), never)));
    expect(listing).toMatchObject({
      notRepriceableReason: expect.any(String),
      isReasonConfirmable: true,
      notRepriceableUntil: Date.parse('2026-11-30T23:59:59Z'),
      priceLimits: bounds,
      businessOffer: { price: b2b.price, tiers: b2b.levels.map(([from, price]) => ({ from, price })) },
    });
  });

  test('of items of Walmart', async () => {
    const { body, expect: expected } = derived('walmart-items-odd');
    const { taken, cents, passedOver, whole } = expected as {
      taken: string[];
      cents: Record<string, number | null>;
      passedOver: Record<string, string>;
      whole: boolean;
    };
    walmart.on('GET', /^\/v3\/items\?/, () => ({ body }));
    const pages = walmart.connect().readListings(anAccount(WALMART_PAIR), never);
    const entries: (MarketplaceListing | { what: string; why: string })[] = [];
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next()) entries.push(...step.value.entries);
    const listings = entries.filter((entry): entry is MarketplaceListing => 'sku' in entry);
    expect(listings.map(({ sku }) => sku)).toEqual(taken);
    expect(Object.fromEntries(listings.map(({ sku, price }) => [sku, price]))).toEqual(cents);
    expect(
      Object.fromEntries(entries.flatMap((entry) => ('why' in entry ? [[entry.what, entry.why]] : []))),
    ).toEqual(passedOver);
    const { told = 0, came = 0 } = step.value.total ?? {};
    expect(came >= told).toBe(whole);
  });

  test('of the pricing insights of Walmart', async () => {
    const { body, expect: expected } = derived('walmart-insights-odd');
    const { 'W-1': first } = expected as { 'W-1': { boxTotalCents: number } };
    walmart.on('POST', /getPricingInsights/, () => ({ body }));
    const refs = Array.from({ length: 21 }, (_, at) => aRef(at + 1, { sku: `W-${at + 1}` }));
    const readings = await allOf(walmart.connect().readOffers?.(anAccount(WALMART_PAIR), refs, never));
    const [one, two] = readings;
    const box = one?.kind === 'offers' ? one.offers.find(({ isFeatured }) => isFeatured) : undefined;
    expect((box?.price ?? 0) + (box?.shipping ?? 0)).toBe(first.boxTotalCents);
    expect(two).toMatchObject({ kind: 'unread' });
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ListingRef } from '#connectors/connector.ts';
import type { HttpLimits } from '#connectors/http/http-client.ts';
import {
  allOf,
  amazonAccount,
  amazonRef,
  type FakeAmazon,
  OUR_SELLER,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';

let fake: FakeAmazon;
let responses: unknown[] | null;
beforeEach(async () => {
  fake = await startFakeAmazon();
  responses = null;
  fake.service.on('POST', /listingOffers$/, ({ json }) => {
    const { requests } = json as { requests: { uri: string }[] };
    const skus = requests.map(({ uri }) => decodeURIComponent(uri.split('/')[5] ?? ''));
    return { body: { responses: responses ?? skus.map((sku) => part({ sku })) } };
  });
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const read = (refs: readonly ListingRef[] = [amazonRef(1)], limits: Partial<HttpLimits> = {}) =>
  allOf(fake.connector({ limits }).readOffers?.(amazonAccount(), refs, never) ?? none());
async function* none(): AsyncGenerator<never[]> {
  yield [];
}

const usd = (amount: unknown, currency = 'USD') => ({ CurrencyCode: currency, Amount: amount });

function offer(given: Record<string, unknown> = {}) {
  return {
    SellerId: 'A3COMPETITOR',
    MyOffer: false,
    SubCondition: 'new',
    IsFulfilledByAmazon: false,
    ListingPrice: usd(28.5),
    Shipping: usd(3.99),
    IsBuyBoxWinner: false,
    ShippingTime: { minimumHours: 24, maximumHours: 48, availabilityType: 'NOW' },
    SellerFeedbackRating: { SellerPositiveFeedbackRating: 97, FeedbackCount: 1_204 },
    ...given,
  };
}

function part(
  given: {
    sku?: string;
    offers?: unknown[];
    boxes?: unknown;
    status?: string;
    code?: number;
    summary?: object;
  } = {},
) {
  const sku = given.sku ?? 'SKU-1';
  return {
    status: { statusCode: given.code ?? 200, reasonPhrase: 'OK' },
    request: { MarketplaceId: US, ItemCondition: 'New', SellerSKU: sku },
    body: {
      payload: {
        SKU: sku,
        ASIN: 'B000000001',
        marketplaceId: US,
        ItemCondition: 'New',
        status: given.status ?? 'Success',
        Identifier: { MarketplaceId: US, ItemCondition: 'New', SellerSKU: sku },
        Summary: {
          TotalOfferCount: given.offers?.length ?? 1,
          BuyBoxPrices: given.boxes ?? [],
          ...given.summary,
        },
        Offers: given.offers ?? [offer()],
      },
    },
  };
}

const ours = () => offer({ SellerId: OUR_SELLER });
const counted = (condition: string, OfferCount: number) => ({ condition, OfferCount });

const box = (landed: number, given: Record<string, unknown> = {}) => ({
  condition: 'New',
  LandedPrice: usd(landed),
  ListingPrice: usd(landed),
  Shipping: usd(0),
  ...given,
});

async function offersOf(offers: unknown[], boxes: unknown[] = []) {
  responses = [part({ offers, boxes })];
  const [reading] = await read();
  return reading?.kind === 'offers' ? reading.offers : [];
}
const featured = async (offers: unknown[], boxes: unknown[] = []) =>
  (await offersOf(offers, boxes)).filter(({ isFeatured }) => isFeatured).map(({ sellerName }) => sellerName);

describe('an offer', () => {
  test('with all that Amazon provides', async () => {
    expect(await read()).toEqual([
      {
        kind: 'offers',
        listingId: 1,
        seenAt: fake.now(),
        coverage: 'all',
        offers: [
          {
            sellerName: 'A3COMPETITOR',
            isMarketplace: false,
            isOurs: false,
            price: 2_850,
            shipping: 399,
            fulfillmentType: 'FBM',
            isFeatured: false,
            rating: 9_700,
            ratingCount: 1_204,
            handlingDays: 2,
          },
        ],
      },
    ]);
  });

  test.each<[string, Record<string, unknown>, object]>([
    [
      'by Amazon itself',
      { SellerId: US, IsFulfilledByAmazon: true },
      { isMarketplace: true, sellerName: 'Amazon', fulfillmentType: 'FBA/WFS' },
    ],
    ['of ours, as Amazon says', { SellerId: 'OTHER', MyOffer: true }, { isOurs: true }],
    ['of ours, by the seller ID', { SellerId: OUR_SELLER, MyOffer: null }, { isOurs: true }],
    ['without a seller', { SellerId: undefined }, { sellerName: null, isOurs: false, isMarketplace: false }],
    ['without shipping', { Shipping: undefined }, { shipping: 0 }],
    ['of a new seller', { SellerFeedbackRating: { FeedbackCount: 0 } }, { rating: null, ratingCount: 0 }],
    [
      'without rating and times',
      { SellerFeedbackRating: null, ShippingTime: {} },
      { rating: null, ratingCount: null, handlingDays: null },
    ],
    ['that goes out today', { ShippingTime: { maximumHours: 0 } }, { handlingDays: 0 }],
    ['with a price as text', { ListingPrice: usd('28.5') }, { price: 2_850 }],
  ])('%s', async (_, given, expected) => {
    expect(await offersOf([offer(given)])).toEqual([expect.objectContaining(expected)]);
  });

  test('to businesses is excluded, and an identical duplicate counts once', async () => {
    expect(await offersOf([offer(), offer({ offerType: 'B2B' }), offer()])).toHaveLength(1);
  });

  test.each([
    ['a negative price', { ListingPrice: usd(-28.5) }],
    ['a price of "N/A"', { ListingPrice: usd('N/A') }],
    ['a price of null', { ListingPrice: usd(null) }],
    ['another currency', { ListingPrice: usd(28.5, 'CAD') }],
    ['negative shipping', { Shipping: usd(-1) }],
    ['a share above all', { SellerFeedbackRating: { SellerPositiveFeedbackRating: 140 } }],
  ])('with %s is passed over; alone it leaves its listing unread', async (_, given) => {
    responses = [
      part({ offers: [offer(given), offer({ SellerId: 'A9OTHER' })] }),
      part({ sku: 'SKU-2', offers: [offer(given)] }),
    ];
    expect(await read([amazonRef(1), amazonRef(2)])).toMatchObject([
      {
        kind: 'offers',
        listingId: 1,
        offers: [{ sellerName: 'A9OTHER' }],
        coverage: 'top',
        row: { what: 'SKU-1' },
      },
      { kind: 'unread', listingId: 2, row: { what: 'SKU-2' } },
    ]);
  });
});

describe('the buy box', () => {
  const fba = (given = {}) => offer({ SellerId: 'A4PRIME', IsFulfilledByAmazon: true, ...given });

  test('is won by the offer that is marked', async () => {
    expect(await featured([offer(), fba({ IsBuyBoxWinner: true })])).toEqual(['A4PRIME']);
  });

  test('that two offers have is decided by its price', async () => {
    const both = [offer({ IsBuyBoxWinner: true }), fba({ IsBuyBoxWinner: true, Shipping: usd(0) })];
    expect(await featured(both, [box(32.49)])).toEqual(['A3COMPETITOR']);
    expect(await featured(both, [box(28.5)])).toEqual(['A4PRIME']);
  });

  test('that no offer has is decided by its price, among the new ones only', async () => {
    const used = box(28.5, { condition: 'Used' });
    expect(await featured([offer(), fba({ Shipping: usd(0) })], [used, box(32.49)])).toEqual([
      'A3COMPETITOR',
    ]);
  });

  test('with the name of its seller is decided by that', async () => {
    const same = [offer(), offer({ SellerId: 'A5' })];
    expect(await featured(same, [box(32.49, { sellerId: 'A5' })])).toEqual(['A5']);
  });

  test('is unknown without a price for it', async () => {
    expect(await featured([offer(), fba()])).toEqual([]);
    expect(fake.calls(/competitiveSummary/)).toEqual([]);
  });

  describe('that is open', () => {
    const open = [offer(), offer({ SellerId: 'A5' }), fba({ SellerId: 'A5', Shipping: usd(3.99) })];
    const segment = (weight: number) => ({
      customerMembership: 'DEFAULT',
      segmentDetails: { glanceViewWeightPercentage: weight },
    });
    const summaryIs = (given: object) =>
      fake.service.on('POST', /competitiveSummary$/, () => ({ body: { responses: [given] } }));
    const summary = (segmentedFeaturedOffers: unknown[], statusCode = 200) => ({
      status: { statusCode },
      body: {
        asin: 'B000000001',
        marketplaceId: US,
        featuredBuyingOptions: [{ buyingOptionType: 'New', segmentedFeaturedOffers }],
      },
    });
    const seen = (sellerId: string, fulfillmentType: string, weight: number) => ({
      sellerId,
      condition: 'New',
      fulfillmentType,
      listingPrice: { amount: 1, currencyCode: 'USD' },
      featuredOfferSegments: [segment(weight)],
    });

    test('is requested, and the majority of buyers decides', async () => {
      summaryIs(summary([seen('A3COMPETITOR', 'MFN', 30), seen('A5', 'AFN', 70)]));
      const offers = await offersOf(open, [box(32.49)]);
      expect(offers.map(({ isFeatured }) => isFeatured)).toEqual([false, false, true]);
      expect(fake.calls(/competitiveSummary/).map(({ json }) => json)).toEqual([
        {
          requests: [
            {
              asin: 'B000000001',
              marketplaceId: US,
              includedData: ['featuredBuyingOptions'],
              method: 'GET',
              uri: '/products/pricing/2022-05-01/items/competitiveSummary',
            },
          ],
        },
      ]);
    });

    test.each<[string, () => void]>([
      ['is not answered', () => summaryIs(summary([], 404))],
      ['is not one of the offers', () => summaryIs(summary([seen('A9', 'AFN', 70)]))],
      ['is garbage', () => fake.service.on('POST', /competitiveSummary$/, () => ({ body: 'ka-boom' }))],
      ['is refused', () => fake.service.on('POST', /competitiveSummary$/, () => ({ status: 403, body: '' }))],
    ])('and %s is unknown', async (_, given) => {
      given();
      expect(await featured(open, [box(32.49)])).toEqual([]);
    });

    test('is requested once, and not waited for', async () => {
      summaryIs(summary([seen('A5', 'AFN', 70)]));
      await offersOf(open, [box(32.49)]);
      responses = [part({ offers: open, boxes: [box(32.49)] })];
      const amazon = fake.connector();
      for (let time = 1; time <= 2; time++) {
        await allOf(amazon.readOffers?.(amazonAccount(), [amazonRef(1)], never) ?? none());
      }
      expect(fake.calls(/competitiveSummary/)).toHaveLength(2);
      expect(Math.max(...fake.waits)).toBeLessThan(10_000);
    });
  });
});

describe('a batch', () => {
  test('has twenty SKUs, and waits for the rate limit', async () => {
    const refs = Array.from({ length: 45 }, (_, at) => amazonRef(at + 1));
    const readings = await read(refs);
    expect(readings.map(({ listingId }) => listingId)).toEqual(refs.map(({ listingId }) => listingId));
    const requested = fake
      .calls(/listingOffers$/)
      .map(({ json }) => (json as { requests: object[] }).requests);
    expect(requested.map(({ length }) => length)).toEqual([20, 20, 5]);
    expect(requested[0]?.[0]).toEqual({
      uri: '/products/pricing/v0/listings/SKU-1/offers',
      method: 'GET',
      MarketplaceId: US,
      ItemCondition: 'New',
      CustomerType: 'Consumer',
    });
    expect(fake.waits).toEqual([2_500, 2_500]);
  });

  test('requests used offers where the listing is used', async () => {
    await read([amazonRef(1, { sku: 'a/b', keys: { condition: 'Used' } })]);
    expect(fake.calls(/listingOffers$/)[0]?.json).toMatchObject({
      requests: [{ uri: '/products/pricing/v0/listings/a%2Fb/offers', ItemCondition: 'Used' }],
    });
  });

  test.each<[string, object, unknown[], object]>([
    ['as many as are counted', {}, [ours()], { kind: 'offers', coverage: 'all' }],
    ['none, and none is counted', {}, [], { kind: 'offers', coverage: 'all', offers: [] }],
    ['of more, one of a competitor', { TotalOfferCount: 30 }, [ours(), offer()], { coverage: 'top' }],
    ['of more, none of a competitor', { TotalOfferCount: 2 }, [ours()], { kind: 'unread' }],
    ['none of one that is counted', { TotalOfferCount: 1 }, [], { kind: 'unread' }],
    ['none of one in no condition', { TotalOfferCount: 1, NumberOfOffers: [] }, [], { kind: 'unread' }],
    [
      'all of this condition',
      { TotalOfferCount: 9, NumberOfOffers: [counted('new', 1), counted('used', 8)] },
      [ours()],
      { kind: 'offers', coverage: 'all' },
    ],
    [
      'of more in this condition',
      { NumberOfOffers: [counted('new', 1), counted('New', 1)] },
      [ours()],
      { kind: 'unread' },
    ],
  ])('that shows %s', async (_, summary, offers, expected) => {
    responses = [part({ offers, summary })];
    expect(await read()).toMatchObject([expected]);
  });

  test('in another order is matched by SKU', async () => {
    responses = [part({ sku: 'SKU-2', offers: [] }), part({ sku: 'SKU-1' })];
    const [first, second] = await read([amazonRef(1), amazonRef(2)]);
    expect(first).toMatchObject({ listingId: 1, offers: [{ price: 2_850 }] });
    expect(second).toMatchObject({ listingId: 2, offers: [] });
  });

  test('with a failed part has the others', async () => {
    const failed = {
      status: { statusCode: 400 },
      request: { SellerSKU: 'SKU-1' },
      body: { errors: [{ code: 'InvalidInput', message: 'No such SKU.' }] },
    };
    responses = [failed, part({ sku: 'SKU-2' })];
    expect(await read([amazonRef(1), amazonRef(2), amazonRef(3)])).toMatchObject([
      { kind: 'unread', listingId: 1, why: 'Amazon did not report the offers: No such SKU.' },
      { kind: 'offers', listingId: 2 },
      { kind: 'unread', listingId: 3 },
    ]);
  });

  test.each([
    ['NoBuyableOffers', { kind: 'offers', offers: [] }],
    ['ActiveButTooSoonForProcessing', { kind: 'unread', why: expect.stringMatching(/TooSoon/) }],
    ['ClientError', { kind: 'unread' }],
  ])('with a part that is %s', async (status, expected) => {
    responses = [part({ status })];
    expect(await read()).toMatchObject([expected]);
  });

  test('with a SKU twice is unread unless its parts are identical', async () => {
    responses = [part(), part()];
    expect(await read()).toHaveLength(1);
    responses = [part(), part({ offers: [] })];
    expect(await read()).toMatchObject([{ kind: 'unread', row: { what: 'SKU-1' } }]);
  });
});

describe('a buy box without a winner', () => {
  const eligible = (count: number) => ({
    BuyBoxEligibleOffers: [{ condition: 'new', fulfillmentChannel: 'Merchant', OfferCount: count }],
  });
  const reported = async (given: Parameters<typeof part>[0]) => {
    responses = [part(given)];
    const [reading] = await read();
    return reading?.kind === 'offers' ? (reading.isBoxSuppressed ?? false) : null;
  };

  test('is known where offers could hold it, all are shown, and each says that it does not', async () => {
    expect(await reported({ offers: [offer()], summary: eligible(1) })).toBe(true);
  });

  test.each([
    ['none could hold it', { offers: [offer()], summary: eligible(0) }],
    ['it is not told how many could', { offers: [offer()] }],
    ['one holds it', { offers: [offer({ IsBuyBoxWinner: true })], summary: eligible(1) }],
    ['one does not say', { offers: [offer({ IsBuyBoxWinner: undefined })], summary: eligible(1) }],
    ['not all are shown', { offers: [offer()], summary: { ...eligible(2), TotalOfferCount: 2 } }],
  ])('is not known where %s', async (_, given) => {
    expect(await reported(given)).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FeeQuery } from '#connectors/connector.ts';
import { cents } from '#domain/units.ts';
import {
  allOf,
  amazonAccount,
  amazonRef,
  type FakeAmazon,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';

let fake: FakeAmazon;
beforeEach(async () => {
  fake = await startFakeAmazon();
});
afterEach(() => fake.close());

const never = new AbortController().signal;
async function* none(): AsyncGenerator<never[]> {
  yield [];
}

describe('fees', () => {
  const usd = (Amount: unknown, CurrencyCode = 'USD') => ({ CurrencyCode, Amount });
  const detail = (FeeType: string, amount: unknown) => ({
    FeeType,
    FeeAmount: usd(amount),
    FinalFee: usd(amount),
  });

  function estimate(number: number, given: Record<string, unknown> = {}, fees: Record<string, unknown> = {}) {
    return {
      Status: 'Success',
      FeesEstimateIdentifier: { SellerInputIdentifier: String(number), IdType: 'SellerSKU' },
      FeesEstimate: {
        TimeOfFeesEstimation: '2026-11-20T12:00:00Z',
        TotalFeesEstimate: usd(9.27),
        FeeDetailList: [
          detail('ReferralFee', 4.49),
          detail('VariableClosingFee', 0),
          detail('FBAFees', 4.78),
        ],
        ...fees,
      },
      ...given,
    };
  }

  const query = (number: number, given: Partial<FeeQuery> = {}): FeeQuery => ({
    ref: amazonRef(number),
    price: cents(2_990),
    shippingCharge: cents(0),
    ...given,
  });
  const read = (queries: readonly FeeQuery[] = [query(1)]) =>
    allOf(fake.amazon.estimateFees?.(amazonAccount(), queries, never) ?? none());
  const feesAre = (body: unknown) => fake.service.on('POST', /feesEstimate$/, () => ({ body }));

  test('are split into commission and fulfillment fee', async () => {
    feesAre([estimate(1)]);
    expect(await read()).toEqual([
      { kind: 'fees', listingId: 1, price: 2_990, commission: 449, fulfillment: 478 },
    ]);
    const [asked] = fake.calls(/feesEstimate/);
    expect(asked?.text).toContain('"ListingPrice":{"CurrencyCode":"USD","Amount":29.90}');
    expect(asked?.json).toEqual([
      {
        IdType: 'SellerSKU',
        IdValue: 'SKU-1',
        FeesEstimateRequest: {
          MarketplaceId: US,
          IsAmazonFulfilled: true,
          Identifier: '1',
          PriceToEstimateFees: { ListingPrice: usd(29.9), Shipping: usd(0) },
        },
      },
    ]);
  });

  test('of what the merchant ships are all commission', async () => {
    const fees = { TotalFeesEstimate: usd(4.49), FeeDetailList: [detail('ReferralFee', 4.49)] };
    feesAre([estimate(1, {}, fees)]);
    const ref = amazonRef(1, { fulfillmentType: 'FBM' });
    expect(await read([query(1, { ref })])).toMatchObject([{ commission: 449, fulfillment: null }]);
  });

  test('with a fraction of a cent are rounded up', async () => {
    feesAre([estimate(1, {}, { TotalFeesEstimate: usd(9.272), FeeDetailList: [detail('FBAFees', 4.78)] })]);
    expect(await read()).toMatchObject([{ commission: 450, fulfillment: 478 }]);
  });

  test('are requested twenty per call; the same listing at two prices counts twice', async () => {
    fake.service.on('POST', /feesEstimate$/, ({ json }) => ({
      body: (json as unknown[]).map((_, at) => estimate(at + 1)).toReversed(),
    }));
    const queries = [
      ...Array.from({ length: 20 }, (_, at) => query(at + 1)),
      query(1, { price: cents(100) }),
    ];
    const fees = await read(queries);
    expect(fees.map(({ listingId }) => listingId)).toEqual(queries.map(({ ref }) => ref.listingId));
    expect(fees.at(-1)).toMatchObject({ listingId: 1, price: 100 });
    expect(fake.calls(/feesEstimate/)).toHaveLength(2);
  });

  test.each<[string, unknown[], RegExp]>([
    [
      'that Amazon does not estimate',
      [estimate(1, { Status: 'ClientError', FeesEstimate: null, Error: { Message: 'No such SKU.' } })],
      /No such SKU/,
    ],
    ['that are not answered', [], /did not estimate/],
    ['without what sending costs', [estimate(1, {}, { FeeDetailList: [] })], /sending/],
    ['with a part above the whole', [estimate(1, {}, { TotalFeesEstimate: usd(1) })], /sending/],
  ])('%s are unread, in words', async (_, body, why) => {
    feesAre(body);
    expect(await read()).toEqual([{ kind: 'unread', listingId: 1, why: expect.stringMatching(why) }]);
  });

  test.each<[string, unknown]>([
    ['a negative fee', [estimate(1, {}, { TotalFeesEstimate: usd(-1) })]],
    ['a fee of "N/A"', [estimate(1, {}, { TotalFeesEstimate: usd('N/A') })]],
    ['another currency', [estimate(1, {}, { TotalFeesEstimate: usd(9, 'CAD') })]],
    ['two estimates for one', [estimate(1), estimate(1, {}, { TotalFeesEstimate: usd(9) })]],
    ['no list', { fees: [] }],
  ])('with %s fail as a whole', async (_, body) => {
    feesAre(body);
    await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
  });
});

describe('figures', () => {
  const ranked = (asin: string, rank: number) => ({
    asin,
    salesRanks: [
      { marketplaceId: 'A1', displayGroupRanks: [{ websiteDisplayGroup: 'x', title: 'Elsewhere', rank: 1 }] },
      {
        marketplaceId: US,
        classificationRanks: [{ classificationId: '9', title: 'Kettles', rank: 3 }],
        displayGroupRanks: [{ websiteDisplayGroup: 'kitchen', title: 'Kitchen', rank }],
      },
    ],
  });
  const traffic = (sku: string, buyBoxPercentage: unknown, pageViews = 100) => ({
    parentAsin: 'B1',
    childAsin: 'B2',
    sku,
    trafficByAsin: { pageViews, buyBoxPercentage },
  });
  let report: unknown;

  beforeEach(() => {
    const { service } = fake;
    report = { salesAndTrafficByDate: [], salesAndTrafficByAsin: [traffic('SKU-1', 81.25)] };
    service.on('POST', /reports$/, () => ({ status: 202, body: { reportId: 'r-1' } }));
    service.on('GET', /reports\/r-1$/, () => ({
      body: { processingStatus: 'DONE', reportDocumentId: 'd-1' },
    }));
    service.on('GET', /documents\/d-1$/, () => ({ body: { url: `${service.url}/traffic` } }));
    service.on('GET', /^\/traffic$/, () => ({ body: report }));
    service.on('GET', /^\/catalog/, ({ query }) => ({
      body: {
        items: (query.get('identifiers') ?? '').split(',').map((asin) => ranked(asin, 4_211)),
      },
    }));
  });

  const reports = () => fake.calls(/reports$/).filter(({ method }) => method === 'POST');
  const read = (refs = [amazonRef(1)]) =>
    allOf(fake.amazon.readFigures?.(amazonAccount(), refs, never) ?? none());

  test('are the rank and the share of the buy box; ratings are not available', async () => {
    expect(await read()).toEqual([
      {
        kind: 'figures',
        listingId: 1,
        reviewCount: null,
        averageRating: null,
        salesRank: 4_211,
        salesRankCategory: 'Kitchen',
        buyBoxShare: 8_125,
      },
    ]);
    expect(fake.calls(/reports$/).map(({ json }) => json)).toEqual([
      {
        reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
        marketplaceIds: [US],
        reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
        dataStartTime: '2026-11-11T00:00:00Z',
        dataEndTime: '2026-11-17T00:00:00Z',
      },
    ]);
  });

  test('are requested twenty items per call', async () => {
    const refs = Array.from({ length: 25 }, (_, at) => amazonRef(at + 1));
    expect(await read(refs)).toHaveLength(25);
    const asked = fake.calls(/^\/catalog/);
    expect(asked.map(({ query }) => query.get('identifiers')?.split(',').length)).toEqual([20, 5]);
    expect(asked[0]?.query.get('includedData')).toBe('salesRanks');
  });

  test('need one report for many reads of a day, and no retry for an hour where it is not available', async () => {
    await read();
    await read([amazonRef(2)]);
    expect(reports()).toHaveLength(1);
    fake.pass(6 * 3_600_000);
    fake.service.on('POST', /reports$/, () => ({ status: 403, body: { errors: [] } }));
    expect(await read()).toMatchObject([{ buyBoxShare: null }]);
    fake.pass(3_500_000);
    await read();
    expect(reports()).toHaveLength(2);
    fake.pass(100_000);
    await read();
    expect(reports()).toHaveLength(3);
  });

  test('of an item that Amazon does not rank are null', async () => {
    fake.service.on('GET', /^\/catalog/, () => ({ body: { items: [{ asin: 'B000000002' }] } }));
    expect(await read([amazonRef(2)])).toMatchObject([{ salesRank: null, buyBoxShare: null }]);
  });

  test.each([
    [100, 0],
    [0, null],
  ])('tell a share of 0%% after %i page views as %j', async (views, share) => {
    report = { salesAndTrafficByAsin: [traffic('SKU-1', 0, views)] };
    expect(await read()).toMatchObject([{ buyBoxShare: share }]);
  });

  test("without Amazon's ID there is the share, or nothing", async () => {
    expect(await read([amazonRef(1, { itemId: null }), amazonRef(2, { itemId: null })])).toMatchObject([
      { kind: 'figures', buyBoxShare: 8_125, salesRank: null },
      { kind: 'unread', listingId: 2 },
    ]);
    expect(fake.calls(/^\/catalog/)).toEqual([]);
  });

  test.each<[string, () => void]>([
    [
      'may not be read',
      () => fake.service.on('POST', /reports$/, () => ({ status: 403, body: { errors: [] } })),
    ],
    [
      'is not made',
      () => fake.service.on('GET', /r-1$/, () => ({ body: { processingStatus: 'CANCELLED' } })),
    ],
    [
      'is garbage',
      () => {
        report = '<html>';
      },
    ],
    [
      'has a share above all',
      () => {
        report = { salesAndTrafficByAsin: [traffic('SKU-1', 181)] };
      },
    ],
  ])('whose report %s have ranks all the same', async (_, given) => {
    given();
    expect(await read()).toMatchObject([{ salesRank: 4_211, buyBoxShare: null }]);
  });

  test.each([0, -4, 'first', 1.5])('with a rank of %j fail as a whole', async (rank) => {
    fake.service.on('GET', /^\/catalog/, () => ({ body: { items: [ranked('B000000001', rank as number)] } }));
    await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
  });
});

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
  /** A FeeDetail of Amazon's document. */
  const detail = (FeeType: string, amount: unknown, given: Record<string, unknown> = {}) => ({
    FeeType,
    FeeAmount: usd(amount),
    FinalFee: usd(amount),
    ...given,
  });
  const FBA = detail('FBAFees', 4.78, {
    IncludedFeeDetailList: [detail('FBAPickAndPack', 3.78), detail('FBAWeightHandling', 1)],
  });

  /** A FeesEstimateResult of Amazon's document. */
  function estimate(
    number: number,
    details: unknown[] = [detail('ReferralFee', 4.49), detail('VariableClosingFee', 0), FBA],
    total: unknown = usd(9.27),
    given: Record<string, unknown> = {},
  ) {
    return {
      Status: 'Success',
      FeesEstimateIdentifier: identifier(number),
      FeesEstimate: {
        TimeOfFeesEstimation: 'Fri Nov 20 12:00:00 UTC 2026',
        TotalFeesEstimate: total,
        FeeDetailList: details,
      },
      Error: { Type: '', Code: '', Message: '', Detail: [] },
      ...given,
    };
  }
  const identifier = (number: number, given: Record<string, unknown> = {}) => ({
    MarketplaceId: US,
    IdType: 'SellerSKU',
    SellerId: 'A1',
    SellerInputIdentifier: String(number),
    IdValue: `SKU-${number}`,
    PriceToEstimateFees: { ListingPrice: usd(29.9), Shipping: usd(0) },
    ...given,
  });

  const query = (number: number, given: Partial<FeeQuery> = {}): FeeQuery => ({
    ref: amazonRef(number),
    price: cents(2_990),
    shippingCharge: cents(0),
    ...given,
  });
  const read = (queries: readonly FeeQuery[] = [query(1)]) =>
    allOf(fake.amazon.estimateFees?.(amazonAccount(), queries, never) ?? none());
  const feesAre = (body: unknown) => fake.service.on('POST', /feesEstimate$/, () => ({ body }));
  const part = (kind: string, name: string, amount: number, promotion = 0) => ({
    kind,
    name,
    amount,
    promotion,
  });

  test('are reported part by part, without the parts of a part', async () => {
    feesAre([estimate(1)]);
    expect(await read()).toEqual([
      {
        kind: 'fees',
        listingId: 1,
        price: 2_990,
        shippingCharge: 0,
        parts: [
          part('commission', 'ReferralFee', 449),
          part('closing', 'VariableClosingFee', 0),
          part('fulfillment', 'FBAFees', 478),
        ],
      },
    ]);
    const [requested] = fake.calls(/feesEstimate/);
    expect(requested?.text).toContain('"ListingPrice":{"CurrencyCode":"USD","Amount":29.90}');
    expect(requested?.json).toEqual([
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

  test('example 11: a promotion that waives the whole fee leaves the regular amount', async () => {
    const waived = detail('ReferralFee', 3.75, { FeePromotion: usd(3.75), FinalFee: usd(0) });
    feesAre([estimate(1, [waived, detail('FBAFees', 0)], usd(0))]);
    expect(await read()).toMatchObject([
      { parts: [part('commission', 'ReferralFee', 375, 375), part('fulfillment', 'FBAFees', 0)] },
    ]);
  });

  test('of an unknown type count in full under their name', async () => {
    feesAre([
      estimate(
        1,
        [detail('ReferralFee', 4.49), detail('PerItemFee', 0.99), detail('LowStockFee', 0.32)],
        usd(5.8),
      ),
    ]);
    expect(await read()).toMatchObject([
      {
        parts: [
          part('commission', 'ReferralFee', 449),
          part('closing', 'PerItemFee', 99),
          part('other', 'LowStockFee', 32),
        ],
      },
    ]);
  });

  test('with a fraction of a cent are rounded up', async () => {
    feesAre([estimate(1, [detail('ReferralFee', 4.492), FBA], usd(9.272))]);
    expect(await read()).toMatchObject([{ parts: [{ amount: 450 }, { amount: 478 }] }]);
  });

  test('are requested twenty per call and matched by number; the same listing at two prices counts twice', async () => {
    fake.service.on('POST', /feesEstimate$/, ({ json }) => ({
      body: (json as { IdValue: string; FeesEstimateRequest: { PriceToEstimateFees: unknown } }[])
        .map(({ IdValue, FeesEstimateRequest: { PriceToEstimateFees } }, at) =>
          estimate(at + 1, undefined, undefined, {
            FeesEstimateIdentifier: identifier(at + 1, { IdValue, PriceToEstimateFees }),
          }),
        )
        .toReversed(),
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
      [
        estimate(1, [], null, {
          Status: 'ClientError',
          FeesEstimate: null,
          Error: { Message: 'No such SKU.' },
        }),
      ],
      /No such SKU/,
    ],
    ['that are not answered', [], /did not estimate/],
    ['whose answer has no number', [{ Status: 'Success' }], /did not estimate/],
    // The example of Amazon's document.
    ['of a total alone', [estimate(1, [], usd(3))], /without its fees/],
    ['told twice differently', [estimate(1), estimate(1, [detail('ReferralFee', 9)])], /twice/],
  ])('%s are unread, in words', async (_, body, why) => {
    feesAre(body);
    expect(await read()).toEqual([{ kind: 'unread', listingId: 1, why: expect.stringMatching(why) }]);
  });

  const reported = (given: Record<string, unknown>) =>
    estimate(1, undefined, undefined, { FeesEstimateIdentifier: identifier(1, given) });
  test.each<[string, string, unknown]>([
    ['negative', 'a negative fee', estimate(1, [detail('ReferralFee', -1)])],
    ['unreadable', 'a fee of "N/A"', estimate(1, [detail('ReferralFee', 'N/A')])],
    ['unreadable', 'a thousands sign', estimate(1, [detail('ReferralFee', '1,204.50')])],
    ['currency', 'another currency', estimate(1, [detail('ReferralFee', 9, { FeeAmount: usd(9, 'CAD') })])],
    ['wrong_total', 'a fee in the total only', estimate(1, [detail('ReferralFee', 4.49)])],
    [
      'wrong_total',
      'more charged than the fee',
      estimate(1, [detail('ReferralFee', 1, { FinalFee: usd(2) })]),
    ],
    ['other_question', 'another SKU', reported({ IdValue: 'SKU-9' })],
    ['other_question', 'an ASIN', reported({ IdType: 'ASIN' })],
    ['other_question', 'another price', reported({ PriceToEstimateFees: { ListingPrice: usd(29.99) } })],
    ['other_question', 'another charge', reported({ PriceToEstimateFees: { Shipping: usd(4) } })],
    ['other_question', 'another shipper', reported({ IsAmazonFulfilled: false })],
  ])('are unusable (%s) for %s, without harm to the next listing', async (because, _, body) => {
    feesAre([estimate(2), body]);
    expect(await read([query(1), query(2)])).toMatchObject([
      { kind: 'unusable_fees', listingId: 1, price: 2_990, because },
      { kind: 'fees', listingId: 2 },
    ]);
  });

  test('of what the merchant ships have no fulfillment fee', async () => {
    const ref = amazonRef(1, { fulfillmentType: 'FBM' });
    feesAre([estimate(1, [detail('ReferralFee', 4.49), detail('FBAFees', 0)], usd(4.49))]);
    expect(await read([query(1, { ref })])).toMatchObject([{ parts: [{ kind: 'commission' }] }]);
    feesAre([estimate(1)]);
    expect(await read([query(1, { ref })])).toMatchObject([{ because: 'other_question' }]);
  });

  test('fail as a whole where there is no list', async () => {
    feesAre({ fees: [] });
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
    const requested = fake.calls(/^\/catalog/);
    expect(requested.map(({ query }) => query.get('identifiers')?.split(',').length)).toEqual([20, 5]);
    expect(requested[0]?.query.get('includedData')).toBe('salesRanks');
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

  test.each([0, -4, 'first', 1.5])('with a rank of %j are unread', async (rank) => {
    fake.service.on('GET', /^\/catalog/, () => ({ body: { items: [ranked('B000000001', rank as number)] } }));
    expect(await read()).toMatchObject([
      { kind: 'unread', row: { member: 'salesRanks.displayGroupRanks.rank' } },
    ]);
  });
});

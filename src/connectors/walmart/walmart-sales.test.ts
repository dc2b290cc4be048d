import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { entriesOf, linesOf, unreadableOf } from '#tests/support/all-of.ts';
import { CALL_ERRORS, NO_PRICES } from '#tests/support/call-errors.ts';
import { anAccount, aRef, collect, never } from '#tests/support/connector-fixture.ts';
import { type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';

let fake: FakeWalmart;
beforeEach(async () => {
  fake = await startFakeWalmart();
});
afterEach(() => fake.close());

function loggedIn() {
  const obtainedAt = fake.clock.time;
  const expiresAt = instant(obtainedAt + 900_000);
  return anAccount(WALMART_PAIR, { access: { value: 'token-0', obtainedAt, expiresAt } });
}

const SINCE = instant(Date.parse('2026-11-18T12:00:00Z'));
const SOLD = Date.parse('2026-11-19T08:00:00Z');
const pagesOf = () => fake.connect().readSales?.(loggedIn(), SINCE, never);
const readSales = () => linesOf(pagesOf());

interface Line {
  quantity?: string;
  amount?: unknown;
  currency?: string;
  statuses?: [string, string?][];
}

function anOrderOf(
  purchaseOrderId: string,
  { quantity = '1', amount = 25.5, currency = 'USD', statuses = [['Shipped']] }: Line,
) {
  return {
    purchaseOrderId,
    orderDate: SOLD,
    customerEmailId: 'buyer@example.test',
    orderLines: {
      orderLine: [
        {
          lineNumber: '1',
          item: { sku: 'SKU-1', productName: 'Mug' },
          charges: {
            charge: [
              { chargeType: 'PRODUCT', chargeName: 'ItemPrice', chargeAmount: { currency, amount } },
              { chargeType: 'SHIPPING', chargeAmount: { currency, amount: 4.99 } },
            ],
          },
          orderLineQuantity: { unitOfMeasurement: 'EACH', amount: quantity },
          orderLineStatuses: {
            orderLineStatus: statuses.map(([status, pieces]) => ({
              status,
              ...(pieces === undefined ? {} : { statusQuantity: { amount: pieces } }),
            })),
          },
        },
      ],
    },
  };
}

function serve(...orders: object[]): void {
  fake.on('GET', /^\/v3\/orders.*shipNodeType=SellerFulfilled/, () => ({
    body: { list: { elements: { order: orders } } },
  }));
}

describe('sales', () => {
  test('are the lines of orders, without tax and buyers', async () => {
    serve(anOrderOf('P1', { quantity: '3' }));
    expect(await readSales()).toEqual([
      {
        externalId: 'P1:1',
        orderRef: 'P1',
        lineNumber: 1,
        sku: 'SKU-1',
        itemId: null,
        soldAt: SOLD,
        quantity: 3,
        unitPrice: 850,
        revenue: 2550,
        shippingRevenue: 499,
        fees: null,
        isCancelled: false,
      },
    ]);
  });

  test.each([
    [
      'cancelled',
      { statuses: [['Cancelled', '1']] as [string, string][] },
      { isCancelled: true, quantity: 1 },
    ],
    ['cancelled without a number', { statuses: [['Cancelled']] as [string][] }, { isCancelled: true }],
    [
      'cancelled in part',
      {
        quantity: '3',
        amount: 30,
        statuses: [
          ['Shipped', '2'],
          ['Cancelled', '1'],
        ] as [string, string][],
      },
      { isCancelled: false, quantity: 2, revenue: 2000, unitPrice: 1000 },
    ],
    ['refunded', { statuses: [['Refund', '1']] as [string, string][] }, { isCancelled: false }],
  ])('a line that was %s', async (_, given, expected) => {
    serve(anOrderOf('P1', given));
    expect(await readSales()).toEqual([expect.objectContaining(expected)]);
  });

  test('identical duplicates of a line count once', async () => {
    serve(anOrderOf('P1', {}), anOrderOf('P1', {}), anOrderOf('P2', {}));
    expect((await readSales()).map(({ externalId }) => externalId)).toEqual(['P1:1', 'P2:1']);
  });

  test('of different lines with one ID none is read', async () => {
    serve(anOrderOf('P1', {}), anOrderOf('P1', { amount: 9.99 }));
    expect(await readSales()).toEqual([]);
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test('are requested for every fulfillment type, and by their last change', async () => {
    await readSales();
    const requested = fake.askedOf(/orders/);
    expect(requested.map(({ query }) => query.get('shipNodeType'))).toEqual([
      ...['SellerFulfilled', 'WFSFulfilled', '3PLFulfilled'],
    ]);
    expect(requested[0]?.query.get('lastModifiedStartDate')).toBe('2026-11-18T12:00:00.000Z');
    expect(requested[0]?.query.get('createdStartDate')).toBe('2026-10-19T12:00:00.000Z');
  });

  test('continue with the complete query that Walmart returns, and end where it repeats', async () => {
    const nextCursor = '?limit=200&hasMoreElements=true&soIndex=400&shipNodeType=SellerFulfilled';
    const page = (id: string) => ({
      body: { list: { meta: { nextCursor }, elements: { order: [anOrderOf(id, {})] } } },
    });
    fake.on('GET', /^\/v3\/orders.*SellerFulfilled/, ({ path }) =>
      page(path.includes('soIndex') ? 'P2' : 'P1'),
    );
    expect((await readSales()).map(({ externalId }) => externalId)).toEqual(['P1:1', 'P2:1']);
    expect(fake.askedOf(/soIndex/).map(({ path }) => path)).toEqual([`/v3/orders${nextCursor}`]);
  });

  test('a replacement is not a second sale; no orders may be a 404', async () => {
    serve({ ...anOrderOf('P1', {}), orderType: 'REPLACEMENT' });
    fake.on('GET', /WFSFulfilled/, () => ({ status: 404, body: { errors: [] } }));
    expect(await readSales()).toEqual([]);
  });

  test.each([...NO_PRICES, null])('a charge of %j is passed over', async (amount) => {
    serve(anOrderOf('P1', { amount }));
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test.each([{ currency: 'CAD' }, { quantity: '0' }, { quantity: 'two' }, { quantity: '1.5' }])(
    '%j is passed over',
    async (given) => {
      serve(anOrderOf('P1', given));
      expect(await unreadableOf(pagesOf())).toHaveLength(1);
    },
  );

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    serve(anOrderOf('P1', {}));
    fake.faults.push(fault());
    const result = readSales();
    if (reading === 'passes') expect(await result).toHaveLength(1);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });
});

describe('figures', () => {
  const read = (ids: number[]) => {
    const refs = ids.map((id) => aRef(id));
    return collect(fake.connect().readFigures?.(loggedIn(), refs, never));
  };

  test('are reviews from the catalog, and rank and share from the insights', async () => {
    fake.catalog.push(
      { sku: 'SKU-1', num_reviews: '128', customerRating: '4.37' },
      { sku: 'SKU-2', num_reviews: '0', customerRating: 'N/A' },
    );
    fake.insights.push({ sku: 'SKU-1', buyBoxWinRate: '35.5', salesRank: 12 });
    const none = { salesRankCategory: null, salesRank: null, buyBoxShare: null };
    expect(await read([1, 2, 3])).toEqual([
      {
        kind: 'figures',
        listingId: 1,
        reviewCount: 128,
        averageRating: 437,
        salesRank: 12,
        salesRankCategory: null,
        buyBoxShare: 3550,
      },
      { kind: 'figures', listingId: 2, reviewCount: 0, averageRating: null, ...none },
      { kind: 'unread', listingId: 3, why: 'Walmart returned no data for this SKU.' },
    ]);
  });

  test.each<[object, object, object]>([
    [{ num_reviews: '-1' }, {}, { kind: 'figures', reviewCount: null, averageRating: null }],
    [{ customerRating: '51' }, {}, { kind: 'figures', averageRating: null }],
    [{}, { buyBoxWinRate: '101' }, { kind: 'figures', buyBoxShare: null }],
    [{}, { salesRank: 'first' }, { kind: 'unread', row: { member: 'salesRank', value: 'first' } }],
  ])('%j with %j cannot be: unknown', async (catalog, insights, expected) => {
    fake.catalog.push({ sku: 'SKU-1', ...catalog });
    fake.insights.push({ sku: 'SKU-1', ...insights });
    expect(await read([1])).toMatchObject([expected]);
  });
});

describe('a large catalog', () => {
  const HEAD =
    'SKU,Item ID,Product Name,Lifecycle Status,Publish Status,Price,Currency,Fulfillment Type,WPID,Primary Image URL,Repricer Strategy,Repricer Status,Promo Start Date,Promo End Date';

  test('is read from the item report', async () => {
    fake.on('GET', /^\/v3\/items\?/, () => ({ body: { ItemResponse: [], totalItems: 10_001 } }));
    fake.serveReport(
      [
        `\ufeff${HEAD}`,
        'SKU-1,551,"Mug, blue",ACTIVE,PUBLISHED,12.50,USD,Walmart Fulfilled,WP1,https://img.test/1.jpg,,,,',
        'SKU-2,552,Mug,ACTIVE,PUBLISHED,9.99,USD,Seller Fulfilled,WP2,,Win,Active,,',
        'SKU-3,553,Mug,ACTIVE,PUBLISHED,9.99,USD,Seller Fulfilled,WP3,,,,2026-11-01,2026-12-01',
        'SKU-4,554,Mug,RETIRED,UNPUBLISHED,,USD,Seller Fulfilled,WP4,,,,2026-10-01,2026-11-01',
        'SKU-5,555,Mug,ACTIVE,PUBLISHED,"1,5",CAD,Seller Fulfilled,WP5,,,,,',
      ].join('\n'),
    );
    const all = await collect(entriesOf(fake.connect().readListings(loggedIn(), never)));
    expect(all).toMatchObject([
      {
        sku: 'SKU-1',
        itemId: '551',
        title: 'Mug, blue',
        price: 1250,
        fulfillmentType: 'FBA/WFS',
        imageUrl: 'https://img.test/1.jpg',
        isActive: true,
        notRepriceableReason: null,
        keys: { wpid: 'WP1' },
      },
      { sku: 'SKU-2', notRepriceableReason: expect.stringContaining('own repricer') },
      { sku: 'SKU-3', notRepriceableReason: expect.stringContaining('promotion') },
      { sku: 'SKU-4', price: null, isActive: false, notRepriceableReason: null },
      { what: 'SKU-5', why: 'other_currency' },
    ]);
  });
});

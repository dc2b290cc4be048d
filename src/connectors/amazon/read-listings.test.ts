import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HttpLimits } from '#connectors/http/http-client.ts';
import { entriesOf } from '#tests/support/all-of.ts';
import {
  allOf,
  amazonAccount,
  amazonItem,
  amazonOffer,
  type FakeAmazon,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';

let fake: FakeAmazon;
let pages: unknown[][];
beforeEach(async () => {
  fake = await startFakeAmazon();
  pages = [[amazonItem(1)]];
  fake.service.on('GET', /^\/listings/, ({ query }) => {
    const at = Number(query.get('pageToken') ?? 0);
    const isLast = at >= pages.length - 1;
    return {
      body: {
        numberOfResults: pages.flat().length,
        items: pages[at],
        ...(isLast ? {} : { pagination: { nextToken: String(at + 1) } }),
      },
    };
  });
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const read = (credentials = {}, limits: Partial<HttpLimits> = {}) =>
  allOf(entriesOf(fake.connector({ limits }).readListings(amazonAccount(credentials), never)));
const summary = (given: Record<string, unknown>) => ({
  summaries: [{ ...(amazonItem(1).summaries as object[])[0], ...given }],
});
const price = (amount: unknown, currencyCode = 'USD') => ({
  offers: [{ marketplaceId: US, offerType: 'B2C', price: { currencyCode, amount } }],
});

/** An entry of Amazon's `purchasable_offer` for business buyers. */
const business = (price: string | null, plan?: object) => ({
  marketplace_id: 'ATVPDKIKX0DER',
  audience: 'B2B',
  currency: 'USD',
  ...(price === null ? {} : { our_price: [{ schedule: [{ value_with_tax: price }] }] }),
  ...(plan === undefined ? {} : { quantity_discount_plan: [{ schedule: [plan] }] }),
});
const levelsOf = (levels: readonly (readonly [number, number | string])[]) =>
  levels.map(([lower_bound, value]) => ({ lower_bound, value }));
const fixed = (...levels: readonly (readonly [number, number | string])[]) => ({
  discount_type: 'fixed',
  levels: levelsOf(levels),
});
const percent = (...levels: readonly (readonly [number, number | string])[]) => ({
  discount_type: 'percent',
  levels: levelsOf(levels),
});
const PRICED_TIERS = [
  { from: 5, price: 2_700 },
  { from: 20, price: 2_550 },
];

describe('a listing', () => {
  test('with all that Amazon provides', async () => {
    expect(await read()).toEqual([
      {
        kind: 'listing',
        sku: 'SKU-1',
        itemId: 'B000000001',
        title: 'Kettle 1',
        price: 3_100,
        imageUrl: 'https://images.example/1.jpg',
        fulfillmentType: 'FBA/WFS',
        quantity: null,
        isActive: true,
        notRepriceableReason: null,
        priceLimits: null,
        businessOffer: null,
        keys: { productType: 'KETTLE' },
        productType: 'KETTLE',
      },
    ]);
  });

  const channel = (code: string) => ({
    fulfillmentAvailability: [{ fulfillmentChannelCode: code, quantity: 7 }],
  });
  const own = { fulfillmentAvailability: [{ fulfillmentChannelCode: 'DEFAULT', quantity: 7 }] };
  const sale = (start_at: string, end_at: string) => ({
    attributes: {
      purchasable_offer: [
        amazonOffer('31.00', { discounted_price: [{ schedule: [{ start_at, end_at, value_with_tax: 9 }] }] }),
      ],
    },
  });
  const shownFor = (amount: string) => [
    { marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount } },
  ];
  const plan = [{ merchandising_rule: [{ rule_id: 'r' }] }];
  test.each<[string, Record<string, unknown>, object]>([
    ['sent by the merchant', own, { fulfillmentType: 'FBM', quantity: 7 }],
    ['without a place', { fulfillmentAvailability: [] }, { fulfillmentType: null, quantity: null }],
    ['of which nothing is said', { fulfillmentAvailability: undefined }, { fulfillmentType: null }],
    ['in an unknown place', channel('MOON'), { fulfillmentType: null, quantity: null }],
    ['in a place of Amazon in Europe', channel('AMAZON_EU'), { fulfillmentType: 'FBA/WFS' }],
    ['without a price', { offers: [] }, { price: null }],
    ['without a summary', { summaries: [] }, { itemId: null, title: 'SKU-1', isActive: false, keys: {} }],
    ['that is not buyable', summary({ status: ['DISCOVERABLE'] }), { isActive: false }],
    ['without an image', summary({ mainImage: null }), { imageUrl: null }],
    [
      'with an image that is not https',
      summary({ mainImage: { link: 'http://x/1.jpg' } }),
      { imageUrl: null },
    ],
    [
      'that is used',
      summary({ conditionType: 'used_good' }),
      { keys: { productType: 'KETTLE', condition: 'Used' } },
    ],
    ['with a long title', summary({ itemName: 'x'.repeat(1_500) }), { title: 'x'.repeat(1_000) }],
    [
      'on sale now',
      sale('2026-11-01', '2026-11-30'),
      { notRepriceableReason: expect.stringMatching(/sale/) },
    ],
    [
      'on sale now, by its usual price',
      { ...sale('2026-11-01', '2026-11-30'), offers: shownFor('9.00') },
      { price: 3_100, notRepriceableReason: expect.stringMatching(/sale/) },
    ],
    ['on sale later', sale('2026-12-01', '2026-12-30'), { notRepriceableReason: null }],
    [
      'with limits of the seller',
      {
        attributes: {
          purchasable_offer: [
            amazonOffer('31', {
              minimum_seller_allowed_price: [{ schedule: [{ value_with_tax: 22 }] }],
              maximum_seller_allowed_price: [{ schedule: [{ value_with_tax: '39.99' }] }],
              map_price: [{ schedule: [{ value_with_tax: 27 }] }],
            }),
          ],
        },
      },
      { priceLimits: { min: 2_200, max: 3_999, map: 2_700 } },
    ],
    [
      'with a limit that cannot be read',
      {
        attributes: {
          purchasable_offer: [
            amazonOffer('31', {
              minimum_seller_allowed_price: [{ schedule: [{ value_with_tax: 'N/A' }] }],
              maximum_seller_allowed_price: [{ schedule: [{ value_with_tax: 40 }] }],
            }),
          ],
        },
      },
      { priceLimits: { min: null, max: 4_000, map: null } },
    ],
    ...(
      [
        [
          'with a business price and tiers',
          business('28', fixed([20, 25.5], [5, '27'])),
          2_800,
          PRICED_TIERS,
        ],
        ['with tiers by share', business('28', percent([5, 3.5])), 2_800, [{ from: 5, discount: 350 }]],
        ['with tiers alone', business(null, percent([10, 5])), null, [{ from: 10, discount: 500 }]],
        ['with tiers that cannot be read', business('28', fixed([5, 'N/A'])), 2_800, []],
      ] as const
    ).map(([name, entry, whole, tiers]): [string, Record<string, unknown>, object] => [
      name,
      { attributes: { purchasable_offer: [amazonOffer('31'), entry] } },
      { price: 3_100, businessOffer: { price: whole, tiers } },
    ]),
    [
      'with a business price in another currency',
      { attributes: { purchasable_offer: [amazonOffer('31'), { ...business('28'), currency: 'CAD' }] } },
      { businessOffer: null },
    ],
    [
      'that Amazon reprices',
      {
        attributes: {
          purchasable_offer: [amazonOffer('31', { automated_pricing_merchandising_rule_plan: plan })],
        },
      },
      { notRepriceableReason: expect.stringMatching(/Automate Pricing/) },
    ],
  ])('%s', async (_, given, expected) => {
    pages = [[amazonItem(1, given)]];
    expect(await read()).toEqual([expect.objectContaining(expected)]);
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['a SKU that is too long', { sku: 'x'.repeat(201) }, { what: 'Kettle 1', why: 'no_sku' }],
    ['a blank SKU', { sku: '  ' }, { what: 'Kettle 1', why: 'no_sku' }],
    ['another currency', price('31.00', 'CAD'), { what: 'SKU-1', why: 'other_currency' }],
    [
      'two prices',
      { offers: [...price('31.00').offers, ...price('30.00').offers] },
      { what: 'SKU-1', why: 'repeated' },
    ],
  ])('with %s is passed over', async (_, given, expected) => {
    pages = [[amazonItem(1, given)]];
    expect(await read()).toEqual([{ kind: 'passed_over', ...expected }]);
  });

  test.each([
    ['a negative price', price('-3.10'), 'offers.price.amount'],
    ['a price of "N/A"', price('N/A'), 'offers.price.amount'],
    ['a price of "NaN"', price('NaN'), 'offers.price.amount'],
    ['no SKU', { sku: null }, 'sku'],
    [
      'a quantity below nothing',
      { fulfillmentAvailability: [{ fulfillmentChannelCode: 'DEFAULT', quantity: -1 }] },
      'fulfillmentAvailability.quantity',
    ],
    ['offers that are none', { offers: 'none' }, 'offers'],
  ])('with %s is passed over, and the others are read', async (_, given, member) => {
    pages = [[amazonItem(1), amazonItem(2, given)]];
    expect(await read()).toMatchObject([
      { kind: 'listing', sku: 'SKU-1' },
      { kind: 'passed_over', why: 'unreadable', member },
    ]);
  });

  test.each([
    ['19.990000000000002', { price: 1_999 }],
    ['19.995', { price: null, priceNotInCents: '19.995' }],
  ])('with a price of %s', async (amount, expected) => {
    pages = [[amazonItem(1, price(amount))]];
    expect(await read()).toMatchObject([{ kind: 'listing', ...expected }]);
  });
});

describe('a large catalog', () => {
  const HEADER = [
    ...['item-name', 'listing-id', 'seller-sku', 'price', 'quantity', 'item-condition', 'asin1'],
    ...['fulfillment-channel', 'status'],
  ];
  const row = (number: number, given: Record<string, string> = {}) => {
    const cells: Record<string, string> = {
      'item-name': `Pot ${number}`,
      'seller-sku': `POT-${number}`,
      price: '12.50',
      quantity: '4',
      'item-condition': '11',
      asin1: `B1${number}`,
      'fulfillment-channel': 'DEFAULT',
      status: 'Active',
      ...given,
    };
    return HEADER.map((name) => cells[name] ?? '').join('\t');
  };
  const report = (rows: string[], end = '\r\n') => `${[HEADER.join('\t'), ...rows].join(end)}${end}`;
  let looks: string[];

  function reportIs(document: Buffer | string, packed = false): void {
    const { service } = fake;
    service.on('GET', /^\/listings/, ({ query }) => ({
      body: query.has('identifiers')
        ? { numberOfResults: 0, items: [] }
        : { numberOfResults: 1_200, items: [amazonItem(1)] },
    }));
    service.on('POST', /^\/reports\/2021-06-30\/reports$/, () => ({
      status: 202,
      body: { reportId: 'r-1' },
    }));
    service.on('GET', /^\/reports\/2021-06-30\/reports\/r-1$/, () => ({
      body: { reportId: 'r-1', processingStatus: looks.shift() ?? 'DONE', reportDocumentId: 'd-1' },
    }));
    service.on('GET', /^\/reports\/2021-06-30\/documents\/d-1$/, () => ({
      body: {
        reportDocumentId: 'd-1',
        url: `${service.url}/report`,
        ...(packed ? { compressionAlgorithm: 'GZIP' } : {}),
      },
    }));
    service.on('GET', /^\/report$/, () => (response) => void response.end(document));
  }

  beforeEach(() => {
    looks = [];
  });

  test.each([
    ['as text', false, '\n'],
    ['packed', true, '\r\n'],
  ])('comes as a report, %s', async (_, packed, end) => {
    const text = report([row(1), row(2, { 'fulfillment-channel': 'AMAZON_NA', status: 'Inactive' })], end);
    reportIs(packed ? gzipSync(text) : text, packed);
    expect(await read()).toEqual([
      {
        kind: 'listing',
        sku: 'POT-1',
        itemId: 'B11',
        title: 'Pot 1',
        price: 1_250,
        imageUrl: null,
        fulfillmentType: 'FBM',
        quantity: 4,
        isActive: true,
        notRepriceableReason: undefined,
        keys: {},
      },
      expect.objectContaining({ sku: 'POT-2', fulfillmentType: 'FBA/WFS', quantity: null, isActive: false }),
    ]);
    expect(fake.calls(/^\/reports\/2021-06-30\/reports$/).map(({ json }) => json)).toEqual([
      { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [US] },
    ]);
    expect(fake.calls(/^\/report$/)[0]?.headers).not.toHaveProperty('x-amz-access-token');
  });

  test('is looked up by SKU, for images and product types', async () => {
    reportIs(report([row(1), row(2), row(3, { 'seller-sku': 'a,b' })]));
    fake.service.on('GET', /identifiers=/, () => ({
      body: { numberOfResults: 1, items: [amazonItem(2, { sku: 'POT-2' })] },
    }));
    expect(await read()).toEqual([
      expect.objectContaining({ sku: 'POT-1', imageUrl: null }),
      expect.objectContaining({ sku: 'POT-2', price: 3_100, keys: { productType: 'KETTLE' } }),
      expect.objectContaining({ sku: 'a,b', imageUrl: null }),
    ]);
    expect(fake.calls(/identifiers=/)[0]?.query.get('identifiers')).toBe('POT-1,POT-2');
  });

  test('has no fulfillment type where its cell is blank; a search by SKU may have it, and vice versa', async () => {
    const blank = { 'fulfillment-channel': '' };
    reportIs(report([row(1, blank), row(2, blank), row(3)]));
    const found = [
      amazonItem(2, { sku: 'POT-2' }),
      amazonItem(3, { sku: 'POT-3', fulfillmentAvailability: [] }),
    ];
    fake.service.on('GET', /identifiers=/, () => ({ body: { numberOfResults: 2, items: found } }));
    expect(await read()).toMatchObject([
      { sku: 'POT-1', fulfillmentType: null, quantity: null },
      { sku: 'POT-2', fulfillmentType: 'FBA/WFS' },
      { sku: 'POT-3', fulfillmentType: 'FBM' },
    ]);
  });

  test('in Windows-1252 is read as well', async () => {
    reportIs(Buffer.from(report([row(1, { 'item-name': 'Théière' })]), 'latin1'));
    expect(await read()).toEqual([expect.objectContaining({ title: 'Théière' })]);
  });

  test('is waited for, with growing waits', async () => {
    looks = ['IN_QUEUE', 'IN_PROGRESS', 'IN_PROGRESS'];
    reportIs(report([row(1)]));
    expect(await read()).toHaveLength(1);
    expect(fake.waits).toEqual([5_000, 10_000, 20_000, 40_000]);
  });

  test.each([
    ['is not made', ['FATAL']],
    ['is called off', ['CANCELLED']],
    ['never ends', Array.from({ length: 99 }, () => 'IN_PROGRESS')],
  ])('whose report %s fails', async (_, said) => {
    looks = said;
    reportIs(report([row(1)]));
    await expect(read()).rejects.toMatchObject({ fault: 'service' });
    expect(fake.calls(/reports\/r-1$/).length).toBeLessThan(50);
  });

  test.each<[string, Buffer | string, boolean]>([
    ['has no lines', '', false],
    ['is a page for people', '<html>Sign in</html>', false],
    ['has a row that is cut off', report([row(1)]).slice(0, -20), false],
    ['is packed otherwise than said', 'plain', true],
    ['is packed and cut off', gzipSync(report([row(1), row(2)])).subarray(0, 60), true],
  ])('whose report %s fails', async (_, document, packed) => {
    reportIs(document, packed);
    await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test.each([
    ['a price of "N/A"', report([row(1, { price: 'N/A' }), row(2)]), 'price'],
    ['a negative price', report([row(1, { price: '-1.00' }), row(2)]), 'price'],
    ['a cell too many', report([row(1), row(2)]).replace('POT-1', 'POT-1\tand more'), 'number of cells'],
  ])('whose report has a row with %s is read but for that', async (_, document, member) => {
    reportIs(document, false);
    expect(await read()).toMatchObject([
      { kind: 'passed_over', what: 'POT-1', why: 'unreadable', member },
      { kind: 'listing', sku: 'POT-2' },
    ]);
  });

  test('of another store has prices of unknown currency', async () => {
    reportIs(report([row(1)]));
    expect(await read({ marketplaceId: 'A2EUQ1WTGCTBG2' })).toEqual([
      { kind: 'passed_over', what: 'POT-1', why: 'other_currency' },
    ]);
  });

  test('a document on another host is not fetched', async () => {
    reportIs(report([row(1)]));
    fake.service.on('GET', /documents\/d-1$/, () => ({
      body: { reportDocumentId: 'd-1', url: 'https://evil.example/report' },
    }));
    await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test('of fifty thousand comes in small pages to the end', async () => {
    const text = report(Array.from({ length: 50_000 }, (_, at) => row(at, { 'item-name': 'x'.repeat(400) })));
    reportIs(gzipSync(text), true);
    let count = 0;
    let largest = 0;
    for await (const page of entriesOf(fake.amazon.readListings(amazonAccount(), never))) {
      count += page.length;
      largest = Math.max(largest, page.length);
    }
    expect(count).toBe(50_000);
    expect(largest).toBeLessThanOrEqual(20);
  });
});

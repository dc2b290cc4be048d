import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MoneyEvent, MoneyPage } from '#domain/money/money-event.ts';
import { instant } from '#domain/units.ts';
import { amazonAccount, type FakeAmazon, startFakeAmazon, US } from '#tests/support/fake-amazon.ts';
import { bookedIn } from './booked-transaction.ts';

type Told = Record<string, unknown>;

let fake: FakeAmazon;
let pages: unknown[][];
/** The settlement reports by their number. */
let reports: Record<string, string>;
beforeEach(async () => {
  fake = await startFakeAmazon();
  pages = [[shipment()]];
  reports = {};
  fake.service.on('GET', /^\/finances\/2024-06-19\/transactions/, ({ query }) => {
    const at = Number(query.get('nextToken') ?? 0);
    const nextToken = at < pages.length - 1 ? { nextToken: String(at + 1) } : {};
    return { body: { payload: { transactions: pages[at], ...nextToken } } };
  });
  fake.service.on('GET', /^\/reports\/2021-06-30\/reports\?/, () => ({
    body: {
      reports: Object.keys(reports).map((reportId) => ({
        reportId,
        reportDocumentId: `doc-${reportId}`,
        reportType: 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2',
        processingStatus: 'DONE',
        createdTime: '2026-11-15T00:00:00Z',
      })),
    },
  }));
  fake.service.on('GET', /^\/reports\/2021-06-30\/documents\/doc-/, ({ path }) => ({
    body: {
      reportDocumentId: 'd',
      url: `${fake.service.url}/files/${path.split('doc-')[1]}`,
      compressionAlgorithm: 'GZIP',
    },
  }));
  fake.service.on('GET', /^\/files\//, ({ path }) => (response) => {
    response.end(gzipSync(reports[path.slice('/files/'.length)] ?? ''));
  });
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const UNTIL = instant(Date.parse('2026-11-20T12:00:00Z'));
const DAY = 86_400_000;

async function read(since = instant(UNTIL - 2 * DAY)): Promise<MoneyPage> {
  const all: MoneyPage[] = [];
  const reported = fake.amazon.readMoney?.(amazonAccount(), { since, until: UNTIL }, never);
  for await (const page of reported ?? []) all.push(page);
  return {
    events: all.flatMap(({ events }) => events),
    settlements: all.flatMap(({ settlements }) => settlements),
    refused: all.flatMap(({ refused }) => refused),
  };
}
const requested = () => fake.calls(/^\/finances/).map(({ query }) => Object.fromEntries(query));

const usd = (currencyAmount: unknown, currencyCode = 'USD') => ({ currencyAmount, currencyCode });
const node = (breakdownType: string, amount: unknown, breakdowns: Told[] | null = null): Told => ({
  breakdownType,
  breakdownAmount: usd(amount),
  breakdowns,
});
const related = (relatedIdentifierName: string, relatedIdentifierValue: string) => ({
  relatedIdentifierName,
  relatedIdentifierValue,
});
const ORDER = related('ORDER_ID', '900-1');
const SETTLED = related('SETTLEMENT_ID', '11000000001');

function item(breakdowns: Told[], total: number, sku = 'SKU-1'): Told {
  return {
    description: 'Kettle',
    totalAmount: usd(total),
    breakdowns,
    contexts: [
      {
        contextType: 'ProductContext',
        sku,
        asin: 'B000000001',
        quantityShipped: 2,
        fulfillmentNetwork: 'AFN',
      },
    ],
  };
}

/** Two units of a listing that Amazon ships. */
const sold = (principal = 49.98): Told[] => [
  node('Tax', 0, [node('OurPriceTax', 4.12), node('MarketplaceFacilitatorTax-Principal', -4.12)]),
  node('ProductCharges', principal, [node('OurPricePrincipal', principal)]),
  node('Shipping', 2.99, [node('ShippingPrincipal', 2.99)]),
  node('AmazonFees', -19.66, [
    node('Commission', -8.49, [node('Base', -8.49), node('Tax', 0)]),
    node('FBAPerUnitFulfillmentFee', -8.18, [node('Base', -8.18)]),
    node('ShippingChargeback', -2.99, [node('Base', -2.99)]),
  ]),
];

function shipment(given: Told = {}): Told {
  return {
    sellingPartnerMetadata: { sellingPartnerId: 'A2OURSELLER', marketplaceId: US },
    transactionType: 'Shipment',
    transactionId: 'T1',
    transactionStatus: 'RELEASED',
    description: 'Order Payment',
    postedDate: '2026-11-19T08:30:00Z',
    totalAmount: usd(33.31),
    marketplaceDetails: { marketplaceId: US, marketplaceName: 'Amazon.com' },
    relatedIdentifiers: [ORDER, SETTLED],
    items: [item(sold(), 33.31)],
    breakdowns: [node('Sales', 52.97, [node('ProductCharges', 49.98)]), node('Expenses', -19.66)],
    contexts: null,
    ...given,
  };
}

/** A transaction that names no item. */
const plain = (transactionType: string, total: number, breakdowns: Told[], given: Told = {}) =>
  shipment({ transactionType, totalAmount: usd(total), items: [], breakdowns, ...given });

const amounts = ({ events }: MoneyPage) => events.map(({ kind, amount }) => [kind, amount]);
const sumOf = (events: readonly MoneyEvent[]) => events.reduce((sum, { amount }) => sum + amount, 0);

describe('the amounts of a transaction', () => {
  test('are the leaves of its items, never their parents', async () => {
    const reported = await read();
    expect(amounts(reported)).toEqual([
      ['tax', 412],
      ['tax', -412],
      ['principal', 4_998],
      ['shipping', 299],
      ['commission', -849],
      ['fulfillment', -818],
      ['shipping', -299],
    ]);
    expect(reported.refused).toEqual([]);
    expect(reported.events[4]).toEqual({
      externalId: 'T1:SKU-1:1:AmazonFees > Commission > Base',
      kind: 'commission',
      rawType: 'Shipment > AmazonFees > Commission > Base',
      amount: -849,
      orderRef: '900-1',
      lineRef: null,
      sku: 'SKU-1',
      itemId: 'B000000001',
      quantity: 2,
      postedAt: Date.parse('2026-11-19T08:30:00Z'),
      releasedAt: Date.parse('2026-11-19T08:30:00Z'),
      settlementRef: '11000000001',
    });
  });

  test.each<[string, Told, (string | number)[][]]>([
    [
      'a refund',
      shipment({
        transactionType: 'Refund',
        totalAmount: usd(-20.35),
        items: [
          item(
            [
              node('ProductCharges', -24.99, [node('OurPricePrincipal', -24.99)]),
              node('Shipping', 0.24, [node('ShippingDiscount', 0.24)]),
              node('AmazonFees', 4.4, [node('Commission', 5.25), node('RefundCommission', -0.85)]),
            ],
            -20.35,
          ),
        ],
      }),
      [
        ['refund_principal', -2_499],
        ['refund_other', 24],
        ['refund_commission', 525],
        ['refund_fee', -85],
      ],
    ],
    [
      'a fee of no order',
      plain('ServiceFee', -1.11, [
        node('Sales', 0),
        node('Expenses', -1.11, [node('AmazonFees', -1.11, [node('FBAStorageFee', -1.11)])]),
      ]),
      [['storage', -111]],
    ],
    [
      'an unknown name',
      plain('ServiceFee', -9.5, [node('Expenses', -9.5, [node('Packaging2027', -9.5)])]),
      [['other', -950]],
    ],
    [
      'a shipping label, and what came back for one',
      plain('Adjustment', -6.1, [
        node('Adjustments', -6.1, [
          node('PostageBilling_Postage', -9.5),
          node('PostageBilling_Insurance', -1.1),
          node('PostageRefund_Postage', 4.5),
        ]),
      ]),
      [
        ['label', -950],
        ['label', -110],
        ['label', 450],
      ],
    ],
    ['a label without parts', plain('ShippingServices', -4.5, []), [['label', -450]]],
    [
      'the label of a return',
      plain('Adjustment', -7, [node('ReturnPostageBilling_Postage', -7)]),
      [['refund_other', -700]],
    ],
    ['a total without parts', plain('FBAInventoryReimbursement', 42.88, []), [['reimbursement', 4_288]]],
    ['advertising', plain('ProductAdsPayment', -503.18, [node('Fee2027', -503.18)]), [['ad', -50_318]]],
    [
      'a commission that was waived',
      shipment({
        totalAmount: usd(10),
        items: [
          item(
            [node('OurPricePrincipal', 10), node('Commission', 0, [node('Base', -1.5), node('Promo', 1.5)])],
            10,
          ),
        ],
      }),
      [
        ['principal', 1_000],
        ['commission', -150],
        ['commission', 150],
      ],
    ],
    [
      'a part that is not broken down',
      shipment({ totalAmount: usd(9), items: [item([node('OurPricePrincipal', 10)], 10)] }),
      [
        ['principal', 1_000],
        ['other', -100],
      ],
    ],
  ])('%s', async (_, reported, expected) => {
    pages = [[reported]];
    expect(amounts(await read())).toEqual(expected);
  });

  test('say what a promotion took off a fee, whose regular amount is what counts next time', async () => {
    const fee = node('FBAPerUnitFulfillmentFee', -3.35, [node('Base', -4.35), node('Promo', 1)]);
    const principal = node('OurPricePrincipal', 10);
    pages = [[shipment({ totalAmount: usd(6.65), items: [item([principal, fee], 6.65)] })]];
    const { events } = await read();
    expect(events.map(({ kind, amount, fee: reported }) => [kind, amount, reported?.saved])).toEqual([
      ['principal', 1_000, undefined],
      ['fulfillment', -435, undefined],
      ['fulfillment', 100, 100],
    ]);
  });

  test('name their settlement, which runs until its report comes', async () => {
    const open = { from: null, to: null, paidAt: null, total: null, isClosed: false };
    expect((await read()).settlements).toEqual([{ ref: '11000000001', ...open }]);
  });

  test('a payout is no part of the settlement that it pays', async () => {
    pages = [[plain('Transfer', -33.31, [node('FundTransfer', -33.31)])]];
    expect((await read()).events).toMatchObject([{ kind: 'transfer', amount: -3_331, settlementRef: null }]);
  });

  test('two items of one SKU are distinguished, and the same is the same on overlapping pages', async () => {
    const two = shipment({ totalAmount: usd(66.62), items: [item(sold(), 33.31), item(sold(), 33.31)] });
    pages = [[two], [], [two]];
    const { events } = await read();
    const ids = new Set(events.map(({ externalId }) => externalId));
    expect([events.length, ids.size]).toEqual([28, 14]);
    expect(requested().map(({ nextToken }) => nextToken)).toEqual([undefined, '1', '2']);
  });

  test('of another store are skipped, those of the account are not', async () => {
    const elsewhere = { marketplaceDetails: { marketplaceId: 'A2EUQ1WTGCTBG2' } };
    const fee = plain('ServiceFee', -1, [], { transactionId: 'T2', marketplaceDetails: null });
    pages = [[shipment(elsewhere), fee]];
    expect(amounts(await read())).toEqual([['other', -100]]);
  });
});

test('whatever the breakdowns: the amounts add up to the total, and the order of items changes none', () => {
  const amount = fc.integer({ min: -100_000, max: 100_000 });
  const { tree } = fc.letrec<{ tree: Told; leaf: Told }>((tie) => ({
    leaf: fc.record({ name: fc.constantFrom('Commission', 'Base', 'Tax', 'Sales', 'New'), cents: amount }),
    tree: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc.record({
        name: fc.constantFrom('Sales', 'AmazonFees', 'Tax'),
        parts: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      }),
    ),
  }));
  const centsOf = (one: Told): number =>
    Array.isArray(one.parts) ? one.parts.reduce((sum, part) => sum + centsOf(part), 0) : Number(one.cents);
  const viewOf = (one: Told): Told =>
    node(
      String(one.name),
      centsOf(one) / 100,
      Array.isArray(one.parts) ? one.parts.map((part) => viewOf(part)) : null,
    );
  fc.assert(
    fc.property(
      fc.array(fc.array(tree, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      amount,
      (items, rest) => {
        const totals = items.map((trees) => trees.reduce((sum, one) => sum + centsOf(one), 0));
        const total = totals.reduce((sum, one) => sum + one, rest);
        const views = items.map((trees, at) => item(trees.map(viewOf), (totals[at] ?? 0) / 100, `SKU-${at}`));
        const book = (all: Told[]) =>
          bookedIn(shipment({ items: all, totalAmount: usd(total / 100) }), US, UNTIL).events;
        const events = book(views);
        const unnamed = events.filter(({ rawType }) => rawType === 'Shipment > not broken down');
        expect([sumOf(events), sumOf(unnamed)]).toEqual([total, rest]);
        expect(new Set(events.map(({ externalId }) => externalId)).size).toBe(events.length);
        const byId = (some: readonly MoneyEvent[]) =>
          new Map(some.map((one) => [one.externalId, one.amount]));
        expect(byId(book(views.toReversed()))).toEqual(byId(events));
      },
    ),
  );
});

describe('a deferred transaction', () => {
  const only = { totalAmount: usd(12.34), items: [item([node('OurPricePrincipal', 12.34)], 12.34)] };
  const release = shipment({
    ...only,
    transactionId: 'T2',
    postedDate: '2026-11-20T08:30:00Z',
    relatedIdentifiers: [ORDER, SETTLED, related('DEFERRED_TRANSACTION_ID', 'T1')],
  });

  test('example 27: 12.34 deferred and its release of 12.34 are one event of 12.34, released', async () => {
    pages = [[shipment({ ...only, transactionStatus: 'DEFERRED', relatedIdentifiers: [ORDER] })]];
    const before = (await read()).events;
    expect(before).toMatchObject([{ amount: 1_234, releasedAt: null, settlementRef: null }]);
    const deferred = shipment({
      ...only,
      transactionStatus: 'DEFERRED_RELEASED',
      relatedIdentifiers: [ORDER, related('RELEASE_TRANSACTION_ID', 'T2')],
    });
    pages = [[deferred, release]];
    const after = (await read()).events;
    expect(after).toMatchObject([
      { externalId: before[0]?.externalId, amount: 1_234, settlementRef: '11000000001' },
    ]);
    expect(after[0]?.releasedAt).toBe(Date.parse('2026-11-20T08:30:00Z'));
  });

  test('takes back nothing of its release, which is all of it', () => {
    const wholeOf = (given: Told) => bookedIn(shipment({ ...only, ...given }), US, UNTIL).whole;
    const all = { id: 'T1', orderRef: '900-1' };
    expect(wholeOf({})).toEqual([all]);
    expect(wholeOf({ transactionStatus: 'DEFERRED' })).toEqual([{ ...all, isPending: true }]);
    expect(bookedIn(release, US, UNTIL).whole).toEqual([all]);
    expect(wholeOf({ totalAmount: null })).toEqual([]);
    expect(wholeOf({ relatedIdentifiers: [SETTLED] })).toEqual([{ ...all, orderRef: null }]);
  });

  test('that names no release counts itself', async () => {
    pages = [[shipment({ ...only, transactionStatus: 'DEFERRED_RELEASED' })]];
    expect(sumOf((await read()).events)).toBe(1_234);
  });
});

describe('bad input', () => {
  const principal = (amount: unknown) => ({
    items: [item([node('OurPricePrincipal', amount), node('Commission', -1)], 0)],
  });
  test.each<[string, Told, string]>([
    [
      'another currency',
      { items: [item([{ ...node('Commission', -1), breakdownAmount: usd(-1, 'CAD') }], -1)] },
      'currency',
    ],
    ['three decimals', principal(10.005), 'fraction'],
    ['a thousands sign', principal('1,000.00'), 'unreadable'],
    ['no amount', principal(null), 'unreadable'],
    ['more than there is', principal(1e9), 'out_of_range'],
    ['a day to come', { postedDate: '2026-11-30T00:00:00Z' }, 'future'],
    ['no day', { postedDate: 'yesterday' }, 'unreadable'],
    ['no number', { transactionId: undefined }, 'no_id'],
  ])('with %s is refused, and the rest is read', async (_, given, why) => {
    pages = [[shipment({ transactionId: 'bad', ...given }), shipment()]];
    const { events, refused } = await read();
    expect(refused.map((one) => one.why)).toEqual([why]);
    expect(events.filter(({ externalId }) => externalId.startsWith('T1'))).toHaveLength(7);
    // What was refused is not booked as an unnamed part.
    expect(events.filter(({ kind }) => kind === 'other')).toEqual([]);
  });

  test('that is no answer at all ends the reading', async () => {
    fake.service.on('GET', /^\/finances/, () => ({ body: { transactions: [] } }));
    await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test('pages that repeat fail', async () => {
    fake.service.on('GET', /^\/finances/, () => ({ body: { payload: { nextToken: 'again' } } }));
    await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
    expect(requested()).toHaveLength(2);
  });
});

describe('transactions', () => {
  test('are asked for without a store, to a few minutes ago, the newest days first', async () => {
    await read(instant(UNTIL - 40 * DAY));
    const newest = '2026-10-21T11:55:00.000Z';
    expect(requested()).toEqual([
      { postedAfter: newest, postedBefore: '2026-11-20T11:55:00.000Z' },
      { postedAfter: '2026-10-11T12:00:00.000Z', postedBefore: newest },
    ]);
  });

  test('are read once in four seconds, after a burst', async () => {
    pages = Array.from({ length: 11 }, () => []);
    await read();
    expect(fake.waits).toEqual([4_000, 4_000, 4_000]);
  });

  test('without the role that may read them: the error names it', async () => {
    fake.service.on('GET', /^\/finances/, () => ({
      status: 403,
      body: { errors: [{ code: 'Unauthorized', message: 'Denied.' }] },
    }));
    await expect(read()).rejects.toMatchObject({
      fault: 'permission',
      message: expect.stringContaining('Finance and Accounting'),
    });
  });
});

describe('a settlement report', () => {
  const HEADER =
    'settlement-id\tsettlement-start-date\tsettlement-end-date\tdeposit-date\ttotal-amount\tcurrency\ttransaction-type\tamount';
  const FIRST =
    '11000000001\t2026-11-01 08:00:00 UTC\t2026-11-15 08:00:00 UTC\t2026-11-17 08:00:00 UTC\t1234.56\tUSD\t\t';
  const report = (first = FIRST, header = HEADER) =>
    `${header}\n${first}\n${'11000000001\t\t\t\t\t\tOrder\t10.00\n'.repeat(5)}`;
  beforeEach(() => {
    pages = [[]];
  });

  test('reports the total of a settlement; its rows are the transactions once more', async () => {
    reports = { 501: report() };
    expect(await read()).toEqual({
      events: [],
      settlements: [
        {
          ref: '11000000001',
          from: Date.parse('2026-11-01T08:00:00Z'),
          to: Date.parse('2026-11-15T08:00:00Z'),
          paidAt: Date.parse('2026-11-17T08:00:00Z'),
          total: 123_456,
          isClosed: true,
        },
      ],
      refused: [],
    });
    const [list] = fake.calls(/^\/reports\/2021-06-30\/reports\?/);
    expect(Object.fromEntries(list?.query ?? [])).toEqual({
      reportTypes: 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2',
      createdSince: '2026-11-15T12:00:00.000Z',
      pageSize: '100',
    });
    expect(fake.calls(/POST/)).toEqual([]);
  });

  test('is looked for once a day, and at once in an earlier time, and read once', async () => {
    reports = { 501: report() };
    await read();
    expect((await read()).settlements).toEqual([]);
    const looks = () => fake.calls(/^\/reports\/2021-06-30\/reports\?/).length;
    expect(looks()).toBe(1);
    expect((await read(instant(UNTIL - 9 * DAY))).settlements).toEqual([]);
    expect(looks()).toBe(2);
    fake.pass(DAY);
    reports = { 501: report(), 502: report(FIRST.replace('11000000001', '11000000002')) };
    expect((await read()).settlements).toMatchObject([{ ref: '11000000002' }]);
    expect(fake.calls(/\/documents\//)).toHaveLength(2);
  });

  test.each<[string, string, string, string]>([
    [
      'a renamed header',
      report(FIRST, HEADER.replace('total-amount', 'net-amount')),
      'column total-amount',
      'unreadable',
    ],
    ['nothing in it', '', 'column settlement-id', 'unreadable'],
    ['another currency', report(FIRST.replace('USD', 'CAD')), '501', 'currency'],
    ['a total that is no amount', report(FIRST.replace('1234.56', '1,234.56')), 'total-amount', 'unreadable'],
    ['no number', report(FIRST.replace('11000000001', '')), '501', 'no_id'],
  ])('with %s is refused by name, and the others are read', async (_, bad, where, why) => {
    reports = { 501: bad, 502: report() };
    const { settlements, refused } = await read();
    expect(refused).toEqual([{ where: expect.stringContaining(where), why }]);
    expect(settlements).toMatchObject([{ ref: '11000000001', total: 123_456 }]);
  });

  test.each<[string, () => void]>([
    ['is refused', () => answerDocument({ status: 404, body: { errors: [] } })],
    ['has no address', () => answerDocument({ body: {} })],
    ['is packed wrongly', () => fake.service.on('GET', /files\/501/, () => (response) => response.end('x'))],
    ['has a line without end', () => (reports[501] = 'x'.repeat(1_048_577))],
  ])('whose document %s is refused by name, and the others are read', async (_, spoil) => {
    reports = { 501: report(), 502: report() };
    spoil();
    const { settlements, refused } = await read();
    expect(refused).toEqual([{ where: 'settlement report 501', why: 'unreadable' }]);
    expect(settlements).toMatchObject([{ total: 123_456 }]);
  });
  const answerDocument = (answer: object) => fake.service.on('GET', /documents\/doc-501/, () => answer);

  test('that Amazon cannot give now ends the reading, which is tried again', async () => {
    reports = { 501: report() };
    answerDocument({ status: 500, body: {} });
    await expect(read()).rejects.toMatchObject({ fault: 'service' });
  });
});

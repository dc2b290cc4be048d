import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MoneyPage } from '#domain/money/money-event.ts';
import { type Instant, instant } from '#domain/units.ts';
import { anAccount, never } from '#tests/support/connector-fixture.ts';
import { type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';

type Row = Record<string, unknown>;

const DAY = 86_400_000;
const PATH = /^\/v3\/report\/reconreport/;

let fake: FakeWalmart;
/** The rows of the reports by their dates. */
let reports: Record<string, Row[]>;
let until: Instant;
let keys = 0;
let walmart: ReturnType<FakeWalmart['connect']>;
beforeEach(async () => {
  fake = await startFakeWalmart();
  walmart = fake.connect();
  until = fake.clock.time;
  keys = 0;
  reports = { [name(until)]: [summary(), ...sale()] };
  fake.on('GET', /availableReconFiles/, () => ({ body: { availableApReportDates: Object.keys(reports) } }));
  fake.on('GET', /reconFileJson/, ({ query }) => {
    const from = Number(query.get('offset')) / 100;
    const rows = reports[query.get('reportDate') ?? ''] ?? [];
    const page = rows.slice(from, from + 3);
    const isLast = from + 3 >= rows.length;
    return {
      body: { reportData: page, nextOffset: isLast ? -1 : (from + 3) * 100, totalRecords: page.length },
    };
  });
});
afterEach(() => fake.close());

async function read(days = 14): Promise<MoneyPage> {
  const all: MoneyPage[] = [];
  const window = { since: instant(until - days * DAY), until };
  for await (const page of walmart.readMoney?.(anAccount(WALMART_PAIR), window, never) ?? []) all.push(page);
  return {
    events: all.flatMap(({ events }) => events),
    settlements: all.flatMap(({ settlements }) => settlements),
    refused: all.flatMap(({ refused }) => refused),
  };
}
const amounts = ({ events }: MoneyPage) => events.map(({ kind, amount }) => [kind, amount]);
const requested = () => fake.askedOf(PATH).map(({ path }) => path);

/** "2026-11-20" as a report is named, and as its rows write it. */
const parts = (at: number): string[] => {
  const [year = '', month = '', day = ''] = new Date(at).toISOString().slice(0, 10).split('-');
  return [month, day, year];
};
const name = (at: number): string => parts(at).join('');
const slashed = (at: number): string => parts(at).join('/');

function summary(given: Row = {}): Row {
  return {
    'Period Start Date': slashed(until - 14 * DAY),
    'Period End Date': slashed(until),
    'Total Payable': '42.50',
    Currency: 'USD',
    'Transaction Type': 'PaymentSummary',
    'Transaction Description': 'Deposited in  account',
    'Transaction Posted Timestamp': slashed(until),
    ...given,
  };
}

function row(amountType: string, amount: unknown, given: Row = {}): Row {
  keys += 1;
  return {
    'Period Start Date': '""',
    'Transaction Key': `2026_11_20_${keys}`,
    'Transaction Posted Timestamp': slashed(until - 2 * DAY),
    'Transaction Type': 'Sale',
    'Transaction Description': 'Purchase',
    'Purchase Order #': '1803550130406',
    'Purchase Order line #': '1',
    Amount: amount,
    'Amount Type': amountType,
    'Ship Qty': '2',
    'Partner Item Id': 'SKU-1',
    ...given,
  };
}

/** Example 25. */
const sale = (): Row[] => [
  row('Product Price', '45.00'),
  row('Total Walmart Funded Savings', '5.00'),
  row('Commission on Product', '-7.50', { 'Commission Rate': '15', 'Base Commission Rate': '15' }),
];

describe('a reconciliation report', () => {
  test('reports the category and what a promotion took off the commission, by amount or by rates', async () => {
    const category = { 'Contract Category': 'Grocery' };
    reports = {
      [name(until)]: [
        summary(),
        row('Product Price', '50.00', category),
        row('Commission on Product', '-5.00', { ...category, 'Commission Saving': '2.50' }),
        row('Commission on Product', '-5.00', { 'Base Commission Rate': '15.00', 'Commission Rate': '10%' }),
        row('Commission on Product', '-5.00', { 'Base Commission Rate': 'x', 'Commission Rate': '0' }),
        // Rates before an amount that may be that of the whole line.
        row('Commission on Product', '-5.00', {
          'Commission Saving': '2.90',
          'Base Commission Rate': '15',
          'Commission Rate': '10',
        }),
        // All of it was taken off.
        row('Commission on Product', '0.00', { 'Original Commission': '-7.50', 'Commission Saving': '7.50' }),
      ],
    };
    expect((await read()).events.map(({ fee }) => fee)).toEqual([
      undefined,
      { base: null, saved: 250, category: 'Grocery' },
      { base: null, saved: 250, category: null },
      undefined,
      { base: null, saved: 250, category: null },
      { base: null, saved: 750, category: null },
    ]);
  });

  test('example 25: 45.00, funded 5.00 and a commission of 7.50 are 42.50 credited', async () => {
    const reported = await read();
    expect(amounts(reported)).toEqual([
      ['principal', 4_500],
      ['funded', 500],
      ['commission', -750],
    ]);
    expect(reported.events[0]).toEqual({
      externalId: expect.stringMatching(/^2026_11_20_\d+:1803550130406:1:SKU-1:Sale:Product Price:Purchase$/),
      kind: 'principal',
      rawType: 'Sale > Product Price > Purchase',
      amount: 4_500,
      orderRef: '1803550130406',
      lineRef: '1803550130406:1',
      sku: 'SKU-1',
      itemId: null,
      quantity: 2,
      postedAt: noon(until - 2 * DAY),
      releasedAt: noon(until - 2 * DAY),
      settlementRef: name(until),
    });
    expect(reported.settlements).toEqual([
      {
        ref: name(until),
        from: noon(until - 14 * DAY),
        to: noon(until),
        paidAt: noon(until),
        total: 4_250,
        isClosed: true,
      },
    ]);
    expect(reported.refused).toEqual([]);
    expect(requested()).toEqual([
      '/v3/report/reconreport/availableReconFiles?reportVersion=v1',
      `/v3/report/reconreport/reconFileJson?reportDate=${name(until)}&offset=0&noOfRecords=1000`,
      `/v3/report/reconreport/reconFileJson?reportDate=${name(until)}&offset=300&noOfRecords=1000`,
    ]);
  });

  const noon = (at: number): number => Math.floor(at / DAY) * DAY + DAY / 2;

  test.each<[string, string, string, string]>([
    ['Sale', 'Commission on Shipping', 'Purchase', 'commission'],
    ['Sale', 'Product tax withheld', 'Purchase', 'tax'],
    ['Sale', 'Other tax (Fees)', 'Purchase', 'tax'],
    ['Sale', 'Promo Code', 'Purchase', 'discount'],
    ['Sale', 'WFS Fulfillment Fee', '', 'fulfillment'],
    ['Service Fee', 'Fee/Reimbursement', 'WFS Fulfillment fee', 'fulfillment'],
    ['Service Fee', 'Fee/Reimbursement', 'WFS StorageFee', 'storage'],
    ['Service Fee', 'Fee/Reimbursement', 'Walmart Product Advertising', 'ad'],
    ['Adjustment', 'WFS Inventory Fee/Reimbursement', 'WFS LostInventory', 'reimbursement'],
    ['Adjustment', 'Fee/Reimbursement', 'A charge of 2027', 'other'],
    ['Reserve', 'Fee/Reimbursement', 'Funds withheld to cover future refunds', 'transfer'],
    ['Refund', 'Product Price', 'Return Refund', 'refund_principal'],
    ['Refund', 'Shipping', 'Return Refund', 'refund_shipping'],
    ['Refund', 'Commission on Product', 'Return Refund', 'refund_commission'],
    ['Refund', 'WFS Return Shipping Fee', 'Return Refund', 'refund_other'],
  ])('%s, %s, %s is %s', async (type, amountType, description, kind) => {
    const given = { 'Transaction Type': type, 'Transaction Description': description };
    reports = { [name(until)]: [row(amountType, '-1.00', given)] };
    expect(amounts(await read())).toEqual([[kind, -100]]);
  });

  test('has each of its rows once, also those of one key, alike or not, on different pages', async () => {
    const one = row('Product Price', '10.00');
    reports = { [name(until)]: [one, one, { ...one, Amount: '4.00' }, { ...one, Amount: '3.00' }, one] };
    const { events } = await read();
    expect(events.map(({ amount }) => amount)).toEqual([1_000, 1_000, 400, 300, 1_000]);
    const ids = events.map(({ externalId }) => externalId);
    expect(new Set(ids).size).toBe(5);
    fake.clock.time = instant(until + DAY);
    expect((await read()).events.map(({ externalId }) => externalId)).toEqual(ids);
  });

  test('without keys distinguishes its rows by their places', async () => {
    const bare = () => row('Product Price', '10.00', { 'Transaction Key': '' });
    reports = { [name(until)]: [bare(), bare(), bare(), bare()] };
    const ids = async () => (await read()).events.map(({ externalId }) => externalId);
    const first = await ids();
    expect(new Set(first).size).toBe(4);
    fake.clock.time = instant(until + DAY);
    expect(await ids()).toEqual(first);
  });

  test.each<[string, Row, string]>([
    ['another currency', { Currency: 'CAD' }, 'currency'],
    ['a third decimal', { Amount: '1.005' }, 'fraction'],
    ['a thousands sign', { Amount: '1,000.00' }, 'unreadable'],
    ['no amount', { Amount: '' }, 'unreadable'],
    ['too much', { Amount: '123456789.00' }, 'out_of_range'],
    ['no day', { 'Transaction Posted Timestamp': '02/30/2026' }, 'unreadable'],
    ['a day to come', { 'Transaction Posted Timestamp': '12/18/2099' }, 'future'],
  ])('a row with %s is refused, and the rest is read', async (_, given, why) => {
    reports = { [name(until)]: [summary(), row('Shipping', '1.00', given), ...sale(), {}] };
    const { events, refused } = await read();
    expect(refused).toEqual([{ where: expect.stringContaining(`report ${name(until)}`), why }]);
    expect(events).toHaveLength(3);
  });

  test('in another currency reports neither amounts nor a total', async () => {
    reports = { [name(until)]: [summary({ Currency: 'CAD' }), row('Shipping', '1.00')] };
    const { events, settlements, refused } = await read();
    expect([events, settlements[0]?.total, refused.map(({ why }) => why)]).toEqual([
      [],
      null,
      ['currency', 'currency'],
    ]);
  });

  test.each(['Amount Type', 'Purchase Order #'])(
    'without the column %s is refused by name',
    async (column) => {
      const renamed = sale().map(({ [column]: value, ...rest }) => ({ ...rest, 'New Name': value }));
      reports = { [name(until - DAY)]: sale(), [name(until)]: [summary(), ...renamed] };
      const { events, refused } = await read();
      expect(refused).toEqual([{ where: `report ${name(until)}: column ${column}`, why: 'unreadable' }]);
      expect(events.map(({ settlementRef }) => settlementRef)).toEqual(Array(3).fill(name(until - DAY)));
    },
  );
});

describe('reports', () => {
  test('are those of the time, the newest first, each once a day', async () => {
    reports = Object.fromEntries([40, 13, 1].map((days) => [name(until - days * DAY), sale()]));
    const dates = async () => (await read()).settlements.map(({ ref }) => ref);
    expect(await dates()).toEqual([name(until - DAY), name(until - 13 * DAY)]);
    expect(await dates()).toEqual([]);
    fake.clock.time = instant(until + DAY);
    expect(await dates()).toHaveLength(2);
  });

  test('may be none', async () => {
    fake.on('GET', /availableReconFiles/, () => ({ status: 404, body: { errors: [] } }));
    expect(await read()).toEqual({ events: [], settlements: [], refused: [] });
  });

  test('that are refused leave the others', async () => {
    reports = { [name(until - DAY)]: sale(), [name(until)]: sale() };
    fake.on('GET', new RegExp(`reportDate=${name(until)}`), () => ({ status: 400, body: { errors: [] } }));
    const { events, refused } = await read();
    expect(refused).toEqual([{ where: `report ${name(until)}`, why: 'unreadable' }]);
    expect(events).toHaveLength(3);
  });

  test.each(['availableReconFiles', 'reconFileJson'])(
    'without the right to %s: the error names it',
    async (call) => {
      fake.on('GET', new RegExp(call), () => ({ status: 403, body: { errors: [] } }));
      await expect(read()).rejects.toMatchObject({
        fault: 'permission',
        message: expect.stringContaining('permission for reports'),
      });
    },
  );
});

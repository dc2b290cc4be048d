import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import type { Books } from '#sandbox/world/truth/books.ts';
import { createWorld, type World } from '#sandbox/world/world.ts';
import { callerOf, pass } from '#tests/support/sandbox-shop.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const DAY = 86_400_000;
const PATH = '/finances/2024-06-19/transactions';

interface Breakdown {
  readonly breakdownType: string;
  readonly breakdownAmount: { readonly currencyAmount: number };
  readonly breakdowns: readonly Breakdown[];
}
interface Transaction {
  readonly transactionId: string;
  readonly transactionStatus: string;
  readonly transactionType: string;
  readonly relatedIdentifiers: readonly { readonly relatedIdentifierName: string }[];
  readonly totalAmount: { readonly currencyAmount: number };
  readonly breakdowns: readonly Breakdown[];
  readonly items: readonly { readonly breakdowns: readonly Breakdown[] }[];
}
interface Page {
  readonly payload: { readonly transactions: readonly Transaction[]; readonly nextToken?: string };
}

let sandbox: Sandbox;
let call: ReturnType<typeof callerOf>;
beforeAll(async () => {
  const world = createWorld(sampleWorld('finances', START));
  world.advance(instant(START + 45 * DAY));
  while (lateEvents(world).length === 0) world.advance(instant(world.now() + DAY / 24));
  sandbox = await startSandbox({ world, port: 0, services: ['amazon'] });
  const { amazon } = sandbox.credentials;
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: amazon.refreshToken ?? '',
    client_id: amazon.lwaClientId ?? '',
    client_secret: amazon.lwaClientSecret ?? '',
  });
  const token = (await callerOf(sandbox.addresses.amazon)('POST', '/auth/o2/token', form)) as {
    access_token: string;
  };
  call = callerOf(sandbox.addresses.amazon, { 'x-amz-access-token': token.access_token });
});
afterAll(() => sandbox.close());

function lateEvents({ market, now }: World) {
  return market('amazon')
    .money.events()
    .filter(({ at, lag }) => at < now() - DAY / 24 && at + lag > now());
}

function cents({ currencyAmount }: { readonly currencyAmount: number }): number {
  return Math.round(currencyAmount * 100);
}

/** The sum of what has no further parts. */
function leaves(parts: readonly Breakdown[]): number {
  return parts.reduce(
    (sum, { breakdownAmount, breakdowns }) =>
      sum + (breakdowns.length === 0 ? cents(breakdownAmount) : leaves(breakdowns)),
    0,
  );
}

async function pages(query: string): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for (let next: string | undefined = ''; next !== undefined; ) {
    const path: string = `${PATH}?${query}${next === '' ? '' : `&nextToken=${next}`}`;
    const { payload } = (await call('GET', path)) as Page;
    all.push(...payload.transactions);
    next = payload.nextToken;
  }
  return all;
}

async function booksOfAmazon(): Promise<Books> {
  const books = (await (await fetch(`${sandbox.url}/_sandbox/books`)).json()) as Books[];
  const own = books.find(({ marketplace }) => marketplace === 'amazon');
  if (own === undefined) throw new Error('no books');
  return own;
}

const since = `postedAfter=${new Date(START).toISOString()}`;

describe('transactions', () => {
  test('reported late, over pages that overlap, they add up to the books once each is counted once', async () => {
    const reported = await pages(since);
    const unique = new Map(reported.map((one) => [one.transactionId, one]));
    expect(unique.size).toBeLessThan(reported.length);
    const releases = [...unique.values()].filter(({ relatedIdentifiers }) =>
      relatedIdentifiers.some(
        ({ relatedIdentifierName }) => relatedIdentifierName === 'DEFERRED_TRANSACTION_ID',
      ),
    );
    expect(releases.length).toBeGreaterThan(0);
    // Two days later everything that was late is reported, and amounts that were too high are corrected.
    const until = `postedBefore=${new Date(sandbox.world.now() - 120_000).toISOString()}`;
    const before = [...unique.values()].map(({ transactionId }) => transactionId);
    const { lines, others } = await booksOfAmazon();
    const booked =
      lines.reduce((sum, { net }) => sum + net, 0) +
      Object.values(others).reduce((sum, parts) => sum + Object.values(parts).reduce((a, b) => a + b, 0), 0);
    pass(sandbox, 2 * DAY);
    const token = sandbox.world.market('amazon').tokens.issue(DAY);
    call = callerOf(sandbox.addresses.amazon, { 'x-amz-access-token': token });
    const later = new Map((await pages(`${since}&${until}`)).map((one) => [one.transactionId, one]));
    expect(later.size).toBeGreaterThan(before.length);
    const counted = [...later.values()].filter(({ transactionId }) => !transactionId.endsWith('-release'));
    expect(counted.reduce((sum, { totalAmount }) => sum + cents(totalAmount), 0)).toBe(booked);
    for (const { totalAmount, breakdowns, items } of counted) {
      expect(leaves(breakdowns)).toBe(cents(totalAmount));
      if (items.length > 0) expect(leaves(items.flatMap((item) => item.breakdowns))).toBe(cents(totalAmount));
    }
  });

  test('a marketplace as filter leaves out what the seller shipped; statuses and orders filter too', async () => {
    const all = await pages(since);
    const filtered = await pages(`${since}&marketplaceId=ATVPDKIKX0DER`);
    const isOfSeller = (one: Transaction) => JSON.stringify(one).includes('"MFN"');
    expect(all.some(isOfSeller)).toBe(true);
    expect(filtered.length).toBeGreaterThan(0);
    expect(filtered.some(isOfSeller)).toBe(false);
    const deferred = await pages(`${since}&transactionStatus=DEFERRED`);
    expect(new Set(deferred.map(({ transactionStatus }) => transactionStatus))).toEqual(
      new Set(['DEFERRED']),
    );
    expect(await call('GET', `${PATH}?marketplaceId=ATVPDKIKX0DER`)).toMatchObject({
      errors: [{ code: 'InvalidInput' }],
    });
  });

  test('without the role nothing is reported', async () => {
    const { world } = sandbox;
    world.market('amazon').grantMoneyRight(false);
    const reports = '/reports/2021-06-30/reports?reportTypes=GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
    for (const path of [`${PATH}?${since}`, reports]) {
      expect(await call('GET', path)).toMatchObject({ errors: [{ code: 'Unauthorized' }] });
    }
    world.market('amazon').grantMoneyRight(true);
  });
});

describe('reports', () => {
  async function rowsOf(documentId: string): Promise<Record<string, string>[]> {
    const document = (await call('GET', `/reports/2021-06-30/documents/${documentId}`)) as {
      url: string;
      compressionAlgorithm?: string;
    };
    const bytes = Buffer.from(await (await fetch(document.url)).arrayBuffer());
    const text = (document.compressionAlgorithm === 'GZIP' ? gunzipSync(bytes) : bytes).toString();
    const [head = '', ...lines] = text.trim().split('\n');
    return lines.map((line) => {
      const cells = line.split('\t');
      return Object.fromEntries(head.split('\t').map((name, at) => [name, cells[at] ?? '']));
    });
  }

  test('a settlement is found, not requested; its rows are its total, and lines have their codes', async () => {
    const kind = 'reportTypes=GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
    const { reports } = (await call('GET', `/reports/2021-06-30/reports?${kind}&pageSize=5`)) as {
      reports: readonly { readonly reportDocumentId: string }[];
    };
    const { settlements } = await booksOfAmazon();
    const paid = settlements.filter(({ isPaid }) => isPaid).map(({ total }) => total);
    const totals: number[] = [];
    for (const { reportDocumentId } of reports) {
      const [first, ...rows] = await rowsOf(reportDocumentId);
      const sum = rows.reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0);
      expect(sum).toBe(Math.round(Number(first?.['total-amount']) * 100));
      totals.push(sum);
      const sold = rows.filter((row) => row['transaction-type'] === 'Order');
      expect(sold.length).toBeGreaterThan(10);
      expect(sold.every((row) => /^\d+$/.test(row['order-item-code'] ?? ''))).toBe(true);
    }
    expect(totals.toReversed()).toEqual(paid);
    const requested = { reportType: kind.slice(12), marketplaceIds: ['ATVPDKIKX0DER'] };
    expect(await call('POST', '/reports/2021-06-30/reports', requested)).toMatchObject({
      errors: [{ code: 'InvalidInput' }],
    });
  });

  test('the fee report has a row for each listing in the warehouse, with what its sale costs', async () => {
    const reportType = 'GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA';
    const path = '/reports/2021-06-30/reports';
    const made = (await call('POST', path, { reportType, marketplaceIds: ['ATVPDKIKX0DER'] })) as {
      reportId: string;
    };
    pass(sandbox, 5 * 60_000);
    const { reportDocumentId } = (await call('GET', `${path}/${made.reportId}`)) as {
      reportDocumentId: string;
    };
    const market = sandbox.world.market('amazon');
    const stored = market.items().filter(({ fulfillmentType }) => fulfillmentType === 'FBA/WFS');
    const rows = await rowsOf(reportDocumentId);
    expect(rows.map(({ sku }) => sku)).toEqual(stored.map(({ sku }) => sku));
    for (const [at, item] of stored.entries()) {
      const { fee } = market.fees.warehouseFeeOf(item, item.price, market.now());
      expect(Number(rows[at]?.['expected-domestic-fulfilment-fee-per-unit'])).toBeCloseTo(fee / 100, 6);
    }
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import { instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import type { Books } from '#sandbox/world/truth/books.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { callerOf } from '#tests/support/sandbox-shop.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const DAY = 86_400_000;

let sandbox: Sandbox;
let books: readonly Books[];
beforeAll(async () => {
  const world = createWorld(sampleWorld('booked', START));
  world.advance(instant(START + 45 * DAY));
  sandbox = await startSandbox({ world, port: 0 });
  books = (await (await fetch(`${sandbox.url}/_sandbox/books`)).json()) as Books[];
});
afterAll(() => sandbox.close());

function booksOf(marketplace: Marketplace): Books {
  const own = books.find((one) => one.marketplace === marketplace);
  if (own === undefined) throw new Error(`no books of ${marketplace}`);
  return own;
}

function netOf(marketplace: Marketplace): number {
  return booksOf(marketplace).lines.reduce((sum, { net }) => sum + net, 0);
}

/** What labels cost, which are of no line. */
function labelsOf(marketplace: Marketplace): number {
  const labels = Object.values(booksOf(marketplace).others).map(({ label = 0 }) => label);
  expect(Math.min(...labels)).toBeLessThan(0);
  return labels.reduce((sum, label) => sum + label, 0);
}

function centsOf(amount: string | number): number {
  return Math.round(Number(amount) * 100);
}

describe('eBay', () => {
  interface Transaction {
    readonly transactionType: string;
    readonly bookingEntry: string;
    readonly amount: { readonly value: string };
    readonly orderId?: string;
    readonly totalFeeAmount?: { readonly value: string };
    readonly totalFeeBasisAmount?: { readonly value: string };
    readonly eBayCollectedTaxAmount?: { readonly value: string };
    readonly references?: readonly { readonly referenceType: string }[];
    readonly orderLineItems?: readonly {
      readonly marketplaceFees: readonly {
        readonly feeType: string;
        readonly amount: { readonly value: string };
      }[];
    }[];
  }

  const caller = () => {
    const token = sandbox.world.market('ebay').tokens.issue(DAY, { grant: 'seller' });
    return callerOf(sandbox.addresses.ebay, { authorization: `Bearer ${token}` });
  };
  const path = '/sell/finances/v1/transaction';

  test('transactions add up to the books, and each sale is its basis less tax and fees', async () => {
    const call = caller();
    const all: Transaction[] = [];
    for (let offset = 0; ; offset += 100) {
      const page = await call('GET', `${path}?limit=100&offset=${offset}`);
      if (page === '') break;
      all.push(...(page as { transactions: readonly Transaction[] }).transactions);
    }
    const signed = all.map(
      ({ bookingEntry, amount }) => centsOf(amount.value) * (bookingEntry === 'DEBIT' ? -1 : 1),
    );
    expect(signed.reduce((sum, amount) => sum + amount, 0)).toBe(netOf('ebay') + labelsOf('ebay'));
    const sales = all.filter(({ transactionType }) => transactionType === 'SALE');
    expect(sales.length).toBeGreaterThan(20);
    for (const {
      amount,
      totalFeeAmount,
      totalFeeBasisAmount,
      eBayCollectedTaxAmount,
      orderLineItems,
    } of sales) {
      const [basis, tax, fee] = [totalFeeBasisAmount, eBayCollectedTaxAmount, totalFeeAmount].map((one) =>
        centsOf(one?.value ?? ''),
      );
      expect(centsOf(amount.value)).toBe((basis ?? 0) - (tax ?? 0) - (fee ?? 0));
      const fees = orderLineItems?.flatMap(({ marketplaceFees }) => marketplaceFees) ?? [];
      expect(fees.reduce((sum, one) => sum + centsOf(one.amount.value), 0)).toBe(fee);
    }
    const types = new Set(
      sales.flatMap(({ orderLineItems = [] }) =>
        orderLineItems.flatMap(({ marketplaceFees }) => marketplaceFees.map(({ feeType }) => feeType)),
      ),
    );
    expect(types).toEqual(new Set(['FINAL_VALUE_FEE', 'FINAL_VALUE_FEE_FIXED_PER_ORDER', 'AD_FEE']));
    const later = all.filter(({ transactionType }) => transactionType === 'NON_SALE_CHARGE');
    expect(later.length).toBeGreaterThan(0);
    expect(later.every(({ orderId, references }) => orderId === undefined && references?.length === 2)).toBe(
      true,
    );
  });

  test('filters by date, type and order, and reports nothing without the scope', async () => {
    const call = caller();
    const half = new Date(START + 20 * DAY).toISOString();
    const filter = encodeURIComponent(`transactionDate:[${half}..],transactionType:{REFUND}`);
    const page = (await call('GET', `${path}?filter=${filter}&limit=1000`)) as {
      transactions: readonly (Transaction & { readonly transactionDate: string })[];
    };
    expect(page.transactions.every(({ transactionType }) => transactionType === 'REFUND')).toBe(true);
    expect(page.transactions.every(({ transactionDate }) => transactionDate >= half)).toBe(true);
    const orderId = page.transactions[0]?.orderId ?? '';
    const own = (await call('GET', `${path}?filter=${encodeURIComponent(`orderId:{${orderId}}`)}`)) as {
      transactions: readonly Transaction[];
    };
    expect(own.transactions.map(({ transactionType }) => transactionType)).toContain('SALE');
    sandbox.world.market('ebay').grantMoneyRight(false);
    expect(await call('GET', path)).toMatchObject({ errors: [{ errorId: 1_100 }] });
    sandbox.world.market('ebay').grantMoneyRight(true);
  });
});

describe('Etsy', () => {
  interface Entry {
    readonly amount: number;
    readonly ledger_type: string;
    readonly reference_id: string;
    readonly balance: number;
  }
  interface Payment {
    readonly amount_gross: { readonly amount: number };
    readonly amount_fees: { readonly amount: number };
  }

  const caller = () => {
    const token = sandbox.world.market('etsy').tokens.issue(DAY);
    const { keystring, sharedSecret } = sandbox.credentials.etsy;
    return callerOf(sandbox.addresses.etsy, {
      authorization: `Bearer ${token}`,
      'x-api-key': `${keystring}:${sharedSecret}`,
    });
  };
  const shop = '/v3/application/shops/87654321';

  test('ledger entries add up to the books and the payouts, month by month', async () => {
    const call = caller();
    const all: Entry[] = [];
    const end = Math.floor(sandbox.world.now() / 1_000);
    for (let to = end; to > START / 1_000; to -= 20 * 86_400) {
      const span = `min_created=${to - 20 * 86_400 + 1}&max_created=${to}`;
      for (let offset = 0; ; offset += 100) {
        const path = `${shop}/payment-account/ledger-entries?${span}&limit=100&offset=${offset}`;
        const { results } = (await call('GET', path)) as { readonly results: readonly Entry[] };
        if (results.length === 0) break;
        all.push(...results);
      }
    }
    const payouts = all.filter(({ ledger_type }) => ledger_type === 'DISBURSE');
    const sum = (entries: readonly Entry[]) => entries.reduce((total, { amount }) => total + amount, 0);
    expect(sum(all) - sum(payouts)).toBe(netOf('etsy') + labelsOf('etsy'));
    expect(all[0]?.balance).toBe(sum(all));
    const { settlements } = booksOf('etsy');
    const paid = settlements.filter(({ isPaid }) => isPaid).reduce((total, one) => total + one.total, 0);
    expect(-sum(payouts)).toBe(paid);
    const types = new Set(all.map(({ ledger_type }) => ledger_type));
    for (const type of [
      'offsite_ads_fee',
      'shipping_labels',
      'renew_sold_auto',
      'transaction_quantity',
      'REFUND',
      'sales_tax',
    ]) {
      expect(types).toContain(type);
    }
    const tooLong = `min_created=${end - 40 * 86_400}&max_created=${end}`;
    expect(await call('GET', `${shop}/payment-account/ledger-entries?${tooLong}`)).toMatchObject({
      error: expect.stringContaining('31 days'),
    });
  });

  test('the payment of a receipt reports what the buyer paid and the fee of the card alone', async () => {
    const call = caller();
    const order = sandbox.world
      .market('etsy')
      .orders()
      .find(({ status }) => status === 'shipped');
    const [line] = order?.lines ?? [];
    if (order === undefined || line === undefined) throw new Error('no order');
    const { results } = (await call('GET', `${shop}/receipts/${3_100_000_000 + order.number}/payments`)) as {
      readonly results: readonly Payment[];
    };
    const gross = line.unitPrice * line.quantity + line.shipping + line.tax;
    expect(results[0]?.amount_gross.amount).toBe(gross);
    expect(results[0]?.amount_fees.amount).toBe(Math.round(gross * 0.03) + 25);
    expect(await call('GET', `${shop}/receipts/1/payments`)).toMatchObject({ error: 'Resource not found' });
  });
});

describe('Walmart', () => {
  type Row = Readonly<Record<string, string>>;
  const base = '/v3/report/reconreport';

  const caller = () => {
    const token = sandbox.world.market('walmart').tokens.issue(DAY);
    return callerOf(sandbox.addresses.walmart, {
      accept: 'application/json',
      'wm_qos.correlation_id': 'c-1',
      'wm_svc.name': 'Walmart Marketplace',
      'wm_sec.access_token': token,
    });
  };

  async function rowsOf(call: ReturnType<typeof callerOf>, date: string): Promise<Row[]> {
    const all: Row[] = [];
    for (let offset = 0; ; ) {
      const path = `${base}/reconFileJson?reportDate=${date}&offset=${offset}&noOfRecords=100`;
      const page = (await call('GET', path)) as { reportData: readonly Row[]; nextOffset: number };
      if (page.reportData.length === 0) return all;
      all.push(...page.reportData);
      offset = page.nextOffset;
    }
  }

  test('each report adds up to its total, which is the settlement of the books', async () => {
    const call = caller();
    const { availableApReportDates: dates } = (await call(
      'GET',
      `${base}/availableReconFiles?reportVersion=v1`,
    )) as {
      availableApReportDates: readonly string[];
    };
    const paid = booksOf('walmart').settlements.filter(({ isPaid }) => isPaid);
    expect(dates).toHaveLength(paid.length);
    const rows: Row[] = [];
    for (const [at, date] of dates.entries()) {
      const [summary, ...amounts] = await rowsOf(call, date);
      const total = amounts.reduce((sum, { Amount = '' }) => sum + centsOf(Amount), 0);
      expect(total).toBe(centsOf(summary?.['Total Payable'] ?? ''));
      expect(total).toBe(paid[at]?.total);
      rows.push(...amounts);
    }
    const types = new Set(rows.map((row) => row['Amount Type']));
    for (const type of ['Commission on Product', 'WFS Fulfillment Fee', 'WFS Inventory Fee/Reimbursement']) {
      expect(types).toContain(type);
    }
    const commissions = rows.filter((row) => row['Amount Type'] === 'Commission on Product');
    expect(
      commissions.every((row) => Number(row['Base Commission Rate']) >= Number(row['Commission Rate'])),
    ).toBe(true);
    expect(commissions.some((row) => row['Contract Category'] !== '')).toBe(true);
    const saved = commissions.filter((row) => Number(row['Commission Saving']) !== 0);
    for (const row of saved) {
      expect(centsOf(row.Amount ?? '') - centsOf(row['Commission Saving'] ?? '')).toBe(
        centsOf(row['Original Commission'] ?? ''),
      );
    }
    expect(
      await call('GET', `${base}/reconFileJson?reportDate=01012020&offset=0&noOfRecords=9`),
    ).toMatchObject({
      errors: [{ field: 'reportDate' }],
    });
  });
});

describe('Shopify', () => {
  interface Balance {
    readonly type: string;
    readonly fee: { readonly amount: string };
    readonly net: { readonly amount: string };
    readonly associatedOrder: { readonly id: string } | null;
  }
  interface Page {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    readonly nodes: readonly Balance[];
  }

  const ask = async <Data>(query: string): Promise<Data> => {
    const token = sandbox.credentials.shopify.apiKey ?? '';
    const call = callerOf(sandbox.addresses.shopify, { 'x-shopify-access-token': token });
    return (await call('POST', '/admin/api/2026-10/graphql.json', { query })) as Data;
  };

  test('the balance adds up to the books with the tax that the seller owes; an order names its own fee', async () => {
    const all: Balance[] = [];
    for (let after = ''; ; ) {
      const { data } = await ask<{ data: { shopifyPaymentsAccount: { balanceTransactions: Page } } }>(`{
        shopifyPaymentsAccount { balanceTransactions(first: 100, hideTransfers: true${after}) {
          pageInfo { hasNextPage endCursor }
          nodes { type fee { amount } net { amount } associatedOrder { id } } } } }`);
      const { nodes, pageInfo } = data.shopifyPaymentsAccount.balanceTransactions;
      all.push(...nodes);
      if (!pageInfo.hasNextPage) break;
      after = `, after: "${pageInfo.endCursor}"`;
    }
    const { lines } = booksOf('shopify');
    const tax = lines.reduce((sum, { sale, refund }) => sum + (sale.tax ?? 0) + (refund.tax ?? 0), 0);
    expect(tax).toBeGreaterThan(0);
    expect(all.reduce((sum, { net }) => sum + centsOf(net.amount), 0)).toBe(netOf('shopify') + tax);
    const charge = all.find(({ type }) => type === 'CHARGE');
    const { data } = await ask<{
      data: {
        order: { transactions: readonly { readonly fees: readonly { amount: { amount: string } }[] }[] };
      };
    }>(
      `{ order(id: "${charge?.associatedOrder?.id}") { transactions(first: 5) { fees { amount { amount } } } } }`,
    );
    expect(data.order.transactions[0]?.fees[0]?.amount).toEqual(charge?.fee);
  });

  test('the balance needs its scope, orders do not', async () => {
    sandbox.world.market('shopify').grantMoneyRight(false);
    expect(await ask('{ shopifyPaymentsAccount { id } }')).toMatchObject({
      data: { shopifyPaymentsAccount: null },
      errors: [{ extensions: { code: 'ACCESS_DENIED' } }],
    });
    const query = '{ orders(first: 1) { nodes { transactions(first: 1) { fees { type } } } } }';
    expect(await ask(query)).toMatchObject({
      data: { orders: { nodes: [{ transactions: [{ fees: [{ type: 'processing_fee' }] }] }] } },
    });
    sandbox.world.market('shopify').grantMoneyRight(true);
  });
});

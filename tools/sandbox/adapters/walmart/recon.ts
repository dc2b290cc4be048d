import type { FastifyInstance } from 'fastify';
import { cents } from '#domain/units.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { OrderLine } from '#sandbox/world/orders.ts';
import { exactCommission } from '#sandbox/world/truth/category.ts';
import {
  type MoneyEntry,
  type MoneyEvent,
  type MoneyKind,
  sumOf,
} from '#sandbox/world/truth/money-events.ts';
import { productTypeOf } from './items.ts';
import { customerOrderIdOf, purchaseOrderIdOf } from './orders.ts';
import { walmartRefusal } from './walmart-errors.ts';

const PATH = '/v3/report/reconreport';
const MOST_RECORDS = 1_000;

type Row = Readonly<Record<string, string>>;

/** Reconciliation reports, version v1: one for each settlement that is over. */
export function addRecon(app: FastifyInstance, market: Market): void {
  const datesOf = () => ended(market).map((settlement) => dateIn(market, settlement));
  app.get(
    `${PATH}/availableReconFiles`,
    { config: { operation: 'getAvailableV1ReconReportDates' } },
    async (request) => {
      if (queryText(request, 'reportVersion') !== 'v1') {
        throw walmartRefusal(400, 'The report version is not supported.', 'reportVersion');
      }
      return { availableApReportDates: datesOf().map((date) => date.replaceAll('/', '')) };
    },
  );
  app.get(
    `${PATH}/reconFileJson`,
    { config: { operation: 'getAvailableV1ReconReportAsJson' } },
    async (request) => {
      const date = queryText(request, 'reportDate');
      const settlement = ended(market).find((one) => dateIn(market, one).replaceAll('/', '') === date);
      const size = queryNumber(request, 'noOfRecords', Number.NaN, MOST_RECORDS);
      const offset = queryNumber(request, 'offset', Number.NaN, 999_999_999);
      if (settlement === undefined)
        throw walmartRefusal(404, 'There is no report of this date.', 'reportDate');
      if (!(size >= 1)) throw walmartRefusal(400, 'The number of records is not valid.', 'noOfRecords');
      return pageOf(rowsOf(market, settlement), offset, size);
    },
  );
}

/** Offsets count the bytes of the file, not its rows. */
function pageOf(rows: readonly Row[], offset: number, size: number) {
  let from = 0;
  let bytes = 0;
  while (bytes < offset && from < rows.length) bytes += bytesOf(rows[from++]);
  if (bytes !== offset) throw walmartRefusal(400, 'The offset is not valid.', 'offset');
  const page = rows.slice(from, from + size);
  return {
    reportData: page,
    nextOffset: page.reduce((sum, row) => sum + bytesOf(row), bytes),
    totalRecords: page.length,
    description: `Number of Lines in file ${rows.length}`,
  };
}

function bytesOf(row: Row | undefined): number {
  return Buffer.byteLength(Object.values(row ?? {}).join(',')) + 1;
}

function ended(market: Market): number[] {
  const running = market.money.settlementAt(market.now());
  const numbers = new Set(market.money.events().map(({ settlement }) => settlement));
  return [...numbers].filter((number) => number < running).sort((a, b) => a - b);
}

/** "03/16/2026": the report is made when its settlement ends. */
function dateIn(market: Market, settlement: number): string {
  return dateText(market.money.spanOf(settlement).to);
}

function dateText(moment: number): string {
  const [year = '', month = '', day = ''] = new Date(moment).toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

const TYPES: Readonly<Record<MoneyEvent['type'], string>> = {
  sale: 'Sale',
  cancellation: 'Refund',
  refund: 'Refund',
  label: 'Service Fee',
  ad: 'Service Fee',
  storage: 'Service Fee',
  reimbursement: 'Adjustment',
  payout: 'PaymentSummary',
};
const AMOUNT_TYPES: Readonly<Partial<Record<MoneyKind, string>>> = {
  principal: 'Product Price',
  shipping: 'Shipping',
  funded: 'Total Walmart Funded Savings',
  tax: 'Product tax',
  tax_withheld: 'Product tax withheld',
  commission: 'Commission on Product',
  commission_on_shipping: 'Commission on Shipping',
  fulfillment: 'WFS Fulfillment Fee',
  storage: 'WFS Inventory Fee/Reimbursement',
  reimbursement: 'WFS Inventory Fee/Reimbursement',
};
/** What one amount type does not distinguish. */
const DESCRIPTIONS: Readonly<Partial<Record<MoneyEvent['type'], string>>> = {
  sale: 'Purchase',
  storage: 'WFS StorageFee',
  reimbursement: 'WFS LostInventory',
};

function rowsOf(market: Market, settlement: number): Row[] {
  const { from, to } = market.money.spanOf(settlement);
  const events = market.money
    .events()
    .filter((event) => event.settlement === settlement && event.type !== 'payout');
  const summary: Row = {
    'Period Start Date': dateText(from),
    'Period End Date': dateText(to),
    'Total Payable': amountText(sumOf(events.flatMap(({ entries }) => entries))),
    Currency: 'USD',
    'Transaction Type': 'PaymentSummary',
    'Transaction Description': 'Deposited in account',
    'Transaction Posted Timestamp': dateText(to),
  };
  return [summary, ...events.flatMap((event) => eventRows(market, event))];
}

function eventRows(market: Market, event: MoneyEvent): Row[] {
  const { type, at, order, number, sku } = event;
  return withoutPromotions(event.entries).map(({ entry, saved }, index) => {
    const { line, kind, quantity, amount } = entry;
    const orderParts: Row =
      order === null || line === null
        ? {}
        : {
            'Customer Order #': customerOrderIdOf(order),
            'Customer Order line #': String(line.number),
            'Purchase Order #': purchaseOrderIdOf(order),
            'Purchase Order line #': String(line.number),
            ...categoryParts(market, line, order.createdAt),
          };
    const isCommission = kind === 'commission' || kind === 'commission_on_shipping';
    return {
      'Transaction Key': `${new Date(at).toISOString().slice(0, 10).replaceAll('-', '_')}_${number}_${index}`,
      'Transaction Posted Timestamp': dateText(at),
      'Transaction Type': TYPES[type],
      'Transaction Description': DESCRIPTIONS[type] ?? TYPES[type],
      ...orderParts,
      Amount: amountText(amount),
      'Amount Type': AMOUNT_TYPES[kind] ?? kind,
      'Ship Qty': String(quantity),
      'Partner Item Id': line?.sku ?? sku ?? '',
      'Fulfillment Type': line?.fulfillmentType === 'FBM' ? 'Seller Fulfilled' : 'WFS Fulfilled',
      ...(isCommission
        ? { 'Original Commission': amountText(amount - saved), 'Commission Saving': amountText(saved) }
        : {}),
    };
  });
}

/** A commission is charged after its promotion; the row names both. */
function withoutPromotions(entries: readonly MoneyEntry[]) {
  return entries
    .filter(({ kind }) => kind !== 'waived')
    .map((entry) => {
      const isCommission = entry.kind === 'commission';
      const own = entries.filter(
        ({ kind, line }) => isCommission && kind === 'waived' && line === entry.line,
      );
      const saved = sumOf(own);
      return { entry: { ...entry, amount: entry.amount + saved }, saved };
    });
}

/** The contract category with its rate at the sale, in percent; the product type is what the seller set. */
function categoryParts(
  market: Market,
  line: OrderLine,
  at: Parameters<Market['fees']['categoryOf']>[1],
): Row {
  const item = market.item(line.sku);
  if (item === null) return {};
  const category = market.fees.categoryOf(item, at);
  const { unitPrice, shipping, quantity, fees } = line;
  const revenue = Math.max(1, Math.round(unitPrice + shipping / quantity));
  const rate = exactCommission(category, revenue) / revenue / 100;
  const share = fees.commission === 0 ? 0 : fees.waived / fees.commission;
  return {
    'Contract Category': category.name,
    'Product Type': productTypeOf(item.category),
    'Commission Rule': category.code,
    'Base Commission Rate': rate.toFixed(2),
    'Commission Rate': (rate * (1 - share)).toFixed(2),
  };
}

function amountText(amount: number): string {
  return dollarText(cents(amount));
}

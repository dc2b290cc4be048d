import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import { type AdapterContext, Refusal } from '#sandbox/adapters/adapter.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { queryList, queryText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { OrderLine } from '#sandbox/world/orders.ts';
import {
  type MoneyEntry,
  type MoneyEvent,
  type MoneyKind,
  sumOf,
} from '#sandbox/world/truth/money-events.ts';
import { ebayError } from './ebay-errors.ts';
import { pageOf } from './ebay-pages.ts';
import { lineItemIdOf, orderIdOf } from './orders.ts';

const DEFAULT_SPAN = 90 * 86_400_000;
const TYPES: Readonly<Partial<Record<MoneyEvent['type'], string>>> = {
  sale: 'SALE',
  cancellation: 'REFUND',
  refund: 'REFUND',
  label: 'SHIPPING_LABEL',
  ad: 'NON_SALE_CHARGE',
};
const FEE_TYPES: Readonly<Partial<Record<MoneyKind, string>>> = {
  commission: 'FINAL_VALUE_FEE',
  commission_on_shipping: 'FINAL_VALUE_FEE',
  per_order: 'FINAL_VALUE_FEE_FIXED_PER_ORDER',
  ad: 'AD_FEE',
};

/** Monetary transactions, newest first; 204 without any. */
export function addFinances(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  const path = '/sell/finances/v1/transaction';
  app.get(path, { config: { operation: 'getTransactions' } }, async (request, reply) => {
    if (!market.tellsMoney) throw missingScope();
    const fits = filterOf(request, market);
    const isRising = queryText(request, 'sort') === 'transactionDate';
    const events = market.money.events().filter((event) => TYPES[event.type] !== undefined);
    const found = events.filter(fits);
    const sorted = isRising ? found : found.toReversed();
    const refuse = () => ebayError(135_003, 'API_FINANCES', 'The value of pagination is invalid.');
    const rules = { usual: 20, most: 1_000, byPages: false, refuse };
    const { part, total, limit, offset, href, links } = pageOf(request, tools.address(), sorted, rules);
    if (part.length === 0) return reply.code(204).send();
    const transactions = part.map((event) => viewOf(event, market));
    return { href, total, limit, offset, ...links, transactions };
  });
}

/** Payouts, newest first; 204 without any. */
export function addPayouts(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  app.get('/sell/finances/v1/payout', { config: { operation: 'getPayouts' } }, async (request, reply) => {
    if (!market.tellsMoney) throw missingScope();
    const fits = queryList(request, 'filter').map((part) => {
      const { name, from, to } = conditionIn(part);
      if (name === 'payoutDate') return periodOf(from, to, market.now());
      throw ebayError(135_006, 'API_FINANCES', 'The value of payout filter is invalid.');
    });
    const paid = market.money
      .events()
      .filter(({ type, at }) => type === 'payout' && fits.every((isWithin) => isWithin(at)));
    const refuse = () => ebayError(135_003, 'API_FINANCES', 'The value of pagination is invalid.');
    const rules = { usual: 20, most: 200, byPages: false, refuse };
    const sorted = paid.toReversed();
    const { part, total, limit, offset, href, links } = pageOf(request, tools.address(), sorted, rules);
    if (part.length === 0) return reply.code(204).send();
    return { href, total, limit, offset, ...links, payouts: part.map((event) => payoutView(event, market)) };
  });
}

function payoutView({ at, entries, settlement }: MoneyEvent, market: Market) {
  const paid = market.money.events().filter((event) => TYPES[event.type] && event.settlement === settlement);
  return {
    payoutId: payoutIdOf(settlement),
    payoutStatus: 'SUCCEEDED',
    payoutStatusDescription: 'Funds sent',
    amount: money(-sumOf(entries)),
    payoutDate: new Date(at).toISOString(),
    payoutInstrument: { instrumentType: 'BANK', nickname: 'Checking', accountLastFourDigits: '1234' },
    transactionCount: paid.length,
  };
}

/** The payout that an amount is in; null while there is none. */
function payoutOf({ settlement }: MoneyEvent, market: Market): string | null {
  return market.money.settlementAt(market.now()) > settlement ? payoutIdOf(settlement) : null;
}

function payoutIdOf(settlement: number): string {
  return String(5_000_000_000 + settlement);
}

/** "transactionDate:[2026-03-01T00:00:00.000Z..]", "transactionType:{SALE}". */
function conditionIn(part: string): { readonly name: string; readonly from: string; readonly to: string } {
  const [, name = '', from = '', to = ''] =
    /^(\w+):[[{]([^.\]}]*(?:\.\d+Z?)?)(?:\.\.([^\]]*))?[\]}]$/.exec(part) ?? [];
  return { name, from, to };
}

/** Whether a time is within a period; without an end it is the usual one. */
function periodOf(from: string, to: string, now: Instant): (at: number) => boolean {
  const start = Date.parse(from);
  const end = to === '' ? Math.min(now, start + DEFAULT_SPAN) : Date.parse(to);
  if (Number.isNaN(start) || Number.isNaN(end) || start > end) {
    throw ebayError(135_008, 'API_FINANCES', 'The value of transaction date filter is invalid.');
  }
  return (at) => at >= start && at <= end;
}

/** The seller did not agree to "sell.finances". */
function missingScope(): Refusal {
  const longMessage = 'Insufficient permissions to fulfill the request.';
  const error = {
    errorId: 1_100,
    domain: 'ACCESS',
    category: 'REQUEST',
    message: 'Access denied',
    longMessage,
  };
  return new Refusal(403, { errors: [error] });
}

/** Conditions are repeated or in a list. */
function filterOf(request: FastifyRequest, market: Market): (event: MoneyEvent) => boolean {
  const now = market.now();
  const checks = queryList(request, 'filter').map((part) => {
    const { name, from, to } = conditionIn(part);
    if (name === 'orderId')
      return ({ order, type }: MoneyEvent) => type !== 'ad' && order !== null && orderIdOf(order) === from;
    if (name === 'transactionId') return (event: MoneyEvent) => transactionIdOf(event) === from;
    if (name === 'payoutId') return (event: MoneyEvent) => payoutOf(event, market) === from;
    if (name === 'transactionType') return ({ type }: MoneyEvent) => TYPES[type] === from;
    if (name !== 'transactionDate') {
      throw ebayError(135_007, 'API_FINANCES', 'The value of transaction status filter is invalid.');
    }
    const isWithin = periodOf(from, to, now);
    return ({ at }: MoneyEvent) => isWithin(at);
  });
  return (event) => checks.every((check) => check(event));
}

function transactionIdOf({ number }: MoneyEvent): string {
  const digits = (value: number): string => String(value % 100_000).padStart(5, '0');
  return `26-${String(number).padStart(5, '0')}-${digits(number * 104_729)}`;
}

function viewOf(event: MoneyEvent, market: Market) {
  const { type, order, at, entries } = event;
  const net = sumOf(entries);
  const payoutId = payoutOf(event, market);
  return {
    transactionId: transactionIdOf(event),
    transactionType: TYPES[type] ?? '',
    transactionStatus: payoutId !== null ? 'PAYOUT' : 'FUNDS_AVAILABLE_FOR_PAYOUT',
    transactionDate: new Date(at).toISOString(),
    amount: money(Math.abs(net)),
    bookingEntry: net < 0 ? 'DEBIT' : 'CREDIT',
    paymentsEntity: 'eBay Commerce Inc.',
    ...(payoutId === null ? {} : { payoutId }),
    ...(order === null || type === 'ad' ? {} : { orderId: orderIdOf(order) }),
    ...(order === null || type === 'ad' || type === 'label' ? {} : orderParts(event)),
    ...(type === 'ad' ? adParts(event) : {}),
  };
}

/** What an order's transaction says of its fees: amounts without signs. */
function orderParts({ order, entries }: MoneyEvent) {
  const of = (...kinds: readonly MoneyKind[]): number =>
    Math.abs(sumOf(entries.filter(({ kind }) => kinds.includes(kind))));
  const tax = of('tax');
  const lines = [...new Set(entries.map(({ line }) => line))].filter((line) => line !== null);
  return {
    buyer: { username: 'sandbox-shopper' },
    totalFeeBasisAmount: money(of('principal', 'shipping') + tax),
    totalFeeAmount: money(of(...(Object.keys(FEE_TYPES) as MoneyKind[]))),
    eBayCollectedTaxAmount: money(tax),
    orderLineItems: lines.map((line) => ({
      lineItemId: order === null ? '' : lineItemIdOf(order, line),
      feeBasisAmount: money(of('principal', 'shipping') + tax),
      marketplaceFees: feesOf(entries, line),
    })),
  };
}

function feesOf(entries: readonly MoneyEntry[], line: OrderLine) {
  const fees = new Map<string, number>();
  for (const entry of entries) {
    const feeType = FEE_TYPES[entry.kind];
    if (feeType !== undefined && entry.line === line)
      fees.set(feeType, (fees.get(feeType) ?? 0) + entry.amount);
  }
  return [...fees].map(([feeType, amount]) => ({ feeType, amount: money(Math.abs(amount)), feeMemo: '' }));
}

/** Advertising that came later: it names the item and the order as references. */
function adParts({ order, sku, entries }: MoneyEvent) {
  const line = entries[0]?.line ?? null;
  return {
    feeType: 'AD_FEE',
    transactionMemo: `Promoted Listings General fee, ${sku ?? ''}`,
    references: [
      ...(line === null ? [] : [{ referenceId: line.itemId, referenceType: 'ITEM_ID' }]),
      ...(order === null ? [] : [{ referenceId: orderIdOf(order), referenceType: 'ORDER_ID' }]),
    ],
  };
}

function money(amount: number) {
  const value: Cents = cents(amount);
  return { value: dollarText(value), currency: 'USD' };
}

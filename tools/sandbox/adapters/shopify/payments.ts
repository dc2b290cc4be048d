import { GraphQLError } from 'graphql';
import { cents } from '#domain/units.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';
import { type MoneyEvent, type MoneyKind, sumOf } from '#sandbox/world/truth/money-events.ts';
import { connectionOf, type PageArguments, type QueryContext } from './connection.ts';
import { fitsSearch } from './search.ts';
import { gid, isoTime, lineIdOf, moneyBag, orderGid } from './values.ts';

/** The card rate of the plan: a share and a flat fee in cents. */
const CARD = { rate: '0.029', flat: 30 } as const;
const PAID_BY_BUYER: readonly MoneyKind[] = ['principal', 'shipping', 'tax'];

/** What the buyer paid or got back, and the card's fee. */
function partsOf({ entries }: MoneyEvent): { readonly gross: number; readonly fee: number } {
  const gross = sumOf(entries.filter(({ kind }) => PAID_BY_BUYER.includes(kind)));
  return { gross, fee: -sumOf(entries.filter(({ kind }) => kind === 'payment')) };
}

/** The payments of an order, each with its fees: Shopify Payments took them all. */
export function transactionsOf(market: Market, order: Order) {
  return market.money.eventsOf(order).map((event) => transactionView(event));
}

function transactionView(event: MoneyEvent) {
  const { gross, fee } = partsOf(event);
  const isSale = event.type === 'sale';
  return {
    __typename: 'OrderTransaction',
    id: gid('OrderTransaction', transactionNumber(event)),
    kind: isSale ? 'SALE' : 'REFUND',
    status: 'SUCCESS',
    gateway: 'shopify_payments',
    test: false,
    createdAt: isoTime(event.at),
    processedAt: isoTime(event.at),
    amountSet: moneyBag(cents(Math.abs(gross))),
    fees: isSale ? [feeView(event, fee)] : [],
  };
}

function transactionNumber({ number }: MoneyEvent): number {
  return 7_000_000_000_000 + number;
}

function feeView(event: MoneyEvent, fee: number) {
  return {
    __typename: 'TransactionFee',
    id: gid('TransactionFee', transactionNumber(event)),
    amount: money(fee),
    flatFee: money(CARD.flat),
    flatFeeName: 'Credit card flat fee',
    rate: CARD.rate,
    rateName: 'Credit card rate',
    taxAmount: money(0),
    type: 'processing_fee',
  };
}

/** The units of a line that were refunded, and what went back for their shipping: below zero. */
export function refundedOf(market: Market, order: Order, line: OrderLine) {
  const refunds = market.money.eventsOf(order).filter(({ type }) => type === 'refund');
  const entries = refunds.flatMap((event) => event.entries.filter((entry) => entry.line === line));
  const sum = (kind: MoneyKind) => entries.filter((entry) => entry.kind === kind);
  return {
    quantity: sum('principal').reduce((units, { quantity }) => units + quantity, 0),
    shipping: sumOf(sum('shipping')),
  };
}

/** Refunds of an order with the units that came back. */
export function refundsOf(market: Market, order: Order) {
  return market.money
    .eventsOf(order)
    .filter(({ type }) => type === 'refund' || type === 'cancellation')
    .map((event) => {
      const lines = [...new Set(event.entries.flatMap(({ line }) => line ?? []))];
      return {
        __typename: 'Refund',
        id: gid('Refund', 9_000_000_000_000 + event.number),
        createdAt: isoTime(event.at),
        processedAt: isoTime(event.at),
        updatedAt: isoTime(event.at),
        totalRefundedSet: moneyBag(cents(Math.abs(partsOf(event).gross))),
        transactions: (requested: PageArguments, by: QueryContext) =>
          connectionOf([transactionView(event)], requested, by),
        refundShippingLines: (requested: PageArguments, by: QueryContext) =>
          connectionOf(refundShippingOf(event), requested, by),
        refundLineItems: (requested: PageArguments, by: QueryContext) =>
          connectionOf(
            lines.map((line) => refundLineView(event, order, line)),
            requested,
            by,
          ),
      };
    });
}

function refundLineView({ type, entries, restocked, number }: MoneyEvent, order: Order, line: OrderLine) {
  const own = entries.filter((entry) => entry.line === line);
  const amountOf = (kind: MoneyKind) => cents(Math.abs(sumOf(own.filter((entry) => entry.kind === kind))));
  const isBack = type === 'cancellation' || restocked > 0;
  return {
    id: gid('RefundLineItem', number),
    lineItem: { id: lineIdOf(order, line), sku: line.sku, name: line.title, title: line.title },
    quantity: own[0]?.quantity ?? 0,
    restockType: type === 'cancellation' ? 'CANCEL' : isBack ? 'RETURN' : 'NO_RESTOCK',
    restocked: isBack,
    subtotalSet: moneyBag(amountOf('principal')),
    totalTaxSet: moneyBag(amountOf('tax')),
  };
}

/** Its tax is reported with the lines. */
function refundShippingOf({ entries, number }: MoneyEvent) {
  const amount = Math.abs(sumOf(entries.filter(({ kind }) => kind === 'shipping')));
  if (amount === 0) return [];
  const subtotalAmountSet = moneyBag(cents(amount));
  return [{ id: gid('RefundShippingLine', number), subtotalAmountSet, taxAmountSet: moneyBag(cents(0)) }];
}

/** Every movement of the balance, oldest first. @throws GraphQLError without the scope */
export function paymentsAccount(market: Market) {
  if (!market.tellsMoney) {
    const message = 'Access denied for shopifyPaymentsAccount field.';
    throw new GraphQLError(message, { extensions: { code: 'ACCESS_DENIED' } });
  }
  return {
    id: gid('ShopifyPaymentsAccount', 1),
    activated: true,
    country: 'US',
    defaultCurrency: 'USD',
    balanceTransactions: (requested: BalanceArguments, by: QueryContext) => {
      const events = market.money
        .events()
        .filter(({ type }) => !requested.hideTransfers || type !== 'payout')
        .filter((event) => fitsSearch(requested.query, { payments_transfer_id: payoutOf(event, market) }));
      const { pageInfo, edges } = connectionOf(events, requested, by);
      const views = edges.map(({ node, cursor }) => ({ node: balanceView(node, market), cursor }));
      return { pageInfo, edges: views, nodes: views.map(({ node }) => node) };
    },
    payouts: (requested: BalanceArguments, by: QueryContext) => {
      const payouts = market.money
        .events()
        .filter(({ type, at }) => type === 'payout' && fitsSearch(requested.query, { issued_at: at }));
      const rows =
        requested.sortKey === 'ISSUED_AT' && requested.reverse === true ? payouts.toReversed() : payouts;
      return connectionOf(rows.map(payoutView), { ...requested, reverse: false }, by);
    },
  };
}

interface BalanceArguments extends PageArguments {
  readonly hideTransfers: boolean;
  readonly query?: string | null;
  readonly sortKey?: string | null;
}

/** The number of the payout that a movement is in; empty while there is none. */
function payoutOf({ settlement }: MoneyEvent, market: Market): string {
  return market.money.settlementAt(market.now()) > settlement ? String(6_000_000_000 + settlement) : '';
}

function payoutView({ entries, at, settlement }: MoneyEvent) {
  const paid = -sumOf(entries);
  return {
    __typename: 'ShopifyPaymentsPayout',
    id: gid('ShopifyPaymentsPayout', 6_000_000_000 + settlement),
    issuedAt: isoTime(at),
    net: money(Math.abs(paid)),
    status: 'PAID',
    transactionType: paid < 0 ? 'WITHDRAWAL' : 'DEPOSIT',
  };
}

function balanceView(event: MoneyEvent, market: Market) {
  const { type, number, at, order, entries } = event;
  const isTransfer = type === 'payout';
  const { gross, fee } = isTransfer ? { gross: sumOf(entries), fee: 0 } : partsOf(event);
  const payout = payoutOf(event, market);
  return {
    __typename: 'ShopifyPaymentsBalanceTransaction',
    id: gid('ShopifyPaymentsBalanceTransaction', number),
    type: isTransfer ? 'TRANSFER' : type === 'sale' ? 'CHARGE' : 'REFUND',
    sourceType: isTransfer ? 'TRANSFER' : type === 'sale' ? 'CHARGE' : 'REFUND',
    test: false,
    transactionDate: isoTime(at),
    amount: money(gross),
    fee: money(fee),
    net: money(gross - fee),
    associatedOrder: order === null ? null : { id: orderGid(order), name: `#${1_000 + order.number}` },
    associatedPayout: {
      id: payout === '' ? null : gid('ShopifyPaymentsPayout', payout),
      status: payout === '' ? 'PENDING' : 'PAID',
    },
    sourceOrderTransactionId: isTransfer ? null : String(transactionNumber(event)),
  };
}

function money(amount: number) {
  return { amount: dollarText(cents(amount)), currencyCode: 'USD' };
}

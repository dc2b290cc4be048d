import { isAheadOf, moneyId } from '#connectors/booked-money.ts';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Span } from '#connectors/newest-first.ts';
import type { MoneyEvent, MoneyPage, ReportedSettlement } from '#domain/money/money-event.ts';
import { type Cents, cents } from '#domain/units.ts';
import { kindOfBalance } from './balance-kinds.ts';
import {
  isNothingSold,
  moneyOfOrder,
  negative,
  OF_NO_ORDER,
  type OrderMoney,
  readCents,
  receivedBy,
} from './order-money.ts';
import {
  BalancePage,
  type BalanceTransaction,
  NodesPage,
  PaidOrder,
  type Payout,
  PayoutsPage,
} from './payment-responses.ts';
import { withRefundLines } from './refund-line-pages.ts';
import type { ShopifyCalls } from './shopify-calls.ts';
import { pagesOf } from './shopify-pages.ts';
import { BALANCE, PAID_ORDERS, PAYOUTS } from './shopify-queries.ts';

const PAYOUTS_A_PAGE = 20;
const TRANSACTIONS_A_PAGE = 20;
const OF_ORDERS = new Set(['CHARGE', 'REFUND']);

/**
 * The payouts of a time, each with what it consists of. Nothing without the right to read payouts: what orders tell is
 * read without it.
 */
export async function* readPayouts(
  calls: ShopifyCalls,
  account: Account,
  { since, until }: Span,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  const issued = `issued_at:>='${new Date(since).toISOString()}' issued_at:<='${new Date(until).toISOString()}'`;
  try {
    const pages = pagesOf<Payout>(PAYOUTS_A_PAGE, async (first, after) => {
      const call = { operation: 'payouts', query: PAYOUTS, variables: { first, after, issued } };
      const { data } = await calls.ask(account, call, PayoutsPage, 'list of payouts', signal);
      // A store without Shopify Payments has no such account.
      return data.shopifyPaymentsAccount?.payouts ?? { pageInfo: { hasNextPage: false }, nodes: [] };
    });
    for await (const payouts of pages) {
      for (const payout of payouts) yield* moneyOfPayout(calls, account, payout, signal);
    }
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault !== 'permission') throw error;
  }
}

async function* moneyOfPayout(
  calls: ShopifyCalls,
  account: Account,
  payout: Payout,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  const ofPayout = `payments_transfer_id:${payout.id.split('/').at(-1)}`;
  const pages = pagesOf<BalanceTransaction>(TRANSACTIONS_A_PAGE, async (first, after) => {
    const call = { operation: 'balance', query: BALANCE, variables: { first, after, ofPayout } };
    const { data } = await calls.ask(account, call, BalancePage, 'list of balance transactions', signal);
    return (
      data.shopifyPaymentsAccount?.balanceTransactions ?? { pageInfo: { hasNextPage: false }, nodes: [] }
    );
  });
  let settlements = [settlementOf(payout)];
  for await (const transactions of pages) {
    const { events, refused } = await moneyOfBalance(calls, account, transactions, payout.id, signal);
    yield { events, refused, settlements };
    settlements = [];
  }
  if (settlements.length > 0) yield { events: [], refused: [], settlements };
}

function settlementOf({ id, issuedAt, net, status, transactionType }: Payout): ReportedSettlement {
  // A total that cannot be read is unknown.
  const total = readCents(id, net, { refused: [] });
  return {
    ref: id,
    from: null,
    to: issuedAt,
    paidAt: status === 'PAID' ? issuedAt : null,
    total: total === null || transactionType !== 'WITHDRAWAL' ? total : negative(Math.abs(total)),
    // It has everything that was available when it was issued.
    isClosed: true,
  };
}

/** Payments and refunds as their orders tell them, so that both readings book the same amounts; the others alone. */
async function moneyOfBalance(
  calls: ShopifyCalls,
  account: Account,
  transactions: readonly BalanceTransaction[],
  payout: string,
  signal: AbortSignal,
): Promise<OrderMoney> {
  const money: OrderMoney = { events: [], refused: [] };
  const real = transactions.filter(({ test }) => !test);
  const ids = new Set(real.flatMap((one) => (isOfOrder(one) ? [one.associatedOrder?.id ?? ''] : [])));
  const call = { operation: 'paidOrders', query: PAID_ORDERS, variables: { ids: [...ids] } };
  const nodes =
    ids.size === 0 ? [] : (await calls.ask(account, call, NodesPage, 'list of orders', signal)).data.nodes;
  const payouts = new Map(real.map((one) => [orderTransactionOf(one), payout]));
  const paid = new Map<string, PaidTransaction>();
  for (const node of nodes) {
    const order = PaidOrder.safeParse(node);
    if (!order.success) continue;
    const whole = await withRefundLines(calls, account, order.data, signal);
    const { events, refused } = moneyOfOrder(whole, payouts, calls.now());
    // Other payments of the order are in other payouts.
    money.events.push(...events.filter(({ settlementRef }) => settlementRef !== null));
    money.refused.push(...refused);
    const isSold = !isNothingSold(whole);
    for (const one of whole.transactions) paid.set(one.id, { received: receivedBy(one), isSold });
  }
  for (const one of real) {
    const ofOrder = isOfOrder(one) ? paid.get(orderTransactionOf(one)) : undefined;
    if (ofOrder === undefined) bookAlone(one, payout, calls, money);
    else {
      bookExchange(one, ofOrder, payout, money);
      bookFeeBeyond(one, ofOrder, payout, money);
    }
  }
  return money;
}

/** A payment or refund as its order tells it. */
interface PaidTransaction {
  /** As the store sees it; null where the amount cannot be read, which is refused already. */
  readonly received: Cents | null;
  /** The order is a sale. */
  readonly isSold: boolean;
}

function isOfOrder({ type, associatedOrder, sourceOrderTransactionId }: BalanceTransaction): boolean {
  return OF_ORDERS.has(type) && associatedOrder !== null && sourceOrderTransactionId !== null;
}

function orderTransactionOf({ sourceOrderTransactionId }: BalanceTransaction): string {
  return `gid://shopify/OrderTransaction/${sourceOrderTransactionId}`;
}

/**
 * What the balance received beyond the order's own amount: of a buyer who paid in another currency, what the rate changed
 * until the money was converted.
 */
function bookExchange(
  one: BalanceTransaction,
  { received: amount, isSold }: PaidTransaction,
  payout: string,
  money: OrderMoney,
): void {
  const externalId = moneyId(one.id, 'exchange');
  const received = readCents(externalId, one.amount, money);
  if (received === null || amount === null || received === amount) return;
  money.events.push({
    externalId,
    kind: one.type === 'REFUND' ? 'refund_other' : 'other',
    rawType: `${one.type} > exchange`,
    amount: cents(received - amount),
    ...ofBalance(one, payout),
    ...(isSold ? {} : OF_NO_ORDER),
  });
}

/** What an event of the balance has besides its amount. */
function ofBalance({ associatedOrder, transactionDate }: BalanceTransaction, payout: string) {
  return {
    orderRef: associatedOrder?.id ?? null,
    lineRef: null,
    sku: null,
    itemId: null,
    quantity: null,
    postedAt: transactionDate,
    releasedAt: transactionDate,
    settlementRef: payout,
  };
}

/** What the balance tells of a fee beyond what the order tells: a fee that came back, for example. */
function bookFeeBeyond(
  one: BalanceTransaction,
  { isSold }: PaidTransaction,
  payout: string,
  money: OrderMoney,
): void {
  const transaction = orderTransactionOf(one);
  const feeId = moneyId(transaction, 'fee');
  const fee = readCents(moneyId(one.id, 'fee'), one.fee, money);
  const ofOrder = money.events.find(({ externalId }) => externalId === feeId)?.amount ?? 0;
  if (fee === null || fee + ofOrder === 0) return;
  const amount = negative(fee + ofOrder);
  money.events.push({
    externalId: moneyId(one.id, 'fee'),
    kind:
      one.type === 'REFUND'
        ? amount < 0
          ? 'refund_fee'
          : 'refund_other'
        : isSold
          ? 'payment'
          : 'refund_fee',
    rawType: `${one.type} > fee`,
    amount,
    ...ofBalance(one, payout),
    ...(isSold ? {} : OF_NO_ORDER),
  });
}

/** A transaction alone: of no order, or of one that the key may not read. */
function bookAlone(one: BalanceTransaction, payout: string, calls: ShopifyCalls, money: OrderMoney): void {
  const { id, type, transactionDate: postedAt } = one;
  if (isAheadOf(calls.now(), postedAt)) {
    money.refused.push({ where: id, why: 'future' });
    return;
  }
  const amount = readCents(id, one.amount, money);
  const fee = readCents(moneyId(id, 'fee'), one.fee, money);
  const key = isOfOrder(one) ? orderTransactionOf(one) : id;
  const kind = type === 'CHARGE' ? 'principal' : type === 'REFUND' ? 'refund_principal' : kindOfBalance(type);
  const common = {
    ...ofBalance(one, payout),
    // The payout itself is not part of what it pays.
    ...(type.startsWith('TRANSFER') ? { settlementRef: null } : {}),
  };
  const book = (event: Pick<MoneyEvent, 'externalId' | 'kind' | 'rawType' | 'amount'>): void => {
    if (event.amount !== 0) money.events.push({ ...common, ...event });
  };
  if (amount !== null) book({ externalId: key, kind, rawType: type, amount });
  if (fee !== null) {
    book({
      externalId: moneyId(key, 'fee'),
      kind: 'payment',
      rawType: `${type} > fee`,
      amount: negative(fee),
    });
  }
}

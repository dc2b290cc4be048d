import { bookedCents, isAheadOf, moneyId } from '#connectors/booked-money.ts';
import type { MoneyEvent, MoneyKind, RefusedMoney } from '#domain/money/money-event.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import type { AnyMoney, PaidOrder } from './payment-responses.ts';
import { NEVER_SENT } from './shopify-responses.ts';

type Transaction = PaidOrder['transactions'][number];

/** Payments that moved money: an authorization is only a promise. */
const PAID = new Set(['SALE', 'CAPTURE']);
const MOVES = new Set([...PAID, 'REFUND', 'CHANGE']);

/** The part of an event that is its own: all of an order are alike otherwise. */
type Part = Pick<MoneyEvent, 'externalId' | 'kind' | 'rawType' | 'amount'> &
  Partial<Pick<MoneyEvent, 'lineRef' | 'quantity'>>;

export interface OrderMoney {
  readonly events: MoneyEvent[];
  readonly refused: RefusedMoney[];
}

/**
 * What was paid for an order and given back, with the fees that Shopify Payments charged: other ways of payment tell no
 * fees. The sales tax in it is apart and only passes through: the store owes it to the state. Payments of an order that is
 * not paid in full only passed through so far, with their fees: as revenue they would make its sale a loss.
 * @param payouts those that are known, by transaction of the order
 */
export function moneyOfOrder(
  order: PaidOrder,
  payouts: ReadonlyMap<string, string>,
  now: Instant,
): OrderMoney {
  const money: OrderMoney = { events: [], refused: [] };
  if (order.test) return money;
  const moved = order.transactions.filter(
    ({ kind, status, test }) => MOVES.has(kind) && status === 'SUCCESS' && !test,
  );
  const book = ({ id, createdAt, processedAt }: Transaction, part: Part): void => {
    if (part.amount === 0) return;
    const postedAt = processedAt ?? createdAt;
    if (isAheadOf(now, postedAt)) {
      money.refused.push({ where: part.externalId, why: 'future' });
      return;
    }
    money.events.push({
      orderRef: order.id,
      lineRef: null,
      sku: null,
      itemId: null,
      quantity: null,
      postedAt,
      releasedAt: postedAt,
      settlementRef: payouts.get(id) ?? null,
      ...part,
    });
  };
  bookPayments(order, moved, money, book);
  bookRefunds(order, moved, money, book);
  for (const transaction of moved) bookFees(order, transaction, money, book);
  return money;
}

type Book = (transaction: Transaction, part: Part) => void;

function bookPayments(
  { fullyPaid, totalTaxSet, totalTipReceivedSet }: PaidOrder,
  moved: readonly Transaction[],
  money: OrderMoney,
  book: Book,
): void {
  // The whole tax is in the first payment that has so much, and then the whole tip.
  let tax = totalTaxSet == null ? 0 : (readCents('totalTaxSet', totalTaxSet, money) ?? 0);
  let tip =
    totalTipReceivedSet == null ? 0 : (readCents('totalTipReceivedSet', totalTipReceivedSet, money) ?? 0);
  for (const transaction of moved) {
    const { id, kind, amountSet } = transaction;
    if (kind === 'REFUND') continue;
    const amount = readCents(id, amountSet, money);
    if (amount === null) continue;
    if (!PAID.has(kind)) {
      book(transaction, { externalId: id, kind: 'other', rawType: kind, amount: cents(-amount) });
      continue;
    }
    const owed = Math.min(tax, amount);
    tax -= owed;
    const given = Math.min(tip, amount - owed);
    tip -= given;
    const own = fullyPaid ? 'principal' : 'transfer';
    book(transaction, { externalId: id, kind: own, rawType: kind, amount: cents(amount - owed - given) });
    // As revenue it would be that of a line which is not recorded.
    book(transaction, {
      externalId: moneyId(id, 'tip'),
      kind: fullyPaid ? 'other' : 'transfer',
      rawType: `${kind} > tip`,
      amount: cents(given),
    });
    const externalId = moneyId(id, 'tax');
    book(transaction, { externalId, kind: 'transfer', rawType: `${kind} > tax`, amount: cents(owed) });
  }
}

function bookRefunds(
  { fullyPaid, refunds }: PaidOrder,
  moved: readonly Transaction[],
  money: OrderMoney,
  book: Book,
): void {
  const left = new Map(moved.filter(({ kind }) => kind === 'REFUND').map((one) => [one.id, one]));
  for (const refund of refunds) {
    const paid = refund.transactions.nodes.flatMap(({ id }) => left.get(id) ?? []);
    for (const { id } of paid) left.delete(id);
    const [first] = paid;
    // Goods may be taken back without money.
    if (first !== undefined) bookRefund(refund, fullyPaid, paid, first, money, book);
  }
  for (const transaction of left.values()) {
    const { id: externalId, kind: rawType, amountSet } = transaction;
    const amount = readCents(externalId, amountSet, money);
    if (amount !== null) {
      book(transaction, { externalId, kind: 'refund_principal', rawType, amount: negative(amount) });
    }
  }
}

/**
 * The lines, shipping and tax of a refund, and what of its money they do not explain. Units that were never sent are not sold:
 * what was paid for them is no revenue of the order.
 */
function bookRefund(
  { id, refundLineItems, refundShippingLines }: PaidOrder['refunds'][number],
  isPaid: boolean,
  paid: readonly Transaction[],
  first: Transaction,
  money: OrderMoney,
  book: Book,
): void {
  const parts: Part[] = [];
  let isComplete = true;
  const add = (
    externalId: string,
    kind: MoneyKind,
    rawType: string,
    told: AnyMoney,
    more: Partial<Part> = {},
  ): void => {
    const amount = readCents(externalId, told, money);
    if (amount === null) isComplete = false;
    else parts.push({ externalId, kind, rawType, amount: negative(amount), ...more });
  };
  for (const line of refundLineItems.nodes) {
    const lineRef = line.lineItem.id;
    const place = line.id ?? moneyId(id, lineRef);
    const quantity = line.quantity === 0 ? null : line.quantity;
    if (isPaid && line.restockType === NEVER_SENT) {
      add(place, 'principal', 'REFUND > canceled line', line.subtotalSet);
    } else {
      add(place, 'refund_principal', 'REFUND > line', line.subtotalSet, { lineRef, quantity });
    }
    add(moneyId(place, 'tax'), 'transfer', 'REFUND > line > tax', line.totalTaxSet, { lineRef });
  }
  for (const shipping of refundShippingLines.nodes) {
    add(shipping.id, 'refund_shipping', 'REFUND > shipping', shipping.subtotalAmountSet);
    add(moneyId(shipping.id, 'tax'), 'transfer', 'REFUND > shipping > tax', shipping.taxAmountSet);
  }
  for (const part of parts) book(first, part);
  const amounts = paid.map((one) => readCents(one.id, one.amountSet, money));
  const known = amounts.filter((amount) => amount !== null);
  if (!isComplete || known.length < amounts.length) return;
  const explained = parts.reduce((sum, { amount }) => sum + amount, 0);
  const rest = negative(known.reduce((sum, amount) => sum + amount, 0) + explained);
  book(first, { externalId: id, kind: 'refund_other', rawType: 'REFUND > adjustment', amount: rest });
}

/** The fees of a transaction are one amount; none is booked where one of them cannot be read. */
function bookFees({ fullyPaid }: PaidOrder, transaction: Transaction, money: OrderMoney, book: Book): void {
  const { id, kind, fees } = transaction;
  const externalId = moneyId(id, 'fee');
  const amounts = fees.map(({ amount }) => readCents(externalId, amount, money));
  const known = amounts.filter((amount) => amount !== null);
  if (known.length < amounts.length) return;
  const amount = negative(known.reduce((sum, one) => sum + one, 0));
  const ofPayment = fullyPaid ? 'payment' : 'transfer';
  book(transaction, {
    externalId,
    kind: kind === 'REFUND' ? (amount < 0 ? 'refund_fee' : 'refund_other') : ofPayment,
    rawType: `${kind} > fees`,
    amount,
  });
}

/** Null for an amount that cannot be taken, which is told. */
export function readCents(
  where: string,
  { amount, currencyCode }: AnyMoney,
  { refused }: Pick<OrderMoney, 'refused'>,
): Cents | null {
  const read = currencyCode === 'USD' ? bookedCents(amount) : 'currency';
  if (typeof read === 'number') return read;
  refused.push({ where, why: read });
  return null;
}

/** Without the sign of -0. */
export function negative(amount: number): Cents {
  return cents(amount === 0 ? 0 : -amount);
}

import { bookedCents, isAheadOf, moneyId } from '#connectors/booked-money.ts';
import type { MoneyEvent, MoneyKind, RefusedMoney } from '#domain/money/money-event.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import type { AnyMoney, PaidOrder } from './payment-responses.ts';
import { NEVER_SENT } from './shopify-responses.ts';

type Transaction = PaidOrder['transactions'][number];

/** Payments that moved money: an authorization is only a promise. Change is what a buyer paid too much in cash. */
const PAID = new Set(['SALE', 'CAPTURE']);
const MOVES = new Set([...PAID, 'REFUND', 'CHANGE']);

/** The part of an event that is its own: all of an order are alike otherwise. */
type Part = Pick<MoneyEvent, 'externalId' | 'kind' | 'rawType' | 'amount'> &
  Partial<Pick<MoneyEvent, 'orderRef' | 'lineRef' | 'quantity' | 'isOfNoOrder'>>;

export interface OrderMoney {
  readonly events: MoneyEvent[];
  readonly refused: RefusedMoney[];
}

/**
 * What was paid for an order and given back, with the fees that Shopify Payments charged: other ways of payment tell no
 * fees. The sales tax in it is apart and only passes through: the store owes it to the state. Payments of an order that is
 * not paid in full only passed through so far, with their fees: as revenue they would make its sale a loss. Payments of a
 * canceled order pass through too, but Shopify keeps its fees for them: these belong to no order then.
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
  const isSold = !isNothingSold(order);
  const pass: Book = (transaction, part) => book(transaction, { ...part, kind: 'transfer' });
  bookPayments(order, moved, money, isSold ? book : pass);
  bookRefunds(order, moved, money, isSold ? book : pass);
  const bookFee: Book = isSold ? book : (transaction, part) => book(transaction, keptFee(part));
  for (const transaction of moved) bookFees(order.fullyPaid || !isSold, transaction, money, bookFee);
  return money;
}

type Book = (transaction: Transaction, part: Part) => void;

/** What was charged for an order that is no sale counts on its day, and for the store as a whole. */
export const OF_NO_ORDER = { orderRef: null, lineRef: null, isOfNoOrder: true } as const;

/** A fee of an order that is no sale: that of its payment is what the refund of it costs. */
function keptFee(fee: Part): Part {
  return { ...fee, kind: fee.kind === 'payment' ? 'refund_fee' : fee.kind, ...OF_NO_ORDER };
}

/** Whether an order has no sale: it was canceled, or all of its units were before they were sent. */
export function isNothingSold({
  cancelledAt,
  subtotalLineItemsQuantity: ordered,
  currentSubtotalLineItemsQuantity: left,
  refunds,
}: PaidOrder): boolean {
  if (cancelledAt != null) return true;
  // An order of gift cards alone has no such units.
  if (ordered == null || ordered === 0 || left !== 0) return false;
  return refunds.every(({ refundLineItems: { nodes } }) =>
    nodes.every(({ restockType }) => restockType === NEVER_SENT),
  );
}

/**
 * Payments with the sales tax in them, and what is for none of the order's lines: the tip, and customs charges not in
 * the prices. As revenue these would be that of lines which are not recorded.
 */
function bookPayments(
  { fullyPaid, totalTaxSet, totalTipReceivedSet, dutiesIncluded, originalTotalDutiesSet }: PaidOrder,
  moved: readonly Transaction[],
  money: OrderMoney,
  book: Book,
): void {
  const totalOf = (where: string, total: AnyMoney | null | undefined): number =>
    total == null ? 0 : (readCents(where, total, money) ?? 0);
  // The whole tax is in the first payment that has so much, then the whole tip, then the customs charges.
  let tax = totalOf('totalTaxSet', totalTaxSet);
  const beyondLines = [
    { name: 'tip', left: totalOf('totalTipReceivedSet', totalTipReceivedSet) },
    {
      name: 'customs',
      left: dutiesIncluded === true ? 0 : totalOf('originalTotalDutiesSet', originalTotalDutiesSet),
    },
  ];
  for (const transaction of moved) {
    const { id, kind, amountSet } = transaction;
    if (kind === 'REFUND') continue;
    const amount = readCents(id, amountSet, money);
    if (amount === null) continue;
    const own = fullyPaid ? 'principal' : 'transfer';
    if (!PAID.has(kind)) {
      book(transaction, { externalId: id, kind: own, rawType: kind, amount: negative(amount) });
      continue;
    }
    const owed = Math.min(tax, amount);
    tax -= owed;
    let forLines = amount - owed;
    const apart = beyondLines.map((part) => {
      const given = Math.min(part.left, forLines);
      part.left -= given;
      forLines -= given;
      return { name: part.name, given };
    });
    book(transaction, { externalId: id, kind: own, rawType: kind, amount: cents(forLines) });
    for (const { name, given } of apart) {
      book(transaction, {
        externalId: moneyId(id, name),
        kind: fullyPaid ? 'other' : 'transfer',
        rawType: `${kind} > ${name}`,
        amount: cents(given),
      });
    }
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
    reported: AnyMoney,
    more: Partial<Part> = {},
  ): void => {
    const amount = readCents(externalId, reported, money);
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
function bookFees(isFinal: boolean, transaction: Transaction, money: OrderMoney, book: Book): void {
  const { id, kind, fees } = transaction;
  const externalId = moneyId(id, 'fee');
  const amounts = fees.map(({ amount }) => readCents(externalId, amount, money));
  const known = amounts.filter((amount) => amount !== null);
  if (known.length < amounts.length) return;
  const amount = negative(known.reduce((sum, one) => sum + one, 0));
  const ofPayment = isFinal ? 'payment' : 'transfer';
  book(transaction, {
    externalId,
    kind: kind === 'REFUND' ? (amount < 0 ? 'refund_fee' : 'refund_other') : ofPayment,
    rawType: `${kind} > fees`,
    amount,
  });
}

/**
 * What a transaction moved, as the store sees it: paid back below zero.
 * @returns null where it cannot be read
 */
export function receivedBy({ id, kind, amountSet }: Transaction): Cents | null {
  const amount = readCents(id, amountSet, { refused: [] });
  return amount === null || PAID.has(kind) ? amount : negative(amount);
}

/** Null for an amount that cannot be taken, which is refused with the reason. */
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

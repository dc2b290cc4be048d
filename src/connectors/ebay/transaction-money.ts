import type { z } from 'zod';
import { bookedCents, isAheadOf, moneyId } from '#connectors/booked-money.ts';
import type { MoneyEvent, MoneyKind, RefusedMoney, WholeTransaction } from '#domain/money/money-event.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import { NAME } from './ebay-calls.ts';
import { type BookedAmount, type BookedFee, MoneyTransaction } from './ebay-responses.ts';

/** Transactions that are one amount. Those with fees, and charges by their fee, are below. */
const KIND_OF_TYPE: ReadonlyMap<string, MoneyKind> = new Map([
  ['SHIPPING_LABEL', 'label'],
  ['TRANSFER', 'transfer'],
  ['BALANCE_TRANSFER', 'transfer'],
  ['WITHDRAWAL', 'transfer'],
  ['LOAN_REPAYMENT', 'transfer'],
]);

/** What fees are for; other ones are known by their name only. */
const KIND_OF_FEE: ReadonlyMap<string, MoneyKind> = new Map([
  ['FINAL_VALUE_FEE', 'commission'],
  // Surcharges on the final value fee for the seller's level and for returns in the category.
  ['BELOW_STANDARD_FEE', 'commission'],
  ['HIGH_ITEM_NOT_AS_DESCRIBED_FEE', 'commission'],
  ['FINAL_VALUE_FEE_FIXED_PER_ORDER', 'per_order'],
  ['AD_FEE', 'ad'],
  ['PREMIUM_AD_FEES', 'ad'],
  ['INSERTION_FEE', 'renewal'],
]);

type Transaction = z.output<typeof MoneyTransaction>;
type Why = RefusedMoney['why'];

/**
 * What one transaction booked. Its amounts add up to what came in or went out by it.
 * @param transaction as eBay answered it
 */
export function moneyOfTransaction(transaction: unknown, now: Instant): BookedTransaction {
  const read = MoneyTransaction.safeParse(transaction);
  return read.success ? eventsOf(read.data, now) : nothingBut(refusalOf(transaction));
}

interface BookedTransaction {
  readonly events: readonly MoneyEvent[];
  readonly refused: readonly RefusedMoney[];
  readonly whole: readonly WholeTransaction[];
}

function nothingBut(refused: RefusedMoney): BookedTransaction {
  return { events: [], refused: [refused], whole: [] };
}

/** A transaction without an ID, time, type or sign. */
function refusalOf(transaction: unknown): RefusedMoney {
  const { transactionId: id, transactionType: type } = Object(transaction) as Record<string, unknown>;
  if (typeof id !== 'string' || id === '') return { where: `${NAME} transaction`, why: 'no_id' };
  return {
    where: typeof type === 'string' ? placeOf(type, id) : id.slice(0, 100),
    why: 'unreadable',
  };
}

function placeOf(type: string, id: string): string {
  return `${type} ${id}`.slice(0, 200);
}

/** An amount in cents, or why it cannot be booked. */
export function centsOf({ value, currency }: BookedAmount): Cents | Why {
  return currency === 'USD' ? bookedCents(value) : currency === null ? 'unreadable' : 'currency';
}

/** A fee of an order line, of all its rows of that type; or a donation from it. */
interface Leaf {
  readonly type: string;
  readonly kind: MoneyKind;
  readonly lineRef: string;
  readonly amount: number;
  readonly isDonation: boolean;
}

function eventsOf(transaction: Transaction, now: Instant): BookedTransaction {
  const { transactionId: id, transactionType: type, transactionDate: postedAt } = transaction;
  const where = placeOf(type, id);
  const amount = centsOf(transaction.amount);
  if (isAheadOf(now, postedAt)) return nothingBut({ where, why: 'future' });
  if (typeof amount === 'string') return nothingBut({ where, why: amount });
  const sign = transaction.bookingEntry === 'CREDIT' ? 1 : -1;
  const refused: RefusedMoney[] = [];
  const leaves = leavesOf(transaction, where, refused);
  const { taken, rest, deducted } = takenFrom(transaction, leaves, refused.length > 0);
  const isBack = type === 'REFUND' || type === 'DISPUTE';
  const lines = new Set(transaction.orderLineItems.map(({ lineItemId }) => lineItemId));
  const [onlyLine = null] = lines.size === 1 ? [...lines] : [];
  const common = {
    orderRef: transaction.orderId ?? referenceOf(transaction, 'ORDER_ID'),
    sku: null,
    itemId: referenceOf(transaction, 'ITEM_ID'),
    quantity: null,
    postedAt,
    // When a hold ends is not reported.
    releasedAt: transaction.transactionStatus === 'FUNDS_ON_HOLD' ? null : postedAt,
    settlementRef: transaction.payoutId ?? null,
  };
  const bases = basesOf(transaction);
  const events: MoneyEvent[] = taken.map((leaf) => ({
    ...common,
    externalId: moneyId(type, id, leaf.lineRef, leaf.type),
    kind: isBack ? returned(leaf.kind) : leaf.kind,
    rawType: `${type} > ${leaf.type}`,
    amount: booked(-sign * leaf.amount),
    lineRef: leaf.lineRef,
    ...(leaf.kind === 'commission' ? feeTold(bases.get(leaf.lineRef)) : {}),
  }));
  if (rest !== 0) {
    const amount = booked(-sign * rest);
    const [kind, rawType] = ['other', `${type} > totalFeeAmount`] as const;
    events.push({ ...common, externalId: moneyId(type, id, 'rest'), kind, rawType, amount, lineRef: null });
  }
  if (deducted === null) return { events, refused: [...refused, { where, why: 'unreadable' }], whole: [] };
  events.push({
    ...common,
    externalId: moneyId(type, id),
    ...kindOf(transaction, sign),
    amount: booked(sign * (amount + deducted)),
    lineRef: onlyLine,
  });
  const { orderRef } = common;
  // Fees are often reported first as their total, and later by their lines.
  const isWhole = refused.length === 0 && transaction.totalFeeAmount !== null;
  return { events, refused, whole: isWhole ? [{ id: moneyId(type, id), orderRef }] : [] };
}

function feeTold(base: Cents | undefined): Pick<MoneyEvent, 'fee'> {
  return base === undefined ? {} : { fee: { base, saved: null, category: null } };
}

/** The total with sales tax that the fees of each line are taken on; of several lines only where they add up to the total. */
function basesOf({ orderLineItems, totalFeeBasisAmount }: Transaction): ReadonlyMap<string, Cents> {
  const read = totalFeeBasisAmount === null ? null : centsOf(totalFeeBasisAmount);
  const total = typeof read === 'number' ? read : null;
  const lines = orderLineItems.map(({ lineItemId, feeBasisAmount }): [string, Cents] | null => {
    const base = feeBasisAmount === null ? null : centsOf(feeBasisAmount);
    if (typeof base === 'number') return [lineItemId, base];
    return orderLineItems.length === 1 && total !== null ? [lineItemId, total] : null;
  });
  const bases = new Map(lines.filter((line) => line !== null));
  const sum = [...bases.values()].reduce((all, base) => all + base, 0);
  return bases.size === orderLineItems.length && (total === null || sum === total) ? bases : new Map();
}

/** Without the sign of -0. */
function booked(amount: number): Cents {
  return cents(amount === 0 ? 0 : amount);
}

function leavesOf({ orderLineItems }: Transaction, where: string, refused: RefusedMoney[]): Leaf[] {
  const leaves = new Map<string, Leaf>();
  const add = (lineRef: string, isDonation: boolean, { feeType, amount }: BookedFee): void => {
    const fee = centsOf(amount);
    if (typeof fee === 'string') {
      refused.push({ where: `${where} > ${lineRef} > ${feeType}`.slice(0, 200), why: fee });
      return;
    }
    const key = `${lineRef} ${feeType}`;
    const kind = isDonation ? 'other' : (KIND_OF_FEE.get(feeType) ?? 'other');
    const sum = (leaves.get(key)?.amount ?? 0) + fee;
    leaves.set(key, { type: feeType, kind, lineRef, amount: sum, isDonation });
  };
  for (const { lineItemId, marketplaceFees, donations } of orderLineItems) {
    for (const fee of marketplaceFees) add(lineItemId, false, fee);
    for (const donation of donations) add(lineItemId, true, donation);
  }
  return [...leaves.values()].filter(({ amount }) => amount !== 0);
}

/**
 * Which fees were taken from this transaction, by its total of fees. Ad fees that the total does not include are
 * charged by a transaction of their own. Null for `deducted`: it cannot be reported.
 * @param isIncomplete some fees could not be read
 */
function takenFrom(
  { totalFeeAmount }: Transaction,
  leaves: readonly Leaf[],
  isIncomplete: boolean,
): { readonly taken: readonly Leaf[]; readonly rest: number; readonly deducted: number | null } {
  const sumOf = (some: readonly Leaf[]): number => some.reduce((sum, { amount }) => sum + amount, 0);
  const donations = sumOf(leaves.filter(({ isDonation }) => isDonation));
  const all = sumOf(leaves);
  const read = totalFeeAmount === null ? null : centsOf(totalFeeAmount);
  const total = typeof read === 'number' ? read : null;
  if (isIncomplete) {
    return { taken: leaves, rest: 0, deducted: total === null ? null : total + donations };
  }
  const fees = all - donations;
  if (total === null || total === fees || total === all) return { taken: leaves, rest: 0, deducted: all };
  const withoutAds = leaves.filter(({ kind }) => kind !== 'ad');
  if (sumOf(withoutAds) - donations === total) {
    return { taken: withoutAds, rest: 0, deducted: sumOf(withoutAds) };
  }
  return { taken: leaves, rest: total - fees, deducted: total + donations };
}

/** What the amount of a transaction is for, before its fees. */
function kindOf(
  { transactionType: type, feeType }: Transaction,
  sign: number,
): Pick<MoneyEvent, 'kind' | 'rawType'> {
  if (type === 'SALE') return { kind: 'principal', rawType: type };
  if (type === 'REFUND' || type === 'DISPUTE') return { kind: 'refund_principal', rawType: type };
  if (feeType !== null) {
    const kind = KIND_OF_FEE.get(feeType) ?? 'other';
    return { kind: sign > 0 ? returned(kind) : kind, rawType: `${type} > ${feeType}` };
  }
  if (type === 'CREDIT') return { kind: 'reimbursement', rawType: type };
  return { kind: KIND_OF_TYPE.get(type) ?? 'other', rawType: type };
}

/** The kind of a fee that comes back. */
function returned(kind: MoneyKind): MoneyKind {
  if (kind === 'commission') return 'refund_commission';
  return kind === 'per_order' || kind === 'renewal' ? 'refund_other' : kind;
}

function referenceOf({ references }: Transaction, type: string): string | null {
  return references.find(({ referenceType }) => referenceType.toUpperCase() === type)?.referenceId ?? null;
}

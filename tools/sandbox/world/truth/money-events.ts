import type { Instant } from '#domain/units.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';

/** What an amount is for. */
export type MoneyKind =
  /** What the buyer paid for goods and shipping, the marketplace's own discounts, and sales tax in and out. */
  | 'principal'
  | 'shipping'
  | 'funded'
  | 'tax'
  | 'tax_withheld'
  /** Fees of a sale. */
  | 'commission'
  | 'commission_on_shipping'
  | 'waived'
  | 'closing'
  | 'per_order'
  | 'renewal'
  | 'payment'
  | 'fulfillment'
  /** A fee that no document names. */
  | 'unnamed'
  | 'ad'
  | 'refund_fee'
  | 'label'
  | 'storage'
  | 'reimbursement'
  | 'payout';

/** One amount: positive for the seller, negative for the marketplace. */
export interface MoneyEntry {
  readonly kind: MoneyKind;
  /** Whole cents. */
  readonly amount: number;
  /** Null for an amount of no sale. */
  readonly line: OrderLine | null;
  readonly quantity: number;
}

export type MoneyEventType =
  | 'sale'
  | 'cancellation'
  | 'refund'
  | 'label'
  | 'ad'
  | 'storage'
  | 'reimbursement'
  | 'payout';

/** What a marketplace books at one time. */
export interface MoneyEvent {
  /** Counts up per marketplace. */
  readonly number: number;
  readonly type: MoneyEventType;
  readonly at: Instant;
  /** Null for amounts of no order. */
  readonly order: Order | null;
  /** Null for amounts of no listing. */
  readonly sku: string | null;
  readonly entries: readonly MoneyEntry[];
  /** Counts up per marketplace, from 1. */
  readonly settlement: number;
  /** The end of a deferral; null without one. */
  readonly releasedAt: Instant | null;
  /** Milliseconds until calls report it. */
  readonly lag: number;
  /** An amount that was first reported too high; null without one. */
  readonly restated: { readonly at: Instant; readonly kind: MoneyKind; readonly by: number } | null;
  /** Units that came back with a refund, and those of them that can be sold again. */
  readonly returned: number;
  readonly restocked: number;
}

/** The sum of the amounts, in cents. */
export function sumOf(entries: readonly Pick<MoneyEntry, 'amount'>[]): number {
  return entries.reduce((sum, { amount }) => sum + amount, 0);
}

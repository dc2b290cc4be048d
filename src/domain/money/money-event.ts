import type { Cents, Instant } from '#domain/units.ts';

/**
 * What an amount is for. `transfer` is money that only moved: payouts and reserves. `tax` is collected and remitted.
 * `other` is everything that we know only by its name.
 */
export const MONEY_KINDS = [
  'principal',
  'shipping',
  'discount',
  'funded',
  'commission',
  'closing',
  'per_order',
  'renewal',
  'payment',
  'fulfillment',
  'ad',
  'label',
  'refund_principal',
  'refund_shipping',
  'refund_commission',
  'refund_other',
  'refund_fee',
  'storage',
  'reimbursement',
  'tax',
  'transfer',
  'other',
] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];

/** How an amount found what it belongs to: `sku` is a listing without a sale, `marketplace` neither of them. */
export const MONEY_MATCHES = ['line', 'order_sku', 'order', 'sku', 'marketplace'] as const;
export type MoneyMatch = (typeof MONEY_MATCHES)[number];

/** Whose profit an amount is in: that of its sale, that of the day on which it was booked, or none. */
export const PROFIT_OF_MONEY = ['sale', 'day', 'none'] as const;
export type ProfitOfMoney = (typeof PROFIT_OF_MONEY)[number];

/** Why an amount could not be taken. */
export const MONEY_REFUSALS = [
  'currency',
  'unreadable',
  'fraction',
  'out_of_range',
  'future',
  'no_id',
] as const;

/** What the marketplace reports of a fee besides its amount. Null is not reported. */
export interface ReportedFee {
  /** What it is a share of, for all units: the total with sales tax. */
  readonly base: Cents | null;
  /** What a promotion took off it: its regular amount is higher by this. */
  readonly saved: Cents | null;
  /** The marketplace's own name of the category by which it is charged. */
  readonly category: string | null;
}

/** One amount that a marketplace booked. */
export interface MoneyEvent {
  /** Of this amount, the same whenever it is read: 1 to 200 characters, built from the IDs of the marketplace. */
  readonly externalId: string;
  readonly kind: MoneyKind;
  /** The marketplace's own name of the type, the parts of a path joined by " > ". */
  readonly rawType: string;
  /** Signed as the store sees it: received is positive, charged is negative. */
  readonly amount: Cents;
  /** The order as `readSales` of the same connector names it. */
  readonly orderRef: string | null;
  /** The order line as `readSales` of the same connector names it: its external ID. */
  readonly lineRef: string | null;
  readonly sku: string | null;
  readonly itemId: string | null;
  readonly quantity: number | null;
  readonly postedAt: Instant;
  /** Null: booked, but not released yet. */
  readonly releasedAt: Instant | null;
  /** The settlement whose reported total contains it; null for one that is in none, as the payout of a settlement itself. */
  readonly settlementRef: string | null;
  /** Of a fee; absent where nothing is reported. */
  readonly fee?: ReportedFee;
  /** It no longer belongs to an order, whatever was read of it before: its order was canceled and is no sale. */
  readonly isOfNoOrder?: true;
}

/** A settlement, payout or period as the marketplace reported it. Null is unknown. */
export interface ReportedSettlement {
  readonly ref: string;
  readonly from: Instant | null;
  readonly to: Instant | null;
  readonly paidAt: Instant | null;
  readonly total: Cents | null;
  readonly isClosed: boolean;
}

/** An amount or part that could not be taken: never a zero, and never the end of reading. */
export interface RefusedMoney {
  /** What it is in, in the words of the marketplace: its ID, or the line of a report. */
  readonly where: string;
  readonly why: (typeof MONEY_REFUSALS)[number];
}

/** A transaction that a page reports in full: no other amount of it counts, although it was reported before. */
export interface WholeTransaction {
  /** The external IDs of its amounts are this, or start with this and ":". */
  readonly id: string;
  /** Null for one of no order. */
  readonly orderRef: string | null;
  /** It is not released yet: an amount that was released since stays, its release reported it. */
  readonly isPending?: true;
}

export interface MoneyPage {
  readonly events: readonly MoneyEvent[];
  readonly settlements: readonly ReportedSettlement[];
  readonly refused: readonly RefusedMoney[];
  readonly whole?: readonly WholeTransaction[];
}

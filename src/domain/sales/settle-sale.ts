import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { MONEY_KINDS, type MoneyKind } from '#domain/money/money-event.ts';
import { type MoneyShare, REVENUE_KINDS } from '#domain/money/share-money.ts';
import { type Cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import { FEE_KINDS, type FeeKind, mainFeeOf, type SaleFees, WITH_WAREHOUSE } from './sale-fees.ts';
import { refundsByMoment } from './sale-refunds.ts';
import { splitCents } from './split-cents.ts';

/** What is known of the fees of a sale: nothing but the estimate, some of it, or all of it. */
export const MONEY_STATES = ['estimated', 'partly_told', 'told'] as const;

/** A part of what a sale earned, signed as the store sees it: received above zero, charged below. Null: neither. */
export interface SalePart {
  readonly kind: MoneyKind;
  readonly estimated: Cents | null;
  readonly told: Cents | null;
}

/** The same with amounts as decimal text, as it is stored. */
export interface SalePartText {
  readonly kind: MoneyKind;
  readonly estimated: string | null;
  readonly told: string | null;
}

/** A sale with what is estimated of it and what its marketplace booked. */
export interface SaleToSettle {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  readonly quantity: number;
  /** What the buyer paid for the units and for shipping; for shipping null is unknown. */
  readonly revenue: Cents;
  readonly shippingRevenue: Cents | null;
  readonly isShippingEstimate: boolean;
  readonly estimate: SaleFees;
  /** The fee that its order has once was reported, for whichever of its lines: what was not reported for this one is none of its. */
  readonly isOrderFeeReported?: boolean;
  /** What its marketplace booked on its day was read. */
  readonly isDayRead?: boolean;
  /** All fees, as they were reported with the order or by a file; null where they were not. */
  readonly orderFees: Cents | null;
  readonly shares: readonly MoneyShare[];
  /** The product cost of the units that came back into stock, and when; null without any. */
  readonly restocked: { readonly value: Cents; readonly at: Instant } | null;
}

/** The figures of a sale in force: what was reported, and the estimate of everything else. Null is unknown. */
export interface SettledSale {
  readonly parts: readonly SalePart[];
  /** What the marketplace charges, less what it gave back; with charges of a type that is unknown. */
  readonly fees: Cents | null;
  /** What is received beyond what the order reported: discounts that the marketplace funded, and corrections. */
  readonly adjustment: Cents;
  /** Charged for advertising; null where nothing was reported. */
  readonly ads: Cents | null;
  /** What the parcel cost by its reported label; null without one. */
  readonly label: Cents | null;
  /** What returns and claims cost, less what came back for them; null where nothing was reported. */
  readonly refunded: Cents | null;
  /** The same by the moment at which it was booked. */
  readonly refunds: readonly { readonly at: Instant; readonly amount: Cents }[];
  readonly state: (typeof MONEY_STATES)[number];
  /** A part of the figures is an estimate. */
  readonly isAbout: boolean;
  readonly isPending: boolean;
  /** The revenue was reported for all units: what the order reported of shipping is not needed. */
  readonly isRevenueReported: boolean;
}

/**
 * The marketplaces that book all selling fees of a unit in one transaction: once its commission is settled, a selling fee that
 * is not in it was not charged. Etsy books every fee alone, and a fulfillment fee may come later everywhere.
 */
const BOOKS_FEES_TOGETHER: ReadonlySet<Marketplace> = new Set<Marketplace>(['amazon', 'walmart', 'ebay']);

/**
 * What a sale earned by what was booked of it: a settled fee replaces the estimate of its kind alone, and a settled commission
 * also those of the fees that its marketplace books with it. A listing that sold out is not renewed: its renewal is none once
 * the other selling fees are settled and its day was read. A fee that was booked for some of the units keeps the estimate of
 * the others, and one that an order has once is booked for all of its lines. Once the revenue is reported for all units, it
 * counts instead of what the order reported; not while lines of the order are not recorded, whose money cannot be
 * distinguished: the sale is not reported then.
 */
export function settleSale(sale: SaleToSettle): SettledSale {
  const { revenue, shippingRevenue, shares } = sale;
  const reported = new ReportedMoney(shares, sale.quantity);
  const isOrderIncomplete = shares.some(({ isPart }) => isPart);
  const isRevenueReported = reported.isWhole('principal') && !isOrderIncomplete;
  const correction = isRevenueReported ? reported.sum(REVENUE_KINDS) - revenue - (shippingRevenue ?? 0) : 0;
  const fees = feesInForce(sale, reported, isRevenueReported);
  const label = -reported.sum(['label']);
  // Of a label that was refunded twice the rest is no parcel below zero.
  const rest = -reported.sum(['other', 'storage']) + Math.min(0, label);
  const adjustment = reported.sum(['funded']) + correction;
  const refunds = refundsByMoment(shares, sale.restocked).map(({ at, amount }) => ({
    at,
    amount: amountOf(amount),
  }));
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  const sums = [
    (fees.charged ?? 0) + rest,
    adjustment,
    refunded,
    ...MONEY_KINDS.map((kind) => reported.sum([kind])),
  ];
  const isInRange = sums.every(isAmount);
  const isShippingAssumed = sale.isShippingEstimate && !isRevenueReported;
  const isReported = fees.isByOrder
    ? !fees.isEstimated
    : reported.isWhole(mainFeeOf(sale.marketplace)) &&
      (sale.fulfillmentType === 'FBM' || reported.isWhole('fulfillment'));
  const isPartReported = fees.isByOrder || FEE_KINDS.some((kind) => reported.has(kind));
  const state =
    isReported && !isShippingAssumed && !isOrderIncomplete
      ? 'told'
      : isPartReported
        ? 'partly_told'
        : 'estimated';
  return {
    parts: partsOf(sale.estimate, reported),
    fees: fees.charged === null || !isInRange ? null : amountOf(fees.charged + rest),
    adjustment: amountOf(adjustment),
    ads: reported.has('ad') ? amountOf(-reported.sum(['ad'])) : null,
    label: reported.has('label') ? amountOf(Math.max(0, label)) : null,
    refunded: refunds.length === 0 ? null : amountOf(refunded),
    refunds,
    state,
    isAbout: state !== 'told' || fees.isEstimated,
    isPending: shares.some(({ isPending }) => isPending),
    isRevenueReported,
  };
}

/**
 * The reported amounts of a sale by kind, each with the units that it is for. Parts of a kind have names of their own, such as
 * a commission on the product and one on its shipping: they are for the same units.
 */
class ReportedMoney {
  readonly #kinds = new Map<MoneyKind, { amount: number; readonly units: Map<string, number> }>();
  readonly #quantity: number;

  constructor(shares: readonly MoneyShare[], quantity: number) {
    this.#quantity = quantity;
    for (const { kind, rawType, amount, units } of shares) {
      const reported = this.#kinds.get(kind) ?? { amount: 0, units: new Map<string, number>() };
      this.#kinds.set(kind, reported);
      reported.amount += amount;
      reported.units.set(rawType, (reported.units.get(rawType) ?? 0) + units);
    }
  }

  has(kind: MoneyKind): boolean {
    return this.#kinds.has(kind);
  }

  sum(kinds: readonly MoneyKind[]): number {
    return kinds.reduce((sum, kind) => sum + (this.#kinds.get(kind)?.amount ?? 0), 0);
  }

  units(kind: MoneyKind): number {
    return Math.min(this.#quantity, Math.max(0, ...(this.#kinds.get(kind)?.units.values() ?? [])));
  }

  isWhole(kind: MoneyKind): boolean {
    return this.has(kind) && this.units(kind) === this.#quantity;
  }
}

interface FeesInForce {
  /** Null is unknown. */
  readonly charged: number | null;
  /** A part of them is an estimate. */
  readonly isEstimated: boolean;
  /** They are those of the order or a file: the marketplace booked none of them yet. */
  readonly isByOrder: boolean;
}

function feesInForce(sale: SaleToSettle, reported: ReportedMoney, isRevenueReported: boolean): FeesInForce {
  const { marketplace, fulfillmentType, quantity, estimate, orderFees } = sale;
  const { isOrderFeeReported = false, isDayRead = false } = sale;
  const isByOrder = orderFees !== null && !reported.has(mainFeeOf(marketplace));
  // A marketplace without a warehouse does not report what another one charges for fulfillment.
  const isComplete = isByOrder && (fulfillmentType === 'FBM' || WITH_WAREHOUSE.has(marketplace));
  if (isComplete) return { charged: orderFees, isEstimated: false, isByOrder };
  let charged: number | null = isByOrder ? orderFees : 0;
  let isEstimated = false;
  const isSellingSettled = BOOKS_FEES_TOGETHER.has(marketplace) && reported.isWhole(mainFeeOf(marketplace));
  const isRenewalSettled = isDayRead && areSettled(OTHER_SELLING_FEES, estimate, reported);
  for (const kind of isByOrder ? (['fulfillment'] as const) : FEE_KINDS) {
    if (charged !== null) charged -= reported.sum([kind]);
    if (reported.isWhole(kind) || (kind === 'per_order' && isOrderFeeReported)) continue;
    if (isSellingSettled && kind !== 'fulfillment') continue;
    if (isRenewalSettled && kind === 'renewal') continue;
    const guess = estimate[kind];
    if (guess === undefined || guess === 0) continue;
    isEstimated = true;
    if (charged === null || guess === null) charged = null;
    else charged += restOf(guess, reported.units(kind), quantity);
  }
  if (charged !== null && !isRevenueReported) charged += estimate.chargeback;
  return { charged, isEstimated, isByOrder };
}

const OTHER_SELLING_FEES: readonly FeeKind[] = FEE_KINDS.filter(
  (kind) => kind !== 'renewal' && kind !== 'fulfillment',
);

/** Whether those of these fees that are expected were booked for all units. */
function areSettled(kinds: readonly FeeKind[], estimate: SaleFees, reported: ReportedMoney): boolean {
  return kinds.every(
    (kind) => reported.isWhole(kind) || estimate[kind] === undefined || estimate[kind] === 0,
  );
}

/** The estimate of the units that were not reported. */
function restOf(guess: Cents, units: number, quantity: number): number {
  return guess - (splitCents(guess, [units, quantity - units])[0] ?? 0);
}

function partsOf(estimate: SaleFees, reported: ReportedMoney): SalePart[] {
  const estimates: Readonly<Partial<Record<MoneyKind, Cents | null>>> = estimate;
  return MONEY_KINDS.flatMap((kind) => {
    const guess = estimates[kind] ?? null;
    const isReported = reported.has(kind);
    if (guess === null && !isReported) return [];
    const estimated = guess === null ? null : amountOf(-guess);
    return [{ kind, estimated, told: isReported ? amountOf(reported.sum([kind])) : null }];
  });
}

function isAmount(sum: number): boolean {
  return Math.abs(sum) <= MAX_CENTS;
}

/** Beyond the range of an amount its end: the fees of the sale are unknown then, and so is its profit. */
function amountOf(sum: number): Cents {
  return (Math.max(-MAX_CENTS, Math.min(MAX_CENTS, sum)) + 0) as Cents;
}

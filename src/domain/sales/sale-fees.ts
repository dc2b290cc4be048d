import { scheduleAt } from '#domain/fees/compose-fees.ts';
import type { FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { MoneyKind } from '#domain/money/money-event.ts';
import { type Bps, type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';
import { splitCents } from './split-cents.ts';

/** A line of an order, as far as its fees depend on it. */
export interface SoldLine {
  /** From 1. */
  readonly quantity: number;
  /** What the buyer paid for all units, less discounts, without shipping and tax. */
  readonly revenue: Cents;
  /** What the buyer paid for shipping all units. */
  readonly shipping: Cents;
  readonly fulfillmentType: FulfillmentType;
  /** The fees in force at the sale; null is unknown. */
  readonly fees: FeeTable | null;
  /** Those of the fee schedule, which count where `fees` is not known at the price. */
  readonly scheduledFees: FeeTable | null;
  /** The FBA/WFS fee of one unit at the sale; null is unknown. Ignored for FBM, which has none. */
  readonly fulfillmentFee: Cents | null;
}

/** What a marketplace rounds to whole cents: the fee of a unit, of a line, or of an order. */
const ROUNDED: Readonly<Record<Marketplace, 'unit' | 'line' | 'order'>> = {
  amazon: 'unit',
  walmart: 'line',
  michaels: 'line',
  etsy: 'line',
  ebay: 'order',
  shopify: 'order',
};

/** The kinds of money that are fees of a sale. */
export const FEE_KINDS = [
  'commission',
  'closing',
  'per_order',
  'renewal',
  'payment',
  'fulfillment',
] as const satisfies readonly MoneyKind[];
export type FeeKind = (typeof FEE_KINDS)[number];

/** Fees of a sale by kind, without those of nothing. Null is unknown: so is then the sum. */
export type SaleFees = Readonly<Partial<Record<FeeKind, Cents | null>>> & {
  /** What the buyer paid for shipping from a marketplace's warehouse, which is taken back. */
  readonly chargeback: Cents;
};

/** The parts of a schedule. */
type FeePart = 'percent' | 'percentTaxed' | 'perOrder' | 'perUnit';

/** As what each marketplace books the parts of a schedule. */
const USUAL_KINDS: Readonly<Record<FeePart, FeeKind>> = {
  percent: 'commission',
  percentTaxed: 'payment',
  perOrder: 'per_order',
  perUnit: 'closing',
};
const BOOKED_AS: Readonly<Record<Marketplace, Readonly<Record<FeePart, FeeKind>>>> = {
  amazon: USUAL_KINDS,
  walmart: USUAL_KINDS,
  michaels: USUAL_KINDS,
  ebay: { ...USUAL_KINDS, percentTaxed: 'commission' },
  etsy: { percent: 'commission', percentTaxed: 'payment', perOrder: 'payment', perUnit: 'renewal' },
  shopify: { percent: 'payment', percentTaxed: 'payment', perOrder: 'payment', perUnit: 'payment' },
};

/** The fee without which nothing of a sale is reported. */
export function mainFeeOf(marketplace: Marketplace): FeeKind {
  return BOOKED_AS[marketplace].percent;
}

/** The sum of all fees; null while one of them is unknown. */
export function totalFees({ chargeback, ...fees }: SaleFees): Cents | null {
  let sum: number = chargeback;
  for (const fee of Object.values(fees)) {
    if (fee === null) return null;
    sum += fee;
  }
  return sum <= MAX_CENTS ? (sum as Cents) : null;
}

/**
 * The estimated fees of the lines of one order: percentages of the price really paid per unit, amounts per order once,
 * and the fulfillment fee of every unit. Rounded as the marketplace rounds, half up; what it charges for the order is
 * split over the lines to the cent.
 * @param lines in their order: of equal remainders of a split the earlier line gets the cent
 * @returns the fees of each line, as the marketplace books them; an unknown one leaves the other lines known
 */
export function estimateFees(marketplace: Marketplace, lines: readonly SoldLine[]): SaleFees[] {
  const priced = lines.map((line) => pricedLine(marketplace, line));
  const charges = chargesOf(
    ROUNDED[marketplace],
    priced.filter((line) => line !== null),
  );
  let next = 0;
  return lines.map((line, index) => {
    const charge = priced[index] === null ? null : (charges[next++] ?? null);
    return { ...bookedFees(marketplace, charge), ...warehouseFeesOf(marketplace, line) };
  });
}

/** What is charged in percent, per order and per unit, in whole cents. */
type Charge = Readonly<Record<FeePart, number>>;

function bookedFees(marketplace: Marketplace, charge: Charge | null): Partial<Record<FeeKind, Cents | null>> {
  const main = mainFeeOf(marketplace);
  if (charge === null) {
    return Object.fromEntries(Object.values(BOOKED_AS[marketplace]).map((kind) => [kind, null]));
  }
  const fees = new Map<FeeKind, number>([[main, 0]]);
  for (const part of ['percent', 'percentTaxed', 'perOrder', 'perUnit'] as const) {
    const kind = BOOKED_AS[marketplace][part];
    if (charge[part] > 0) fees.set(kind, (fees.get(kind) ?? 0) + charge[part]);
  }
  return Object.fromEntries([...fees].map(([kind, fee]) => [kind, fee <= MAX_CENTS ? (fee as Cents) : null]));
}

/** A line whose percentages are known. Amounts of type bigint are exact, in {@link PART}ths of a cent. */
interface PricedLine {
  readonly line: SoldLine;
  readonly schedule: FeeSchedule;
  readonly salesTax: Bps;
  readonly revenue: Cents;
  /** Its units by their revenue, which differs by a cent where it cannot be divided evenly. */
  readonly units: readonly { readonly count: number; readonly revenue: Cents }[];
}

/** Parts of a cent in which a percentage of an amount with a percentage of tax is whole. */
const PART = BigInt(WHOLE) * BigInt(WHOLE);

function pricedLine(marketplace: Marketplace, line: SoldLine): PricedLine | null {
  // No commission is taken on shipping that is taken back.
  const shipping = isShippingTakenBack(marketplace, line.fulfillmentType) ? 0 : line.shipping;
  const revenue = (line.revenue + shipping) as Cents;
  const unit = Math.floor(revenue / line.quantity);
  const higher = revenue - unit * line.quantity;
  const units = [
    { count: line.quantity - higher, revenue: unit as Cents },
    { count: higher, revenue: (unit + 1) as Cents },
  ].filter(({ count }) => count > 0);
  for (const fees of [line.fees, line.scheduledFees]) {
    const schedule = fees === null || fees.pieces.length === 0 ? null : scheduleAt(fees.basis, unit as Cents);
    if (fees !== null && schedule !== null)
      return { line, schedule, salesTax: fees.basis.salesTax, revenue, units };
  }
  return null;
}

/** What is charged without fulfillment: each line with its share. */
function chargesOf(rounded: 'unit' | 'line' | 'order', lines: readonly PricedLine[]): Charge[] {
  if (lines.length === 0) return [];
  const revenues = lines.map(({ revenue }) => revenue);
  const total = revenues.reduce((sum, revenue) => sum + revenue, 0) as Cents;
  const perOrder = Math.max(...lines.map((line) => bandAt(line, total).fixed)) as Cents;
  const fixed = splitCents(perOrder, revenues);
  const shares =
    rounded === 'order'
      ? splitOrder(lines, perOrder, total)
      : lines.map((line, index) => ({
          percent: rounding(line, commissionOn, rounded === 'unit'),
          percentTaxed: rounding(line, paymentOn, rounded === 'unit'),
          perOrder: fixed[index] ?? 0,
        }));
  return shares.map((share, index) => ({ ...share, perUnit: perUnit(lines[index] as PricedLine) }));
}

/** The percentages of an order, rounded together, and its fixed amount, which is shared by revenue. */
function splitOrder(lines: readonly PricedLine[], perOrder: Cents, total: Cents): Omit<Charge, 'perUnit'>[] {
  const exact = lines.map((line) => [exactOf(line, commissionOn), exactOf(line, paymentOn)] as const);
  const sum = exact.reduce((all, [commission, payment]) => all + commission + payment, 0n);
  // The exact shares, over the total as one denominator.
  const weights = exact.map(([commission, payment], index) => ({
    percent: commission * BigInt(total),
    percentTaxed: payment * BigInt(total),
    perOrder: BigInt(perOrder) * PART * BigInt((lines[index] as PricedLine).revenue),
  }));
  const whole = ({ percent, percentTaxed, perOrder: fixed }: (typeof weights)[number]) =>
    percent + percentTaxed + fixed;
  const shares = splitCents((roundCents(sum) + perOrder) as Cents, weights.map(whole));
  return weights.map((weight, index) => {
    const share = shares[index] ?? (0 as Cents);
    // Of lines for nothing only the fixed amount is shared.
    if (whole(weight) === 0n) return { percent: 0, percentTaxed: 0, perOrder: share };
    const [percent = 0, percentTaxed = 0, fixed = 0] = splitCents(share, [
      weight.percent,
      weight.percentTaxed,
      weight.perOrder,
    ]);
    return { percent, percentTaxed, perOrder: fixed };
  });
}

/** A percentage of a line, rounded for the line or for each unit. */
function rounding(line: PricedLine, feeOn: FeeOn, eachUnit: boolean): number {
  return eachUnit
    ? line.units.reduce((sum, { count, revenue }) => sum + count * roundCents(feeOn(line, revenue)), 0)
    : roundCents(exactOf(line, feeOn));
}

function perUnit(line: PricedLine): number {
  return line.units.reduce((sum, { count, revenue }) => sum + count * bandAt(line, revenue).perUnit, 0);
}

/** The fee on one unit of that revenue. */
type FeeOn = (line: PricedLine, revenue: Cents) => bigint;

/** Of all units. Bands are those of one unit: two of $12 are not one of $24. */
function exactOf(line: PricedLine, feeOn: FeeOn): bigint {
  return line.units.reduce((sum, { count, revenue }) => sum + BigInt(count) * feeOn(line, revenue), 0n);
}

/** What is taken on revenue. */
function commissionOn(line: PricedLine, revenue: Cents): bigint {
  const percentage = BigInt(percentageOf(line, revenue, ({ percent }) => percent));
  const minimum = BigInt(bandAt(line, revenue).minimum * WHOLE);
  return (percentage > minimum ? percentage : minimum) * BigInt(WHOLE);
}

/** What is taken on the total with sales tax. */
function paymentOn(line: PricedLine, revenue: Cents): bigint {
  const percentage = BigInt(percentageOf(line, revenue, ({ percentTaxed }) => percentTaxed));
  return percentage * BigInt(WHOLE + line.salesTax);
}

/** FBA and WFS are the warehouses of these, which report the fulfillment fee with their other fees. */
export const WITH_WAREHOUSE: ReadonlySet<Marketplace> = new Set<Marketplace>(['amazon', 'walmart']);

/** Whether what the buyer paid for shipping goes to the marketplace, whose own warehouse sends the unit. */
export function isShippingTakenBack(marketplace: Marketplace, fulfillmentType: FulfillmentType): boolean {
  return fulfillmentType !== 'FBM' && WITH_WAREHOUSE.has(marketplace);
}

/** What is charged for each unit from a warehouse, also one of another marketplace; null while it is unknown. */
function warehouseFeesOf(
  marketplace: Marketplace,
  { quantity, shipping, fulfillmentType, fulfillmentFee }: SoldLine,
) {
  const chargeback = isShippingTakenBack(marketplace, fulfillmentType) ? shipping : (0 as Cents);
  if (fulfillmentType === 'FBM') return { chargeback };
  const fee = fulfillmentFee === null ? null : fulfillmentFee * quantity;
  return { fulfillment: fee !== null && fee <= MAX_CENTS ? (fee as Cents) : null, chargeback };
}

/** A percentage of a revenue by bands, in ten-thousandths of a cent. */
function percentageOf(line: PricedLine, revenue: Cents, percentIn: (band: FeeBand) => Bps): number {
  const { bandKind, bands } = line.schedule;
  if (bandKind === 'whole') return percentIn(bandAt(line, revenue)) * revenue;
  let fee = 0;
  let below = 0;
  for (const band of bands) {
    const end = Math.min(revenue, endOf(band, line));
    if (end > below) fee += percentIn(band) * (end - below);
    below = Math.max(below, end);
  }
  return fee;
}

/** A schedule is valid: its last band has no upper end. */
function bandAt(line: PricedLine, revenue: Cents): FeeBand {
  const band = line.schedule.bands.find((each) => revenue <= endOf(each, line));
  if (band === undefined) throw new Error('A fee schedule ends below a revenue.');
  return band;
}

/** The upper end of a band on revenue. */
function endOf({ upTo }: FeeBand, { schedule, salesTax }: Pick<PricedLine, 'schedule' | 'salesTax'>): number {
  if (upTo === null) return Number.POSITIVE_INFINITY;
  return schedule.edgeBase === 'revenue' ? upTo : Math.floor((upTo * WHOLE) / (WHOLE + salesTax));
}

/** Whole cents, half up. */
function roundCents(exact: bigint): number {
  return Number((exact + PART / 2n) / PART);
}

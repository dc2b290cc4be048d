import { scheduleAt } from '#domain/fees/compose-fees.ts';
import type { FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
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

/**
 * The estimated fees of the lines of one order: percentages of the price really paid per unit, amounts per order once,
 * and the fulfillment fee of every unit. Rounded as the marketplace rounds, half up; what it charges for the order is
 * split over the lines to the cent.
 * @param lines in their order: of equal remainders of a split the earlier line gets the cent
 * @returns the fee of each line; null where it is unknown, which leaves the others known
 */
export function estimateFees(marketplace: Marketplace, lines: readonly SoldLine[]): (Cents | null)[] {
  const priced = lines.map(pricedLine);
  const charges = chargesOf(
    ROUNDED[marketplace],
    priced.filter((line) => line !== null),
  );
  let next = 0;
  return lines.map((line, index) => {
    if (priced[index] === null) return null;
    const charge = charges[next++];
    const warehouse = warehouseFeesOf(line);
    if (charge === undefined || warehouse === null || charge + warehouse > MAX_CENTS) return null;
    return (charge + warehouse) as Cents;
  });
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

function pricedLine(line: SoldLine): PricedLine | null {
  // What the buyer paid for shipping from a marketplace's warehouse is taken back, and no commission is taken on it.
  const shipping = line.fulfillmentType === 'FBM' ? line.shipping : 0;
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

/** What is charged in percent, per order and per unit, without fulfillment: each line with its share. */
function chargesOf(rounded: 'unit' | 'line' | 'order', lines: readonly PricedLine[]): Cents[] {
  if (lines.length === 0) return [];
  const revenues = lines.map(({ revenue }) => revenue);
  const total = revenues.reduce((sum, revenue) => sum + revenue, 0) as Cents;
  const perOrder = Math.max(...lines.map((line) => bandAt(line, total).fixed)) as Cents;
  const shares =
    rounded === 'order'
      ? splitOrder(lines, perOrder, total)
      : splitCents(perOrder, revenues).map((fixed, index) => {
          return fixed + percentagesOf(lines[index] as PricedLine, rounded === 'unit');
        });
  return shares.map((share, index) => (share + perUnit(lines[index] as PricedLine)) as Cents);
}

/** The percentages of an order, rounded together, and its fixed amount, which is shared by revenue. */
function splitOrder(lines: readonly PricedLine[], perOrder: Cents, total: Cents): Cents[] {
  const exact = lines.map((line) => exactOf(line, commissionOn) + exactOf(line, paymentOn));
  const sum = exact.reduce((all, part) => all + part, 0n);
  // The exact shares, over the total as one denominator.
  const weights = exact.map(
    (part, index) =>
      part * BigInt(total) + BigInt(perOrder) * PART * BigInt((lines[index] as PricedLine).revenue),
  );
  return splitCents((roundCents(sum) + perOrder) as Cents, weights);
}

/** Commission and payment fee of a line, each rounded for the line or for each unit. */
function percentagesOf(line: PricedLine, eachUnit: boolean): number {
  const rounded = (feeOn: FeeOn): number =>
    eachUnit
      ? line.units.reduce((sum, { count, revenue }) => sum + count * roundCents(feeOn(line, revenue)), 0)
      : roundCents(exactOf(line, feeOn));
  return rounded(commissionOn) + rounded(paymentOn);
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

/** FBA and WFS are the warehouses of these, which tell the fulfillment fee with their other fees. */
const WITH_WAREHOUSE: ReadonlySet<Marketplace> = new Set<Marketplace>(['amazon', 'walmart']);

/** What the warehouse fees of a line depend on. */
type StoredLine = Pick<SoldLine, 'quantity' | 'shipping' | 'fulfillmentType' | 'fulfillmentFee'>;

/**
 * Everything that is charged for a line whose marketplace told its fees: one without a warehouse does not tell what
 * another charges for fulfillment.
 * @returns null while the fulfillment fee is unknown; `isPartEstimated`: the fees contain a fulfillment fee that was not told
 */
export function withFulfillment(
  marketplace: Marketplace,
  told: Cents,
  line: StoredLine,
): { readonly fees: Cents | null; readonly isPartEstimated: boolean } {
  if (line.fulfillmentType === 'FBM' || WITH_WAREHOUSE.has(marketplace)) {
    return { fees: told, isPartEstimated: false };
  }
  const warehouse = warehouseFeesOf(line);
  const isKnown = warehouse !== null && told + warehouse <= MAX_CENTS;
  return { fees: isKnown ? ((told + warehouse) as Cents) : null, isPartEstimated: true };
}

/** What is charged for each unit from a marketplace's warehouse; null while it is unknown. */
function warehouseFeesOf({ quantity, shipping, fulfillmentType, fulfillmentFee }: StoredLine): number | null {
  if (fulfillmentType === 'FBM') return 0;
  return fulfillmentFee === null ? null : fulfillmentFee * quantity + shipping;
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

import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { MAX_CENTS } from '#domain/units.ts';
import type { Terms } from './oracle.ts';

/** As assumed before settled orders show the seller's own, in ten-thousandths. */
const SALES_TAX = 800;

/**
 * The second calculation of allowed prices once more, for millions of decisions: plain numbers in place of large ones, and
 * the fee bands of a schedule as intervals of revenue that are worked out once. It shares no code with the engine either.
 * Whole numbers up to 2^53 are exact: revenues below $1,000,000 stay far below that.
 */
export interface Intervals {
  readonly isMarginal: boolean;
  /** From the lowest revenue on. */
  readonly each: readonly {
    /** The highest revenue of the interval, in cents. */
    readonly to: number;
    /** In ten-thousandths of revenue. */
    readonly rate: number;
    readonly taxedRate: number;
    /** In ten-thousandths of a cent. */
    readonly least: number;
    readonly fixed: number;
  }[];
}

export function intervalsOf({ bands, bandKind, edgeBase }: FeeSchedule): Intervals {
  return {
    isMarginal: bandKind === 'marginal',
    each: bands.map(({ upTo, percent, percentTaxed, fixed, perUnit, minimum }) => ({
      to: upTo === null ? Number.POSITIVE_INFINITY : edgeBase === 'revenue' ? upTo : beforeTax(upTo),
      rate: percent,
      taxedRate: Math.ceil((percentTaxed * (10_000 + SALES_TAX)) / 10_000),
      least: minimum * 10_000,
      fixed: (fixed + perUnit) * 10_000,
    })),
  };
}

/** The highest revenue that with tax is not above an amount, by counting down. */
function beforeTax(amount: number): number {
  let revenue = amount;
  while (revenue * (10_000 + SALES_TAX) > amount * 10_000) revenue -= 1;
  return revenue;
}

/** Whether a price is allowed: within all limits, and it keeps the margin, with the greatest discount too. */
export function isAllowedQuickly(price: number, terms: Terms, intervals: Intervals): boolean {
  const { minPrice, maxPrice, anchorPrice, marketplaceLimits } = terms;
  const { min = null, max = null, map = null } = marketplaceLimits ?? {};
  if (!(Number.isInteger(price) && price >= 1 && price <= MAX_CENTS)) return false;
  if ([minPrice, min, map].some((least) => least !== null && price < least)) return false;
  if ([maxPrice, max].some((most) => most !== null && price > most)) return false;
  if (!keeps(price, terms, intervals)) return false;
  if (maxPrice !== null || (anchorPrice !== null && 2 * price <= 3 * anchorPrice)) return true;
  // At most twice the lowest price that keeps the margin: no price below half of it does.
  for (let lower = 1; 2 * lower < price; lower += 1) if (keeps(lower, terms, intervals)) return false;
  return true;
}

function keeps(price: number, terms: Terms, intervals: Intervals): boolean {
  const { greatestDiscount = 0 } = terms;
  if (!keepsAt(price, terms, intervals)) return false;
  if (greatestDiscount === 0) return true;
  const left = Math.floor((price * (10_000 - greatestDiscount)) / 10_000);
  return left > 0 && keepsAt(left, terms, intervals);
}

function keepsAt(
  price: number,
  { shippingCharge, totalCost, minimumMargin }: Terms,
  intervals: Intervals,
): boolean {
  const revenue = price + shippingCharge;
  return (revenue - totalCost) * 10_000 - feeOn(revenue, intervals) >= minimumMargin * revenue;
}

/** In ten-thousandths of a cent. */
function feeOn(revenue: number, { isMarginal, each }: Intervals): number {
  let below = 0;
  let commission = 0;
  let taxed = 0;
  for (const { to, rate, taxedRate, least, fixed } of each) {
    const part = Math.min(revenue, to) - below;
    commission = isMarginal ? commission + part * rate : revenue * rate;
    taxed = isMarginal ? taxed + part * taxedRate : revenue * taxedRate;
    if (revenue <= to) return Math.max(commission, least) + taxed + fixed;
    below = to;
  }
  throw new Error('a schedule without a last band');
}

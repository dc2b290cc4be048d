import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { MAX_CENTS } from '#domain/units.ts';

/**
 * The price rules once more, slow and simple: whole numbers of any size, no division, one price at a time. It shares no
 * code with the engine, so that the two can be compared.
 */
export interface Terms {
  readonly totalCost: number;
  readonly shippingCharge: number;
  readonly schedule: FeeSchedule;
  readonly minimumMargin: number;
  readonly minPrice: number | null;
  readonly maxPrice: number | null;
  readonly marketplaceLimits: MarketplaceLimits | null;
  readonly anchorPrice: number | null;
  /** In ten-thousandths; the margin has to be kept without it and after it. Absent: none. */
  readonly greatestDiscount?: number;
}

/** Whether buyers may pay a price, and what the greatest discount leaves of it. */
export function keepsMargin(price: number, terms: Terms): boolean {
  if (!keepsMarginAt(price, terms)) return false;
  const { greatestDiscount = 0 } = terms;
  if (greatestDiscount === 0) return true;
  const left = (BigInt(price) * BigInt(10_000 - greatestDiscount)) / 10_000n;
  return left > 0n && keepsMarginAt(Number(left), terms);
}

/** Revenue less fee less cost is at least the margin's share of revenue; both sides in ten-thousandths of a cent. */
function keepsMarginAt(price: number, terms: Terms): boolean {
  const revenue = BigInt(price) + BigInt(terms.shippingCharge);
  return leftAt(price, terms) >= BigInt(terms.minimumMargin) * revenue;
}

/** What a price leaves after fee and cost, in ten-thousandths of a cent. */
export function leftAt(price: number, { shippingCharge, totalCost, schedule }: Terms): bigint {
  const revenue = BigInt(price) + BigInt(shippingCharge);
  return (revenue - BigInt(totalCost)) * 10_000n - feeOn(revenue, schedule);
}

/** The lowest price up to a limit that keeps the margin, found by trying one after the other. */
export function lowestByTrying(terms: Terms, upTo: number): number | null {
  for (let price = 1; price <= upTo; price += 1) {
    if (keepsMargin(price, terms)) return price;
  }
  return null;
}

/**
 * Whether a price is allowed.
 * @param floor the lowest price that keeps the margin, as {@link lowestByTrying} finds it
 */
export function isAllowedPrice(price: number, terms: Terms, floor: number): boolean {
  const { minPrice, maxPrice, anchorPrice, marketplaceLimits } = terms;
  if (minPrice !== null && price < minPrice) return false;
  const { min = null, max = null, map = null } = marketplaceLimits ?? {};
  if ((min !== null && price < min) || (max !== null && price > max)) return false;
  if (map !== null && price < map) return false;
  if (price < 1 || price > MAX_CENTS) return false;
  if (!isBelowCeiling(price, maxPrice, anchorPrice, floor)) return false;
  return keepsMargin(price, terms);
}

function isBelowCeiling(
  price: number,
  maxPrice: number | null,
  anchor: number | null,
  floor: number,
): boolean {
  if (maxPrice !== null) return price <= maxPrice;
  return price <= 2 * floor || (anchor !== null && 2n * BigInt(price) <= 3n * BigInt(anchor));
}

/** Whether one decision may move the price there: within the step (or one cent) and within the daily limit. */
export function isWithinReach(
  price: number,
  current: number,
  dayAgo: number | null,
  policy: Policy,
): boolean {
  if (!Number.isInteger(policy.maxStep)) return false;
  const moved = distance(price, current);
  if (moved > 1n && moved * 10_000n > BigInt(current) * BigInt(policy.maxStep)) return false;
  if (dayAgo === null) return true;
  if (!Number.isInteger(policy.maxDailyChange)) return false;
  return distance(price, dayAgo) * 10_000n <= BigInt(dayAgo) * BigInt(policy.maxDailyChange);
}

function distance(a: number, b: number): bigint {
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -difference : difference;
}

/** As assumed before settled orders show the seller's own: 8.00%. */
const SALES_TAX = 800n;

function feeOn(revenue: bigint, { bands, bandKind, edgeBase }: FeeSchedule): bigint {
  let below = 0n;
  let commission = 0n;
  let taxed = 0n;
  for (const { upTo, percent, percentTaxed, fixed, perUnit, minimum } of bands) {
    const edge = upTo === null ? null : edgeBase === 'revenue' ? BigInt(upTo) : withoutTax(BigInt(upTo));
    const isHere = edge === null || revenue <= edge;
    const part = (isHere ? revenue : edge) - below;
    const rate = BigInt(percent);
    const taxedRate = perRevenue(BigInt(percentTaxed));
    commission = bandKind === 'marginal' ? commission + part * rate : revenue * rate;
    taxed = bandKind === 'marginal' ? taxed + part * taxedRate : revenue * taxedRate;
    if (isHere) {
      const least = BigInt(minimum) * 10_000n;
      return (commission > least ? commission : least) + taxed + BigInt(fixed + perUnit) * 10_000n;
    }
    below = edge;
  }
  throw new Error('a schedule without a last band');
}

/** The highest revenue that with tax is not above an amount. */
function withoutTax(amount: bigint): bigint {
  let revenue = (amount * 10_000n) / (10_000n + SALES_TAX) + 1n;
  while (revenue * (10_000n + SALES_TAX) > amount * 10_000n) revenue -= 1n;
  return revenue;
}

/** The lowest whole percentage of revenue that covers one of the total with tax. */
function perRevenue(percentTaxed: bigint): bigint {
  return (percentTaxed * (10_000n + SALES_TAX) + 9_999n) / 10_000n;
}

import type { FeePiece, FeeTable } from '#domain/fees/fee-table.ts';
import { type Bps, type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';
import { highestRevenue, lowestRevenue } from './margin-floor.ts';
import { lowestLimited, type MarketplaceLimits } from './marketplace-limits.ts';

/** What decides whether a price is allowed besides cost and minimum margin: fees, and the listing's own limits. */
export interface PriceLimits {
  /** What the buyer pays us for shipping; part of the revenue. */
  readonly shippingCharge: Cents;
  readonly fees: FeeTable;
  readonly minPrice: Cents | null;
  readonly maxPrice: Cents | null;
  readonly anchorPrice: Cents | null;
  /** Bounds prices from below and above besides the listing's own limits; absent: not at all. */
  readonly marketplaceLimits?: MarketplaceLimits | null;
  /** The greatest discount that buyers may get: a price has to be allowed without it and after it. Absent: none. */
  readonly greatestDiscount?: Bps;
}

/** Everything that decides whether a price is allowed. */
export interface PriceTerms extends PriceLimits {
  readonly totalCost: Cents;
  readonly minimumMargin: Bps;
}

/** The set L of allowed prices. Because of fee bands it can have gaps. */
export interface AllowedPrices {
  /** The lowest price that keeps the margin, regardless of the listing's own limits; null if no price does. */
  readonly marginFloor: Cents | null;
  /** The highest allowed price; null if no price keeps the margin. */
  readonly priceCeiling: Cents | null;
  /** Flat pairs `[from, to, from, to, ...]` in rising order, ends included, never touching. Empty: nothing is allowed. */
  readonly ranges: readonly number[];
}

/**
 * All whole-cent prices that keep the minimum margin, within the listing's own limits and the price ceiling.
 * Exact: whole numbers throughout, one division per band, rounded towards the allowed side.
 */
export function allowedPrices(terms: PriceTerms): AllowedPrices {
  return allowedPricesWithin(terms, terms.totalCost, terms.minimumMargin);
}

/** The same without an object of terms, which would be one more allocation for each of millions of decisions. */
export function allowedPricesWithin(
  limits: PriceLimits,
  totalCost: Cents,
  minimumMargin: Bps,
): AllowedPrices {
  const { greatestDiscount: discount } = limits;
  return discount === undefined || discount === 0
    ? withoutDiscount(limits, totalCost, minimumMargin)
    : withDiscount(limits, totalCost, minimumMargin, discount);
}

/** @param discount above 0 and below 100% */
function withDiscount(
  limits: PriceLimits,
  totalCost: Cents,
  minimumMargin: Bps,
  discount: Bps,
): AllowedPrices {
  const { shippingCharge, fees } = limits;
  const unlimited = { shippingCharge, fees, minPrice: null, maxPrice: MAX_CENTS, anchorPrice: null };
  const { ranges: kept } = withoutDiscount(unlimited, totalCost, minimumMargin);
  // The lowest price of which that much is left.
  const before = (left: number): number => Math.ceil((left * WHOLE) / (WHOLE - discount));
  const after = kept.map((edge, index) =>
    index % 2 === 0 ? before(edge) : Math.min(before(edge + 1) - 1, MAX_CENTS),
  );
  const both = commonRanges(kept, after);
  const floor = both[0];
  if (floor === undefined) return { marginFloor: null, priceCeiling: null, ranges: [] };
  const ceiling = ceilingOf(limits, floor);
  const low = lowestLimited(limits.minPrice, limits.marketplaceLimits ?? null);
  const ranges = low <= ceiling ? commonRanges(both, [low, ceiling]) : [];
  return { marginFloor: floor as Cents, priceCeiling: ceiling as Cents, ranges };
}

function withoutDiscount(limits: PriceLimits, totalCost: Cents, minimumMargin: Bps): AllowedPrices {
  const charge = limits.shippingCharge;
  let floor: number | null = null;
  let ceiling = 0;
  let low = 1;
  let ranges: number[] = [];
  const { pieces } = limits.fees;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] as FeePiece;
    // Whatever the fee, a revenue below the cost keeps no margin.
    if (piece.to < totalCost) continue;
    // Nothing above the ceiling is allowed.
    if (floor !== null && piece.from - charge > ceiling) break;
    const from = Math.max(lowestRevenue(piece, totalCost, minimumMargin) - charge, piece.from - charge, 1);
    const to = Math.min(
      highestRevenue(piece, totalCost, minimumMargin) - charge,
      piece.to - charge,
      MAX_CENTS,
    );
    if (!(from <= to)) continue;
    if (floor === null) {
      floor = from;
      ceiling = ceilingOf(limits, floor);
      low = lowestLimited(limits.minPrice, limits.marketplaceLimits ?? null);
    }
    ranges = withSpan(ranges, Math.max(from, low), Math.min(to, ceiling));
  }
  if (floor === null) return { marginFloor: null, priceCeiling: null, ranges };
  return { marginFloor: floor as Cents, priceCeiling: ceiling as Cents, ranges };
}

/** Whether a price lies in L. */
export function isAllowed(set: AllowedPrices, price: number): boolean {
  const { ranges } = set;
  for (let i = 0; i < ranges.length; i += 2) {
    if (price >= at(ranges, i) && price <= at(ranges, i + 1)) return true;
  }
  return false;
}

/** The highest price of L at or below a price; null when there is none. */
export function highestAllowedTo(set: AllowedPrices, atMost: number): Cents | null {
  const { ranges } = set;
  for (let i = ranges.length - 2; i >= 0; i -= 2) {
    if (at(ranges, i) <= atMost) return Math.min(at(ranges, i + 1), atMost) as Cents;
  }
  return null;
}

/** The lowest price of L at or above a price; null when there is none. */
export function lowestAllowedFrom(set: AllowedPrices, atLeast: number): Cents | null {
  const { ranges } = set;
  for (let i = 0; i < ranges.length; i += 2) {
    if (at(ranges, i + 1) >= atLeast) return Math.max(at(ranges, i), atLeast) as Cents;
  }
  return null;
}

/** Prices in both of two sets of ranges; flat pairs in rising order, as in {@link AllowedPrices}. */
export function commonRanges(a: readonly number[], b: readonly number[]): number[] {
  const common: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const from = Math.max(at(a, i), at(b, j));
    const to = Math.min(at(a, i + 1), at(b, j + 1));
    if (from <= to) common.push(from, to);
    if (at(a, i + 1) < at(b, j + 1)) i += 2;
    else j += 2;
  }
  return common;
}

function withSpan(ranges: number[], from: number, to: number): number[] {
  if (from > to) return ranges;
  // Most sets have one span, and a literal of its size is cheaper than an array that grows.
  if (ranges.length === 0) return [from, to];
  // Bands that touch are one span: the seller sees one range of prices.
  if (at(ranges, ranges.length - 1) === from - 1) ranges[ranges.length - 1] = to;
  else ranges.push(from, to);
  return ranges;
}

/** Without a maximum price: far enough for the market, near enough to catch a slipped decimal point. */
function ceilingOf({ maxPrice, anchorPrice, marketplaceLimits }: PriceLimits, floor: number): number {
  const highest = marketplaceLimits?.max ?? MAX_CENTS;
  if (maxPrice !== null) return Math.min(maxPrice, highest);
  const aboveAnchor = anchorPrice === null ? 0 : Math.floor((anchorPrice * 3) / 2);
  return Math.min(Math.max(aboveAnchor, 2 * floor), highest);
}

function at(ranges: readonly number[], index: number): number {
  return ranges[index] as number;
}

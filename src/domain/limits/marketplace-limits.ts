import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, isPriceOrNull } from '#domain/units.ts';

/** The seller's own price limits on a marketplace, which refuses any price outside of them. Null is none. */
export interface MarketplaceLimits {
  readonly min: Cents | null;
  readonly max: Cents | null;
  /** MAP: the lowest price that the manufacturer lets one advertise. */
  readonly map: Cents | null;
  /** It is the one that the seller entered here, not the marketplace's. */
  readonly isMapOurs?: true;
}

export const NO_LIMITS: MarketplaceLimits = { min: null, max: null, map: null };

/**
 * The limits with the MAP price that the seller entered here: of two MAP prices the higher one counts.
 * @param limits as read from the marketplace; null for none
 * @param map the entered one in force; null for none
 */
export function withOwnMap(limits: MarketplaceLimits | null, map: Cents | null): MarketplaceLimits | null {
  if (map === null || (limits?.map ?? 0) >= map) return limits;
  return { ...(limits ?? NO_LIMITS), map, isMapOurs: true };
}

/** "the MAP price of $18.00 on Amazon" */
export function mapText({ map, isMapOurs }: MarketplaceLimits, marketplace: Marketplace): string {
  const price = map === null ? 'unknown' : moneyText(map);
  return isMapOurs === true
    ? `your MAP price of ${price}`
    : `the MAP price of ${price} on ${MARKETPLACE_NAMES[marketplace]}`;
}

/** A limit of prices from below, by who set it. */
export interface LowerLimit {
  readonly price: Cents;
  readonly by: 'min_price' | 'marketplace_min' | 'map_price';
}

/** The highest of the limits from below, the margin aside; 1 without any. */
export function lowestLimited(minPrice: Cents | null, limits: MarketplaceLimits | null): number {
  const own = minPrice ?? 1;
  return limits === null ? own : Math.max(own, limits.min ?? 1, limits.map ?? 1);
}

/** The highest of the limits from below, the margin aside; of equal ones the seller's own here. Null for none. */
export function lowerLimit(minPrice: Cents | null, limits: MarketplaceLimits | null): LowerLimit | null {
  const all = [
    { price: minPrice, by: 'min_price' },
    { price: limits?.min ?? null, by: 'marketplace_min' },
    { price: limits?.map ?? null, by: 'map_price' },
  ] as const;
  let highest: LowerLimit | null = null;
  for (const { price, by } of all) {
    if (price !== null && (highest === null || price > highest.price)) highest = { price, by };
  }
  return highest;
}

/** Why the marketplace would refuse a price, as one sentence for users; null where it is within the limits. */
export function outsideLimits(
  price: Cents,
  limits: MarketplaceLimits,
  marketplace: Marketplace,
): string | null {
  const { min, max, map } = limits;
  if (min !== null && !(price >= min)) {
    return `${moneyText(price)} is below ${lowestText(min, marketplace)}.`;
  }
  if (map !== null && !(price >= map)) {
    return `${moneyText(price)} is below ${mapText(limits, marketplace)}.`;
  }
  if (max !== null && !(price <= max)) {
    return `${moneyText(price)} is above ${highestText(max, marketplace)}.`;
  }
  return null;
}

/** "the minimum price of $22.00 that you set on Amazon" */
export function lowestText(min: Cents, marketplace: Marketplace): string {
  // eBay has no minimum price: a price has to be above those at which Best Offers are accepted or declined.
  return marketplace === 'ebay'
    ? `${moneyText(min)}, the lowest price above your Best Offer limits on eBay`
    : `the minimum price of ${moneyText(min)} that you set on ${MARKETPLACE_NAMES[marketplace]}`;
}

/** "the maximum price of $40.00 that you set on Amazon" */
export function highestText(max: Cents, marketplace: Marketplace): string {
  // Shopify has no maximum price: a price at the compare-at price would end the sale.
  return marketplace === 'shopify'
    ? `${moneyText(max)}, the highest price below the compare-at price in Shopify`
    : `the maximum price of ${moneyText(max)} that you set on ${MARKETPLACE_NAMES[marketplace]}`;
}

/** Whether each limit is a price, or not set. */
export function areReadableLimits(limits: MarketplaceLimits | null): boolean {
  if (limits === null) return true;
  // Stored rows and files are not checked by the compiler.
  if (typeof limits !== 'object') return false;
  return isPriceOrNull(limits.min) && isPriceOrNull(limits.max) && isPriceOrNull(limits.map);
}

import {
  type AllowedPrices,
  highestAllowedTo,
  isAllowed,
  lowestAllowedFrom,
} from '#domain/limits/allowed-prices.ts';
import { type LowerLimit, lowerLimit } from '#domain/limits/marketplace-limits.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import { minimumMarginOf } from '#domain/rules/rule-choice.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { missingFact } from './completeness.ts';
import { allowedPricesOf } from './decide.ts';
import type { BlockReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';

/** What can reject a manual price. Step limit, daily limit, cooldown and hold bind the engine only. */
export type ManualPriceLimit =
  | BlockReason
  | LowerLimit['by']
  | 'floor'
  | 'fee_band_gap'
  | 'max_price'
  | 'marketplace_max'
  | 'ceiling';

/** Whether a manual price is allowed, with the allowed prices; null while these are unknown. */
export type ManualPriceCheck =
  | { readonly isAllowed: true; readonly limit: null; readonly set: AllowedPrices }
  | { readonly isAllowed: false; readonly limit: ManualPriceLimit; readonly set: AllowedPrices | null };

/**
 * The minimum margin of a manual price: that of the listing's rule, even if it is paused or does not apply, and 0
 * without a rule. A paused rule sets no prices, but its minimum margin stays in force.
 */
export function manualPriceMargin({ rule, minimumMargin }: RuleChoice, { marketplace }: ListingFacts): Bps {
  if (minimumMargin !== null) return minimumMargin;
  return rule === null ? (0 as Bps) : minimumMarginOf(rule, marketplace);
}

/**
 * Checks a price that a user sets or reverts to against the limits of manual prices:
 * the minimum margin, the listing's own limits and the price ceiling.
 */
export function checkManualPrice(facts: ListingFacts, minimumMargin: Bps, price: Cents): ManualPriceCheck {
  const missing = missingFact(facts);
  if (missing !== null) return { isAllowed: false, limit: missing, set: null };
  const set = allowedPricesOf(facts, minimumMargin);
  const limit = limitOn(price, set, facts);
  return limit === null ? { isAllowed: true, limit, set } : { isAllowed: false, limit, set };
}

/** The nearest allowed prices, at most one on each side. */
export function nearestAllowed(set: AllowedPrices, price: Cents): Cents[] {
  const below = highestAllowedTo(set, price);
  const above = lowestAllowedFrom(set, price);
  return [below, above].filter((near, at, all): near is Cents => near !== null && all.indexOf(near) === at);
}

/** The margin floor comes first: it is the most important reason to reject a price. */
function limitOn(
  price: Cents,
  set: AllowedPrices,
  { minPrice, maxPrice, marketplaceLimits }: ListingFacts,
): ManualPriceLimit | null {
  const { marginFloor, priceCeiling } = set;
  if (marginFloor === null || priceCeiling === null) return 'margin_impossible';
  if (isAllowed(set, price)) return null;
  if (price < marginFloor) return 'floor';
  const lowest = lowerLimit(minPrice, marketplaceLimits);
  if (lowest !== null && price < lowest.price) return lowest.by;
  if (price > priceCeiling) {
    if (priceCeiling === marketplaceLimits?.max && priceCeiling !== maxPrice) return 'marketplace_max';
    return maxPrice === null ? 'ceiling' : 'max_price';
  }
  return 'fee_band_gap';
}

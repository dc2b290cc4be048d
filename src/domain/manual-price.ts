import { type AllowedPrices, highestAllowed, isAllowed, lowestAllowed } from './allowed-prices.ts';
import { missingFact } from './completeness.ts';
import type { BlockReason } from './decision.ts';
import { allowedPricesOf } from './evaluate.ts';
import type { ListingFacts } from './facts.ts';
import type { RuleChoice } from './rule.ts';
import { minimumMarginOf } from './rule-choice.ts';
import type { Bps, Cents } from './units.ts';

/** What can refuse a price that a person asks for. Step limit, daily limit, cooldown and hold bind the engine alone. */
export type ManualPriceLimit = BlockReason | 'floor' | 'fee_band_gap' | 'min_price' | 'max_price' | 'ceiling';

/** Whether a person may ask a price, with the set it was checked against; null while that is unknown. */
export type ManualPriceCheck =
  | { readonly isAllowed: true; readonly limit: null; readonly set: AllowedPrices }
  | { readonly isAllowed: false; readonly limit: ManualPriceLimit; readonly set: AllowedPrices | null };

/**
 * The margin that a person's price has to keep: that of the listing's rule, paused or not for it, and 0 without any.
 * A rule that is paused stops deciding; what it says about the least margin still stands.
 */
export function manualPriceMargin({ rule, minimumMargin }: RuleChoice, { marketplace }: ListingFacts): Bps {
  if (minimumMargin !== null) return minimumMargin;
  return rule === null ? (0 as Bps) : minimumMarginOf(rule, marketplace);
}

/**
 * Checks a price that a person typed, or goes back to, against everything that binds people:
 * the minimum margin, the seller's own bounds and the ceiling.
 */
export function checkManualPrice(facts: ListingFacts, minimumMargin: Bps, price: Cents): ManualPriceCheck {
  const missing = missingFact(facts);
  if (missing !== null) return { isAllowed: false, limit: missing, set: null };
  const set = allowedPricesOf(facts, minimumMargin);
  const limit = limitOn(price, set, facts);
  return limit === null ? { isAllowed: true, limit, set } : { isAllowed: false, limit, set };
}

/** The nearest prices a person may ask instead, at most one on each side. */
export function nearestAllowed(set: AllowedPrices, price: Cents): Cents[] {
  const below = highestAllowed(set, price);
  const above = lowestAllowed(set, price);
  return [below, above].filter((near, at, all): near is Cents => near !== null && all.indexOf(near) === at);
}

/** The floor first: what loses money is refused as that, whatever else is wrong with it. */
function limitOn(
  price: Cents,
  set: AllowedPrices,
  { minPrice, maxPrice }: ListingFacts,
): ManualPriceLimit | null {
  const { marginFloor, priceCeiling } = set;
  if (marginFloor === null || priceCeiling === null) return 'margin_impossible';
  if (isAllowed(set, price)) return null;
  if (price < marginFloor) return 'floor';
  if (minPrice !== null && price < minPrice) return 'min_price';
  if (price > priceCeiling) return maxPrice === null ? 'ceiling' : 'max_price';
  return 'fee_band_gap';
}

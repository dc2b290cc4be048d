import type { BlockReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { Rule, RuleChoice } from './rule.ts';
import { isAmount, isPrice, MAX_CENTS, WHOLE } from './units.ts';

/** Step 1: what is missing or unreadable before a price can be decided; null when nothing is. */
export function missingFact(facts: ListingFacts): BlockReason | null {
  if (!isPrice(facts.currentPrice)) return 'unreadable_price';
  if (
    !isAmount(facts.shippingCharge) ||
    !isPriceOrNull(facts.minPrice) ||
    !isPriceOrNull(facts.maxPrice) ||
    !isPriceOrNull(facts.anchorPrice) ||
    !isPriceOrNull(facts.priceDayAgo) ||
    !isPriceOrNull(facts.pendingPrice)
  ) {
    return 'unreadable_facts';
  }
  const { total, product } = facts.cost;
  if (total === null || product === null || product === 0) return 'unknown_cost';
  if (!isPrice(total) || !isPrice(product)) return 'unreadable_facts';
  if (facts.fees === null) return 'no_fee_schedule';
  if (facts.minPrice !== null && facts.maxPrice !== null && facts.minPrice > facts.maxPrice) {
    return 'minimum_above_maximum';
  }
  return null;
}

/** Whether a chosen rule's numbers can be used: margin 0 to 99.99 %, offset an amount or not set. */
export function isReadableRule(rule: Rule, minimumMargin: RuleChoice['minimumMargin']): boolean {
  const offset = rule.competitorOffset;
  return (
    Number.isInteger(minimumMargin) &&
    (minimumMargin ?? -1) >= 0 &&
    (minimumMargin ?? WHOLE) < WHOLE &&
    (offset === null || (Number.isInteger(offset) && Math.abs(offset) <= MAX_CENTS))
  );
}

function isPriceOrNull(value: number | null): boolean {
  return value === null || isPrice(value);
}

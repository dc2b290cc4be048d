import type { ListingCost } from '#domain/costs/cost.ts';
import { areReadableLimits } from '#domain/limits/marketplace-limits.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Bps, isAmount, isPrice, isPriceOrNull, MAX_CENTS, WHOLE } from '#domain/units.ts';
import type { BlockReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';

/** Step 1: the first missing or invalid fact that prevents a decision; null if all are present. */
export function missingFact(facts: ListingFacts): BlockReason | null {
  if (facts.isMissing) return 'gone';
  if (!isPrice(facts.currentPrice)) return 'unreadable_price';
  if (
    !isAmount(facts.shippingCharge) ||
    !isPriceOrNull(facts.minPrice) ||
    !isPriceOrNull(facts.maxPrice) ||
    !areReadableLimits(facts.marketplaceLimits) ||
    !isShare(facts.greatestDiscount, WHOLE - 1) ||
    !isPriceOrNull(facts.anchorPrice) ||
    !isPriceOrNull(facts.priceDayAgo) ||
    !isPriceOrNull(facts.pendingPrice)
  ) {
    return 'unreadable_facts';
  }
  if (!isComplete(facts.cost)) return isKnown(facts.cost) ? 'unreadable_facts' : 'unknown_cost';
  if (facts.fees === null || facts.fees.pieces.length === 0) return 'no_fee_schedule';
  if (facts.minPrice !== null && facts.maxPrice !== null && facts.minPrice > facts.maxPrice) {
    return 'minimum_above_maximum';
  }
  return null;
}

/** Whether the rule's numbers are valid: a margin of 0 to 99.99% and an offset that is an amount or not set. */
export function isReadableRule(rule: Rule, minimumMargin: Bps, marketplace: Marketplace): boolean {
  const { competitorOffset, lines } = rule;
  return (
    (lines === null || areReadableTerms(rule, marketplace)) &&
    Number.isInteger(minimumMargin) &&
    minimumMargin >= 0 &&
    minimumMargin < WHOLE &&
    (competitorOffset === null ||
      (Number.isInteger(competitorOffset) && Math.abs(competitorOffset) <= MAX_CENTS))
  );
}

/** The lines, of which there are none where their stored text is not understood, and what only they use. */
function areReadableTerms(
  { lines, targetMargin, marketplaceTargets, winShare, ignoreUnderFloor }: Rule,
  marketplace: Marketplace,
): boolean {
  const target = marketplaceTargets[marketplace] ?? targetMargin;
  return (
    lines?.length !== 0 &&
    (target === null || isShare(target, WHOLE - 1)) &&
    isShare(winShare, WHOLE) &&
    (ignoreUnderFloor === null || isShare(ignoreUnderFloor, WHOLE))
  );
}

function isShare(share: number, most: number): boolean {
  return Number.isInteger(share) && share >= 0 && share <= most;
}

function isKnown({ product, shipping, fulfillment, packaging, misc, total, gaps }: ListingCost): boolean {
  return (
    product !== null &&
    product !== 0 &&
    shipping !== null &&
    fulfillment !== null &&
    packaging !== null &&
    misc !== null &&
    total !== null &&
    gaps.length === 0
  );
}

/** Whether every part is known and valid, and the total is their sum. */
function isComplete({ product, shipping, fulfillment, packaging, misc, total, gaps }: ListingCost): boolean {
  return (
    gaps.length === 0 &&
    isPrice(product) &&
    isAmount(shipping) &&
    isAmount(fulfillment) &&
    isAmount(packaging) &&
    isAmount(misc) &&
    isPrice(total) &&
    total === product + shipping + fulfillment + packaging + misc
  );
}

import type { ReviewReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { Policy } from './policy.ts';
import type { Rule } from './rule.ts';

/** Why the price needs review; null if it can be applied automatically. */
export function reviewReasonFor(facts: ListingFacts, rule: Rule, policy: Policy): ReviewReason | null {
  if (policy.halted) return 'halted';
  if (policy.mode !== 'live') return policy.mode;
  if (facts.isPriceUnverified) return 'unread';
  if (!policy.autoRepricing) return 'auto_off';
  if (!facts.autoRepricing) return 'listing_off';
  if (isHeld(facts, policy)) return 'held';
  if (rule.requiresReview) return 'ask_first';
  // Without known seller names, the competitor could be our own offer.
  if (!policy.areOwnSellersKnown && rule.strategy !== 'Fixed Margin') return 'own_sellers_unknown';
  return null;
}

function isHeld({ hold }: ListingFacts, policy: Policy): boolean {
  return hold !== null && (hold.until === null || !(hold.until <= policy.now));
}

import type { ReviewReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { Policy } from './policy.ts';
import type { Rule } from './rule.ts';

/** Why a person has to apply the price instead of the engine; null when the engine may. */
export function reviewReasonFor(facts: ListingFacts, rule: Rule, policy: Policy): ReviewReason | null {
  if (policy.halted) return 'halted';
  if (policy.mode !== 'live') return policy.mode;
  if (facts.isPriceUnverified) return 'unread';
  if (!policy.autoRepricing) return 'auto_off';
  if (!facts.autoRepricing) return 'listing_off';
  if (isHeld(facts, policy)) return 'held';
  if (rule.requiresReview) return 'ask_first';
  // While nobody said which offers are ours, the competitor may be ourselves.
  if (!policy.areOwnSellersKnown && rule.strategy !== 'Fixed Margin') return 'own_sellers_unknown';
  return null;
}

function isHeld({ hold }: ListingFacts, policy: Policy): boolean {
  return hold !== null && (hold.until === null || !(hold.until <= policy.now));
}

import type { RuleFields } from '#contract/rules.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type SellerKey, sellerKey } from '#domain/offer.ts';
import type { OfferFilter } from '#domain/rule.ts';
import type { Bps } from '#domain/units.ts';

/** The fields of a request as a rule of the domain. */
export function ruleWriteOf(fields: RuleFields): RuleWrite {
  const { name, marketplace, fulfillmentType, strategy, minimumMargin, competitorOffset } = fields;
  const { isActive, requiresReview, noCompetitor, belowFloor, otherChannels, refuseCrossChannel } = fields;
  const { lines, targetMargin, winShare, onlySameShipping, ignoreUnderFloor } = fields;
  return {
    name,
    marketplace,
    fulfillmentType,
    strategy,
    minimumMargin,
    competitorOffset,
    isActive,
    requiresReview,
    noCompetitor,
    belowFloor,
    otherChannels,
    refuseCrossChannel,
    // All readers treat absent and undefined alike.
    marketplaceMargins: { ...fields.marketplaceMargins } as Partial<Record<Marketplace, Bps>>,
    filter: filterOf(fields.filter),
    lines,
    targetMargin,
    marketplaceTargets: { ...fields.marketplaceTargets } as Partial<Record<Marketplace, Bps>>,
    winShare,
    // Lines can price faster and slower offers apart; a strategy cannot.
    onlySameShipping: onlySameShipping ?? lines === null,
    ignoreUnderFloor,
  };
}

function filterOf(filter: RuleFields['filter']): OfferFilter | null {
  const { minRating, minRatingCount, maxHandlingDays, fulfillmentType } = filter;
  const ignoreSellers = new Set<SellerKey>();
  for (const name of filter.ignoreSellers) {
    const key = sellerKey(name);
    if (key !== null) ignoreSellers.add(key);
  }
  const limits = [minRating, minRatingCount, maxHandlingDays, fulfillmentType];
  if (ignoreSellers.size === 0 && limits.every((limit) => limit === null)) return null;
  return { minRating, minRatingCount, maxHandlingDays, ignoreSellers, fulfillmentType };
}

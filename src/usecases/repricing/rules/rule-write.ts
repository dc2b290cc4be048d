import type { RuleFields } from '#contract/rules.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { OfferFilter } from '#domain/rules/rule.ts';
import type { Segment } from '#domain/rules/segment.ts';
import type { Bps } from '#domain/units.ts';

/** The fields of a request as a rule of the domain. */
export function ruleWriteOf(fields: RuleFields): RuleWrite {
  const { name, marketplace, fulfillmentType, strategy, minimumMargin, competitorOffset } = fields;
  const { isActive, requiresReview, noCompetitor, belowFloor, otherChannels, refuseCrossChannel } = fields;
  const { lines, targetMargin, winShare, onlySameShipping, ignoreUnderFloor } = fields;
  const { priority, schedule } = fields;
  return {
    name,
    ...scopePlaceOf(marketplace, fields.segment),
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
    priority,
    schedule,
  };
}

/** Where a rule is for: one marketplace is the rule's own, all of them are none. */
export function scopePlaceOf(
  marketplace: Marketplace | null,
  segment: Segment,
): Pick<RuleWrite, 'marketplace' | 'segment'> {
  const named = MARKETPLACES.filter((each) => segment.marketplaces.includes(each));
  const [only] = named;
  if (marketplace !== null || only === undefined || named.length === MARKETPLACES.length) {
    return { marketplace, segment: { ...segment, marketplaces: [] } };
  }
  return named.length === 1
    ? { marketplace: only, segment: { ...segment, marketplaces: [] } }
    : { marketplace: null, segment: { ...segment, marketplaces: named } };
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

import { competitionOf, holdsOnlyBox, isReadingUsable } from '#domain/competition/competition.ts';
import { lowestCompetitor } from '#domain/competition/competitors.ts';
import type { Offer } from '#domain/competition/offer.ts';
import { type AllowedPrices, lowestAllowedFrom } from '#domain/limits/allowed-prices.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Cents } from '#domain/units.ts';
import type { DecidingLine, KeepReason, PriceReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';

/** Sales a listing needs before Dynamic Pricing learns from them. */
export const DYNAMIC_MIN_SALES = 30;
/** The default offset of Beat. */
export const DEFAULT_BEAT_OFFSET = 1 as Cents;

/** The price of the strategy before any limit. Null means that the current price stays if it is allowed. */
export type StrategyPrice =
  | {
      readonly price: number;
      readonly reason: PriceReason;
      readonly competitor: Offer | null;
      /** Null where the strategy of the rule decides. */
      readonly line: DecidingLine | null;
    }
  | {
      readonly price: null;
      readonly reason: KeepReason;
      readonly competitor: Offer | null;
      readonly line: DecidingLine | null;
    };

/** Step 4: competitors and strategy. The price may be any number, even negative; the allowed prices limit it later. */
export function strategyPrice(
  facts: ListingFacts,
  rule: Rule,
  set: AllowedPrices,
  policy: Policy,
): StrategyPrice {
  const lowest = lowestAllowedFrom(set, 1) as Cents;
  if (rule.strategy === 'Fixed Margin')
    return { price: lowest, reason: 'fixed_margin', competitor: null, line: null };
  const atLeast = skippedBelow(rule, lowest, facts.shippingCharge as Cents);
  const competitor = isReadingUsable(facts, policy) ? lowestCompetitor(facts, rule, policy, atLeast) : null;
  if (competitor === null) return withoutCompetitor(facts, rule, set, policy, lowest, atLeast);
  const strategy = againstCompetitor(facts, rule, set, lowest, competitor);
  if (strategy.price === null || strategy.price >= (facts.currentPrice as Cents)) return strategy;
  // Who else sells it there is not known: a lower price could only take from what has been won.
  return holdsOnlyBox(facts, rule, policy)
    ? { price: null, reason: 'only_ours_shown', competitor, line: null }
    : strategy;
}

/** Landed prices below this are skipped by the rule. @param lowest the lowest allowed price */
export function skippedBelow({ belowFloor }: Rule, lowest: Cents, charge: Cents): number {
  return belowFloor === 'skip' ? lowest + charge : Number.NEGATIVE_INFINITY;
}

function againstCompetitor(
  facts: ListingFacts,
  rule: Rule,
  set: AllowedPrices,
  lowest: Cents,
  competitor: Offer,
): StrategyPrice {
  const reference = competitor.price + competitor.shipping - (facts.shippingCharge as Cents);
  if (reference < lowest) {
    if (rule.belowFloor === 'keep')
      return { price: null, reason: 'competitor_below_floor', competitor, line: null };
    if (rule.belowFloor === 'ceiling') {
      return { price: set.priceCeiling as Cents, reason: 'below_floor_ceiling', competitor, line: null };
    }
  }
  return againstReference(rule, reference, competitor);
}

function againstReference(rule: Rule, reference: number, competitor: Offer): StrategyPrice {
  if (rule.strategy === 'Beat Competitor') {
    const by = Math.abs(rule.competitorOffset ?? DEFAULT_BEAT_OFFSET);
    return { price: reference - by, reason: 'beaten', competitor, line: null };
  }
  const price = reference + (rule.competitorOffset ?? 0);
  return {
    price,
    reason: rule.strategy === 'Dynamic Pricing' ? 'dynamic_cold_start' : 'matched',
    competitor,
    line: null,
  };
}

function withoutCompetitor(
  facts: ListingFacts,
  rule: Rule,
  set: AllowedPrices,
  policy: Policy,
  lowest: Cents,
  atLeast: number,
): StrategyPrice {
  const { status, isOnlyOurs } = competitionOf(facts, rule, policy, atLeast);
  // Silence is no reason to go to either end.
  if (status === 'not_read') return { price: null, reason: 'not_read', competitor: null, line: null };
  if (isOnlyOurs) return { price: null, reason: 'only_ours_shown', competitor: null, line: null };
  // Dynamic Pricing does not learn from sales yet: without a competitor the price stays.
  if (rule.strategy === 'Dynamic Pricing' || rule.noCompetitor === 'keep') {
    return { price: null, reason: 'no_competitor', competitor: null, line: null };
  }
  return rule.noCompetitor === 'floor'
    ? { price: lowest, reason: 'no_competitor_floor', competitor: null, line: null }
    : { price: set.priceCeiling as Cents, reason: 'no_competitor_ceiling', competitor: null, line: null };
}

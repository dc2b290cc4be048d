import { FULFILLMENT_TYPES, type FulfillmentType, MARKETPLACES, type Marketplace } from './marketplaces.ts';
import type { Rule } from './rule.ts';
import { bySpecificityThenAge, matches, type RuleScope } from './rule-choice.ts';

/** A marketplace and fulfillment type, for which rules compete. */
export interface ListingKind {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
}

/** All kinds of listing, in the order of the screens. */
export const LISTING_KINDS: readonly ListingKind[] = MARKETPLACES.flatMap((marketplace) =>
  FULFILLMENT_TYPES.map((fulfillmentType) => ({ marketplace, fulfillmentType })),
);

/** The part of a rule that precedence depends on. */
export type RuleCandidate = RuleScope & Pick<Rule, 'id' | 'name' | 'isActive'>;

/** Why one of two rules for the same listings takes precedence. */
export type Tiebreak = 'marketplace' | 'fulfillment' | 'age';

/** Another active rule that matches some of the same listings. */
export interface CompetingRule<Candidate extends RuleCandidate = RuleCandidate> {
  readonly rule: Candidate;
  /** Whether the given rule takes precedence over this one. */
  readonly wins: boolean;
  readonly because: Tiebreak;
  /** Where both match. */
  readonly places: readonly ListingKind[];
}

/**
 * The other active rules that match some of the same listings, and which one wins: the same one everywhere.
 * Listings with an assigned rule are not affected.
 * @param rules in any order; the one with the ID of `rule` is ignored
 */
export function competingRules<Candidate extends RuleCandidate>(
  rule: RuleCandidate,
  rules: readonly Candidate[],
): CompetingRule<Candidate>[] {
  return rules
    .filter((other) => other.isActive && other.id !== rule.id)
    .sort(bySpecificityThenAge)
    .flatMap((other) => {
      const places = LISTING_KINDS.filter((place) => matches(rule, place) && matches(other, place));
      if (places.length === 0) return [];
      return [
        { rule: other, wins: bySpecificityThenAge(rule, other) < 0, because: tiebreak(rule, other), places },
      ];
    });
}

/**
 * The active rule that prices each kind of listing.
 * @returns in the order of {@link LISTING_KINDS}; null where none matches
 */
export function winningRules<Candidate extends RuleCandidate>(
  rules: readonly Candidate[],
): readonly { readonly place: ListingKind; readonly rule: Candidate | null }[] {
  const ranked = rules.filter((rule) => rule.isActive).sort(bySpecificityThenAge);
  return LISTING_KINDS.map((place) => ({ place, rule: ranked.find((rule) => matches(rule, place)) ?? null }));
}

function tiebreak(a: RuleScope, b: RuleScope): Tiebreak {
  if ((a.marketplace === null) !== (b.marketplace === null)) return 'marketplace';
  return (a.fulfillmentType === 'All') === (b.fulfillmentType === 'All') ? 'age' : 'fulfillment';
}

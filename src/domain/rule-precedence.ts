import { FULFILLMENT_TYPES, type FulfillmentType, MARKETPLACES, type Marketplace } from './marketplaces.ts';
import type { Rule } from './rule.ts';
import { bySpecificityThenAge, matches, type RuleScope } from './rule-choice.ts';

/** A kind of listing that rules compete for. */
export interface ListingKind {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
}

/** Every kind of listing there is, in the order of the screens. */
export const LISTING_KINDS: readonly ListingKind[] = MARKETPLACES.flatMap((marketplace) =>
  FULFILLMENT_TYPES.map((fulfillmentType) => ({ marketplace, fulfillmentType })),
);

/** A rule as far as the question goes which listings are its own. */
export type RuleCandidate = RuleScope & Pick<Rule, 'id' | 'name' | 'isActive'>;

/** What settles it between two rules for the same listings. */
export type Tiebreak = 'marketplace' | 'fulfillment' | 'age';

/** Another active rule for some of the same listings. */
export interface CompetingRule<Candidate extends RuleCandidate = RuleCandidate> {
  readonly rule: Candidate;
  /** Whether the rule asked about wins against this one. */
  readonly wins: boolean;
  readonly because: Tiebreak;
  /** Where both match. */
  readonly places: readonly ListingKind[];
}

/**
 * The other active rules that match listings this one matches, and who wins: of two rules it is the same everywhere.
 * Listings that name a rule as their own are not competed for.
 * @param rules in any order; one with the id of `rule` is passed over
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
 * The active rule that decides each kind of listing.
 * @returns null where none matches; in the order of {@link LISTING_KINDS}
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

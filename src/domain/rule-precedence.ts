import { FULFILLMENT_TYPES, type FulfillmentType, MARKETPLACES, type Marketplace } from './marketplaces.ts';
import type { Rule } from './rule.ts';
import { bySpecificityThenAge, matches, type RuleClaim } from './rule-choice.ts';

/** A kind of listing that rules compete for. */
export interface Place {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
}

/** Every kind of listing there is, in the order of the screens. */
export const PLACES: readonly Place[] = MARKETPLACES.flatMap((marketplace) =>
  FULFILLMENT_TYPES.map((fulfillmentType) => ({ marketplace, fulfillmentType })),
);

/** A rule as far as the question goes which listings are its own. */
export type Contender = RuleClaim & Pick<Rule, 'id' | 'name' | 'isActive'>;

/** What settles it between two rules for the same listings. */
export type Tiebreak = 'marketplace' | 'fulfillment' | 'age';

/** Another active rule for some of the same listings. */
export interface Rival<Candidate extends Contender = Contender> {
  readonly rule: Candidate;
  /** Whether the rule asked about wins against this one. */
  readonly wins: boolean;
  readonly because: Tiebreak;
  /** Where both match. */
  readonly places: readonly Place[];
}

/**
 * The other active rules that match listings this one matches, and who wins: of two rules it is the same everywhere.
 * Listings that name a rule as their own are not competed for.
 * @param rules in any order; one with the id of `rule` is passed over
 */
export function rivalsOf<Candidate extends Contender>(
  rule: Contender,
  rules: readonly Candidate[],
): Rival<Candidate>[] {
  return rules
    .filter((other) => other.isActive && other.id !== rule.id)
    .sort(bySpecificityThenAge)
    .flatMap((other) => {
      const places = PLACES.filter((place) => matches(rule, place) && matches(other, place));
      if (places.length === 0) return [];
      return [
        { rule: other, wins: bySpecificityThenAge(rule, other) < 0, because: tiebreak(rule, other), places },
      ];
    });
}

/**
 * The active rule that decides each kind of listing.
 * @returns null where none matches; in the order of {@link PLACES}
 */
export function winners<Candidate extends Contender>(
  rules: readonly Candidate[],
): readonly { readonly place: Place; readonly rule: Candidate | null }[] {
  const ranked = rules.filter((rule) => rule.isActive).sort(bySpecificityThenAge);
  return PLACES.map((place) => ({ place, rule: ranked.find((rule) => matches(rule, place)) ?? null }));
}

function tiebreak(a: RuleClaim, b: RuleClaim): Tiebreak {
  if ((a.marketplace === null) !== (b.marketplace === null)) return 'marketplace';
  return (a.fulfillmentType === 'All') === (b.fulfillmentType === 'All') ? 'age' : 'fulfillment';
}

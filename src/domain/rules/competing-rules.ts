import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import type { Rule, RuleScope } from './rule.ts';
import { matchesKind } from './rule-choice.ts';
import { byPrecedence, type Tiebreak, tiebreak } from './rule-precedence.ts';
import { canMeet } from './schedule.ts';
import { canOverlap, coversSegment, type ListingKind } from './segment.ts';

/** All kinds of listing, in the order of the screens. */
export const LISTING_KINDS: readonly ListingKind[] = MARKETPLACES.flatMap((marketplace) =>
  FULFILLMENT_TYPES.map((fulfillmentType) => ({ marketplace, fulfillmentType })),
);

/** The part of a rule that precedence depends on. */
export type RuleCandidate = RuleScope & Pick<Rule, 'id' | 'name' | 'isActive'>;

/** Another active rule that may match some of the same listings. */
export interface CompetingRule<Candidate extends RuleCandidate = RuleCandidate> {
  readonly rule: Candidate;
  /** Whether the given rule takes precedence over this one. */
  readonly wins: boolean;
  readonly because: Tiebreak;
  /** Where both may match. */
  readonly places: readonly ListingKind[];
}

/**
 * The other active rules that may match some of the same listings, and which one wins: the same one everywhere.
 * Listings with an assigned rule are not affected.
 * @param rules in any order; the one with the ID of `rule` is ignored
 */
export function competingRules<Candidate extends RuleCandidate>(
  rule: RuleCandidate,
  rules: readonly Candidate[],
): CompetingRule<Candidate>[] {
  return rules
    .filter((other) => other.isActive && other.id !== rule.id)
    .filter(({ segment, schedule }) => canOverlap(rule.segment, segment) && canMeet(rule.schedule, schedule))
    .sort(byPrecedence)
    .flatMap((other) => {
      const places = LISTING_KINDS.filter((place) => matchesKind(rule, place) && matchesKind(other, place));
      if (places.length === 0) return [];
      return [{ rule: other, wins: byPrecedence(rule, other) < 0, because: tiebreak(rule, other), places }];
    });
}

/** Whether other active rules take precedence for every listing that the rule can match, at any time. */
export function isCrowdedOut(rule: RuleCandidate, rules: readonly RuleCandidate[]): boolean {
  const stronger = rules.filter(
    (other) =>
      other.isActive &&
      other.id !== rule.id &&
      other.schedule === null &&
      byPrecedence(other, rule) < 0 &&
      coversSegment(other.segment, rule.segment),
  );
  return LISTING_KINDS.filter((place) => matchesKind(rule, place)).every((place) =>
    stronger.some((other) => matchesKind(other, place)),
  );
}

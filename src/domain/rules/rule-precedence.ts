import type { RuleScope } from './rule.ts';
import { fieldsNamed } from './segment.ts';

/** Why one of two rules for the same listings takes precedence, in the order of comparison. */
export const TIEBREAK_REASONS = ['priority', 'marketplace', 'fulfillment', 'segment', 'age'] as const;
export type Tiebreak = (typeof TIEBREAK_REASONS)[number];

const AFTER_ALL = Number.MAX_SAFE_INTEGER;

const COMPARISONS: Readonly<Record<Tiebreak, (a: RuleScope, b: RuleScope) => number>> = {
  priority: (a, b) => (a.priority ?? AFTER_ALL) - (b.priority ?? AFTER_ALL),
  marketplace: (a, b) => Number(namesMarketplace(b)) - Number(namesMarketplace(a)),
  fulfillment: (a, b) => Number(a.fulfillmentType === 'All') - Number(b.fulfillmentType === 'All'),
  segment: (a, b) => fieldsNamed(b.segment).length - fieldsNamed(a.segment).length,
  age: (a, b) => a.order - b.order,
};

/**
 * The order of rules for the same listing: the smaller priority, and any before none; a marketplace before all, a
 * fulfillment type before All, more fields of the segment before fewer, then the older rule.
 */
export function byPrecedence(a: RuleScope, b: RuleScope): number {
  return COMPARISONS[tiebreak(a, b)](a, b);
}

/** What sets two rules apart; `age` where nothing else does. */
export function tiebreak(a: RuleScope, b: RuleScope): Tiebreak {
  return TIEBREAK_REASONS.find((reason) => COMPARISONS[reason](a, b) !== 0) ?? 'age';
}

function namesMarketplace({ marketplace, segment }: RuleScope): boolean {
  return marketplace !== null || segment.marketplaces.length > 0;
}

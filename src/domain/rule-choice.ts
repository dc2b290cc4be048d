import type { FulfillmentType, Marketplace } from './marketplaces.ts';
import type { Rule, RuleChoice } from './rule.ts';
import type { Bps } from './units.ts';

/** What decides which rule applies to a listing. */
export interface RuleQuestion {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  /** The rule assigned to the listing; `missing` if that rule was deleted. */
  readonly ownRule: Rule | 'missing' | null;
}

/** The part of a rule that decides which listings it applies to. */
export type RuleScope = Pick<Rule, 'marketplace' | 'fulfillmentType' | 'order'>;

/** Prepared rules for many lookups: the choice is made once per marketplace and fulfillment type. */
export interface RuleBook {
  choose(question: RuleQuestion): RuleChoice;
}

const NO_RULE: RuleChoice = { kind: 'none', rule: null, minimumMargin: null };
const OWN_MISSING: RuleChoice = { kind: 'own_missing', rule: null, minimumMargin: null };

/** @param rules in any order; the one with the smaller `order` is older */
export function ruleBook(rules: readonly Rule[]): RuleBook {
  const ranked = rules.filter((rule) => rule.isActive).sort(bySpecificityThenAge);
  const matched = new Map<string, RuleChoice>();
  return {
    choose(question) {
      if (question.ownRule !== null) return ownChoice(question.ownRule, question);
      const key = `${question.marketplace} ${question.fulfillmentType}`;
      let choice = matched.get(key);
      if (choice === undefined) {
        const rule = ranked.find((candidate) => matches(candidate, question));
        choice = rule ? chosen('matched', rule, question.marketplace) : NO_RULE;
        matched.set(key, choice);
      }
      return choice;
    },
  };
}

/** The rule's minimum margin on a marketplace: that marketplace's own, or else the rule's. */
export function minimumMarginOf(rule: Rule, marketplace: Marketplace): Bps {
  return rule.marketplaceMargins[marketplace] ?? rule.minimumMargin;
}

/** Only the assigned rule prices the listing: if it is paused or does not match, the price stays. */
function ownChoice(rule: Rule | 'missing', question: RuleQuestion): RuleChoice {
  if (rule === 'missing') return OWN_MISSING;
  if (!rule.isActive) return { kind: 'own_paused', rule, minimumMargin: null };
  if (!matches(rule, question)) return { kind: 'own_mismatch', rule, minimumMargin: null };
  return chosen('own', rule, question.marketplace);
}

function chosen(kind: 'own' | 'matched', rule: Rule, marketplace: Marketplace): RuleChoice {
  return { kind, rule, minimumMargin: minimumMarginOf(rule, marketplace) };
}

/** Whether a rule applies to listings of this marketplace and fulfillment type. */
export function matches(
  rule: RuleScope,
  { marketplace, fulfillmentType }: Pick<RuleQuestion, 'marketplace' | 'fulfillmentType'>,
): boolean {
  return (
    (rule.marketplace === null || rule.marketplace === marketplace) &&
    (rule.fulfillmentType === 'All' || rule.fulfillmentType === fulfillmentType)
  );
}

/** A specific marketplace before any, a specific fulfillment type before All, then the older rule. */
export function bySpecificityThenAge(a: RuleScope, b: RuleScope): number {
  return (
    Number(a.marketplace === null) - Number(b.marketplace === null) ||
    Number(a.fulfillmentType === 'All') - Number(b.fulfillmentType === 'All') ||
    a.order - b.order
  );
}

import type { LocalTime } from '#domain/limits/policy.ts';
import {
  FULFILLMENT_TYPES,
  type FulfillmentType,
  MARKETPLACES,
  type Marketplace,
} from '#domain/marketplaces.ts';
import type { Bps } from '#domain/units.ts';
import type { Rule, RuleChoice, RuleScope } from './rule.ts';
import { byPrecedence } from './rule-precedence.ts';
import { isInSchedule } from './schedule.ts';
import {
  fieldsNamed,
  type ListingKind,
  labelKey,
  NOTHING_KNOWN,
  type ScopeFacts,
  type ScopeTest,
  scopeTests,
} from './segment.ts';

/** What decides which rule applies to a listing. */
export interface RuleQuestion {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  /** The rule assigned to the listing; `missing` if that rule was deleted. */
  readonly ownRule: Rule | 'missing' | null;
  /** Omitted: nothing of it is known. */
  readonly scope?: ScopeFacts;
}

/**
 * Prepared rules for many lookups at one time. Only the assigned rule prices a listing that has one: if it is paused, off
 * hours or does not match, the price stays.
 */
export interface RuleIndex {
  choose(question: RuleQuestion): RuleChoice;
}

const NO_RULE: RuleChoice = { kind: 'none', rule: null, minimumMargin: null };
const OWN_MISSING: RuleChoice = { kind: 'own_missing', rule: null, minimumMargin: null };

/**
 * @param rules in any order; the one with the smaller `order` is older
 * @param local the time of the shop; null: not known, and then no rule with a schedule applies
 */
export function ruleIndex(rules: readonly Rule[], local: LocalTime | null = null): RuleIndex {
  const pick = rulePicker(rules, local, (rule, marketplace) => chosen('matched', rule, marketplace));
  const matchers = new Map<Rule, (question: PickQuestion) => boolean>();
  const matcherOf = (rule: Rule) => {
    const matcher = matchers.get(rule) ?? scopeMatcher(rule);
    matchers.set(rule, matcher);
    return matcher;
  };
  return {
    choose(question) {
      const { ownRule } = question;
      if (ownRule === null) return pick(question) ?? NO_RULE;
      if (ownRule === 'missing') return OWN_MISSING;
      if (!ownRule.isActive) return { kind: 'own_paused', rule: ownRule, minimumMargin: null };
      if (!matcherOf(ownRule)(question)) return { kind: 'own_mismatch', rule: ownRule, minimumMargin: null };
      if (!isInSchedule(ownRule.schedule, local)) {
        return { kind: 'own_off_hours', rule: ownRule, minimumMargin: null };
      }
      return chosen('own', ownRule, question.marketplace);
    },
  };
}

/** What decides among rules that are not assigned. */
export type PickQuestion = Omit<RuleQuestion, 'ownRule'>;

/**
 * Prepares the choice among active rules whose schedule applies, by marketplace, fulfillment type and brand.
 * @param answer made once for each rule and marketplace
 * @returns the answer for the rule that takes precedence for a listing; null where none matches
 */
export function rulePicker<One extends RuleScope & Pick<Rule, 'isActive'>, Answer>(
  rules: readonly One[],
  local: LocalTime | null,
  answer: (rule: One, marketplace: Marketplace) => Answer,
): (question: PickQuestion) => Answer | null {
  const ranked = rules
    .filter((rule) => rule.isActive)
    .sort(byPrecedence)
    .filter(({ schedule }) => isInSchedule(schedule, local));
  const shelves = new Map(
    MARKETPLACES.map((marketplace) => [
      marketplace,
      new Map(
        FULFILLMENT_TYPES.map((type) => [
          type,
          shelfOf(ranked, { marketplace, fulfillmentType: type }, answer),
        ]),
      ),
    ]),
  );
  return ({ marketplace, fulfillmentType, scope = NOTHING_KNOWN }) => {
    const shelf = shelves.get(marketplace)?.get(fulfillmentType);
    if (shelf === undefined) return null;
    const isNamed = shelf.byBrand.size > 0 && scope.brand !== null;
    const candidates = (isNamed ? shelf.byBrand.get(labelKey(scope.brand)) : undefined) ?? shelf.unbranded;
    for (const { tests, answer } of candidates) if (holdAll(tests, scope)) return answer;
    return null;
  };
}

/** A rule that may apply, with the conditions that are still open. */
interface Candidate<Answer> {
  readonly tests: readonly ScopeTest[];
  readonly answer: Answer;
}

/** The candidates for one marketplace and fulfillment type in order of precedence. */
interface Shelf<Answer> {
  /** For brands that no rule names. */
  readonly unbranded: readonly Candidate<Answer>[];
  /** For each brand that a rule names: those that name it, and those that name none. */
  readonly byBrand: ReadonlyMap<string, readonly Candidate<Answer>[]>;
}

function shelfOf<One extends RuleScope, Answer>(
  ranked: readonly One[],
  kind: ListingKind,
  answer: (rule: One, marketplace: Marketplace) => Answer,
): Shelf<Answer> {
  const here = ranked
    .filter((rule) => matchesKind(rule, kind))
    .map((rule) => ({
      brands: new Set(rule.segment.brands.map(labelKey)),
      tests: scopeTests(rule.segment, false),
      answer: answer(rule, kind.marketplace),
    }));
  const among = (brand: string | null): readonly Candidate<Answer>[] =>
    untilUnconditional(
      here.filter(({ brands }) => brands.size === 0 || (brand !== null && brands.has(brand))),
    );
  const named = new Set(here.flatMap(({ brands }) => [...brands]));
  return {
    unbranded: among(null),
    byBrand: new Map([...named].map((brand) => [brand, among(brand)])),
  };
}

/** Nothing comes after a rule without an open condition. */
function untilUnconditional<Answer>(candidates: readonly Candidate<Answer>[]): readonly Candidate<Answer>[] {
  const last = candidates.findIndex(({ tests }) => tests.length === 0);
  return last < 0 ? candidates : candidates.slice(0, last + 1);
}

function holdAll(tests: readonly ScopeTest[], facts: ScopeFacts): boolean {
  for (const test of tests) if (!test(facts)) return false;
  return true;
}

/** The rule's minimum margin on a marketplace: that marketplace's own, or else the rule's. */
export function minimumMarginOf(rule: Rule, marketplace: Marketplace): Bps {
  return rule.marketplaceMargins[marketplace] ?? rule.minimumMargin;
}

function chosen(kind: 'own' | 'matched', rule: Rule, marketplace: Marketplace): RuleChoice {
  return { kind, rule, minimumMargin: minimumMarginOf(rule, marketplace) };
}

/** Prepares whether a rule applies to listings, whenever its schedule does. */
export function scopeMatcher(rule: RuleScope): (question: PickQuestion) => boolean {
  const tests = scopeTests(rule.segment);
  return (question) => matchesKind(rule, question) && holdAll(tests, question.scope ?? NOTHING_KNOWN);
}

/** Whether a rule is for listings of this marketplace and fulfillment type, or some of them. */
export function matchesKind(rule: RuleScope, { marketplace, fulfillmentType }: ListingKind): boolean {
  const { marketplaces } = rule.segment;
  return (
    (rule.marketplace === null || rule.marketplace === marketplace) &&
    (marketplaces.length === 0 || marketplaces.includes(marketplace)) &&
    (rule.fulfillmentType === 'All' || rule.fulfillmentType === fulfillmentType)
  );
}

/** Whether only the segment of a rule can exclude a listing of this kind. */
export function isLeftToSegment(rule: RuleScope, kind: ListingKind): boolean {
  return fieldsNamed(rule.segment).length > 0 && matchesKind(rule, kind);
}

import type { ListedRule } from '#contract/rules.ts';
import {
  type CompetingRule,
  competingRules,
  type RuleCandidate,
  winningRules,
} from '#domain/rule-precedence.ts';
import type { RuleDraft } from './rule-draft.ts';

/** Newer than every stored rule. */
const DRAFT_ORDER = Number.MAX_SAFE_INTEGER;

/** The precedence of a rule among the others. */
export interface Precedence {
  readonly competing: readonly CompetingRule[];
  /** Other rules take precedence wherever it matches; it only prices listings assigned to it. */
  readonly isCrowdedOut: boolean;
}

/** The precedence of a stored, active rule. */
export function precedenceOf(rule: ListedRule, rules: readonly ListedRule[]): Precedence {
  return precedenceAmong(contender(rule), rules.map(contender));
}

/** The precedence of a draft in place of rule `id`, or as a new one, assuming it is active. */
export function draftPrecedence(
  draft: RuleDraft,
  id: string | null,
  rules: readonly ListedRule[],
): Precedence {
  const self: RuleCandidate = {
    id: id ?? 'draft',
    name: draft.name,
    fulfillmentType: draft.fulfillmentType,
    isActive: true,
    marketplace: draft.marketplace === '' ? null : draft.marketplace,
    order: id === null ? DRAFT_ORDER : Number(id),
  };
  return precedenceAmong(self, rules.map(contender));
}

function precedenceAmong(self: RuleCandidate, rules: readonly RuleCandidate[]): Precedence {
  const others = rules.filter(({ id }) => id !== self.id);
  return {
    competing: competingRules(self, others),
    isCrowdedOut: winningRules([...others, self]).every(({ rule }) => rule !== self),
  };
}

function contender({ id, name, isActive, marketplace, fulfillmentType }: ListedRule): RuleCandidate {
  return { id, name, isActive, marketplace, fulfillmentType, order: Number(id) };
}

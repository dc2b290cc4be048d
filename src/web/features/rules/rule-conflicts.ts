import { type ListedRule, RuleFields, type RuleForm } from '#contract/rules.ts';
import {
  type CompetingRule,
  competingRules,
  isCrowdedOut,
  type RuleCandidate,
} from '#domain/rules/competing-rules.ts';
import type { ScopeTerms } from '#domain/rules/rule.ts';

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

function precedenceAmong(self: RuleCandidate, rules: readonly RuleCandidate[]): Precedence {
  const others = rules.filter(({ id }) => id !== self.id);
  return {
    competing: competingRules(self, others),
    isCrowdedOut: isCrowdedOut(self, others),
  };
}

function contender(rule: ListedRule): RuleCandidate {
  const { id, name, isActive, marketplace, fulfillmentType } = rule;
  return { id, name, isActive, marketplace, fulfillmentType, order: Number(id), ...scopeOf(rule) };
}

const SCOPE_FIELDS = RuleFields.pick({ segment: true, priority: true, schedule: true });

function scopeOf({ segment, priority, schedule }: Pick<RuleForm, keyof ScopeTerms>): ScopeTerms {
  return SCOPE_FIELDS.parse({ segment, priority, schedule });
}

import type { Decision } from './decision.ts';
import { evaluate } from './evaluate.ts';
import type { ListingFacts } from './facts.ts';
import type { Policy } from './policy.ts';
import type { RuleChoice } from './rule.ts';

/**
 * Decides the price of one listing. Pure: the same facts, rule and policy give the same decision.
 * A `change` is always an allowed price within the move range.
 */
export function decide(facts: ListingFacts, choice: RuleChoice, policy: Policy): Decision {
  return evaluate(facts, choice, policy).decision;
}

import type { DecisionCase } from './stored-case.ts';

/**
 * The same question as if a person asked it: what only binds the engine is taken away. Observe, halt, hold, "ask
 * first", a refusal for other channels, the switches and unknown own sellers turn a change into a recommendation, and a price that was not uploaded
 * yet makes the engine wait; a person who applies a recommendation decides all of that. Every limit on the price stays.
 */
export function asManualDecision({ facts, choice, policy }: DecisionCase): DecisionCase {
  return {
    facts: { ...facts, autoRepricing: true, hold: null, awaitingUpload: false },
    choice:
      choice.kind === 'own' || choice.kind === 'matched'
        ? { ...choice, rule: { ...choice.rule, requiresReview: false, refuseCrossChannel: false } }
        : choice,
    policy: { ...policy, mode: 'live', halted: false, autoRepricing: true, areOwnSellersKnown: true },
  };
}

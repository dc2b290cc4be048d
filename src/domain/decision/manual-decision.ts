import type { DecisionCase } from './stored-case.ts';

/**
 * The same case for a manual price, without what only binds the engine: mode, halt, hold, required review, the
 * cross-channel option, the switches, unknown seller names and a pending upload. A user who applies a recommendation
 * overrides all of these. Every limit on the price stays.
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

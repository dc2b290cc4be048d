import { describe, expect, it } from 'vitest';
import { aListing, anOffer, aPolicy, chosen, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { stories } from '#tests/builders/scenarios.ts';
import { decide } from './decide.ts';
import { asManualDecision } from './manual-decision.ts';

describe('a manual decision', () => {
  it.each([
    ['observe', {}, {}, { mode: 'recommend_only' }],
    ['a halt', {}, {}, { halted: true }],
    ['the global switch', {}, {}, { autoRepricing: false }],
    ['the switch of the listing', { autoRepricing: false }, {}, {}],
    ['a hold', { hold: { until: null, by: 'Ann', reason: 'Sale' } }, {}, {}],
    ['a rule that requires review', {}, { requiresReview: true }, {}],
    ['unknown own sellers', {}, {}, { areOwnSellersKnown: false }],
    ['a price that was not uploaded', { awaitingUpload: true }, {}, {}],
  ] as const)('ignores %s', (_, facts, rule, policy) => {
    const question = {
      facts: aListing({ offers: [anOffer(18.99)], ...facts }),
      choice: chosen(rule),
      policy: aPolicy(policy),
    };
    expect(decide(question.facts, question.choice, question.policy).kind).not.toBe('change');
    const requested = asManualDecision(question);
    expect(decide(requested.facts, requested.choice, requested.policy)).toMatchObject({
      kind: 'change',
      price: usd(18.99),
    });
  });

  law(
    'has the price that the engine recommends, and the same limits',
    stories,
    ({ facts, choice, policy }) => {
      const engine = decide(facts, choice, policy);
      const requested = asManualDecision({ facts, choice, policy });
      const person = decide(requested.facts, requested.choice, requested.policy);
      if (engine.kind === 'change' || engine.kind === 'recommend') expect(person.price).toBe(engine.price);
      if (engine.kind === 'blocked') expect(person).toEqual(engine);
      if (person.kind === 'recommend') expect(person.reviewReason).toBe('outside_move_range');
      expect(person.marginFloor).toBe(engine.marginFloor);
    },
  );
});

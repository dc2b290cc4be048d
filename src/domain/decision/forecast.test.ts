import { describe, expect, test } from 'vitest';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import { aCost, aListing, anOffer, aPolicy, chosen } from '#tests/builders/facts.ts';
import { decide } from './decide.ts';
import type { ListingFacts } from './facts.ts';
import { MarketplaceForecast } from './forecast.ts';

interface Story {
  readonly facts?: Partial<ListingFacts>;
  readonly rule?: Partial<Rule>;
  readonly policy?: Partial<Policy>;
  readonly choice?: RuleChoice;
}

/** The forecast for listings at $20.00 on a marketplace set to recommend only. */
function forecastOf(...stories: readonly Story[]): MarketplaceForecast {
  const forecast = new MarketplaceForecast();
  for (const { facts, rule, policy, choice = chosen(rule) } of stories) {
    const one = { facts: aListing(facts), choice, policy: aPolicy({ mode: 'recommend_only', ...policy }) };
    forecast.add(one, decide(one.facts, one.choice, one.policy));
  }
  return forecast;
}
const competitor = (price: number) => ({ offers: [anOffer(price)] });

describe('a forecast', () => {
  test('counts what would change if the marketplace were live, and the difference in money', () => {
    const forecast = forecastOf({ facts: competitor(19) }, { facts: competitor(20.5) });
    // $1.00 down and $0.50 up, of which 15% would be fees; half a cent of profit is rounded down.
    expect(forecast).toMatchObject({ raised: 1, lowered: 1, priceChange: -50, profitChange: -43 });
    expect(forecast.waiting.size).toBe(0);
  });

  test('counts prices that would still need review', () => {
    const forecast = forecastOf(
      { facts: competitor(19), rule: { requiresReview: true } },
      { facts: { ...competitor(19), autoRepricing: false } },
      { facts: { ...competitor(19), autoRepricing: false } },
    );
    expect(forecast).toMatchObject({ raised: 0, lowered: 0, priceChange: 0, profitChange: 0 });
    expect([...forecast.waiting]).toEqual([
      ['ask_first', 1],
      ['listing_off', 2],
    ]);
  });

  test('counts a paused marketplace as paused, since going live would change nothing', () => {
    const forecast = forecastOf({ facts: competitor(19), policy: { mode: 'paused' } });
    expect([...forecast.waiting]).toEqual([['paused', 1]]);
  });

  test('names the gaps of an unknown cost, each once, and listings without a rule', () => {
    const gap = { kind: 'no_product_cost', sku: 'MUG-1' } as const;
    const unknown = { ...aCost(10), total: null, gaps: [gap, { ...gap, sku: 'MUG-2' }] };
    const forecast = forecastOf(
      { facts: { ...competitor(19), cost: unknown } },
      { facts: { ...competitor(19), fees: null } },
      { facts: competitor(19), choice: { kind: 'none', rule: null, minimumMargin: null } },
    );
    expect([...forecast.problems]).toEqual([
      ['no_product_cost', 1],
      ['no_fee_schedule', 1],
      ['no_rule', 1],
    ]);
  });
});

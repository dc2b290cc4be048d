import { describe, expect, it } from 'vitest';
import { sellerKey } from '#domain/competition/offer.ts';
import { NAMELESS } from '#domain/competition/recent-moves.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import { WHOLE_CATALOG } from '#domain/rules/segment.ts';
import { hours } from '#domain/units.ts';
import {
  APPAREL,
  aCost,
  aListing,
  anOffer,
  aPolicy,
  aRule,
  chosen,
  NOW,
  pct,
  usd,
} from '#tests/builders/facts.ts';
import { explain } from './explain.ts';
import type { ListingFacts } from './facts.ts';

interface Story {
  facts?: Partial<ListingFacts>;
  rule?: Partial<Rule>;
  choice?: RuleChoice;
  policy?: Partial<Policy>;
}

const competitor = (price: number) => ({ offers: [anOffer(price)] });
const dynamic = { strategy: 'Dynamic Pricing' } as const;
const rule = aRule({ name: 'Summer' });

describe('why a price stays', () => {
  it.each<[string, Story]>([
    ['No active rule matches Walmart FBM.', { choice: { kind: 'none', rule: null, minimumMargin: null } }],
    ['The assigned rule Summer is paused.', { choice: { kind: 'own_paused', rule, minimumMargin: null } }],
    [
      'The assigned rule Summer does not apply to Walmart FBM.',
      { choice: { kind: 'own_mismatch', rule, minimumMargin: null } },
    ],
    [
      'The assigned rule Summer is for other listings.',
      {
        choice: {
          kind: 'own_mismatch',
          rule: { ...rule, segment: { ...WHOLE_CATALOG, brands: ['Acme'] } },
          minimumMargin: null,
        },
      },
    ],
    [
      'The assigned rule Summer does not apply at this time: the price stays.',
      { choice: { kind: 'own_off_hours', rule, minimumMargin: null } },
    ],
    [
      'The assigned rule no longer exists.',
      { choice: { kind: 'own_missing', rule: null, minimumMargin: null } },
    ],
    ['No competitor: the price stays.', {}],
    [
      'Not enough sales yet (0 of 30), and there is no competitor: the price stays.',
      { rule: dynamic, facts: { salesCount: 0 } },
    ],
    [
      'Dynamic Pricing cannot learn from sales yet, and there is no competitor: the price stays.',
      { rule: dynamic, facts: { salesCount: 31 } },
    ],
    ['No sales data yet, and there is no competitor: the price stays.', { rule: dynamic }],
    [
      "Corner Store's $12.00 is below your lowest allowed price: the price stays.",
      { facts: competitor(12), rule: { belowFloor: 'keep' } },
    ],
    [
      'The lowest offer of $12.00 is below your lowest allowed price: the price stays.',
      { facts: { offers: [anOffer(12, { sellerName: null, seller: null })] }, rule: { belowFloor: 'keep' } },
    ],
    ['The current price $20.00 already matches the rule.', { facts: competitor(20) }],
    [
      'The price this rule sets, $19.00, is already on its way.',
      { facts: { pendingPrice: usd(19), ...competitor(19) } },
    ],
    [
      'No allowed price within the 30% daily limit: the price stays.',
      { facts: { priceDayAgo: usd(15), ...competitor(19.8) } },
    ],
    [
      'No allowed price within the 3% step limit: the price stays.',
      {
        facts: { cost: aCost(12.5), fees: APPAREL, currentPrice: usd(15.63), ...competitor(14.9) },
        policy: { maxStep: pct(3) },
      },
    ],
    [
      'The change would be less than $0.50: the price stays.',
      { facts: competitor(19.9), policy: { minStep: usd(0.5) } },
    ],
    [
      'The price changed recently: waiting for the 1 h cooldown.',
      { facts: { lastChangedAt: NOW, ...competitor(19) }, policy: { cooldown: hours(1) } },
    ],
    [
      'Lowered 6 times in 24 hours against one competitor: repricing is paused for 6 h.',
      { facts: { priceWarStreak: { against: null, times: 6, lastAt: NOW }, ...competitor(19) } },
    ],
    [
      'Lowered 6 times in 24 hours against Corner Store: repricing is paused for 6 h.',
      {
        facts: {
          priceWarStreak: { against: sellerKey('Corner Store'), times: 6, lastAt: NOW },
          ...competitor(19),
        },
      },
    ],
    [
      'Lowered 6 times in 24 hours against competitors without a name: repricing is paused for 6 h.',
      { facts: { priceWarStreak: { against: NAMELESS, times: 6, lastAt: NOW }, ...competitor(19) } },
    ],
    [
      'The last price is not uploaded to Walmart yet: the price stays until you upload it.',
      { facts: { awaitingUpload: true, ...competitor(19) } },
    ],
  ])('%s', (sentence, story) => {
    const choice = story.choice ?? chosen(story.rule);
    const explained = explain(aListing(story.facts), choice, aPolicy(story.policy));
    expect(explained.sentence).toBe(sentence);
    expect(explained.decision.kind).toBe('keep');
    expect(explained.fix).toBeNull();
  });
});

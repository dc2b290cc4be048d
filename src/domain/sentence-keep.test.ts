import { describe, expect, it } from 'vitest';
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
import type { Policy } from './policy.ts';
import type { Rule, RuleChoice } from './rule.ts';
import { hours } from './units.ts';

interface Story {
  facts?: Partial<ListingFacts>;
  rule?: Partial<Rule>;
  choice?: RuleChoice;
  policy?: Partial<Policy>;
}

const rival = (price: number) => ({ offers: [anOffer(price)] });
const dynamic = { strategy: 'Dynamic Pricing' } as const;
const rule = aRule({ name: 'Summer' });

describe('why a price stays', () => {
  it.each<[string, Story]>([
    ['No active rule matches Walmart FBM.', { choice: { kind: 'none', rule: null, minimumMargin: null } }],
    [
      "The listing's own rule Summer is paused.",
      { choice: { kind: 'own_paused', rule, minimumMargin: null } },
    ],
    [
      "The listing's own rule Summer is not for Walmart FBM.",
      { choice: { kind: 'own_mismatch', rule, minimumMargin: null } },
    ],
    [
      "The listing's own rule no longer exists.",
      { choice: { kind: 'own_missing', rule: null, minimumMargin: null } },
    ],
    ['No competitor counts: the price stays.', {}],
    [
      'Not enough sales yet (0 of 30) and no competitor counts: the price stays.',
      { rule: dynamic, facts: { salesCount: 0 } },
    ],
    [
      'Dynamic Pricing does not learn from sales yet and no competitor counts: the price stays.',
      { rule: dynamic, facts: { salesCount: 31 } },
    ],
    ['Sales are not known yet and no competitor counts: the price stays.', { rule: dynamic }],
    [
      "Rival's $12.00 is below your lowest price: the price stays.",
      { facts: rival(12), rule: { belowFloor: 'keep' } },
    ],
    [
      'The lowest offer of $12.00 is below your lowest price: the price stays.',
      { facts: { offers: [anOffer(12, { sellerName: null, seller: null })] }, rule: { belowFloor: 'keep' } },
    ],
    ['$20.00 is already the price the rule asks for.', { facts: rival(20) }],
    [
      'The price the rule asks for, $19.00, is already on its way.',
      { facts: { pendingPrice: usd(19), ...rival(19) } },
    ],
    [
      'A day may move a price by 30% at most: the price stays.',
      { facts: { priceDayAgo: usd(15), ...rival(19.8) } },
    ],
    [
      'No legal price within one step of 3%: the price stays.',
      {
        facts: { cost: aCost(12.5), fees: APPAREL, currentPrice: usd(15.63), ...rival(14.9) },
        policy: { maxStep: pct(3) },
      },
    ],
    [
      'The change would be under $0.50: the price stays.',
      { facts: rival(19.9), policy: { minStep: usd(0.5) } },
    ],
    [
      'The price changed a short while ago: it rests before the next change.',
      { facts: { lastChangedAt: NOW, ...rival(19) }, policy: { cooldown: hours(1) } },
    ],
    [
      'Lowered 6 times in 24 hours against one competitor: the price rests.',
      { facts: { priceWarStreak: { against: null, times: 6, lastAt: NOW }, ...rival(19) } },
    ],
    [
      'The last price of this listing was not uploaded to Walmart yet: the price stays until it is.',
      { facts: { awaitingUpload: true, ...rival(19) } },
    ],
  ])('%s', (sentence, story) => {
    const choice = story.choice ?? chosen(story.rule);
    const told = explain(aListing(story.facts), choice, aPolicy(story.policy));
    expect(told.sentence).toBe(sentence);
    expect(told.decision.kind).toBe('keep');
    expect(told.fix).toBeNull();
  });
});

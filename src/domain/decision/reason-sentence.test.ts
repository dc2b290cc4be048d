import { describe, expect, it } from 'vitest';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { APPAREL, aCost, aListing, anOffer, aPolicy, chosen, fees, pct, usd } from '#tests/builders/facts.ts';
import { explain } from './explain.ts';
import type { ListingFacts } from './facts.ts';

interface Story {
  facts?: Partial<ListingFacts>;
  rule?: Partial<Rule>;
  policy?: Partial<Policy>;
}

/** $20.00 now, cost $10.00, 15% fee, margin 10%. */
function said({ facts, rule, policy }: Story): string {
  return explain(aListing(facts), chosen(rule), aPolicy(policy)).sentence;
}

const competitor = (price: number) => ({ offers: [anOffer(price)] });
const unnamed = (price: number) => ({ offers: [anOffer(price, { sellerName: null, seller: null })] });
const dynamic = { strategy: 'Dynamic Pricing' } as const;

describe('where a price comes from', () => {
  it.each<[string, Story]>([
    ["Matched Corner Store's $19.00.", { facts: competitor(19) }],
    [
      "Matched Corner Store's $19.00 plus $0.50.",
      { facts: competitor(19), rule: { competitorOffset: usd(0.5) } },
    ],
    [
      "Matched Corner Store's $19.00 less $0.50.",
      { facts: competitor(19), rule: { competitorOffset: usd(-0.5) } },
    ],
    ["Matched Corner Store's $19.00.", { facts: competitor(19), rule: { competitorOffset: usd(0) } }],
    [
      "Matched Corner Store's $19.00 plus $0.01.",
      { facts: competitor(19), rule: { competitorOffset: usd(0.01) } },
    ],
    [
      "Matched Corner Store's $19.00 less $0.01.",
      { facts: competitor(19), rule: { competitorOffset: usd(-0.01) } },
    ],
    ['Matched the lowest offer of $19.00.', { facts: unnamed(19) }],
    [
      "Matched Corner Store's $24.99 (less your $4.99 shipping charge).",
      { facts: { shippingCharge: usd(4.99), currentPrice: usd(21), ...competitor(24.99) } },
    ],
    [
      "Beat Corner Store's $19.00 by $0.01.",
      { facts: competitor(19), rule: { strategy: 'Beat Competitor' } },
    ],
    [
      "Beat Corner Store's $23.00 by $0.05 (less your $4.00 shipping charge).",
      {
        facts: { shippingCharge: usd(4), offers: [anOffer(20, { shipping: usd(3) })] },
        rule: { strategy: 'Beat Competitor', competitorOffset: usd(-0.05) },
      },
    ],
    [
      'The lowest price that keeps your 10% margin.',
      { facts: { currentPrice: usd(14) }, rule: { strategy: 'Fixed Margin' } },
    ],
    [
      "Not enough sales yet (3 of 30): matched the lowest competitor, Corner Store's $19.00.",
      { facts: { salesCount: 3, ...competitor(19) }, rule: dynamic },
    ],
    [
      "Not enough sales yet (29 of 30): matched the lowest competitor, Corner Store's $24.00 less $0.10 (less your $5.00 shipping charge).",
      {
        facts: { salesCount: 29, shippingCharge: usd(5), ...competitor(24) },
        rule: { ...dynamic, competitorOffset: usd(-0.1) },
      },
    ],
    [
      "Dynamic Pricing cannot learn from sales yet: matched the lowest competitor, Corner Store's $19.00.",
      { facts: { salesCount: 30, ...competitor(19) }, rule: dynamic },
    ],
    [
      "No sales data yet: matched the lowest competitor, Corner Store's $19.00.",
      { facts: competitor(19), rule: dynamic },
    ],
    [
      "No sales data yet: matched the lowest competitor, Corner Store's $19.00.",
      { facts: { salesCount: Number.NaN, ...competitor(19) }, rule: dynamic },
    ],
    [
      'No competitor, so the rule uses the lowest allowed price.',
      { facts: { currentPrice: usd(14) }, rule: { noCompetitor: 'floor' } },
    ],
    [
      'No competitor, so the rule uses the highest allowed price.',
      { facts: { maxPrice: usd(21) }, rule: { noCompetitor: 'ceiling' } },
    ],
    [
      "Corner Store's $12.00 is below your lowest allowed price, so the rule uses the highest allowed price.",
      { facts: { maxPrice: usd(21), ...competitor(12) }, rule: { belowFloor: 'ceiling' } },
    ],
    [
      'The lowest offer of $12.00 is below your lowest allowed price, so the rule uses the highest allowed price.',
      { facts: { maxPrice: usd(21), ...unnamed(12) }, rule: { belowFloor: 'ceiling' } },
    ],
  ])('%s', (sentence, story) => {
    expect(said(story)).toBe(sentence);
  });
});

describe('the binding limit', () => {
  const apparel = { cost: aCost(12.5), fees: APPAREL };

  it.each<[string, Story]>([
    [
      "Beat Amazon's $18.99 by $0.05, limited to your 15% margin floor of $18.97.",
      {
        facts: {
          cost: aCost(12.33),
          fees: fees([{ percent: 20 }]),
          offers: [anOffer(18.99, { by: 'Amazon' })],
        },
        rule: { strategy: 'Beat Competitor', competitorOffset: usd(0.05), minimumMargin: pct(15) },
      },
    ],
    [
      "Matched Corner Store's $12.00, limited to your minimum price of $18.00.",
      { facts: { minPrice: usd(18), ...competitor(12) } },
    ],
    [
      "Matched Corner Store's $12.00, limited to $15.63: the lowest price above your minimum of $15.20 that keeps your 10% margin.",
      { facts: { ...apparel, currentPrice: usd(16), minPrice: usd(15.2), ...competitor(12) } },
    ],
    [
      "Matched Corner Store's $15.40, lowered to $15.00: above that, higher fees leave less than your 10% margin.",
      { facts: { ...apparel, currentPrice: usd(15.63), ...competitor(15.4) } },
    ],
    [
      "Matched Corner Store's $99.00, limited to the price ceiling of $26.68.",
      { facts: { currentPrice: usd(25), anchorPrice: usd(15), ...competitor(99) } },
    ],
    [
      "Matched Corner Store's $99.00, limited to your maximum price of $21.00.",
      { facts: { maxPrice: usd(21), ...competitor(99) } },
    ],
    ["Matched Corner Store's $14.00, moved to $17.00: the step limit is 15%.", { facts: competitor(14) }],
    [
      "Matched Corner Store's $29.00, moved to $20.80: the daily limit is 30%.",
      { facts: { priceDayAgo: usd(16), ...competitor(29) } },
    ],
    [
      'The current price $15.30 is outside your limits, lowered to $15.00: above that, higher fees leave less than your 10% margin.',
      { facts: { ...apparel, currentPrice: usd(15.3) } },
    ],
    [
      'The current price $12.00 is outside your limits, limited to your 10% margin floor of $13.34.',
      { facts: { currentPrice: usd(12) } },
    ],
  ])('%s', (sentence, story) => {
    expect(said(story)).toBe(sentence);
  });
});

describe('why a price needs review', () => {
  const hold = { until: null, by: 'ada', reason: 'typed a price' };

  it.each<[string, Story]>([
    ['Repricing is halted. Resume it to apply this price.', { policy: { halted: true } }],
    [
      'Sending prices to Walmart is turned off under Settings, Marketplace Integrations, so this price needs your review.',
      { policy: { mode: 'read_only' } },
    ],
    ['Walmart is paused in Settings, so this price needs your review.', { policy: { mode: 'paused' } }],
    [
      'Walmart is set to recommend only, so this price needs your review.',
      { policy: { mode: 'recommend_only' } },
    ],
    ['Automatic repricing is off, so this price needs your review.', { policy: { autoRepricing: false } }],
    [
      'Auto-Reprice is off for this listing, so this price needs your review.',
      { facts: { autoRepricing: false } },
    ],
    ['This listing is on hold (typed a price), so this price needs your review.', { facts: { hold } }],
    ['Rule Match requires review.', { rule: { requiresReview: true } }],
    [
      'Your seller name on Walmart is not set, so this price needs your review.',
      { policy: { areOwnSellersKnown: false } },
    ],
  ])('%s', (sentence, { facts, ...story }) => {
    expect(said({ facts: { ...competitor(19), ...facts }, ...story })).toBe(
      `Matched Corner Store's $19.00. ${sentence}`,
    );
  });

  it('includes the limit', () => {
    expect(said({ facts: competitor(14), policy: { halted: true } })).toBe(
      "Matched Corner Store's $14.00, moved to $17.00: the step limit is 15%. Repricing is halted. Resume it to apply this price.",
    );
  });

  it('shows how far a price outside the move range is', () => {
    const cheap = { currentPrice: usd(10), anchorPrice: usd(10) };
    const wanted =
      'The current price $10.00 is outside your limits; the nearest price that keeps your 10% margin is $13.34.';
    expect(said({ facts: cheap })).toBe(`${wanted} That is more than 15% away, so it needs your review.`);
    expect(said({ facts: { ...cheap, priceDayAgo: usd(8) } })).toBe(
      `${wanted} That is more than 30% away, so it needs your review.`,
    );
  });
});

describe('why a listing is blocked', () => {
  it.each<[string, Story]>([
    ['The current price is missing or invalid.', { facts: { currentPrice: null } }],
    ['A value of this listing is invalid.', { facts: { shippingCharge: null } }],
    ['The total cost is unknown.', { facts: { cost: { ...aCost(10), total: null } } }],
    ['No fee schedule covers Walmart and this category.', { facts: { fees: null } }],
    ['Rule Match has an invalid number.', { rule: { minimumMargin: pct(100) } }],
    ['No price keeps your 10% margin.', { facts: { fees: fees([{ percent: 95 }]) } }],
    [
      'The minimum price $21.00 is above the maximum price $20.00.',
      { facts: { minPrice: usd(21), maxPrice: usd(20) } },
    ],
    [
      'The lowest price that keeps your 10% margin, $13.34, is above the maximum price $13.00.',
      { facts: { maxPrice: usd(13) } },
    ],
    ['The minimum price $31.00 is above the price ceiling $30.00.', { facts: { minPrice: usd(31) } }],
    [
      'No price between $15.01 and $15.60 keeps your 10% margin.',
      { facts: { cost: aCost(12.5), fees: APPAREL, minPrice: usd(15.01), maxPrice: usd(15.6) } },
    ],
  ])('%s', (sentence, story) => {
    expect(said(story)).toBe(sentence);
  });
});

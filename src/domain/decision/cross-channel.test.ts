import { describe, expect, it } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { aCost, aListing, anOffer, aPolicy, chosen, usd } from '#tests/builders/facts.ts';
import { channelGap, type OwnPrice } from './cross-channel.ts';
import { decide } from './decide.ts';
import { explain } from './explain.ts';
import type { ListingFacts } from './facts.ts';
import { asManualDecision } from './manual-decision.ts';
import { readStoredCase, storeCase } from './stored-case.ts';

function own(marketplace: Marketplace, price: number, shippingCharge = 0): OwnPrice {
  return { marketplace, price: usd(price), shippingCharge: usd(shippingCharge) };
}

/** A listing at $20.00 whose SKU is on other channels too. */
function on(marketplace: Marketplace, elsewhere: readonly OwnPrice[], over: Partial<ListingFacts> = {}) {
  return aListing({ marketplace, elsewhere, ...over });
}

describe('the gap between our channels', () => {
  it.each([
    ['higher on Walmart than on eBay', 'walmart', [own('ebay', 20)], 21, ['walmart', 'ebay', 1, true]],
    [
      'higher on Amazon than on Shopify',
      'amazon',
      [own('shopify', 20)],
      20.5,
      ['amazon', 'shopify', 0.5, true],
    ],
    ['cheaper on eBay than on Walmart', 'ebay', [own('walmart', 20)], 19, ['walmart', 'ebay', 1, true]],
    ['cheaper on Walmart than on Amazon', 'walmart', [own('amazon', 20)], 19, ['amazon', 'walmart', 1, true]],
    ['higher, but less than before', 'walmart', [own('ebay', 18)], 19, ['walmart', 'ebay', 1, false]],
    [
      'the lowest of several counts',
      'walmart',
      [own('ebay', 19), own('etsy', 18)],
      21,
      ['walmart', 'etsy', 3, true],
    ],
  ] as const)('%s', (_, marketplace, elsewhere, price, [dear, cheap, by, isWider]) => {
    expect(channelGap(on(marketplace, elsewhere), usd(price))).toEqual({ dear, cheap, by: usd(by), isWider });
  });

  it.each([
    ['the same price everywhere', 'walmart', [own('ebay', 21)], 21],
    ['cheaper on Walmart than on eBay', 'walmart', [own('ebay', 20)], 19],
    ['higher on eBay than on Walmart', 'ebay', [own('walmart', 20)], 21],
    ['channels that check no other prices', 'ebay', [own('etsy', 25)], 19],
    ['another channel is cheaper still', 'ebay', [own('walmart', 25), own('etsy', 15)], 19],
    ['nothing sold elsewhere', 'walmart', [], 30],
  ] as const)('is none: %s', (_, marketplace, elsewhere, price) => {
    expect(channelGap(on(marketplace, elsewhere), usd(price))).toBeNull();
  });

  it('is one of landed prices: what the buyer pays for shipping counts', () => {
    const facts = on('walmart', [own('ebay', 16, 4)], { shippingCharge: usd(1) });
    expect(channelGap(facts, usd(19))).toBeNull();
    expect(channelGap(facts, usd(19.5))).toMatchObject({ by: usd(0.5) });
  });

  it('reports a widened gap before an existing one', () => {
    // A lower price on Walmart narrows the gap to eBay and widens the one to Amazon.
    const facts = on('walmart', [own('amazon', 19), own('ebay', 10)]);
    expect(channelGap(facts, usd(18))).toMatchObject({ dear: 'walmart', cheap: 'ebay', isWider: false });
    const two = on('walmart', [own('amazon', 20), own('ebay', 19)]);
    expect(channelGap(two, usd(18.5))).toMatchObject({ dear: 'amazon', cheap: 'walmart', isWider: true });
  });
});

describe('a rule that does not allow gaps', () => {
  const refusing = (over: Partial<Rule> = {}) => chosen({ refuseCrossChannel: true, ...over });
  const rising = on('walmart', [own('ebay', 20)], { offers: [anOffer(21)] });

  it('recommends the price instead, with the reason', () => {
    expect(decide(rising, refusing(), aPolicy())).toMatchObject({
      kind: 'recommend',
      reviewReason: 'cross_channel',
      price: usd(21),
    });
    expect(explain(rising, refusing(), aPolicy()).sentence).toBe(
      "Matched Corner Store's $21.00. The price on Walmart would then be $1.00 higher than on eBay, which rule Match does not allow, so this price needs your review.",
    );
  });

  it('allows a price that opens no gap or narrows one', () => {
    const level = { ...rising, elsewhere: [own('ebay', 21)] };
    const nearing = on('walmart', [own('ebay', 17)], { offers: [anOffer(18.5)] });
    expect(decide(level, refusing(), aPolicy())).toMatchObject({ kind: 'change', price: usd(21) });
    expect(decide(nearing, refusing(), aPolicy())).toMatchObject({ kind: 'change', price: usd(18.5) });
  });

  it('leaves no price below the margin in place', () => {
    const losing = on('walmart', [own('ebay', 20)], { cost: aCost(15.5), offers: [] });
    expect(decide(losing, refusing(), aPolicy())).toMatchObject({ kind: 'change', reason: 'repair' });
    expect(explain(losing, refusing(), aPolicy()).sentence).toContain('The price on Walmart is then');
  });

  it('binds only the engine: a user may apply the price', () => {
    const requested = asManualDecision({ facts: rising, choice: refusing(), policy: aPolicy() });
    expect(decide(requested.facts, requested.choice, requested.policy)).toMatchObject({
      kind: 'change',
      price: usd(21),
    });
  });

  it('comes after the reasons that do not depend on the price', () => {
    expect(decide(rising, refusing({ requiresReview: true }), aPolicy())).toMatchObject({
      reviewReason: 'ask_first',
    });
  });
});

describe('without that rule option the gap is shown', () => {
  const rising = on('walmart', [own('ebay', 20)], { offers: [anOffer(21)] });

  it('in the sentence and in the trace', () => {
    const { decision, sentence, trace } = explain(rising, chosen(), aPolicy());
    expect(decision.kind).toBe('change');
    expect(sentence).toBe(
      "Matched Corner Store's $21.00. The price on Walmart is then $1.00 higher than on eBay.",
    );
    expect(trace.channelGap).toEqual({ dear: 'walmart', cheap: 'ebay', by: usd(1), isWider: true });
  });

  it('and after reading a stored case, from form 1 also without prices on other channels', () => {
    const stored = storeCase({ facts: rising, choice: chosen(), policy: aPolicy() });
    expect(readStoredCase(JSON.parse(JSON.stringify(stored)))?.facts.elsewhere).toEqual(rising.elsewhere);
    const { elsewhere: _, ...older } = stored.facts;
    expect(readStoredCase({ ...stored, form: 1, facts: older, fees: null })?.facts.elsewhere).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, evaluate } from '#domain/decision/decide.ts';
import { explain } from '#domain/decision/explain.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { isAllowed } from '#domain/limits/allowed-prices.ts';
import { NO_LIMITS } from '#domain/limits/marketplace-limits.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import { hours, type Instant } from '#domain/units.ts';
import {
  APPAREL,
  aCost,
  aListing,
  anOffer,
  aPolicy,
  aRule,
  fees,
  NOW,
  pct,
  usd,
} from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { storiesWith } from '#tests/builders/line-stories.ts';
import { linesOf } from '#tests/builders/lines.ts';

/** What eBay takes, without sales tax: 10.01 to 10.11 leave less than 10.00. */
const EBAY = fees([
  { upTo: 10, percent: 13.6, fixed: 0.3 },
  { percent: 13.6, fixed: 0.4 },
]);

function choiceOf(text: string, minimumMargin = pct(10)): RuleChoice {
  return {
    kind: 'matched',
    rule: aRule({ lines: linesOf(text), targetMargin: pct(35), onlySameShipping: false }),
    minimumMargin,
  };
}

function decisionOf(text: string, facts: Partial<ListingFacts>) {
  return decide(aListing({ cost: aCost(5), fees: EBAY, ...facts }), choiceOf(text), aPolicy());
}

describe('a raise or cut next to the edge of a fee band', () => {
  test('a cut stops at its end, even where a lower price leaves more', () => {
    const text = 'lower 2% every 6 h down to own price';
    const decision = decisionOf(text, { currentPrice: usd(10.2), anchorPrice: usd(10.05) });
    expect(decision).toMatchObject({ kind: 'change', price: usd(10.05) });
  });

  test('a raise never lowers the price', () => {
    const decision = decisionOf('raise $0.05 every 24 h', { currentPrice: usd(10.05) });
    expect(decision).toMatchObject({ kind: 'change', price: usd(10.1) });
  });

  test('a raise on its way further up gets past the edge', () => {
    const text = 'winning: raise $0.10 every 24 h up to 4% under the lowest';
    const offers = [anOffer(15, { channel: 'walmart' })];
    const decision = decisionOf(text, { currentPrice: usd(10), offers });
    expect(decision).toMatchObject({ kind: 'change', price: usd(10.1) });
  });

  test('a raise whose end leaves less than the edge before it stops at the edge, and says so', () => {
    const text = 'raise 2% every 24 h up to own price';
    const facts = { anchorPrice: usd(10.05) };
    expect(decisionOf(text, { ...facts, currentPrice: usd(9.9) })).toMatchObject({
      kind: 'change',
      price: usd(10),
      bindingLimit: 'fee_band_edge',
    });
    expect(decisionOf(text, { ...facts, currentPrice: usd(10) })).toMatchObject({
      kind: 'keep',
      reason: 'already_there',
      bindingLimit: 'fee_band_edge',
    });
  });

  test('a cut takes one step, however much more a lower price leaves', () => {
    const facts = { currentPrice: usd(15.84), fees: APPAREL, cost: aCost(10) };
    expect(decisionOf('lower 1% every 24 h', facts)).toMatchObject({ kind: 'change', price: usd(15.69) });
  });

  test('a cut that would end where no price is allowed stops at the last allowed one before', () => {
    // Allowed are 14.71 to 15.00, and 15.63 and up.
    const facts = { fees: APPAREL, cost: aCost(12.5) };
    const text = 'lower 1% every 24 h';
    expect(decisionOf(text, { ...facts, currentPrice: usd(15.7) })).toMatchObject({
      kind: 'change',
      price: usd(15.63),
    });
    expect(decisionOf(text, { ...facts, currentPrice: usd(15.63) })).toMatchObject({
      kind: 'keep',
      reason: 'line_hold',
      bindingLimit: 'fee_band_gap',
    });
  });

  test('a price that is not allowed is corrected, whichever way the line goes', () => {
    const facts = { fees: APPAREL, cost: aCost(12.5), currentPrice: usd(15.3) };
    for (const text of ['raise 1% every 24 h', 'lower 1% every 24 h']) {
      expect(decisionOf(text, facts)).toMatchObject({ kind: 'change', price: usd(15), reason: 'repair' });
    }
  });
});

describe('a cut that a limit stops', () => {
  /** Cost 10.00, fee 15%, margin 15%: the floor is 14.29. */
  const explained = (text: string, facts: Partial<ListingFacts>) =>
    explain(aListing(facts), choiceOf(text, pct(15)), aPolicy());

  test.each<[string, Partial<ListingFacts>, number, string]>([
    ['floor', {}, 14.29, 'limited to your 15% margin floor of $14.29.'],
    ['min_price', { minPrice: usd(14.35) }, 14.35, 'limited to your minimum price of $14.35.'],
    [
      'map_price',
      { marketplaceLimits: { ...NO_LIMITS, map: usd(14.38), isMapOurs: true } },
      14.38,
      'limited to your MAP price of $14.38.',
    ],
  ])('says so: %s', (bindingLimit, facts, price, ending) => {
    const { decision, sentence, trace } = explained('lower 2% every 6 h', {
      ...facts,
      currentPrice: usd(14.4),
    });
    expect(decision).toMatchObject({ kind: 'change', price: usd(price), bindingLimit });
    expect(sentence).toBe(`Lowered to $14.12, by up to 2% every 6 h, ${ending}`);
    expect(trace.lines?.each[0]?.want).toBe(usd(14.12));
  });

  test('says so where it is there already', () => {
    const { decision } = explained('lower 2% every 6 h', { currentPrice: usd(14.29) });
    expect(decision).toMatchObject({ kind: 'keep', reason: 'already_there', bindingLimit: 'floor' });
  });

  test('names the prices below that are not allowed', () => {
    const facts = { fees: APPAREL, cost: aCost(12.5), currentPrice: usd(15.7) };
    const { decision, sentence, trace } = explain(
      aListing(facts),
      choiceOf('lower 1% every 24 h'),
      aPolicy(),
    );
    expect(decision).toMatchObject({ kind: 'change', price: usd(15.63), bindingLimit: 'fee_band_gap' });
    expect(sentence).toBe(
      'Lowered to $15.55, by up to 1% every 24 h, limited to $15.63: from $15.62 down to $15.01, fees leave less than your 10% margin.',
    );
    expect(trace.gapBelow).toBe(usd(15));
  });

  test.each([
    ['lower 1% every 24 h', {}],
    ['lower 3% every 24 h down to own price', { anchorPrice: usd(15.3) }],
  ])('names them, and the price below, where it stays above them: %s', (text, over) => {
    const facts = { fees: APPAREL, cost: aCost(12.5), currentPrice: usd(15.63), ...over };
    const { decision, sentence } = explain(aListing(facts), choiceOf(text), aPolicy());
    expect(decision).toMatchObject({ kind: 'keep', reason: 'line_hold', bindingLimit: 'fee_band_gap' });
    expect(sentence).toBe(
      'The price stays. From $15.62 down to $15.01, fees leave less than your 10% margin, and the next allowed price, $15.00, is beyond the step or the end of this line.',
    );
  });

  test('goes on below them with a step that reaches the next allowed price', () => {
    const facts = { fees: APPAREL, cost: aCost(12.5), currentPrice: usd(15.63) };
    expect(decisionOf('lower 5% every 24 h', facts)).toMatchObject({ kind: 'change', price: usd(14.85) });
  });
});

describe('whatever the fees, and whatever price is in force', () => {
  for (const [text, direction] of [
    ['raise 2% every 6 h up to own price', 1],
    ['lower 2% every 6 h down to own price', -1],
  ] as const) {
    law(
      `${text}: one step at most, in its direction, and never past its end`,
      storiesWith(fc.constant({ lines: linesOf(text), targetMargin: pct(35) })),
      ({ facts, choice, policy }) => {
        const { decision, allowed } = evaluate(facts, choice, { ...policy, avoidBandEdges: true });
        const { currentPrice, anchorPrice, lastChangedAt } = facts;
        if (decision.kind !== 'change' && decision.kind !== 'recommend') return;
        if (decision.reason !== 'line' || currentPrice === null || anchorPrice === null) return;
        const moved = (decision.price - currentPrice) * direction;
        expect(moved).toBeGreaterThan(0);
        expect(moved).toBeLessThanOrEqual(Math.max(1, Math.floor((currentPrice * 2) / 100)));
        expect((anchorPrice - decision.price) * direction).toBeGreaterThanOrEqual(0);
        expect(lastChangedAt === null || policy.now - lastChangedAt >= hours(6)).toBe(true);
        expect(allowed !== null && isAllowed(allowed, decision.price)).toBe(true);
      },
    );
  }

  law(
    'a climb ends at the price below its end that leaves the most, unless no price is allowed on the way',
    fc.record({ start: fc.integer({ min: 600, max: 1_500 }), end: fc.integer({ min: 600, max: 2_400 }) }),
    ({ start, end }) => {
      const choice = choiceOf('raise 2% every 6 h up to own price', pct(5));
      let price = start;
      for (let step = 0; step < 120; step += 1) {
        const now = (NOW + hours(25 * step)) as Instant;
        const facts = { currentPrice: price, anchorPrice: end, maxPrice: usd(30), readAt: now } as never;
        const listing = aListing({ cost: aCost(4), fees: EBAY, ...(facts as object) });
        const decision = decide(listing, choice, aPolicy({ now }));
        if (decision.kind !== 'change') break;
        price = decision.price;
      }
      // 10.01 to 10.11 leave less than 10.00.
      const isPassedOver = end > 1_000 && end <= 1_011;
      expect(price).toBe(start >= end ? start : isPassedOver && start <= 1_000 ? 1_000 : end);
    },
    0.2,
  );
});

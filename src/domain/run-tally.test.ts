import { describe, expect, test } from 'vitest';
import { aCost, aListing, anOffer, aPolicy, aRule, chosen, usd } from '#tests/builders/facts.ts';
import { DEFAULT_BREAKER } from './circuit-breaker.ts';
import { decide } from './decide.ts';
import type { ListingFacts } from './facts.ts';
import type { Policy } from './policy.ts';
import type { Rule, RuleChoice } from './rule.ts';
import { isDrop, RunTally } from './run-tally.ts';
import type { Bps } from './units.ts';

interface Story {
  readonly facts?: Partial<ListingFacts>;
  readonly rule?: Partial<Rule>;
  readonly policy?: Partial<Policy>;
  readonly choice?: RuleChoice;
  readonly before?: string | null;
}

const { dropDepth } = DEFAULT_BREAKER;

/** Counts the decisions of listings at $20.00 whose floor is $13.34. */
function tallyOf(...stories: readonly Story[]): RunTally {
  const tally = new RunTally(dropDepth);
  for (const { facts, rule, policy, choice = chosen(rule), before = 'keep' } of stories) {
    const one = {
      facts: aListing(facts),
      choice,
      policy: aPolicy({ maxStep: aPolicy().maxDailyChange, ...policy }),
    };
    tally.add(one, decide(one.facts, one.choice, one.policy), before);
  }
  return tally;
}
const competitor = (price: number) => ({ offers: [anOffer(price)] });

test.each([
  [500, 20, 19, true],
  [500, 20, 19.01, false],
  [2_500, 19.99, 14.99, true],
  [2_500, 19.99, 15, false],
])('with a depth of %d, from %d to %d: a drop? %s', (depth, from, to, isOne) => {
  expect(isDrop(usd(from), usd(to), depth as Bps)).toBe(isOne);
});

test.each([
  [20, 18, true],
  [20, 18.01, false],
  [0.1, 0.09, true],
  [0.11, 0.1, false],
  [20, 21, false],
])('from %d to %d: a drop? %s', (from, to, isOne) => {
  expect(isDrop(usd(from), usd(to), dropDepth)).toBe(isOne);
});

describe('a tally', () => {
  test('counts outcomes, directions, drops and the price that most get', () => {
    const tally = tallyOf(
      { facts: competitor(19) },
      { facts: { ...competitor(19), currentPrice: usd(18), anchorPrice: usd(18) } },
      { facts: competitor(17) },
      { facts: competitor(20) },
      { facts: competitor(19), policy: { mode: 'recommend_only' } },
      { facts: { ...competitor(19), cost: { ...aCost(10), total: null } } },
    );
    expect(tally).toMatchObject({
      evaluated: 6,
      changed: 3,
      kept: 1,
      recommended: 1,
      blocked: 1,
      raised: 1,
      lowered: 2,
      dropped: 1,
      atSamePrice: 2,
      commonPrice: usd(19),
    });
  });

  test('counts only listings that the engine may change', () => {
    const free = tallyOf({ facts: competitor(19) }, { rule: { strategy: 'Fixed Margin' } });
    expect(free).toMatchObject({ mayChange: 2, competitive: 1 });
    const limited = tallyOf(
      { policy: { halted: true } },
      { policy: { mode: 'recommend_only' } },
      { policy: { autoRepricing: false } },
      { facts: { autoRepricing: false } },
      { facts: { hold: { until: null, by: 'Ann', reason: 'x' } } },
      { rule: { requiresReview: true } },
      { policy: { areOwnSellersKnown: false } },
      { choice: { kind: 'none', rule: null, minimumMargin: null } },
      { choice: { kind: 'own_paused', rule: aRule(), minimumMargin: null } },
    );
    expect(limited).toMatchObject({ evaluated: 9, mayChange: 0, competitive: 0 });
  });

  test('counts moves to the margin floor, except by Fixed Margin, and not prices that stay there', () => {
    const low = { currentPrice: usd(14), anchorPrice: usd(14) };
    expect(tallyOf({ facts: { ...low, ...competitor(10) } })).toMatchObject({ changed: 1, atMarginFloor: 1 });
    const fixed = tallyOf({ facts: low, rule: { strategy: 'Fixed Margin' } });
    expect(fixed).toMatchObject({ changed: 1, atMarginFloor: 0 });
    const there = { currentPrice: usd(13.34), anchorPrice: usd(13.34) };
    expect(tallyOf({ facts: { ...there, ...competitor(10) } })).toMatchObject({ kept: 1, atMarginFloor: 0 });
  });

  test('a missing listing is blocked but not newly blocked: the circuit breaker ignores it', () => {
    const tally = tallyOf({ facts: { isMissing: true }, before: 'keep' });
    expect(tally).toMatchObject({ evaluated: 1, blocked: 1, newlyBlocked: 0, mayChange: 0 });
  });

  test.each([
    ['keep', 1],
    ['change', 1],
    ['blocked', 0],
    [null, 0],
  ])('a blocked listing that was "%s" before counts %d', (before, count) => {
    const tally = tallyOf({ facts: { cost: { ...aCost(10), total: null } }, before });
    expect(tally).toMatchObject({ blocked: 1, newlyBlocked: count });
  });
});

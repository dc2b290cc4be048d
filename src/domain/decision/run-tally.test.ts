import { describe, expect, test } from 'vitest';
import { DEFAULT_BREAKER } from '#domain/limits/circuit-breaker.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import { type Bps, hours, type Instant } from '#domain/units.ts';
import { aCost, aListing, anOffer, aPolicy, aRule, chosen, NOW, usd } from '#tests/builders/facts.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { decide } from './decide.ts';
import type { ListingFacts } from './facts.ts';
import { fallsBy, type LastDecision, notReadSince, RunTally, risesBy } from './run-tally.ts';

interface Story {
  readonly facts?: Partial<ListingFacts>;
  readonly rule?: Partial<Rule>;
  readonly policy?: Partial<Policy>;
  readonly choice?: RuleChoice;
  readonly before?: string | null;
  readonly last?: Partial<LastDecision>;
}

const { dropDepth } = DEFAULT_BREAKER;

/** Counts the decisions of listings at $20.00 whose floor is $13.34. */
function tallyOf(...stories: readonly Story[]): RunTally {
  const tally = new RunTally(dropDepth);
  for (const { facts, rule, policy, choice = chosen(rule), before = 'keep', last } of stories) {
    const one = {
      facts: aListing(facts),
      choice,
      policy: aPolicy({ maxStep: aPolicy().maxDailyChange, ...policy }),
    };
    tally.add(one, decide(one.facts, one.choice, one.policy), {
      outcome: before,
      status: 'competitors',
      notReadSince: null,
      ...last,
    });
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
  expect(fallsBy(usd(from), usd(to), depth as Bps)).toBe(isOne);
});

test.each([
  [20, 18, true],
  [20, 18.01, false],
  [0.1, 0.09, true],
  [0.11, 0.1, false],
  [20, 21, false],
])('from %d to %d: a drop? %s', (from, to, isOne) => {
  expect(fallsBy(usd(from), usd(to), dropDepth)).toBe(isOne);
});

test.each([
  [20, 22, true],
  [20, 21.99, false],
  [0.1, 0.11, true],
  [20, 19, false],
])('from %d to %d: a rise? %s', (from, to, isOne) => {
  expect(risesBy(usd(from), usd(to), dropDepth)).toBe(isOne);
});

describe('a listing whose competitors are not read', () => {
  const last = (status: LastDecision['status'], since: Instant | null = null): LastDecision => ({
    outcome: 'keep',
    status,
    notReadSince: since,
  });
  const earlier = (NOW - hours(2)) as Instant;

  test('is so since the first decision that finds it, and only if they were read before', () => {
    expect(notReadSince(last('competitors'), 'not_read', NOW)).toBe(NOW);
    expect(notReadSince(last('alone'), 'not_read', NOW)).toBe(NOW);
    expect(notReadSince(last('not_read', earlier), 'not_read', NOW)).toBe(earlier);
    expect(notReadSince(last('not_read'), 'not_read', NOW)).toBeNull();
    expect(notReadSince(last(null), 'not_read', NOW)).toBeNull();
    expect(notReadSince(last('not_read', earlier), 'alone', NOW)).toBeNull();
  });

  test('counts when it moves within an hour of that, for the marketplace with the largest share', () => {
    const low = { currentPrice: usd(13), readAt: null };
    const on = (marketplace: 'walmart' | 'ebay', facts: Partial<ListingFacts>, last = {}): Story => ({
      facts: { ...low, marketplace, ...facts },
      last,
    });
    const tally = tallyOf(
      on('walmart', {}),
      on('walmart', { readAt: NOW }),
      on('walmart', {}, last('not_read', earlier)),
      on('walmart', { currentPrice: usd(20) }),
      on('ebay', {}),
      on('ebay', { readAt: NOW }),
    );
    expect(tally).toMatchObject({ changed: 5, movedUnread: 1, movedUnreadOf: 2 });
  });
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
      rose: 0,
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

  test('of a rule with lines the line that decides counts, not the strategy it would fall back to', () => {
    const low = { currentPrice: usd(14), anchorPrice: usd(14) };
    const lines = (text: string): Partial<Rule> => ({ strategy: 'Fixed Margin', lines: linesOf(text) });
    const follows = tallyOf({ facts: { ...low, ...competitor(10) }, rule: lines('4% under the lowest') });
    expect(follows).toMatchObject({ changed: 1, competitive: 1, atMarginFloor: 1 });
    const unread = tallyOf({ facts: { ...low, readAt: null }, rule: lines('not read: floor; the lowest') });
    expect(unread).toMatchObject({ changed: 1, movedUnread: 1, movedUnreadOf: 1, atMarginFloor: 1 });
    const floor = { strategy: 'Beat Competitor' as const, lines: linesOf('we ship: floor; the lowest') };
    expect(tallyOf({ facts: low, rule: floor })).toMatchObject({
      changed: 1,
      competitive: 0,
      atMarginFloor: 0,
    });
    const none = tallyOf({ facts: low, rule: { ...floor, lines: linesOf('warehouse ships: floor') } });
    expect(none).toMatchObject({ kept: 1, competitive: 0 });
    const blocked = { ...low, cost: { ...aCost(10), total: null } };
    expect(tallyOf({ facts: blocked, rule: lines('the lowest') })).toMatchObject({ competitive: 1 });
    expect(tallyOf({ facts: blocked, rule: lines('floor') })).toMatchObject({ competitive: 0 });
  });

  test('while the seller name is not set, lines that do not look at competitors may change prices', () => {
    const facts = { currentPrice: usd(14), anchorPrice: usd(14) };
    const rule = { lines: linesOf('we ship: floor; the lowest') };
    const policy = { areOwnSellersKnown: false };
    expect(tallyOf({ facts, rule, policy })).toMatchObject({ changed: 1, mayChange: 1, competitive: 0 });
    const below = { lines: linesOf('winning: hold; floor') };
    expect(tallyOf({ facts: { ...facts, ...competitor(10) }, rule: below, policy })).toMatchObject({
      recommended: 1,
      mayChange: 0,
    });
    const oneLine = { ...rule, lines: linesOf('warehouse ships: hold; we ship: the lowest') };
    expect(tallyOf({ facts: { ...facts, readAt: null }, rule: oneLine, policy })).toMatchObject({
      kept: 1,
      mayChange: 0,
    });
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

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowed } from '#domain/limits/allowed-prices.ts';
import { marketOf } from '#domain/lines/market.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { aCost, aListing, anOffer, aPolicy, chosen, NOW, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { stories } from '#tests/builders/scenarios.ts';
import { decide, strategyPriceFor } from './decide.ts';
import { groupCases } from './decide-group.ts';
import { explain } from './explain.ts';
import type { ListingFacts } from './facts.ts';
import { checkManualPrice, manualPriceMargin } from './manual-price.ts';
import { type DecisionCase, readStoredCase, storeCase } from './stored-case.ts';

/** A member at 24.00 with a fee of 15%. @param cost 12.67 needs 18.10 and 13.93 needs 19.90 for a margin of 15% */
const aMember = (
  sku: string,
  cost: number,
  facts: Partial<ListingFacts> = {},
  rule: Partial<Rule> = { strategy: 'Fixed Margin' },
  choice: RuleChoice = chosen({ minimumMargin: pct(15), ...rule }),
): DecisionCase => ({
  facts: aListing({ sku, cost: aCost(cost), currentPrice: usd(24), anchorPrice: usd(24), ...facts }),
  choice,
  policy: aPolicy(),
});
const decisionsOf = (members: readonly DecisionCase[]) =>
  groupCases(members).map(({ facts, choice, policy }) => decide(facts, choice, policy));
const sentencesOf = (members: readonly DecisionCase[]) =>
  groupCases(members).map(({ facts, choice, policy }) => explain(facts, choice, policy).sentence);

describe('a price group', () => {
  test('C15: moves by the highest margin floor, with the step limit counted once', () => {
    const moved = [aMember('TS-RED', 12.67), aMember('TS-BLUE', 13.93)];
    expect(decisionsOf(moved)).toMatchObject([
      { kind: 'change', price: usd(20.4), marginFloor: usd(19.9), bindingLimit: 'step_limit' },
      { kind: 'change', price: usd(20.4), marginFloor: usd(19.9) },
    ]);
    const next = moved.map((one) => ({ ...one, facts: { ...one.facts, currentPrice: usd(20.4) } }));
    expect(decisionsOf(next).map(({ price }) => price)).toEqual([usd(19.9), usd(19.9)]);
  });

  test('says which rule decides, and for whom', () => {
    const [red, blue] = sentencesOf([
      aMember('TS-RED', 12.67, {}, { strategy: 'Fixed Margin', name: 'Low' }),
      aMember('TS-BLUE', 13.93, {}, { strategy: 'Fixed Margin', name: 'High' }),
    ]);
    expect(red).toContain('TS-BLUE, whose rule "High"');
    expect(blue).toContain('also the price of TS-RED');
  });

  test('C16: is blocked by a member without a cost, which the others name', () => {
    const members = [aMember('TS-RED', 12.67), aMember('TS-BLUE', 0)];
    expect(decisionsOf(members)).toMatchObject([
      { kind: 'blocked', reason: 'group_blocked' },
      { kind: 'blocked', reason: 'unknown_cost' },
    ]);
    expect(sentencesOf(members)[0]).toBe('Priced together with TS-BLUE, which has no cost.');
  });

  test.each<[string, Partial<ListingFacts>, string]>([
    ['on hold', { hold: { until: null, by: 'Ann', reason: 'vacation' } }, 'held'],
    ['switched off', { autoRepricing: false }, 'listing_off'],
    ['not confirmed', { isPriceUnverified: true }, 'unread'],
  ])('waits for a member that is %s', (_, facts, reason) => {
    for (const costs of [
      [12.67, 13.93],
      [13.93, 12.67],
    ] as const) {
      const [own, other] = decisionsOf([aMember('A', costs[0], facts), aMember('B', costs[1])]);
      expect(own).toMatchObject({ kind: 'recommend', reviewReason: reason, price: usd(20.4) });
      expect(other).toMatchObject({ kind: 'recommend', reviewReason: 'group_member', price: usd(20.4) });
    }
  });

  test('waits for a member whose own rule requires review, though another rule decides', () => {
    const asking = { strategy: 'Fixed Margin' as const, requiresReview: true };
    expect(decisionsOf([aMember('A', 12.67, {}, asking), aMember('B', 13.93)])).toMatchObject([
      { kind: 'recommend', reviewReason: 'ask_first', price: usd(20.4) },
      { kind: 'recommend', reviewReason: 'group_member', price: usd(20.4) },
    ]);
  });

  test('waits for a member that no rule prices, or whose price differs', () => {
    const unruled: RuleChoice = { kind: 'none', rule: null, minimumMargin: null };
    expect(decisionsOf([aMember('A', 12), aMember('B', 12, {}, {}, unruled)])).toMatchObject([
      { reason: 'group_blocked' },
      { reason: 'no_rule' },
    ]);
    expect(decisionsOf([aMember('A', 12), aMember('B', 12, { currentPrice: usd(25) })])).toMatchObject([
      { reason: 'group_blocked' },
      { reason: 'group_blocked' },
    ]);
  });

  test('has no price where no price is allowed for all', () => {
    const members = [aMember('A', 12, { maxPrice: usd(19) }), aMember('B', 14)];
    expect(decisionsOf(members).map(({ reason }) => reason)).toEqual(['group_conflict', 'group_conflict']);
  });

  test('follows the lowest reference of any member', () => {
    const beat = { strategy: 'Beat Competitor' as const };
    const members = [
      aMember('A', 12, { offers: [anOffer(23)] }, beat),
      aMember('B', 11, { offers: [anOffer(22.5)] }, beat),
      aMember('C', 11, { offers: [] }, beat),
    ];
    expect(decisionsOf(members).map(({ price }) => price)).toEqual([usd(22.49), usd(22.49), usd(22.49)]);
  });

  test('is held by a line of the deciding member, whatever competitors others have', () => {
    const holding = { lines: linesOf('winning: hold\n1% under the lowest') };
    const members = (own: number) => [
      aMember('A', 13, { offers: [anOffer(own)] }, holding),
      aMember('B', 11, { offers: [anOffer(22.5)] }, holding),
    ];
    expect(decisionsOf(members(25)).map(({ reason }) => reason)).toEqual(['line_hold', 'line_hold']);
    expect(decisionsOf(members(23)).map(({ price }) => price)).toEqual([usd(22.27), usd(22.27)]);
  });

  test('follows the competitor of a member where the deciding one is alone', () => {
    const rule = { lines: linesOf('alone: raise 1% every 1 h\n1% under the lowest') };
    const members = [
      aMember('A', 13, { offers: [] }, rule),
      aMember('B', 11, { offers: [anOffer(22.5)] }, rule),
    ];
    expect(decisionsOf(members).map(({ price }) => price)).toEqual([usd(22.27), usd(22.27)]);
  });

  test('explains the price by the competitor of the member that it comes from', () => {
    const rule = { lines: linesOf('alone: raise 1% every 1 h\n1% under the lowest') };
    const cases = groupCases([
      aMember('A', 13, { offers: [anOffer(23)] }, rule),
      aMember('B', 11, { offers: [anOffer(22.5, { by: 'Acme' })] }, rule),
    ]);
    const [{ decision, sentence, trace }] = cases.map((one) =>
      explain(one.facts, one.choice, one.policy),
    ) as [ReturnType<typeof explain>];
    expect(decision).toMatchObject({ kind: 'change', price: usd(22.27) });
    expect(trace.lines?.each.at(-1)).toMatchObject({ line: 2, status: 'decided', want: usd(22.27) });
    expect(sentence).toBe(
      "Losing: 1% under Acme's $22.50 is $22.27 (line 2). That competitor offers B. This is also the price of B.",
    );
    // The line went by the offers of B: none of those of A led to its price.
    expect(trace.offers.map(({ want }) => want)).toEqual([null]);
  });

  test('has the price against each offer of the member that it comes from', () => {
    const rule = { lines: linesOf('1% under the lowest') };
    const cases = groupCases([
      aMember('A', 13, { offers: [anOffer(22.5)] }, rule),
      aMember('B', 11, { offers: [anOffer(23)] }, rule),
    ]);
    const wants = cases.map(({ facts, choice, policy }) =>
      explain(facts, choice, policy).trace.offers.map(({ want }) => want),
    );
    expect(wants).toEqual([[usd(22.27)], [null]]);
  });

  test('pauses in the price war of any member, and says so', () => {
    const beat = { strategy: 'Beat Competitor' as const };
    const priceWarStreak = { against: null, times: 99, lastAt: NOW };
    const members = [
      aMember('A', 13, { offers: [anOffer(23)] }, beat),
      aMember('B', 11, { offers: [anOffer(23)], priceWarStreak }, beat),
    ];
    expect(decisionsOf(members).map(({ reason }) => reason)).toEqual(['price_war', 'price_war']);
    expect(sentencesOf(members)[0]).toMatch(/lowered 99 times/i);
  });

  test('is not read where one member is not', () => {
    const beat = { strategy: 'Beat Competitor' as const, noCompetitor: 'floor' as const };
    const members = [
      aMember('A', 12, { offers: [anOffer(23)] }, beat),
      aMember('B', 11, { offers: [], readAt: null }, beat),
    ];
    expect(decisionsOf(members)).toMatchObject([{ reason: 'not_read' }, { reason: 'not_read' }]);
  });

  test('does not send what was refused for one member, and counts the last change of any', () => {
    const refused = [aMember('A', 12.67, { refusedPrices: [usd(20.4)] }), aMember('B', 13.93)];
    expect(decisionsOf(refused)).toMatchObject([{ reason: 'refused' }, { reason: 'refused' }]);
    const policy = { ...aPolicy(), cooldown: 60_000 as never };
    const changed = [aMember('A', 12.67, { lastChangedAt: NOW }), aMember('B', 13.93)];
    expect(decisionsOf(changed.map((one) => ({ ...one, policy })))).toMatchObject([
      { reason: 'cooldown' },
      { reason: 'cooldown' },
    ]);
  });
});

/** Two to four members at one price, under one policy. */
const groups = fc.array(stories, { minLength: 2, maxLength: 4 }).map((drawn): DecisionCase[] =>
  drawn.map(({ facts, choice }, index) => ({
    facts: { ...facts, sku: `S-${index}`, currentPrice: drawn[0]?.facts.currentPrice ?? null },
    choice,
    policy: drawn[0]?.policy ?? aPolicy(),
  })),
);

law('members of a group change together or not at all, to one price that each allows', groups, (members) => {
  const cases = groupCases(members);
  const decisions = cases.map(({ facts, choice, policy }) => decide(facts, choice, policy));
  const prices = new Set(decisions.map(({ kind, price }) => (kind === 'change' ? price : null)));
  expect(prices.size).toBe(1);
  for (const [index, { kind, price }] of decisions.entries()) {
    const { facts, choice } = members[index] as DecisionCase;
    if (kind !== 'change') continue;
    const { set } = checkManualPrice(facts, manualPriceMargin(choice, facts), price);
    expect(set !== null && isAllowed(set, price)).toBe(true);
  }
});

law('the order of the members means nothing', groups, (members) => {
  expect(decisionsOf(members.toReversed()).toReversed()).toEqual(decisionsOf(members));
});

const HOLDING = chosen({ minimumMargin: 0 as Bps, lines: linesOf('winning: hold\n1% under the lowest') });
const groupsThatHold = groups.map((members) => members.map((one) => ({ ...one, choice: HOLDING })));

law(
  'no competitor of another member moves a price that a line of the deciding one holds',
  groupsThatHold,
  (members) => {
    for (const { facts, choice, policy } of groupCases(members)) {
      const { group } = facts;
      const rule = choice.rule as Rule;
      if (group?.strategy == null || group.allowed === null || rule.lines == null) continue;
      const { ranges } = group.allowed;
      const { situation } = marketOf(facts, rule, policy, ranges[0] as Cents);
      const alone = strategyPriceFor(facts, rule, choice.minimumMargin as Bps, group.allowed, policy);
      if (alone.reason !== 'line_hold' || !['winning', 'losing', 'suppressed'].includes(situation)) continue;
      expect(['line_hold', 'not_read']).toContain(group.strategy.reason);
    }
  },
);

law('the price war of any member pauses the others', groups, (members) => {
  const streak = { against: null, times: 1_000, lastAt: (members[0] as DecisionCase).policy.now };
  for (const at of members.keys()) {
    const cases = members.map((one, index) =>
      index === at ? { ...one, facts: { ...one.facts, priceWarStreak: streak } } : one,
    );
    for (const { facts } of groupCases(cases)) {
      if (facts.group?.decider == null) continue;
      expect(facts.priceWarStreak?.times ?? 0).toBeGreaterThan(0);
    }
  }
});

law('a stored case of a member has exactly the same explanation', groups, (members) => {
  for (const { facts, choice, policy } of groupCases(members)) {
    const stored = readStoredCase(JSON.parse(JSON.stringify(storeCase({ facts, choice, policy }))));
    expect(stored && explain(stored.facts, stored.choice, stored.policy)).toEqual(
      explain(facts, choice, policy),
    );
  }
});

const FOLLOWING = chosen({
  minimumMargin: 0 as Bps,
  lines: linesOf('winning: hold; 2% under the lowest, else next line; own price'),
});
const groupsThatFollow = groups.map((members) => members.map((one) => ({ ...one, choice: FOLLOWING })));

law('the lines of an explanation are those that the decision went by', groupsThatFollow, (members) => {
  for (const { facts, choice, policy } of groupCases(members)) {
    if (facts.group?.strategy == null) continue;
    const { decision, trace } = explain(facts, choice, policy);
    const last = trace.lines?.each.at(-1);
    if (decision.line === null || decision.line.number === 0) continue;
    expect(last).toMatchObject({ line: decision.line.number, status: 'decided' });
    expect(trace.lines?.situation).toBe(decision.line.situation);
    if (facts.group.strategy.price !== null) expect(last?.want).toBe(facts.group.strategy.price);
  }
});

law('a single listing is decided as without groups', stories, ({ facts, choice, policy }) => {
  expect(decisionsOf([{ facts, choice, policy }])).toEqual([decide(facts, choice, policy)]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '#domain/decision/decide.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import { aRule, usd } from '#tests/builders/facts.ts';
import { situationsOfStrategies } from '#tests/builders/line-stories.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { type Story, strategyChoices } from '#tests/builders/scenarios.ts';
import { asMany } from '#tests/support/breadth.ts';
import { printLines } from './print-lines.ts';
import { linesOfStrategy } from './strategy-lines.ts';

describe('a strategy as lines', () => {
  test.each<[Partial<Rule>, string]>([
    [{ strategy: 'Fixed Margin' }, 'floor'],
    [{ strategy: 'Match Competitor' }, 'alone: hold; otherwise: the lowest'],
    [
      { strategy: 'Match Competitor', competitorOffset: usd(0.25), noCompetitor: 'ceiling' },
      'alone: ceiling; otherwise: $0.25 over the lowest',
    ],
    [
      { strategy: 'Beat Competitor', noCompetitor: 'floor', belowFloor: 'keep' },
      'alone: floor; lowest competitor under my floor: hold; otherwise: $0.01 under the lowest',
    ],
    [
      { strategy: 'Beat Competitor', competitorOffset: usd(-0.05), belowFloor: 'ceiling' },
      'alone: hold; lowest competitor under my floor: ceiling; otherwise: $0.05 under the lowest',
    ],
    [
      { strategy: 'Dynamic Pricing', noCompetitor: 'floor' },
      'learned price, else next line; alone: hold; otherwise: the lowest',
    ],
  ])('%j', (rule, text) => {
    const { lines } = linesOfStrategy(aRule(rule)) ?? { lines: null };
    expect(printLines(lines ?? []).replaceAll('\n', '; ')).toBe(text);
  });

  test('skips offers below the floor by leaving them out', () => {
    expect(linesOfStrategy(aRule({ belowFloor: 'skip' }))).toMatchObject({ ignoreUnderFloor: 0 });
    expect(linesOfStrategy(aRule())).toMatchObject({ ignoreUnderFloor: null });
  });

  test('is not made where a rule has lines, or an offset that no line can have', () => {
    const terms = linesOfStrategy(aRule());
    expect(linesOfStrategy(aRule(terms ?? {}))).toBeNull();
    expect(linesOfStrategy(aRule({ competitorOffset: usd(1_000.01) }))).toBeNull();
  });

  test('decides the same for every listing, through its text', () => {
    fc.assert(
      fc.property(
        fc.array(strategyChoices, { minLength: RULES, maxLength: RULES }),
        fc.array(situationsOfStrategies, { minLength: LISTINGS, maxLength: LISTINGS }),
        (choices, situations) => {
          for (const choice of choices) expectSamePrices(choice, situations);
        },
      ),
      { seed: 1_618, numRuns: asMany(4, 200) },
    );
  });
});

/** Of one run; 200 runs are 10,000 rules, each with 200 listings. */
const RULES = 50;
const LISTINGS = 200;

function expectSamePrices(
  choice: Extract<RuleChoice, { kind: 'own' | 'matched' }>,
  situations: readonly Pick<Story, 'facts' | 'policy'>[],
): void {
  const { lines, ...terms } = linesOfStrategy(choice.rule) ?? {};
  const rule = { ...choice.rule, ...terms, lines: linesOf(printLines(lines ?? [])) };
  for (const { facts, policy } of situations) {
    const { kind, price, bindingLimit, reviewReason } = decide(facts, choice, policy);
    const converted = decide(facts, { ...choice, rule }, policy);
    const isSame =
      converted.kind === kind &&
      converted.price === price &&
      converted.bindingLimit === bindingLimit &&
      converted.reviewReason === reviewReason;
    // Millions of comparisons: the slow one only for its message.
    if (!isSame) expect(converted).toMatchObject({ kind, price, bindingLimit, reviewReason });
  }
}

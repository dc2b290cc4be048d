import { describe, expect, test } from 'vitest';
import { decide } from '#domain/decision/decide.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { aRule, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/properties.ts';
import { type Story, stories } from '#tests/builders/scenarios.ts';
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

  law('decides the same', stories, (story) => {
    const { facts, choice, policy } = story;
    const terms = choice.rule === null ? null : linesOfStrategy(choice.rule);
    if (terms === null) return;
    const converted = { ...choice, rule: { ...choice.rule, ...terms } } as Story['choice'];
    const { kind, price, bindingLimit, reviewReason } = decide(facts, choice, policy);
    expect(decide(facts, converted, policy)).toMatchObject({ kind, price, bindingLimit, reviewReason });
  });
});

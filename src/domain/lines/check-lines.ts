import { sellerKey } from '#domain/competition/offer.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { hasCompetitiveTarget, namesNotRead, targetsOf } from './compile-lines.ts';
import { type Condition, DAY_MINUTES, type Line, SITUATIONS, type Span, type Weekday } from './line.ts';
import { conditionText } from './print-lines.ts';

/** Why lines that are understood cannot be used in a rule. */
export interface RefusedLine {
  /** From 1. */
  readonly line: number;
  /** A sentence without its end: "asks for the target margin, and the rule has none". */
  readonly problem: string;
  /** One or more whole sentences. */
  readonly fix: string;
}

type LineRule = Pick<Rule, 'targetMargin' | 'marketplaceTargets'>;

/**
 * Finds the first line that could never do what it says.
 * @param priceWarThreshold the number of cuts that makes a price war, in which the price rests
 */
export function refusedLine(
  lines: readonly Line[],
  rule: LineRule,
  priceWarThreshold: number,
): RefusedLine | null {
  for (const [index, line] of lines.entries()) {
    const problem =
      missingTarget(line, rule) ??
      unreadTarget(line) ??
      latePriceWar(line, priceWarThreshold) ??
      contradiction(line);
    if (problem !== null) return { line: index + 1, ...problem };
  }
  return null;
}

type Problem = Omit<RefusedLine, 'line'>;

function missingTarget({ action }: Line, { targetMargin, marketplaceTargets }: LineRule): Problem | null {
  if (targetMargin !== null || Object.keys(marketplaceTargets).length > 0) return null;
  if (!targetsOf(action).some((target) => target.kind === 'margin' && target.margin === null)) return null;
  return {
    problem: 'asks for the target margin, and the rule has none',
    fix: 'Set the target margin of the rule.',
  };
}

function unreadTarget(line: Line): Problem | null {
  if (!namesNotRead(line) || !hasCompetitiveTarget(line)) return null;
  return {
    problem: 'prices against competitors while they are not read',
    fix: 'Use hold, own price, floor or a margin there.',
  };
}

function latePriceWar({ when }: Line, threshold: number): Problem | null {
  const late = when.find((condition) => condition.kind === 'lowered' && condition.min >= threshold);
  if (late === undefined) return null;
  return {
    problem: `waits until the price was ${conditionText(late)}, and a price war pauses repricing after ${threshold} cuts`,
    fix: `Write a number below ${threshold}.`,
  };
}

function contradiction({ when }: Line): Problem | null {
  const situations = when.flatMap((condition) => (condition.kind === 'situation' ? [condition] : []));
  const isNone = !SITUATIONS.some((situation) => situations.every(({ any }) => any.includes(situation)));
  if (situations.length > 2 && isNone) {
    const problem = `never applies: ${situations.map(conditionText).join(' and ')} exclude each other`;
    return { problem, fix: 'Remove one of these conditions.' };
  }
  const pairs = when.flatMap((one, index) => when.slice(index + 1).map((other) => [one, other] as const));
  const pair = pairs.find(([one, other]) => excludes(one, other));
  if (pair === undefined) return null;
  const [one, other] = pair;
  return {
    problem: `never applies: ${conditionText(one)} and ${conditionText(other)} exclude each other`,
    fix: 'Remove one of the two conditions.',
  };
}

/** Whether two conditions can never hold together. */
function excludes(one: Condition, other: Condition): boolean {
  if (one.kind === 'situation' && other.kind === 'situation') {
    return !SITUATIONS.some((situation) => one.any.includes(situation) && other.any.includes(situation));
  }
  if (one.kind === 'ships' && other.kind === 'ships') return one.by !== other.by;
  if (one.kind === 'dates' && other.kind === 'dates') return one.from > other.to || other.from > one.to;
  if (one.kind === 'hours' && other.kind === 'hours') return areApart(one, other, DAY_MINUTES);
  if (one.kind === 'weekdays' && other.kind === 'weekdays') return areApart(daysOf(one), daysOf(other), 7);
  if (one.kind === 'box_held_by' && other.kind === 'box_held_by')
    return sellerKey(one.name) !== sellerKey(other.name);
  if (needsNoCompetitor(one) && needsCompetitor(other)) return true;
  if (needsNoCompetitor(other) && needsCompetitor(one)) return true;
  const [first, second] = [spanOf(one), spanOf(other)];
  if (first === null || second === null || first.of !== second.of) return false;
  return isBelow(first, second) || isBelow(second, first);
}

/** A situation in which no offer counts. */
function needsNoCompetitor(condition: Condition): boolean {
  return (
    condition.kind === 'situation' &&
    condition.any.every((situation) => situation === 'alone' || situation === 'not_read')
  );
}

function needsCompetitor(condition: Condition): boolean {
  switch (condition.kind) {
    case 'lowest_under_floor':
    case 'lowest_above':
    case 'seller_present':
      return true;
    case 'competitors':
      return condition.min !== null && condition.min > 0;
    default:
      return false;
  }
}

interface Around {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

/** Weekdays from 0, without the end. */
function daysOf({ from, to }: { readonly from: Weekday; readonly to: Weekday }): Around {
  return { from: from - 1, to: to % 7 };
}

/** Whether two spans of a circle share nothing; a span to its own start is the whole circle. */
function areApart(one: Around, other: Around, whole: number): boolean {
  const isIn = (at: number, { from, to }: Around): boolean =>
    (at - from + whole) % whole < ((to - from + whole) % whole || whole);
  return !isIn(one.from % whole, other) && !isIn(other.from % whole, one);
}

interface Measure extends Span {
  readonly of: string;
}

/** What a condition measures, with its bounds; null for one that measures nothing. */
export function spanOf(condition: Condition): Measure | null {
  switch (condition.kind) {
    case 'box_share':
    case 'follow':
    case 'margin':
    case 'stock':
    case 'supply':
      return { ...condition, of: condition.kind };
    case 'competitors':
      return { ...condition, of: `${condition.kind} ${condition.only}` };
    case 'sold':
      return { ...condition, of: `${condition.kind} ${condition.days}` };
    default:
      return null;
  }
}

function isBelow({ max }: Span, { min }: Span): boolean {
  return max !== null && min !== null && max < min;
}

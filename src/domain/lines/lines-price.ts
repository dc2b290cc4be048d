import type { Offer } from '#domain/competition/offer.ts';
import type { DecidingLine } from '#domain/decision/decision.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { StrategyPrice } from '#domain/decision/strategy-price.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { type AllowedPrices, highestAllowedTo, lowestAllowedFrom } from '#domain/limits/allowed-prices.ts';
import { bestPriceUpTo } from '#domain/limits/fee-band-edge.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { CompiledCondition } from './compile-condition.ts';
import { type CompiledLine, compileLines } from './compile-lines.ts';
import { conditionValue } from './condition-value.ts';
import type { Condition, Line, Shift, Situation, Turn } from './line.ts';
import { marketOf } from './market.ts';
import { percentOf } from './percent-offset.ts';
import type { Question } from './question.ts';

/** How a line above the deciding one was passed over, or that it decided. */
export type LineStatus =
  | 'decided'
  /** It may not decide while competitors are not read. */
  | 'not_read'
  /** A condition does not hold. */
  | 'condition'
  /** A condition or the price asks about something that is not known. */
  | 'unknown'
  | 'resting'
  /** Its price is below the lowest one that it may ask for. */
  | 'too_low';

/** What became of one line, for the explanation. */
export interface LineStep {
  /** From 1. */
  readonly line: number;
  readonly status: LineStatus;
  /** The condition that does not hold or asks about something unknown, from 0; null where it is the price. */
  readonly condition: number | null;
  /** What that condition found: "losing", "8%"; null where it is not known. */
  readonly value: string | null;
  /** The price that the line asks for; null where it asks for none, or it is unknown. */
  readonly want: number | null;
  /** The same before its `not over`. */
  readonly uncapped: number | null;
  /** The lowest price that it may ask for, where that was asked. */
  readonly least: number | null;
  readonly competitor: Offer | null;
  readonly restsUntil: Instant | null;
}

/**
 * Step 4 for a rule with lines: the price of the first line that applies. Never an allowed price as such.
 * @param steps takes what became of each line, down to the deciding one
 */
export function linesPrice(
  facts: ListingFacts,
  rule: Rule,
  source: readonly Line[],
  minimumMargin: Bps,
  allowed: AllowedPrices,
  policy: Policy,
  steps: LineStep[] | null,
): StrategyPrice {
  const { lines, lookAtCompetitors } = compileLines(source);
  const lowestPrice = allowed.ranges[0] as Cents;
  const market = lookAtCompetitors ? marketOf(facts, rule, policy, lowestPrice) : null;
  const question: Question = { facts, rule, policy, minimumMargin, allowed, lowestPrice, market };
  const isNotRead = market !== null && market.situation === 'not_read';
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as CompiledLine;
    if (isPassedOver(line, question, isNotRead, steps)) continue;
    const price = priceOf(line, question, steps);
    if (price !== null) return price;
  }
  return nothing(isNotRead ? 'not_read' : 'no_line', null, noLine(question));
}

/** Whether a line may not decide now. */
function isPassedOver(
  line: CompiledLine,
  question: Question,
  isNotRead: boolean,
  steps: LineStep[] | null,
): boolean {
  if (isNotRead && !line.namesNotRead) {
    steps?.push(stepOf(line, 'not_read'));
    return true;
  }
  const { conditions, turn } = line;
  for (let at = 0; at < conditions.length; at += 1) {
    const holds = (conditions[at] as CompiledCondition)(question);
    if (holds === true) continue;
    steps?.push(conditionStep(line, at, holds, question));
    return true;
  }
  const restsUntil = turn === null ? null : restEnd(turn, line.number, question);
  if (restsUntil === null) return false;
  steps?.push({ ...stepOf(line, 'resting'), restsUntil });
  return true;
}

/** When a line that rests may decide again; null for one that does not rest. */
function restEnd({ lasts, rests }: Turn, number: number, { facts, policy }: Question): Instant | null {
  const start = facts.signals?.turns[number] ?? null;
  if (start === null) return null;
  const since = policy.now - start;
  return since >= lasts && since < lasts + rests ? ((start + lasts + rests) as Instant) : null;
}

/** The price of a line whose conditions hold; null where it passes on to the next line. */
function priceOf(line: CompiledLine, question: Question, steps: LineStep[] | null): StrategyPrice | null {
  const { action } = line;
  switch (action.kind) {
    case 'hold':
      steps?.push(stepOf(line, 'decided'));
      return nothing('line_hold', null, deciding(line, question, null));
    case 'ask':
      return askedPrice(line, action, question, steps);
    case 'raise':
    case 'lower':
      return movedPrice(line, action, question, steps);
  }
}

type Ask = Extract<CompiledLine['action'], { kind: 'ask' }>;

function askedPrice(
  line: CompiledLine,
  { target, notUnder, notOver, ifTooLow }: Ask,
  question: Question,
  steps: LineStep[] | null,
): StrategyPrice | null {
  const least = notUnder === null ? question.lowestPrice : notUnder.price(question);
  const named = target.named(question);
  let { offer } = named;
  if (named.price === null || least === null) {
    steps?.push(priceStep(line, 'unknown', named.price, null, offer));
    return null;
  }
  let want: number = named.price;
  const bound = Math.max(least, question.lowestPrice);
  if (want < bound && ifTooLow === 'next_competitor' && target.from !== null) {
    const next = target.from(question, bound);
    if (next.price !== null) ({ price: want, offer } = next);
  }
  const isTooLow = want < bound;
  if (isTooLow && (ifTooLow === 'next_line' || ifTooLow === 'next_competitor')) {
    steps?.push(priceStep(line, 'too_low', want, bound, offer));
    return null;
  }
  const uncapped = want;
  const most = isTooLow || notOver === null ? null : notOver.named(question);
  const isCapped = most !== null && most.price !== null && want > most.price;
  // The lower bound counts more: a competitor with a higher price never leads to a lower price of ours.
  if (isCapped) want = Math.max(most.price, bound);
  steps?.push({ ...priceStep(line, 'decided', want, bound, offer), uncapped });
  const decided = deciding(line, question, notUnder === null ? null : least);
  if (isTooLow && ifTooLow === 'keep') return nothing('line_hold', offer, decided);
  const competitor = isCapped ? (most.offer ?? offer) : offer;
  return wanted(notUnder === null ? want : Math.max(want, least), competitor, line, decided, question);
}

type Move = Extract<CompiledLine['action'], { kind: 'raise' | 'lower' }>;

function movedPrice(
  line: CompiledLine,
  move: Move,
  question: Question,
  steps: LineStep[] | null,
): StrategyPrice {
  const moved = moveOf(move, question);
  const want = typeof moved === 'string' ? null : moved.want;
  steps?.push(priceStep(line, 'decided', want, null, null));
  if (typeof moved === 'string') return nothing(moved, null, deciding(line, question, null));
  return wanted(moved.want, null, line, deciding(line, question, moved.notUnder), question);
}

/** Where a raise or lower goes, and the lowest price that it may end at. */
interface Step {
  readonly want: number;
  readonly notUnder: number;
}

/** Where a raise or lower goes now, or why it goes nowhere. */
function moveOf({ kind, by, every, to: end }: Move, question: Question): Step | 'line_waits' | 'line_hold' {
  const { facts, policy } = question;
  const current = facts.currentPrice as Cents;
  // Written so that a time that cannot be read waits.
  if (facts.lastChangedAt !== null && !(policy.now - facts.lastChangedAt >= every)) return 'line_waits';
  const unbounded = kind === 'raise' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  // Without an end the allowed prices bound it.
  const to = end === null ? unbounded : end.price(question);
  if (to === null) return 'line_hold';
  const step = Math.max(1, stepOfMove(current, by));
  if (kind === 'raise') return current >= to ? 'line_hold' : raised(current, step, to, question);
  return current <= to ? 'line_hold' : lowered(current, step, to, question);
}

function raised(current: Cents, step: number, to: number, { allowed, facts }: Question): Step | 'line_hold' {
  const want = Math.min(current + step, to);
  // No price on the way is allowed, and neither is the current one: it is corrected.
  if ((highestAllowedTo(allowed, want) ?? 0) < current) return 'line_hold';
  const end = highestAllowedTo(allowed, to) as Cents;
  const best = bestPriceUpTo(allowed, facts.fees as FeeTable, facts.shippingCharge as Cents, end, current);
  // Prices on the way may leave less than lower ones: only the end of a climb has to leave the most.
  return { want, notUnder: best < want ? current : want };
}

/** An allowed price, or one that leaves more, that is further away than the step or the end is none for a cut. */
function lowered(current: Cents, step: number, to: number, { allowed }: Question): Step | 'line_hold' {
  const want = Math.max(current - step, to);
  const notUnder = lowestAllowedFrom(allowed, want);
  return notUnder === null || notUnder > current ? 'line_hold' : { want, notUnder };
}

function stepOfMove(current: Cents, by: Shift): number {
  return 'percent' in by ? percentOf(current, by.percent) : by.amount;
}

function wanted(
  price: number,
  competitor: Offer | null,
  { looksAtCompetitors }: CompiledLine,
  line: DecidingLine,
  { market, facts }: Question,
): StrategyPrice {
  // Who else sells it is not known: a lower price could only take from what has been won.
  if (looksAtCompetitors && market?.isOnlyOursShown === true && price < (facts.currentPrice as Cents)) {
    return nothing('only_ours_shown', competitor, line);
  }
  return { price, reason: 'line', competitor, line };
}

function nothing(
  reason: 'line_hold' | 'line_waits' | 'only_ours_shown' | 'not_read' | 'no_line',
  competitor: Offer | null,
  line: DecidingLine,
): StrategyPrice {
  return { price: null, reason, competitor, line };
}

function deciding(
  { number, turn, asksFirst, dependsOnCompetitors, looksAtCompetitors }: CompiledLine,
  question: Question,
  notUnder: number | null,
): DecidingLine {
  const startsTurn = turn !== null && isTurnStart(turn, number, question);
  const situation = situationOf(question);
  return { number, situation, startsTurn, asksFirst, dependsOnCompetitors, looksAtCompetitors, notUnder };
}

/** Where no line of the rule applies. */
function noLine(question: Question): DecidingLine {
  return {
    number: 0,
    situation: situationOf(question),
    startsTurn: false,
    asksFirst: false,
    dependsOnCompetitors: question.market !== null,
    looksAtCompetitors: false,
    notUnder: null,
  };
}

function situationOf({ market }: Question): Situation | null {
  return market === null ? null : market.situation;
}

/** A line that decides begins a turn unless it is in one. A start in the future is a mistake. */
function isTurnStart({ lasts, rests }: Turn, number: number, { facts, policy }: Question): boolean {
  const start = facts.signals?.turns[number] ?? null;
  if (start === null) return true;
  const since = policy.now - start;
  return !(since >= 0 && since < lasts + rests);
}

function priceStep(
  line: CompiledLine,
  status: LineStatus,
  want: number | null,
  least: number | null,
  competitor: Offer | null,
): LineStep {
  return { ...stepOf(line, status), want, uncapped: want, least, competitor };
}

/** @param holds null where what the condition asks about is unknown */
function conditionStep(line: CompiledLine, at: number, holds: false | null, question: Question): LineStep {
  if (holds === null) return { ...stepOf(line, 'unknown'), condition: at };
  const value = conditionValue(line.line.when[at] as Condition, question);
  return { ...stepOf(line, 'condition'), condition: at, value };
}

function stepOf({ number }: CompiledLine, status: LineStatus): LineStep {
  return {
    line: number,
    status,
    condition: null,
    value: null,
    want: null,
    uncapped: null,
    least: null,
    competitor: null,
    restsUntil: null,
  };
}

import type { Offer } from '#domain/competition/offer.ts';
import type { DecidingLine } from '#domain/decision/decision.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { StrategyPrice } from '#domain/decision/strategy-price.ts';
import type { AllowedPrices } from '#domain/limits/allowed-prices.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import { type CompiledLine, compileLines } from './compile-lines.ts';
import { conditionValue } from './condition-value.ts';
import type { Condition, Line, Shift, Situation } from './line.ts';
import { marketOf } from './market.ts';
import { percentOf } from './percent-offset.ts';
import type { Question, TargetPrice } from './question.ts';

/** How a line above the deciding one was passed over, or that it decided. */
export type LineVerdict =
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
  readonly verdict: LineVerdict;
  /** The condition that does not hold or asks about something unknown, from 0; null where it is the price. */
  readonly condition: number | null;
  /** What that condition found: "losing", "8%"; null where it is not known. */
  readonly value: string | null;
  /** The price that the line asks for; null where it asks for none, or it is unknown. */
  readonly want: number | null;
  /** The lowest price that it may ask for, where that was asked. */
  readonly least: number | null;
  readonly competitor: Offer | null;
  readonly restsUntil: Instant | null;
}

/** What the lines of a rule ask, and how far they were gone through where `steps` is given. */
export interface LinesQuestion {
  readonly facts: ListingFacts;
  readonly rule: Rule;
  readonly lines: readonly Line[];
  readonly minimumMargin: Bps;
  readonly allowed: AllowedPrices;
  readonly policy: Policy;
}

/** Step 4 for a rule with lines: the price of the first line that applies. Never an allowed price as such. */
export function linesPrice(ask: LinesQuestion, steps: LineStep[] | null = null): StrategyPrice {
  const { facts, rule, minimumMargin, allowed, policy } = ask;
  const compiled = compileLines(ask.lines);
  const lowestPrice = allowed.ranges[0] as Cents;
  const market = compiled.lookAtCompetitors ? marketOf(facts, rule, policy, lowestPrice) : null;
  const question: Question = { facts, rule, policy, minimumMargin, allowed, lowestPrice, market };
  const isNotRead = market !== null && market.situation === 'not_read';
  const { lines } = compiled;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as CompiledLine;
    const pass = passOver(line, index + 1, question, isNotRead, steps);
    if (pass) continue;
    const price = priceOf(line, index + 1, question, steps);
    if (price !== null) return price;
  }
  const line = deciding(0, null, question, null);
  return { price: null, reason: isNotRead ? 'not_read' : 'no_line', competitor: null, line };
}

/** Whether a line may not decide now. */
function passOver(
  { line, conditions, namesNotRead, turn }: CompiledLine,
  number: number,
  question: Question,
  isNotRead: boolean,
  steps: LineStep[] | null,
): boolean {
  if (isNotRead && !namesNotRead) {
    steps?.push(stepOf(number, 'not_read'));
    return true;
  }
  for (let at = 0; at < conditions.length; at += 1) {
    const holds = (conditions[at] as (question: Question) => boolean | null)(question);
    if (holds === true) continue;
    steps?.push({
      ...stepOf(number, holds === null ? 'unknown' : 'condition'),
      condition: at,
      value: holds === null ? null : conditionValue(line.when[at] as Condition, question),
    });
    return true;
  }
  const restsUntil = turn === null ? null : restEnd(turn.lasts, turn.rests, number, question);
  if (restsUntil === null) return false;
  steps?.push({ ...stepOf(number, 'resting'), restsUntil });
  return true;
}

/** When a line that rests may decide again; null for one that does not rest. */
function restEnd(lasts: number, rests: number, number: number, { facts, policy }: Question): Instant | null {
  const start = facts.signals?.turns[number] ?? null;
  if (start === null) return null;
  const since = policy.now - start;
  return since >= lasts && since < lasts + rests ? ((start + lasts + rests) as Instant) : null;
}

/** The price of a line whose conditions hold; null where it passes on to the next line. */
function priceOf(
  compiled: CompiledLine,
  number: number,
  question: Question,
  steps: LineStep[] | null,
): StrategyPrice | null {
  const { action } = compiled;
  switch (action.kind) {
    case 'hold':
      steps?.push(stepOf(number, 'decided'));
      return nothing('line_hold', null, deciding(number, compiled, question, null));
    case 'ask':
      return askedPrice(compiled, action, number, question, steps);
    case 'raise':
    case 'lower':
      return movedPrice(compiled, action, number, question, steps);
  }
}

const NO_PRICE: TargetPrice = { price: null, offer: null };

type Ask = Extract<CompiledLine['action'], { kind: 'ask' }>;

function askedPrice(
  compiled: CompiledLine,
  { target, notUnder, notOver, ifTooLow }: Ask,
  number: number,
  question: Question,
  steps: LineStep[] | null,
): StrategyPrice | null {
  const least = notUnder === null ? question.lowestPrice : notUnder.price(question);
  const named = target.named(question);
  let { offer } = named;
  if (named.price === null || least === null) {
    steps?.push({ ...stepOf(number, 'unknown'), want: named.price, competitor: offer });
    return null;
  }
  let want: number = named.price;
  const bound = Math.max(least, question.lowestPrice);
  if (want < bound && ifTooLow === 'next_competitor') {
    const next = target.from === null ? NO_PRICE : target.from(question, bound);
    if (next.price !== null) ({ price: want, offer } = next);
  }
  if (want < bound) {
    const isPassedOn = ifTooLow === 'next_line' || ifTooLow === 'next_competitor';
    steps?.push({
      ...stepOf(number, isPassedOn ? 'too_low' : 'decided'),
      want,
      least: bound,
      competitor: offer,
    });
    if (isPassedOn) return null;
    const line = deciding(number, compiled, question, notUnder === null ? null : least);
    if (ifTooLow === 'keep') return nothing('line_hold', offer, line);
    return wanted(notUnder === null ? want : least, offer, compiled, line, question);
  }
  const most = notOver === null ? null : notOver.price(question);
  if (most !== null && want > most) want = most;
  steps?.push({ ...stepOf(number, 'decided'), want, least: bound, competitor: offer });
  const line = deciding(number, compiled, question, notUnder === null ? null : least);
  return wanted(want, offer, compiled, line, question);
}

type Move = Extract<CompiledLine['action'], { kind: 'raise' | 'lower' }>;

function movedPrice(
  compiled: CompiledLine,
  move: Move,
  number: number,
  question: Question,
  steps: LineStep[] | null,
): StrategyPrice {
  const line = deciding(number, compiled, question, null);
  const want = moveOf(move, question);
  steps?.push({ ...stepOf(number, 'decided'), want: typeof want === 'number' ? want : null });
  if (typeof want === 'string') return nothing(want, null, line);
  return wanted(want, null, compiled, line, question);
}

/** Where a raise or lower goes now, or why it goes nowhere. */
function moveOf({ kind, by, every, to: end }: Move, question: Question): number | 'line_waits' | 'line_hold' {
  const { facts, policy } = question;
  const current = facts.currentPrice as Cents;
  // Written so that a time that cannot be read waits.
  if (facts.lastChangedAt !== null && !(policy.now - facts.lastChangedAt >= every)) return 'line_waits';
  const unbounded = kind === 'raise' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  // Without an end the allowed prices bound it.
  const to = end === null ? unbounded : end.price(question);
  if (to === null) return 'line_hold';
  const step = Math.max(1, stepOfMove(current, by));
  if (kind === 'raise') return current >= to ? 'line_hold' : Math.min(current + step, to);
  return current <= to ? 'line_hold' : Math.max(current - step, to);
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
  reason: 'line_hold' | 'line_waits' | 'only_ours_shown',
  competitor: Offer | null,
  line: DecidingLine,
): StrategyPrice {
  return { price: null, reason, competitor, line };
}

function deciding(
  number: number,
  compiled: CompiledLine | null,
  question: Question,
  notUnder: number | null,
): DecidingLine {
  const situation: Situation | null = question.market === null ? null : question.market.situation;
  return {
    number,
    situation,
    startsTurn: compiled !== null && compiled.turn !== null && startsTurn(compiled.turn, number, question),
    asksFirst: compiled?.line.asksFirst ?? false,
    dependsOnCompetitors: compiled === null || compiled.dependsOnCompetitors,
    notUnder,
  };
}

/** A line that decides begins a turn unless it is in one. A start in the future is a mistake. */
function startsTurn(
  turn: { readonly lasts: number; readonly rests: number },
  number: number,
  { facts, policy }: Question,
): boolean {
  const start = facts.signals?.turns[number] ?? null;
  if (start === null) return true;
  const since = policy.now - start;
  return !(since >= 0 && since < turn.lasts + turn.rests);
}

function stepOf(line: number, verdict: LineVerdict): LineStep {
  return {
    line,
    verdict,
    condition: null,
    value: null,
    want: null,
    least: null,
    competitor: null,
    restsUntil: null,
  };
}

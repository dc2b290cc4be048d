import { marginOf } from '#domain/costs/margin.ts';
import { allowedPrices, type PriceTerms } from '#domain/limits/allowed-prices.ts';
import { type Bps, type Cents, type Instant, isPrice, WHOLE } from '#domain/units.ts';
import { composeFees } from './compose-fees.ts';
import { dayOf, type FeeAnswer, revenueOf } from './fee-answer.ts';
import type { FeeBasis, ReportedRate, ReportedSource } from './fee-basis.ts';
import { answersSetAside, candidatesFor, type FeeCandidate } from './fee-candidates.ts';
import { type FeeTable, feeTimesWhole, MAX_REVENUE } from './fee-table.ts';
import { withGuessedFees } from './guessed-fulfillment.ts';
import { unchangedAnswers } from './reported-rates.ts';

/** What the next question of a listing depends on. */
export interface QuestionTerms {
  /** The table in use, from `source`. */
  readonly basis: FeeBasis;
  readonly source: ReportedSource;
  /** Those of `countingAnswers`. */
  readonly answers: readonly FeeAnswer[];
  readonly candidates: readonly FeeCandidate[];
  readonly terms: Omit<PriceTerms, 'fees'>;
  readonly currentPrice: Cents;
  /** The price recommended now: asked last, if its fee is only assumed. */
  readonly recommendedPrice: Cents | null;
  readonly now: Instant;
}

/** Answers of a listing in a UTC day. */
export const MAX_QUESTIONS_A_DAY = 4;
const MAX_QUESTIONS = 12;
/** Two fees further apart than this cannot both be meant by one reported cent. */
const DISTINCT = 2 * WHOLE;
/** Of the current price: how far the fee is known above it at least. */
const ROOM_TO_RISE = 1.25;
/** A floor may leave this much more than the minimum margin. */
const MAX_SLACK = 10 as Bps;

/**
 * The price to ask next, so that the fee is known where it matters: what was reported before a change; where the schedules
 * that agree so far differ most; for a listing that no schedule fits, its margin floor, then room to rise.
 * @returns null when nothing is left to ask, or not today
 */
export function nextQuestion(question: QuestionTerms): Cents | null {
  const { answers, now } = question;
  const today = answers.filter((answer) => dayOf(answer.toldAt) === dayOf(now));
  // The same question asked again, such as at the current price each week, is not another one; a change starts anew.
  const questions = unchangedAnswers(answers).length;
  if (today.length >= MAX_QUESTIONS_A_DAY || questions >= MAX_QUESTIONS) return null;
  const price = askedBefore(question) ?? openPrice(question);
  return price !== null && isPrice(price) ? price : null;
}

/** The price of the newest answer that was set aside. */
function askedBefore({ answers, candidates, terms }: QuestionTerms): Cents | null {
  const last = answersSetAside(candidates, answers).at(-1);
  return last === undefined ? null : ((revenueOf(last) - terms.shippingCharge) as Cents);
}

function openPrice(question: QuestionTerms): Cents | null {
  switch (question.source.schedules.length) {
    case 0:
      return floorToAsk(question) ?? assumedTarget(question) ?? ceilingToAsk(question);
    case 1:
      return null;
    default:
      return whereCandidatesDiffer(question);
  }
}

function whereCandidatesDiffer({
  basis,
  answers,
  candidates,
  terms,
  currentPrice,
}: QuestionTerms): Cents | null {
  const fitting = candidatesFor(candidates, answers);
  const { marginFloor, priceCeiling } = allowedPrices({ ...terms, fees: composeFees(basis) });
  const lowest = Math.ceil((marginFloor ?? currentPrice) / 2);
  const highest = priceCeiling ?? 2 * currentPrice;
  const requested = new Set<number>(answers.map(revenueOf));
  const edges = fitting.flatMap(({ pieces }) => pieces.flatMap(({ from, to }) => [from, to]));
  const prices = [lowest, highest, ...edges.map((edge) => edge - terms.shippingCharge)]
    .filter((price) => price >= lowest && price <= highest)
    .sort((a, b) => a - b);
  let widest: number = DISTINCT;
  let best: Cents | null = null;
  for (const price of prices) {
    const revenue = (price + terms.shippingCharge) as Cents;
    if (requested.has(revenue)) continue;
    const fees = fitting.map((candidate) => feeTimesWhole(candidate, revenue));
    const spread = Math.max(...fees) - Math.min(...fees);
    if (!(spread > widest)) continue;
    widest = spread;
    best = price as Cents;
  }
  return best;
}

/** Solves for the floor with the rates so far, until the solution is a price that was asked and leaves no slack. */
function floorToAsk({ basis, source, answers, terms }: QuestionTerms): Cents | null {
  const [low] = source.rates;
  if (low === undefined) return null;
  const requested = new Set<number>(unchangedAnswers(answers).map(revenueOf));
  const isAsked = (price: number) => requested.has(price + terms.shippingCharge);
  const fees = withRates(basis, source, extended(source.rates));
  const floor = allowedPrices({ ...terms, fees }).marginFloor;
  if (floor === null || !isAsked(floor)) return floor;
  const margin = marginOf(floor, terms.shippingCharge, terms.totalCost, fees);
  if (margin === null || margin - terms.minimumMargin <= MAX_SLACK) return null;
  const tooLow = highestTooLow(unchangedAnswers(answers), floor, terms);
  const here = source.rates.find(({ from }) => from === floor + terms.shippingCharge) ?? low;
  const all: ReportedRate = { ...here, from: 0 as Cents, to: MAX_REVENUE };
  const tight = allowedPrices({ ...terms, fees: withRates(basis, source, [all]) }).marginFloor;
  if (tight !== null && tight > tooLow && tight < floor && !isAsked(tight)) return tight;
  const half = Math.floor((tooLow + floor) / 2) as Cents;
  return half > tooLow && !isAsked(half) ? half : null;
}

/** The recommended price, if it lies between two for which different rates were reported. */
function assumedTarget({ source, terms, recommendedPrice }: QuestionTerms): Cents | null {
  if (recommendedPrice === null) return null;
  const revenue = recommendedPrice + terms.shippingCharge;
  const reported = source.rates.find(({ from, to }) => from <= revenue && revenue <= to);
  return reported?.isAssumed ? recommendedPrice : null;
}

/** The price ceiling, while the fee is known for little more than the current price: above what was asked none is allowed. */
function ceilingToAsk({ basis, source, terms, currentPrice }: QuestionTerms): Cents | null {
  const highest = (source.rates.at(-1)?.to ?? 0) - terms.shippingCharge;
  if (highest >= currentPrice * ROOM_TO_RISE) return null;
  const { priceCeiling } = allowedPrices({
    ...terms,
    fees: withRates(basis, source, extended(source.rates)),
  });
  return priceCeiling !== null && priceCeiling > highest ? priceCeiling : null;
}

/** The rates reported, with the lowest and the highest one going on beyond what was asked. */
function extended(rates: readonly ReportedRate[]): ReportedRate[] {
  return rates.map((rate, index) => ({
    ...rate,
    from: index === 0 ? (0 as Cents) : rate.from,
    to: index === rates.length - 1 ? MAX_REVENUE : rate.to,
  }));
}

function withRates(basis: FeeBasis, source: ReportedSource, rates: readonly ReportedRate[]): FeeTable {
  const fulfillment = withGuessedFees(basis.fulfillment);
  return composeFees({ ...basis, fulfillment, source: { ...source, schedules: [], rates } });
}

/** The highest asked price below the floor, which is not allowed; 0 if none was asked. */
function highestTooLow(
  answers: readonly FeeAnswer[],
  floor: Cents,
  { shippingCharge }: Omit<PriceTerms, 'fees'>,
): number {
  const below = answers.map((answer) => revenueOf(answer) - shippingCharge).filter((price) => price < floor);
  return Math.max(0, ...below);
}

import { WHOLE } from '#domain/units.ts';
import { type FeeAnswer, revenueOf } from './fee-answer.ts';
import { fits, newestOfEach } from './fee-candidates.ts';
import type { AnswerKey } from './fee-fact.ts';
import { countingAnswers, type FeeEvidence } from './fees-of-listing.ts';
import { areConsistent, reportedRates } from './reported-rates.ts';

/** What rounding of both answers may make between two fees of one rate, in cents. */
const ROUNDING = 2;

/**
 * Whether what is reported now contradicts what was reported of the listing before: its rate changed, and probably that of others like
 * it. A further price of a listing whose schedule was not found yet contradicts nothing.
 * @param isNew which answers are reported now
 */
export function isFeeChanged(evidence: FeeEvidence, isNew: (answer: AnswerKey) => boolean): boolean {
  const fresh = countingAnswers(evidence).filter(isNew);
  const before = evidence.answers.filter((answer) => !isNew(answer));
  const earlier = newestOfEach(countingAnswers({ ...evidence, answers: before }));
  if (fresh.length === 0 || earlier.length === 0) return false;
  if (!areConsistent([...earlier, ...fresh])) return true;
  const [found, ...others] = evidence.candidates.filter((candidate) =>
    earlier.every((answer) => fits(candidate, answer)),
  );
  if (found !== undefined) return others.length === 0 && fresh.some((answer) => !fits(found, answer));
  return fresh.some((answer) => isOffRate(answer, earlier));
}

/** Whether an answer is off the rate that a listing with rates of its own has between two prices reported before. */
function isOffRate(answer: FeeAnswer, earlier: readonly FeeAnswer[]): boolean {
  const revenue = revenueOf(answer);
  const rate = reportedRates(earlier).find(
    ({ from, to, isAssumed }) => !isAssumed && from <= revenue && revenue <= to,
  );
  if (rate === undefined) return false;
  const known = (rate.percent * revenue) / WHOLE + rate.perUnit;
  return Math.abs(answer.commission + answer.perUnit - known) > ROUNDING;
}

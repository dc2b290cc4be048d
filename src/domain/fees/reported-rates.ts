import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { type FeeAnswer, revenueOf } from './fee-answer.ts';
import type { ReportedRate } from './fee-basis.ts';

/**
 * A listing's own rates from what was reported, for a listing that no known schedule fits. Each rate is the highest that
 * rounds to the reported cent, so that the fee is never understated; between two revenues with different rates the higher
 * counts, and outside of all that was asked nothing is known.
 * @param answers oldest first
 */
export function reportedRates(answers: readonly FeeAnswer[]): ReportedRate[] {
  const points = pointsOf(answers);
  return points.flatMap((point, index) => {
    const next = points[index + 1];
    const at: ReportedRate = { ...point.rate, from: point.revenue, to: point.revenue, isAssumed: false };
    if (next === undefined || next.revenue === point.revenue + 1) return [at];
    const from = (point.revenue + 1) as Cents;
    return [at, { ...between(point, next), from, to: (next.revenue - 1) as Cents }];
  });
}

/** What was reported for one revenue. */
interface ReportedPoint {
  readonly revenue: Cents;
  readonly commission: Cents;
  readonly rate: Pick<ReportedRate, 'percent' | 'perUnit'>;
}

/** Whether no two answers to the same question differ. */
export function areConsistent(answers: readonly FeeAnswer[]): boolean {
  const first = new Map<Cents, FeeAnswer>();
  return answers.every((answer) => {
    const earlier = first.get(revenueOf(answer)) ?? answer;
    first.set(revenueOf(answer), earlier);
    return !isChanged(answer, earlier);
  });
}

/**
 * The newest answer for each revenue that still counts. After a change nothing reported before the first answer of the new
 * rate counts: it may be from the old rate, however shortly before the change was noticed it was reported.
 * @param answers oldest first
 */
export function unchangedAnswers(answers: readonly FeeAnswer[]): readonly FeeAnswer[] {
  const newest = new Map<Cents, FeeAnswer>();
  const changed = new Set<Cents>();
  const agreeingSince = new Map<Cents, number>();
  for (const answer of answers.toReversed()) {
    const revenue = revenueOf(answer);
    const later = newest.get(revenue) ?? answer;
    newest.set(revenue, later);
    if (isChanged(later, answer)) changed.add(revenue);
    else if (!changed.has(revenue)) agreeingSince.set(revenue, answer.toldAt);
  }
  const changes = [...changed].map((revenue) => agreeingSince.get(revenue) ?? Number.NEGATIVE_INFINITY);
  const changedAt = Math.max(Number.NEGATIVE_INFINITY, ...changes);
  return [...newest.values()].filter(({ toldAt }) => toldAt >= changedAt);
}

/** Lowest revenue first. */
function pointsOf(answers: readonly FeeAnswer[]): ReportedPoint[] {
  return unchangedAnswers(answers)
    .map((answer) => {
      const revenue = revenueOf(answer);
      const { commission, perUnit } = answer;
      return { revenue, commission, rate: { percent: highestRate(revenue, commission), perUnit } };
    })
    .sort((a, b) => a.revenue - b.revenue);
}

/** Whether two answers to the same question differ by more than rounding. */
function isChanged(later: FeeAnswer, earlier: FeeAnswer): boolean {
  return Math.abs(later.commission - earlier.commission) > 1 || Math.abs(later.perUnit - earlier.perUnit) > 1;
}

/** The highest percentage, in whole basis points, that may have been rounded to this cent. */
function highestRate(revenue: Cents, commission: Cents): Bps {
  return Math.ceil(((2 * commission + 1) * WHOLE) / (2 * revenue)) as Bps;
}

function between(
  low: ReportedPoint,
  high: ReportedPoint,
): ReportedPoint['rate'] & Pick<ReportedRate, 'isAssumed'> {
  const rates = [low.rate.percent, high.rate.percent];
  const isSame = haveSameRate(low, high);
  return {
    percent: (isSame ? Math.min(...rates) : Math.max(...rates)) as Bps,
    isAssumed: !isSame,
    perUnit: Math.max(low.rate.perUnit, high.rate.perUnit) as Cents,
  };
}

/** A commission and what it is a share of. */
type Share = Pick<ReportedPoint, 'revenue' | 'commission'>;

/** Whether one percentage rounds to both cents. */
function haveSameRate(low: Share, high: Share): boolean {
  const reaches = (a: Share, b: Share) =>
    (2 * a.commission - 1) * b.revenue <= (2 * b.commission + 1) * a.revenue;
  return reaches(low, high) && reaches(high, low);
}

import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { dayOf, type FeeAnswer, revenueOf } from './fee-answer.ts';
import { type FeeSchedule, takesCommissionWithTax } from './fee-schedule.ts';
import { type FeePiece, feeTimesWhole } from './fee-table.ts';
import { categoryKey, checkFeeSchedule } from './fee-tables.ts';
import { schedulePieces } from './schedule-pieces.ts';

/** A schedule that may be the one a marketplace applies to a listing. */
export interface FeeCandidate {
  readonly schedule: FeeSchedule;
  readonly pieces: readonly FeePiece[];
  /** The categories with these fees, by their keys. */
  readonly categories: ReadonlySet<string>;
  /** The commission alone, and what is charged for each unit alone. */
  readonly commission: readonly FeePiece[];
  /** The commission by the total with sales tax; null where it is a share of the revenue. */
  readonly commissionOnTotal: readonly FeePiece[] | null;
  readonly perUnit: readonly FeePiece[];
}

/**
 * The schedules of a marketplace as candidates; of several with the same fees the first.
 * @param schedules those in force
 */
export function feeCandidates(schedules: readonly FeeSchedule[], salesTax: Bps): FeeCandidate[] {
  const byFees = new Map<string, FeeCandidate & { readonly categories: Set<string> }>();
  for (const schedule of schedules) {
    if (checkFeeSchedule(schedule) !== null) continue;
    const pieces = schedulePieces(schedule, salesTax);
    const key = JSON.stringify(pieces);
    const known = byFees.get(key);
    if (known !== undefined) {
      known.categories.add(categoryKey(schedule.category));
      continue;
    }
    const commission = commissionAlone(schedule);
    byFees.set(key, {
      schedule,
      categories: new Set([categoryKey(schedule.category)]),
      pieces,
      commission: schedulePieces(commission, salesTax),
      commissionOnTotal: takesCommissionWithTax(schedule) ? schedulePieces(commission, 0 as Bps) : null,
      perUnit: schedulePieces(perUnitAlone(schedule), salesTax),
    });
  }
  return [...byFees.values()];
}

/** A schedule with its commission alone, without fixed amounts, and without a payment fee next to it. */
export function commissionAlone(schedule: FeeSchedule): FeeSchedule {
  const isTaxed = takesCommissionWithTax(schedule);
  const bands = schedule.bands.map((band) => ({
    ...band,
    percentTaxed: isTaxed ? band.percentTaxed : (0 as Bps),
    fixed: 0 as Cents,
    perUnit: 0 as Cents,
  }));
  return { ...schedule, bands };
}

function perUnitAlone(schedule: FeeSchedule): FeeSchedule {
  const none = { percent: 0 as Bps, percentTaxed: 0 as Bps, fixed: 0 as Cents, minimum: 0 as Cents };
  return { ...schedule, bands: schedule.bands.map((band) => ({ ...band, ...none })) };
}

/** Whether an answer could come from a schedule: to the cent, since the marketplace rounds as well. */
export function fits(candidate: FeeCandidate, answer: FeeAnswer): boolean {
  const { commission, commissionOnTotal, perUnit } = candidate;
  const revenue = revenueOf(answer);
  const { settled } = answer;
  // A sale reports what was taken as commission; what else was taken of it is reported apart.
  if (settled !== undefined && settled.base !== null && commissionOnTotal !== null) {
    return isCentApart(feeTimesWhole({ pieces: commissionOnTotal }, settled.base), settled.commission);
  }
  if (settled !== undefined)
    return isCentApart(feeTimesWhole({ pieces: commission }, revenue), answer.commission);
  return (
    isCentApart(feeTimesWhole({ pieces: commission }, revenue), answer.commission) &&
    isCentApart(feeTimesWhole({ pieces: perUnit }, revenue), answer.perUnit)
  );
}

function isCentApart(times: number, reported: Cents): boolean {
  return Math.abs(Math.round(times / WHOLE) - reported) <= 1;
}

/** A newer answer to the same question replaces an older one. */
export function newestOfEach(answers: readonly FeeAnswer[]): readonly FeeAnswer[] {
  const newest = new Map(answers.map((answer) => [revenueOf(answer), answer]));
  return answers.filter((answer) => newest.get(revenueOf(answer)) === answer);
}

/**
 * The candidates that agree with what was reported. If none agrees with all of it, the oldest day is set aside until one
 * does: a changed rate wins over what was reported before it.
 * @param answers at least one, oldest first
 * @returns empty when none agrees even with the newest day
 */
export function candidatesFor(
  candidates: readonly FeeCandidate[],
  answers: readonly FeeAnswer[],
): readonly FeeCandidate[] {
  return agreement(candidates, answers).fitting;
}

/**
 * The answers that were set aside, so that a candidate agrees with the newer ones: the same is asked again, since its
 * fee may have changed as well.
 * @param answers oldest first
 * @returns empty when none agrees even with the newest day
 */
export function answersSetAside(
  candidates: readonly FeeCandidate[],
  answers: readonly FeeAnswer[],
): readonly FeeAnswer[] {
  const { fitting, counted } = agreement(candidates, answers);
  return fitting.length === 0 ? [] : newestOfEach(answers).filter((answer) => !counted.includes(answer));
}

function agreement(
  candidates: readonly FeeCandidate[],
  answers: readonly FeeAnswer[],
): { readonly fitting: readonly FeeCandidate[]; readonly counted: readonly FeeAnswer[] } {
  let counted = newestOfEach(answers);
  for (;;) {
    const [oldest] = counted;
    if (oldest === undefined) return { fitting: [], counted };
    const fitting = candidates.filter((candidate) => counted.every((answer) => fits(candidate, answer)));
    if (fitting.length > 0) return { fitting, counted };
    counted = counted.filter((answer) => dayOf(answer.toldAt) > dayOf(oldest.toldAt));
  }
}

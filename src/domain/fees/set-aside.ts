import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { schedulesOf } from './compose-fees.ts';
import { type FeeAnswer, revenueOf } from './fee-answer.ts';
import type { FeeSource } from './fee-basis.ts';
import { answersSetAside, candidatesFor, type FeeCandidate, newestOfEach } from './fee-candidates.ts';
import { feeTimesWhole, MAX_REVENUE } from './fee-table.ts';
import { rateSchedule } from './rate-schedule.ts';
import { reportedRates } from './reported-rates.ts';
import { schedulePieces } from './schedule-pieces.ts';

/**
 * A fee that is nowhere below what was reported before of other prices and set aside: a schedule that agrees with the newest
 * answers alone may not be the one applied. Until it is asked again, such a rate counts at its price and up to the next
 * prices asked; what was reported before an answer that a user accepted does not.
 * @param answers oldest first
 */
export function atLeastSetAside(
  source: FeeSource | null,
  answers: readonly FeeAnswer[],
  { candidates, salesTax }: { readonly candidates: readonly FeeCandidate[]; readonly salesTax: Bps },
): FeeSource | null {
  if (source?.kind !== 'told' || source.schedules.length === 0) return source;
  const tables = schedulesOf(source).map((schedule) => ({ pieces: schedulePieces(schedule, salesTax) }));
  const feeAt = (revenue: Cents) => Math.max(...tables.map((table) => feeTimesWhole(table, revenue)));
  const acceptedAt = answers.findLast(({ isAccepted }) => isAccepted)?.toldAt ?? Number.NEGATIVE_INFINITY;
  const newest = newestOfEach(answers);
  const requested = newest.map(revenueOf).sort((a, b) => a - b);
  const kept = lastSetAside(candidates, answers)
    .filter((answer) => answer.toldAt > acceptedAt && newest.includes(answer))
    .filter((answer) => (answer.commission + answer.perUnit - 1) * WHOLE > feeAt(revenueOf(answer)))
    .flatMap((answer) => {
      const revenue = revenueOf(answer);
      const below = requested.findLast((each) => each < revenue) ?? -1;
      const above = requested.find((each) => each > revenue) ?? MAX_REVENUE + 1;
      const range = { from: (below + 1) as Cents, to: (above - 1) as Cents };
      return reportedRates([answer]).map((rate) => rateSchedule({ ...rate, ...range }, source.marketplace));
    });
  return kept.length === 0 ? source : { ...source, schedules: [...source.schedules, ...kept] };
}

/** Those set aside by the newest answer that a schedule agrees with: one that none agrees with may wait. */
function lastSetAside(
  candidates: readonly FeeCandidate[],
  answers: readonly FeeAnswer[],
): readonly FeeAnswer[] {
  for (let count = answers.length; count > 0; count -= 1) {
    const reported = answers.slice(0, count);
    if (candidatesFor(candidates, reported).length > 0) return answersSetAside(candidates, reported);
  }
  return [];
}

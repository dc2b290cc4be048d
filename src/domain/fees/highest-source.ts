import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { schedulesOf } from './compose-fees.ts';
import type { FeeSource, ReportedRate, ReportedSource } from './fee-basis.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { type FeePiece, feeTimesWhole, MAX_REVENUE } from './fee-table.ts';
import { rateSchedule } from './rate-schedule.ts';
import { schedulePieces } from './schedule-pieces.ts';

/**
 * At each revenue the higher fee of a source and of what was reported since; unknown where the source is unknown.
 * @param rise the highest rate reported above the source: it may apply everywhere, until the other prices are requested again
 */
export function highestSource(
  before: FeeSource,
  after: ReportedSource,
  rise: ReportedRate | null,
  salesTax: Bps,
): FeeSource {
  const flat =
    rise === null ? [] : [rateSchedule({ ...rise, from: 0 as Cents, to: MAX_REVENUE }, after.marketplace)];
  const added = [...after.schedules, ...flat];
  if (added.length === 0 || before.kind === 'person') return before;
  if (before.kind === 'told' && before.schedules.length === 0) {
    const pieces = added.flatMap((schedule) => schedulePieces(schedule, salesTax));
    return { ...after, schedules: [], rates: before.rates.map((rate) => raisedTo(rate, pieces)) };
  }
  return { ...after, schedules: distinct([...schedulesOf(before), ...added]), rates: [] };
}

/** A rate at least as high as the fee of each piece: a fee as a share of revenue is highest at an end of a range. */
function raisedTo(rate: ReportedRate, pieces: readonly FeePiece[]): ReportedRate {
  const needed = pieces.flatMap((piece) => {
    const ends = [Math.max(rate.from, piece.from, 1), Math.min(rate.to, piece.to, MAX_REVENUE)];
    const [from = 0, to = 0] = ends;
    if (from > to) return [];
    return ends.map((end) => {
      const fee = feeTimesWhole({ pieces: [piece] }, end as Cents);
      return Math.ceil((fee - rate.perUnit * WHOLE) / end);
    });
  });
  return { ...rate, percent: Math.max(rate.percent, ...needed) as Bps };
}

function distinct(schedules: readonly FeeSchedule[]): FeeSchedule[] {
  return [...new Map(schedules.map((schedule) => [JSON.stringify(schedule), schedule])).values()];
}

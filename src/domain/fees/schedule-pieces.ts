import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import type { FeeBand, FeeSchedule } from './fee-schedule.ts';
import { type FeePiece, MAX_REVENUE } from './fee-table.ts';

/** The pieces of a schedule over revenue. @param schedule one that `checkFeeSchedule` accepts */
export function schedulePieces(schedule: FeeSchedule, salesTax: Bps): FeePiece[] {
  const isMarginal = schedule.bandKind === 'marginal';
  const pieces: FeePiece[] = [];
  let from = 0;
  let below = 0;
  let otherBelow = 0;
  for (const band of schedule.bands) {
    const to = edgeOf(band, schedule, salesTax);
    // Two edges on the total with tax may be the same revenue; the band between them holds no cent.
    if (to < from) continue;
    const { percent, minimum } = band;
    const other = ofRevenue(band.percentTaxed, salesTax);
    // The range starts one cent after the band below ends, but its marginal share starts where that band ended.
    const start = Math.max(0, from - 1);
    const carried = isMarginal ? below - percent * start : 0;
    const otherCarried = isMarginal ? otherBelow - other * start : 0;
    const added = (band.fixed + band.perUnit) * WHOLE + otherCarried;
    pieces.push({ from: from as Cents, to, percent, carried, minimum, other, added });
    below += percent * (to - start);
    otherBelow += other * (to - start);
    from = to + 1;
  }
  return pieces;
}

/**
 * A percentage of the total with tax as one of revenue, rounded up: it may overstate the fee by less than 0.01% of
 * revenue and never understates it.
 */
export function ofRevenue(percentTaxed: Bps, salesTax: Bps): Bps {
  return Math.ceil((percentTaxed * (WHOLE + salesTax)) / WHOLE) as Bps;
}

/** The largest revenue of a band. */
export function edgeOf({ upTo }: FeeBand, { edgeBase }: FeeSchedule, salesTax: Bps): Cents {
  if (upTo === null) return MAX_REVENUE;
  return edgeBase === 'revenue' ? upTo : (Math.floor((upTo * WHOLE) / (WHOLE + salesTax)) as Cents);
}

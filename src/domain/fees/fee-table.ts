import { type Bps, type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';
import type { FeeSchedule } from './fee-schedule.ts';

/**
 * A range of revenue in which the fee, in ten-thousandths of a cent, is
 * `max(percent x revenue + carried, minimum x 10 000) + fixed x 10 000`.
 */
export interface FeePiece {
  /** First and last revenue of the range, inclusive. */
  readonly from: Cents;
  readonly to: Cents;
  readonly percent: Bps;
  /** Ten-thousandths of a cent: the fees of the bands below, less `percent` of their width. 0 for whole-price bands. */
  readonly carried: number;
  readonly minimum: Cents;
  readonly fixed: Cents;
}

/** A compiled fee schedule, for millions of lookups. */
export interface FeeTable {
  readonly schedule: FeeSchedule;
  /** Identifies schedule and date, so that a stored decision shows which fees it used. */
  readonly version: string;
  /** Ascending from the first cent. Empty for an invalid schedule, whose fee is unknown. */
  readonly pieces: readonly FeePiece[];
}

// Revenue is a price plus a shipping charge, so it can be twice the largest price.
const MAX_REVENUE = (2 * MAX_CENTS) as Cents;

/** @param schedule one that `checkFeeSchedule` accepts */
export function compileFees(schedule: FeeSchedule): FeeTable {
  const pieces: FeePiece[] = [];
  let from = 0;
  let below = 0;
  for (const band of schedule.bands) {
    const to = band.upTo ?? MAX_REVENUE;
    // The range starts one cent after the band below ends, but its marginal share starts where that band ended.
    const start = Math.max(0, from - 1);
    const carried = schedule.bandKind === 'marginal' ? below - band.percent * start : 0;
    pieces.push({
      from: from as Cents,
      to,
      percent: band.percent,
      carried,
      minimum: band.minimum,
      fixed: band.fixed,
    });
    below += band.percent * (to - start);
    from = to + 1;
  }
  return { schedule, version: versionOf(schedule), pieces };
}

/**
 * The exact fee on a revenue, in ten-thousandths of a cent, since a percentage of cents is rarely whole.
 * @param revenue price plus shipping charge, zero or more
 */
export function feeTimesWhole(table: FeeTable, revenue: Cents): number {
  for (const piece of table.pieces) {
    if (revenue <= piece.to) {
      return Math.max(piece.percent * revenue + piece.carried, piece.minimum * WHOLE) + piece.fixed * WHOLE;
    }
  }
  return Number.NaN;
}

function versionOf({ marketplace, category, effectiveFrom, bandKind, bands }: FeeSchedule): string {
  const rows = bands.map((band) => `${band.upTo ?? 'up'}:${band.percent}+${band.fixed}>${band.minimum}`);
  return `${marketplace}/${category ?? 'default'}@${effectiveFrom ?? 'always'} ${bandKind} ${rows.join(' ')}`;
}

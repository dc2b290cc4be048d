import type { FeeSchedule } from './fee.ts';
import type { Bps, Cents } from './units.ts';

/**
 * One stretch of revenue on which the fee is
 * `max(percent x revenue + carried, minimum) + fixed`.
 */
export interface FeePiece {
  /** First and last revenue of the stretch, in cents, both included. */
  readonly from: Cents;
  readonly to: Cents;
  readonly percent: Bps;
  /** Ten-thousandths of a cent: what the bands below bring in (marginal schedules), less `percent` of their width. */
  readonly carried: number;
  readonly minimum: Cents;
  readonly fixed: Cents;
}

/** A fee schedule made ready for millions of questions. */
export interface FeeTable {
  readonly schedule: FeeSchedule;
  /** Names schedule and date, so that a stored decision can say which fees it used. */
  readonly version: string;
  readonly pieces: readonly FeePiece[];
}

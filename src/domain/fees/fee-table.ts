import { type Bps, type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';
import type { FeeBasis } from './fee-basis.ts';

/**
 * A range of revenue in which the fee, in ten-thousandths of a cent, is
 * `max(percent x revenue + carried, minimum x 10 000) + other x revenue + added`.
 */
export interface FeePiece {
  /** First and last revenue of the range, inclusive. */
  readonly from: Cents;
  readonly to: Cents;
  readonly percent: Bps;
  /** Ten-thousandths of a cent: the fees of the bands below, less `percent` of their width. 0 for whole-price bands. */
  readonly carried: number;
  readonly minimum: Cents;
  /** Percentages without a minimum: what is taken on the total with tax, and shares for advertising and returns. */
  readonly other: Bps;
  /** Ten-thousandths of a cent: fixed parts per order and unit, the fulfillment fee, and what `other` carries from below. */
  readonly added: number;
}

/** The fee at every revenue, for millions of lookups. */
export interface FeeTable {
  /** Identifies everything the fee is made of, so that a stored decision shows which fees it used. */
  readonly version: string;
  /**
   * Ascending and apart from each other. Between them the fee is unknown, and no price is allowed there; an invalid
   * schedule has none.
   */
  readonly pieces: readonly FeePiece[];
  /** What the pieces were composed of. */
  readonly basis: FeeBasis;
}

/** Revenue is a price plus a shipping charge, so it can be twice the largest price. */
export const MAX_REVENUE = (2 * MAX_CENTS) as Cents;

/**
 * The exact fee on a revenue, in ten-thousandths of a cent, since a percentage of cents is rarely whole.
 * @param revenue price plus shipping charge, zero or more
 * @returns NaN where the fee is unknown
 */
export function feeTimesWhole({ pieces }: Pick<FeeTable, 'pieces'>, revenue: Cents): number {
  for (const piece of pieces) {
    if (revenue <= piece.to) {
      if (!(revenue >= piece.from)) return Number.NaN;
      const { percent, carried, minimum, other, added } = piece;
      return Math.max(percent * revenue + carried, minimum * WHOLE) + other * revenue + added;
    }
  }
  return Number.NaN;
}

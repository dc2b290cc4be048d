import { type FeePiece, type FeeTable, feeTimesWhole } from '#domain/fees/fee-table.ts';
import { type Cents, WHOLE } from '#domain/units.ts';
import type { AllowedPrices } from './allowed-prices.ts';

/** A target that was given up for a lower price that leaves at least as much. */
export interface BandEdge {
  readonly passedOver: Cents;
  readonly price: Cents;
  /** What the lower price leaves more, rounded down. */
  readonly gain: Cents;
}

/**
 * Above the edge of a fee band a higher price may leave less than a lower one. The lowest allowed price up to a target
 * that leaves the most, cost aside, which is the same for all of them. Exact, in ten-thousandths of a cent.
 * @param target a price of L
 * @param notUnder a lower price is not requested, no matter what it leaves; null: any price of L is
 * @returns the target itself where no lower price of L leaves as much
 */
export function bestPriceUpTo(
  { ranges }: AllowedPrices,
  { pieces }: FeeTable,
  shippingCharge: Cents,
  target: Cents,
  notUnder: number | null = null,
): Cents {
  const lowest = Math.max(ranges[0] as number, Math.min(notUnder ?? 0, target)) + shippingCharge;
  const highest = target + shippingCharge;
  // Nearly every time: no edge lies between the lowest allowed price and the target.
  if (isRisingBetween(pieces, lowest, highest)) return target;
  return (revenueThatLeavesMost(ranges, pieces, shippingCharge, lowest, highest) - shippingCharge) as Cents;
}

/** Whether more revenue always leaves more between two revenues: both are in one piece. Most lie above the last edge. */
function isRisingBetween(pieces: readonly FeePiece[], lowest: number, highest: number): boolean {
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index] as FeePiece;
    if (piece.from <= lowest) return piece.to >= highest && isRising(piece);
  }
  return false;
}

/** The lowest of the revenues that leave most; the highest one where none of them is in a piece. */
function revenueThatLeavesMost(
  ranges: readonly number[],
  pieces: readonly FeePiece[],
  shippingCharge: Cents,
  lowest: number,
  highest: number,
): number {
  let best = highest;
  let most = Number.NEGATIVE_INFINITY;
  for (const piece of pieces) {
    if (piece.to < lowest) continue;
    if (piece.from > highest) break;
    for (let i = 0; i < ranges.length; i += 2) {
      const from = Math.max((ranges[i] as number) + shippingCharge, piece.from, lowest);
      const to = Math.min((ranges[i + 1] as number) + shippingCharge, highest, piece.to);
      if (from > to) continue;
      const revenue = isRising(piece) ? to : peakOf(piece, from, to);
      const left = leaves(piece, revenue);
      if (left > most) {
        most = left;
        best = revenue;
      }
    }
  }
  return best;
}

/** Whether more revenue always leaves more. */
function isRising({ percent, other }: FeePiece): boolean {
  return percent + other < WHOLE;
}

/** What the lower price leaves more than the one passed over; null where none was. */
export function bandEdgeOf(
  passedOver: Cents | null,
  price: Cents,
  fees: FeeTable,
  shippingCharge: Cents,
): BandEdge | null {
  if (passedOver === null) return null;
  const left = (at: Cents): number => {
    const revenue = (at + shippingCharge) as Cents;
    return revenue * WHOLE - feeTimesWhole(fees, revenue);
  };
  return { passedOver, price, gain: Math.floor((left(price) - left(passedOver)) / WHOLE) as Cents };
}

/** The lowest revenue of a part of a piece that leaves the most, where the percentages take all there is or more. */
function peakOf(piece: FeePiece, from: number, to: number): number {
  const { percent, carried, minimum, other } = piece;
  if (other >= WHOLE) return from;
  // Up to the minimum fee more revenue leaves more, and beyond it the percentages take all of the rest or more.
  const kink = Math.floor((minimum * WHOLE - carried) / percent);
  const low = Math.min(Math.max(kink, from), to);
  const high = Math.min(Math.max(kink + 1, from), to);
  return leaves(piece, high) > leaves(piece, low) ? high : low;
}

function leaves({ percent, carried, minimum, other, added }: FeePiece, revenue: number): number {
  return (WHOLE - other) * revenue - Math.max(percent * revenue + carried, minimum * WHOLE) - added;
}

import type { FeePiece, FeeTable } from '#domain/fees/fee-table.ts';
import { type Bps, type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';

/** The margin to keep, and the cost it has to be kept over. */
export interface MarginTerms {
  readonly totalCost: Cents;
  readonly minimumMargin: Bps;
}

/** The lowest price that keeps a margin, regardless of all limits; null if no price does. */
export function lowestWithMargin(
  terms: MarginTerms & { readonly shippingCharge: Cents; readonly fees: FeeTable },
): Cents | null {
  const { totalCost, minimumMargin, shippingCharge: charge } = terms;
  const { pieces } = terms.fees;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] as FeePiece;
    const from = Math.max(lowestRevenue(piece, totalCost, minimumMargin) - charge, piece.from - charge, 1);
    const to = Math.min(
      highestRevenue(piece, totalCost, minimumMargin) - charge,
      piece.to - charge,
      MAX_CENTS,
    );
    if (from <= to) return from as Cents;
  }
  return null;
}

/**
 * The lowest revenue within a piece of the fee table that keeps the margin: the margin floor, before the shipping charge is
 * taken off. The margin holds where `revenue x (1 - margin - other - percent) >= carried + added + cost` and, because of the minimum
 * fee, `revenue x (1 - margin - other) >= minimum + added + cost`. Both in ten-thousandths of a cent.
 */
export function lowestRevenue(piece: FeePiece, totalCost: Cents, minimumMargin: Bps): number {
  const needed = piece.added + totalCost * WHOLE;
  const kept = WHOLE - minimumMargin - piece.other;
  const lowest = lowestWith(kept - piece.percent, needed + piece.carried);
  // Without a minimum the fee is never below its percentage part, so this alone binds.
  return piece.minimum === 0 ? lowest : Math.max(lowest, lowestWith(kept, needed + piece.minimum * WHOLE));
}

/** The highest one, where more revenue loses margin; infinite where it does not. */
export function highestRevenue(piece: FeePiece, totalCost: Cents, minimumMargin: Bps): number {
  const kept = WHOLE - minimumMargin - piece.other;
  const left = kept - piece.percent;
  if (left >= 0) return Number.POSITIVE_INFINITY;
  const needed = piece.added + totalCost * WHOLE;
  const highest = Math.floor((needed + piece.carried) / left);
  return kept >= 0 ? highest : Math.min(highest, Math.floor((needed + piece.minimum * WHOLE) / kept));
}

/** The lowest revenue whose share `left` covers an amount. Rounded up, never to nearest: half a cent below is below. */
function lowestWith(left: number, amount: number): number {
  if (left > 0) return Math.ceil(amount / left);
  // Further revenue earns nothing here: only the surplus of the lower bands can cover the cost.
  return amount <= 0 ? 0 : Number.POSITIVE_INFINITY;
}

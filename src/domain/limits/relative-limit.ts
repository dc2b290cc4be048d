import { type Bps, type Cents, isPrice, WHOLE } from '#domain/units.ts';

/** The base of a relative minimum or maximum price; `own` is its current value. */
export const LIMIT_BASES = ['cost', 'own', 'price', 'floor'] as const;
export type LimitBase = (typeof LIMIT_BASES)[number];

/** The difference between a limit and its base; negative for below. */
export type LimitShift =
  | { readonly percent: Bps; readonly amount?: undefined }
  | { readonly amount: Cents; readonly percent?: undefined };

/**
 * A limit relative to an amount, in whole cents. A minimum is rounded up and a maximum down, so that neither allows a
 * price that the exact value would not. Exact: whole numbers throughout, below 2^53 for all valid amounts and shares.
 * @returns null if the result is not a valid price
 */
export function limitFrom(base: Cents, shift: LimitShift, side: 'minPrice' | 'maxPrice'): Cents | null {
  const limit =
    shift.percent === undefined ? base + shift.amount : shiftedLimit(base, WHOLE + shift.percent, side);
  return isPrice(limit) ? limit : null;
}

function shiftedLimit(base: Cents, share: number, side: 'minPrice' | 'maxPrice'): number {
  const exact = base * share;
  const rest = ((exact % WHOLE) + WHOLE) % WHOLE;
  const down = (exact - rest) / WHOLE;
  return side === 'minPrice' && rest > 0 ? down + 1 : down;
}

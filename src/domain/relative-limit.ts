import { type Bps, type Cents, isPrice, WHOLE } from './units.ts';

/** What a minimum or maximum price can be worked out from: `own` is its present value. */
export const LIMIT_BASES = ['cost', 'own', 'price', 'floor'] as const;
export type LimitBase = (typeof LIMIT_BASES)[number];

/** How far from its base a limit lies; below it where negative. */
export type LimitShift =
  | { readonly percent: Bps; readonly amount?: undefined }
  | { readonly amount: Cents; readonly percent?: undefined };

/**
 * A limit worked out from an amount, in whole cents. A minimum is rounded up and a maximum down: neither lets a price
 * through that the exact figure would not. Exact: whole numbers throughout, below 2^53 for every amount and share there is.
 * @returns null when that is no price
 */
export function limitFrom(base: Cents, shift: LimitShift, side: 'minPrice' | 'maxPrice'): Cents | null {
  const limit =
    shift.percent === undefined ? base + shift.amount : shareOf(base, WHOLE + shift.percent, side);
  return isPrice(limit) ? limit : null;
}

function shareOf(base: Cents, share: number, side: 'minPrice' | 'maxPrice'): number {
  const exact = base * share;
  const rest = ((exact % WHOLE) + WHOLE) % WHOLE;
  const down = (exact - rest) / WHOLE;
  return side === 'minPrice' && rest > 0 ? down + 1 : down;
}

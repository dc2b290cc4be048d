import { WHOLE } from '#domain/units.ts';

/**
 * A share of an amount of cents, as an offset of a rule takes it: rounded down to the cent, so that "under" is never less
 * under than the exact amount.
 * @param share basis points; more than a whole for a price with its offset
 */
export function percentOf(amount: number, share: number): number {
  return Math.floor((amount * share) / WHOLE);
}

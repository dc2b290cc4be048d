import { hours } from '#domain/units.ts';

/** The clocks of two processes differ by less. */
export const CLOCK_SKEW = hours(1);

/**
 * Whether a stored time is from a clock that was ahead: when it really was is unknown. A little ahead is another process's clock.
 * @param at milliseconds since 1970-01-01 UTC, as is `now`
 */
export function isFromFuture(at: number, now: number): boolean {
  return at > now + CLOCK_SKEW;
}

import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { type AllowedPrices, highestAllowedTo, lowestAllowedFrom } from './allowed-prices.ts';
import type { Policy } from './policy.ts';

/** The set R: the whole-cent prices that one decision may move to. Empty if `low > high`. */
export interface MoveRange {
  readonly low: number;
  readonly high: number;
  /** The tighter of the two limits, downwards and upwards. */
  readonly lowBy: 'step_limit' | 'daily_limit';
  readonly highBy: 'step_limit' | 'daily_limit';
}

/**
 * Step limit around the current price (at least one cent each way) and daily limit around the price
 * of 24 hours ago, both rounded inwards: a limit of 15 % is never 15.01 %.
 */
export function moveRange(current: Cents, dayAgo: Cents | null, policy: Policy): MoveRange {
  const step = Math.max(1, changeOf(current, policy.maxStep));
  const drift = dayAgo === null ? Number.POSITIVE_INFINITY : changeOf(dayAgo, policy.maxDailyChange);
  const driftLow = (dayAgo ?? 0) - drift;
  const driftHigh = (dayAgo ?? 0) + drift;
  const stepLow = Math.max(1, current - step);
  const stepHigh = current + step;
  return {
    low: Math.max(stepLow, driftLow),
    high: Math.min(stepHigh, driftHigh),
    lowBy: driftLow > stepLow ? 'daily_limit' : 'step_limit',
    highBy: driftHigh < stepHigh ? 'daily_limit' : 'step_limit',
  };
}

/** The limit that excludes a price. If step and daily limit share no price, the daily limit, since the step limit alone would allow a move. */
export function limitInTheWay(target: Cents, range: MoveRange): 'step_limit' | 'daily_limit' {
  if (range.low > range.high) return 'daily_limit';
  return target > range.high ? range.highBy : range.lowBy;
}

/** NaN for an invalid limit, so that the move range is empty instead of unbounded. */
function changeOf(price: Cents, limit: Bps): number {
  return Number.isInteger(limit) ? Math.floor((price * limit) / WHOLE) : Number.NaN;
}

/**
 * The price of L and R to go to: the target itself, else the one between current price and target
 * that is nearest to the target.
 * @returns null when no such price exists
 */
export function nearestInRange(
  set: AllowedPrices,
  range: MoveRange,
  current: Cents,
  target: Cents,
): Cents | null {
  if (target > current) {
    const price = highestAllowedTo(set, Math.min(target, range.high));
    return price !== null && price >= Math.max(current, range.low) ? price : null;
  }
  const price = lowestAllowedFrom(set, Math.max(target, range.low));
  return price !== null && price <= Math.min(current, range.high) ? price : null;
}

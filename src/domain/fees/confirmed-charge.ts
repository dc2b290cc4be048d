import type { Cents } from '#domain/units.ts';
import { timeOf } from './fee-fact.ts';
import type { FulfillmentAnswer } from './fulfillment-answer.ts';
import { CONFIRMED_AFTER } from './reported-band.ts';

/** So many sales with the same fee, whatever their distance, are no single wrong row. */
export const ENOUGH_SALES = 3;

/** What confirms a charge. */
interface Confirming {
  /** The fees, in cents, that say the same. */
  readonly from: number;
  readonly to: number;
  /** Whether a lower one may be wrong, and contradicts nothing. */
  isDoubted?(charge: FulfillmentAnswer): boolean;
}

/**
 * What a charge counts as where other sales say the same: one at least 24 hours apart, or two at any time. They say nothing where,
 * since the first of them, more sales were charged less, and these at least 24 hours apart too.
 * @param charges with this one, oldest first
 * @returns its fee where the others are 24 hours apart without it, else the highest of theirs at most; null where none confirms it
 */
export function confirmedFee(
  charge: FulfillmentAnswer,
  charges: readonly FulfillmentAnswer[],
  { from, to, isDoubted = () => false }: Confirming,
): Cents | null {
  const at = timeOf(charge);
  const place = charges.indexOf(charge);
  let [same, most, lower] = [0, 0, 0];
  let [firstLower, lastLower] = [Number.POSITIVE_INFINITY, 0];
  let [firstOther, lastOther] = [Number.POSITIVE_INFINITY, 0];
  let found: Cents | null = null;
  for (let index = charges.length - 1; index >= 0; index -= 1) {
    const other = charges[index] as FulfillmentAnswer;
    const time = timeOf(other);
    if (other.fee < from && !isDoubted(other)) {
      lower += 1;
      [firstLower, lastLower] = [Math.min(firstLower, time), Math.max(lastLower, time)];
    }
    if (other.fee < from || other.fee > to) continue;
    same += 1;
    if (index !== place) {
      most = Math.max(most, other.fee);
      [firstOther, lastOther] = [Math.min(firstOther, time), Math.max(lastOther, time)];
    }
    const isContradicted = lower > same && lastLower - firstLower >= CONFIRMED_AFTER;
    if (index > place || isContradicted) continue;
    if (lastOther - firstOther >= CONFIRMED_AFTER) return charge.fee;
    const isApart = at - firstOther >= CONFIRMED_AFTER || lastOther - at >= CONFIRMED_AFTER;
    if (isApart || same >= ENOUGH_SALES) found = Math.min(charge.fee, most) as Cents;
  }
  return found;
}

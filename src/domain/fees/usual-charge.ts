import { hours, type Instant } from '#domain/units.ts';
import { timeOf } from './fee-fact.ts';
import type { FulfillmentAnswer } from './fulfillment-answer.ts';

/** What was charged counts for this long, and only in its season. */
export const SETTLED_FULFILLMENT_COUNTS = hours(60 * 24);

/**
 * What is usually charged for a unit, in cents: the median of the 60 days before a moment.
 * @returns null without a charge in them
 */
export function usualCharge(answers: readonly FulfillmentAnswer[], at: Instant): number | null {
  const recent = answers.filter(
    (each) => each.source === 'settled' && at - timeOf(each) < SETTLED_FULFILLMENT_COUNTS,
  );
  return recent.length === 0 ? null : medianOf(recent);
}

/**
 * The fee of the unit in the middle, in cents; of an even number the higher one of the two, never less than is charged. A sale
 * counts for fewer units than all others together have: alone it never decides.
 * @returns 0 without charges
 */
export function medianOf(charges: readonly FulfillmentAnswer[]): number {
  const ordered = charges.toSorted((one, other) => one.fee - other.fee);
  let [all, most] = [0, 0];
  for (const { units = 1 } of ordered) {
    all += units;
    most = Math.max(most, units);
  }
  // Of several with as many the lowest, so that the fee is never less than is charged.
  const largest = ordered.findIndex(({ units = 1 }) => units === most);
  const counted = Math.max(1, Math.min(most, all - most - 1));
  all -= most - counted;
  let passed = 0;
  for (const [at, { fee, units = 1 }] of ordered.entries()) {
    passed += at === largest ? counted : units;
    if (passed > all / 2) return fee;
  }
  return ordered.at(-1)?.fee ?? 0;
}

import { type Cents, hours, type Instant } from '#domain/units.ts';

/** What a seller entered or imported without a source that renews it counts for so long; then it is unknown. */
export const ENTERED_FACT_AGE = hours(7 * 24);

/** A price from outside of Pricewright, such as a supplier's or another program's, and when it was known. */
export interface ExternalPrice {
  readonly price: Cents;
  readonly at: Instant;
}

/** Whether what was known then still counts. What comes from the future, by another clock, does not. */
export function isStillKnown(at: Instant, now: Instant): boolean {
  const age = now - at;
  return age >= 0 && age <= ENTERED_FACT_AGE;
}

/** The seller's own MAP price of a listing, with the first and the last day on which it holds, as YYYY-MM-DD. */
export interface DatedMap {
  readonly price: Cents | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** The MAP price in force on a day; null for none. */
export function mapInForce({ price, from, until }: DatedMap, day: string): Cents | null {
  const isBefore = from !== null && day < from;
  const isAfter = until !== null && day > until;
  return isBefore || isAfter ? null : price;
}

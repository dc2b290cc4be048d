import type { FeeFactKind, FeeRefusal } from '#domain/fees/fee-fact.ts';

/** Names of fees inside a sentence. */
export const KIND_LABELS: Readonly<Record<FeeFactKind, string>> = {
  commission: 'commission',
  closing: 'closing fee',
  fulfillment: 'fulfillment',
  other: 'other fee',
};

/** Why an answer about fees is not used; each goes on after a colon. */
export const REFUSAL_TEXTS: Readonly<Record<FeeRefusal, string>> = {
  currency: 'the fees are not in US dollars',
  negative: 'a fee is below zero',
  unreadable: 'a fee is not an amount',
  other_question: 'the fees are for another SKU, price or fulfillment',
  wrong_total: 'the fees do not add up to their total',
  above_revenue: 'the fees are more than the buyer pays',
  no_commission: 'there is no commission, and no promotion that waives it',
  no_fulfillment: 'the fulfillment fee is missing',
  out_of_range: 'the commission is below 1% or above 60% of the price',
  rejected: 'an administrator rejected the fee',
};

/** Of a fulfillment fee that is out of range. */
export const ABSURD_CHARGE = 'the fulfillment fee is above $100.00 and more than ten times the price';

const OLD_AFTER = 30 * 24 * 3_600_000;

/** Whether a fee was reported over 30 days ago: it still counts, and is marked, since a sync asks every week. @param now epoch milliseconds */
export function isFeeOld(toldAt: string, now: number): boolean {
  return now - Date.parse(toldAt) > OLD_AFTER;
}

import type { SendOutcome } from '#connectors/connector.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import { instant, minutes } from '#domain/units.ts';

/**
 * Calls that are left to urgent prices, of those that may be made in a row: a change of thousands of prices must not use up
 * the day before a price that loses money. They are for 240 listings, and for a look at 20.
 */
const KEPT = { trading: 60, trading_items: 20 } as const;
/** When other prices are tried again. */
const AGAIN = minutes(15);

/** Whether the calls that may be made now are for urgent prices. */
export function isKeptForUrgent(calls: EbayCalls, operation: keyof typeof KEPT): boolean {
  return calls.left(operation) <= KEPT[operation];
}

/** Why something else waits. */
export const KEPT_FOR_URGENT = `The last calls of the day to ${NAME}'s Trading API are kept for manual prices and prices that end a loss.`;

/** The outcome of a price that is not urgent. */
export function keptOutcome(calls: EbayCalls, listingId: number): SendOutcome {
  const message = KEPT_FOR_URGENT;
  const later = { why: 'daily_limit', until: instant(calls.now() + AGAIN), retryAfter: null } as const;
  return { listingId, kind: 'not_sent', message, ...later, othersMayGo: true, urgentMayGo: true };
}

import type { PriceWarStreak } from '#domain/decision/facts.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { SellerKey } from './offer.ts';

/** One change of a listing's price. */
export interface RecentMove {
  readonly oldPrice: Cents | null;
  readonly newPrice: Cents;
  /** "rule" for a price of the engine. */
  readonly source: string;
  readonly at: Instant;
  /** The seller that the price was matched against. */
  readonly against: string | null;
}

/**
 * The price 24 hours ago.
 * @param moves price changes since then, the oldest first
 * @returns the first price for a newer listing, so that the daily limit applies to it too
 */
export function priceDayAgo(currentPrice: Cents, moves: readonly RecentMove[]): Cents {
  const [first] = moves;
  return first === undefined ? currentPrice : (first.oldPrice ?? first.newPrice);
}

/**
 * Number of automatic price cuts against one competitor; of several, the one with the most cuts.
 * @param moves of the last 24 hours, the oldest first
 * @returns null without a cut
 */
export function longestPriceWarStreak(moves: readonly RecentMove[]): PriceWarStreak | null {
  const lowered = moves.filter(
    ({ source, oldPrice, newPrice }) => source === 'rule' && oldPrice !== null && newPrice < oldPrice,
  );
  let longest: PriceWarStreak | null = null;
  for (const [against, group] of groupBy(lowered, (move) => move.against as SellerKey | null)) {
    const last = group.at(-1);
    if (last === undefined || (longest !== null && group.length <= longest.times)) continue;
    longest = { against, times: group.length, lastAt: last.at };
  }
  return longest;
}

import type { PriceWarStreak } from '#domain/decision/facts.ts';
import type { StrategyPrice } from '#domain/decision/strategy-price.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { SellerKey } from './offer.ts';

/** The key of all competitors that are not known by name: the key of a name is never blank. */
export const NAMELESS = '' as SellerKey;

/**
 * Whom a price goes against, for the count of cuts: the seller of the offer that it comes from; no one by name where its
 * line looks at competitors without such an offer, as for the featured offer price. Null where no competitor led to it.
 */
export function opponentKey(strategy: StrategyPrice | null): SellerKey | null {
  if (strategy === null) return null;
  const { price, competitor, line } = strategy;
  if (competitor !== null) return competitor.seller ?? NAMELESS;
  return price !== null && line?.looksAtCompetitors === true ? NAMELESS : null;
}

/** One change of a listing's price. */
export interface RecentMove {
  readonly oldPrice: Cents | null;
  readonly newPrice: Cents;
  /** "rule" for a price of the engine. */
  readonly source: string;
  readonly at: Instant;
  /** The seller that the price was matched against: see {@link opponentKey}. */
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
 * Number of automatic price cuts against one competitor; of several, the one with the most cuts. Offers without a seller
 * count as one competitor: two that answer each other cut would go down without an end if they did not. So do cuts of lines
 * that look at competitors without following an offer. A cut against no one, such as by a line that sells off, is no part of
 * a price war.
 * @param moves of the last 24 hours, the oldest first
 * @returns null without a cut
 */
export function longestPriceWarStreak(moves: readonly RecentMove[]): PriceWarStreak | null {
  const lowered = moves.filter(
    ({ source, oldPrice, newPrice, against }) =>
      source === 'rule' && oldPrice !== null && newPrice < oldPrice && against !== null,
  );
  let longest: PriceWarStreak | null = null;
  for (const [against, group] of groupBy(lowered, (move) => move.against as SellerKey | null)) {
    const last = group.at(-1);
    if (last === undefined || (longest !== null && group.length <= longest.times)) continue;
    longest = { against, times: group.length, lastAt: last.at };
  }
  return longest;
}

import type { RecentMove } from '#db/queries/repricing/case-surroundings.ts';
import type { PriceWarStreak } from '#domain/facts.ts';
import { groupBy } from '#domain/group-by.ts';
import type { SellerKey } from '#domain/offer.ts';
import type { Cents } from '#domain/units.ts';

/**
 * The price in force 24 hours ago.
 * @param moves what happened to it since, the oldest first
 * @returns for a listing younger than that its first price: a new one must not drift without a limit
 */
export function priceDayAgo(currentPrice: Cents, moves: readonly RecentMove[]): Cents {
  const [first] = moves;
  return first === undefined ? currentPrice : (first.oldPrice ?? first.newPrice);
}

/**
 * How often the engine went down against one competitor; of several the one it went down against most.
 * @param moves of the last 24 hours, the oldest first
 * @returns null when it never did
 */
export function longestPriceWarStreak(moves: readonly RecentMove[]): PriceWarStreak | null {
  const lowered = moves.filter(
    ({ source, oldPrice, newPrice }) => source === 'rule' && oldPrice !== null && newPrice < oldPrice,
  );
  let worst: PriceWarStreak | null = null;
  for (const [against, group] of groupBy(lowered, (move) => move.against as SellerKey | null)) {
    const last = group.at(-1);
    if (last === undefined || (worst !== null && group.length <= worst.times)) continue;
    worst = { against, times: group.length, lastAt: last.at };
  }
  return worst;
}

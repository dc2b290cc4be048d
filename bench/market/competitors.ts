import type { AFTER_US, BEFORE_US, Competitor, Market } from './market.ts';
import type { State } from './state.ts';

/** The share of a person's turns that go below the others; in the rest the price goes half of the way back up. */
const GOING_BELOW = 0.7;

/** Lets the competitors act whose turn is before or after us in this hour, one after another: each sees what those before it did. */
export function competitorsAct(market: Market, state: State, turn: typeof BEFORE_US | typeof AFTER_US): void {
  for (const [index, competitor] of market.competitors.entries()) {
    if (competitor.turns[state.hour] !== turn || state.inStock[index + 1] === 0) continue;
    const others = lowestOfOthers(state, index + 1);
    const before = state.prices[index + 1] as number;
    const price = Math.round(nextPrice(competitor, before, others, competitor.moods[state.hour] as number));
    if (price === before) continue;
    state.prices[index + 1] = price;
    state.isStale = true;
  }
}

/**
 * A competitor's price after its turn, in cents; it may need rounding.
 * @param others the lowest other price, infinite without one
 * @param mood from 0 to below 1
 */
export function nextPrice(competitor: Competitor, before: number, others: number, mood: number): number {
  const { kind, lowest, list, under } = competitor;
  const below = Number.isFinite(others) ? Math.min(others - 1, others * (1 - under)) : list;
  switch (kind) {
    case 'fixed':
    case 'dumper':
      return before;
    case 'follower':
      return within(others, lowest, list);
    case 'undercutter':
      return within(below, lowest, list);
    case 'resetter':
      return below < lowest ? list : Math.min(below, list);
    case 'stayer':
      return within(below, lowest, before);
    case 'person':
      return mood < GOING_BELOW ? within(below, lowest, list) : (before + list) / 2;
  }
}

function within(price: number, low: number, high: number): number {
  return Math.max(low, Math.min(price, high));
}

function lowestOfOthers({ prices, inStock }: State, self: number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const [seller, price] of prices.entries()) {
    if (seller !== self && inStock[seller] === 1 && price < lowest) lowest = price;
  }
  return lowest;
}

import { type Bps, bps, hours, type Instant } from '#domain/units.ts';
import { type Observation, OUR_NAME, type Reading } from './observation.ts';

const WHOLE = 10_000;
/** A rise by at least this share is an occasion to follow. */
const LEAST_RISE = 0.02;
/** Steps of one rise are this close together. */
const ONE_RISE = hours(12);
const FOLLOWING_WITHIN = hours(48);
const REMEMBERED = hours(24 * 30);
const MOST_OCCASIONS = 20;
const LEAST_OCCASIONS = 3;

/** A rise of our price, from the lowest or the second lowest of all. Prices in cents. */
interface Occasion {
  readonly at: Instant;
  readonly from: number;
  to: number;
  /** The lowest competitor before it. */
  readonly lowest: number;
  isFollowed: boolean;
}

/**
 * How often the lowest competitor came after us when we raised our price: by at least half of the rise, within 48 hours and
 * before we went half of it back down. Of at most 20 occasions of 30 days; null below three.
 */
export function followsOf(): (observation: Observation, reading: Reading | null, now: Instant) => Bps | null {
  let occasions: Occasion[] = [];
  let open: Occasion | null = null;
  let before: { readonly price: number; readonly others: readonly number[] } | null = null;
  return ({ price }, reading, now) => {
    const others = reading === null ? (before?.others ?? []) : othersOf(reading, price);
    if (before !== null && price >= before.price * (1 + LEAST_RISE)) {
      const from = before.price;
      const lowest = Math.min(...before.others);
      if (open !== null && now - open.at <= ONE_RISE) open.to = price;
      else if (Number.isFinite(lowest) && before.others.filter((other) => other < from).length <= 1) {
        open = { at: now, from, to: price, lowest, isFollowed: false };
        occasions = [...occasions, open].filter(({ at }) => now - at <= REMEMBERED).slice(-MOST_OCCASIONS);
      }
    }
    if (open !== null) {
      const half = (open.to - open.from) / 2;
      if (price < open.to - half || now - open.at > FOLLOWING_WITHIN) open = null;
      else if (others.length > 0 && Math.min(...others) >= open.lowest + half) open.isFollowed = true;
    }
    before = { price, others };
    const judged = occasions.filter((occasion) => occasion !== open || occasion.isFollowed);
    if (judged.length < LEAST_OCCASIONS) return null;
    return bps(Math.floor((judged.filter(({ isFollowed }) => isFollowed).length * WHOLE) / judged.length));
  };
}

/** The landed prices of all offers that are not ours. */
function othersOf({ offers }: Reading, ours: number): number[] {
  return offers
    .filter(({ seller, price }) => (seller === null ? price !== ours : seller !== OUR_NAME))
    .map(({ price }) => price);
}

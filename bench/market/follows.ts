import { followShare, type KnownPrices, OCCASIONS_OF, type Rise } from '#domain/competition/follow-share.ts';
import { DEFAULT_LIMITS } from '#domain/limits/policy.ts';
import { type Bps, cents, hours, type Instant, instant } from '#domain/units.ts';
import { type Observation, OUR_NAME, type Reading } from './observation.ts';

/** How old the product lets the figure become before it is worked out again. */
const WORKED_OUT_EVERY = hours(6);

/** Keeps what the product would have recorded of our rises and the competitors around them. */
export interface Follows {
  /** @param reading null unless a new one arrived */
  observe(observation: Observation, reading: Reading | null, now: Instant): void;
  /**
   * The product's own figure, by the same function: a rule that asks is judged here by what it would see there. Only what it
   * is worked out from is kept by the simulator.
   */
  share(now: Instant): Bps | null;
}

export function followsOf(): Follows {
  let rises: Rise[] = [];
  let known: KnownPrices[] = [];
  let before: number | null = null;
  let workedOut: { readonly at: Instant; readonly share: Bps | null } | null = null;
  return {
    observe({ price }, reading, now) {
      if (before !== null && price < before) {
        rises = rises.map((rise) => (isDown(rise, price) ? { ...rise, downAt: now } : rise));
      } else if (before !== null && price > before) {
        rises.push({ at: now, from: cents(before), to: cents(price), downAt: null });
      }
      before = price;
      if (reading === null) return;
      const [lowest = Number.POSITIVE_INFINITY, second = Number.POSITIVE_INFINITY] = othersOf(reading, price);
      const until = instant(now + DEFAULT_LIMITS.maxOfferAge);
      const last = known.at(-1);
      if (last !== undefined && last.lowest === lowest && last.second === second && last.until >= now) {
        known[known.length - 1] = { ...last, until };
      } else known.push({ at: now, until, lowest, second });
    },
    share(now) {
      if (workedOut !== null && now - workedOut.at < WORKED_OUT_EVERY) return workedOut.share;
      const isRecent = (at: Instant): boolean => now - at <= OCCASIONS_OF;
      rises = rises.filter(({ at }) => isRecent(at));
      known = known.filter(({ until }) => isRecent(until));
      workedOut = { at: now, share: followShare(rises, known, now) };
      return workedOut.share;
    },
  };
}

/** Whether our price has come down again by more than half of a rise just now. */
function isDown({ from, to, downAt }: Rise, price: number): boolean {
  return downAt === null && price * 2 < from + to;
}

/** The landed prices of all offers that are not ours, the lowest first. */
function othersOf({ offers }: Reading, ours: number): number[] {
  return offers
    .filter(({ seller, price }) => (seller === null ? price !== ours : seller !== OUR_NAME))
    .map(({ price }) => price)
    .sort((one, other) => one - other);
}

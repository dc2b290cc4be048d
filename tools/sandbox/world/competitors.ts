import { type Cents, cents } from '#domain/units.ts';
import type { Chance } from './chance.ts';
import type { Habit, MutableCompetitor, MutableItem } from './item.ts';
import { lowestOfOthers } from './offers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Shortest and longest time between two reactions, in milliseconds. */
const REACTION_INTERVALS: Readonly<Record<Habit, readonly [number, number]>> = {
  undercutter: [15 * MINUTE, 45 * MINUTE],
  follower: [2 * HOUR, 5 * HOUR],
  stubborn: [24 * HOUR, 24 * HOUR],
  sleeper: [24 * HOUR, 96 * HOUR],
  comes_and_goes: [6 * HOUR, 48 * HOUR],
  marketplace: [20 * HOUR, 28 * HOUR],
};

/** Milliseconds until the competitor reacts again. */
export function reactionDelay({ habit }: MutableCompetitor, chance: Chance): number {
  return chance.whole(...REACTION_INTERVALS[habit]);
}

const REACTIONS: Readonly<
  Record<Habit, (competitor: MutableCompetitor, item: MutableItem, chance: Chance) => void>
> = {
  undercutter: undercut,
  follower: follow,
  stubborn: () => undefined,
  sleeper: (competitor, _, chance) => setPrice(competitor, competitor.usual * chance.between(0.85, 1.15)),
  comes_and_goes: (competitor) => {
    competitor.isInStock = !competitor.isInStock;
  },
  marketplace: stayClose,
};

/** Lets a competitor react to the market as its habit requires. */
export function react(competitor: MutableCompetitor, item: MutableItem, chance: Chance): void {
  REACTIONS[competitor.habit](competitor, item, chance);
}

function undercut(competitor: MutableCompetitor, item: MutableItem): void {
  const other = lowestOfOthers(item, competitor);
  if (other === null || other - 1 - competitor.shippingCharge < competitor.lowest)
    setPrice(competitor, competitor.usual);
  else setPrice(competitor, other - 1 - competitor.shippingCharge);
}

function follow(competitor: MutableCompetitor, item: MutableItem): void {
  const other = lowestOfOthers(item, competitor);
  if (other !== null) setPrice(competitor, other - competitor.shippingCharge);
}

function stayClose(competitor: MutableCompetitor, item: MutableItem, chance: Chance): void {
  const other = lowestOfOthers(item, competitor) ?? competitor.usual;
  setPrice(competitor, Math.min(other * chance.between(0.99, 1.03), competitor.usual * 1.2));
}

function setPrice(competitor: MutableCompetitor, price: number): void {
  competitor.price = wholeCents(Math.max(price, competitor.lowest));
}

/** The nearest price in whole cents, at least one. */
export function wholeCents(price: number): Cents {
  return cents(Math.max(1, Math.round(price)));
}

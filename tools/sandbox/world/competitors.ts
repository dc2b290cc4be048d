import { type Cents, cents } from '#domain/units.ts';
import type { Chance } from './chance.ts';
import type { Habit, MutableCompetitor, MutableItem } from './item.ts';
import { lowestOfOthers } from './offers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long each waits between two looks at the market: from and to, in milliseconds. */
const LOOKS: Readonly<Record<Habit, readonly [number, number]>> = {
  undercutter: [15 * MINUTE, 45 * MINUTE],
  follower: [2 * HOUR, 5 * HOUR],
  stubborn: [24 * HOUR, 24 * HOUR],
  sleeper: [24 * HOUR, 96 * HOUR],
  comes_and_goes: [6 * HOUR, 48 * HOUR],
  marketplace: [20 * HOUR, 28 * HOUR],
};

/** Milliseconds until that rival looks again. */
export function nextLook({ habit }: MutableCompetitor, chance: Chance): number {
  return chance.whole(...LOOKS[habit]);
}

/** What each does when it looks. */
const DEEDS: Readonly<Record<Habit, (rival: MutableCompetitor, item: MutableItem, chance: Chance) => void>> =
  {
    undercutter: undercut,
    follower: follow,
    stubborn: () => undefined,
    sleeper: (rival, _, chance) => setPrice(rival, rival.usual * chance.between(0.85, 1.15)),
    comes_and_goes: (rival) => {
      rival.isInStock = !rival.isInStock;
    },
    marketplace: stayClose,
  };

/** A rival looks at the market and does what it does. */
export function look(rival: MutableCompetitor, item: MutableItem, chance: Chance): void {
  DEEDS[rival.habit](rival, item, chance);
}

function undercut(rival: MutableCompetitor, item: MutableItem): void {
  const other = lowestOfOthers(item, rival);
  if (other === null || other - 1 - rival.shippingCharge < rival.lowest) setPrice(rival, rival.usual);
  else setPrice(rival, other - 1 - rival.shippingCharge);
}

function follow(rival: MutableCompetitor, item: MutableItem): void {
  const other = lowestOfOthers(item, rival);
  if (other !== null) setPrice(rival, other - rival.shippingCharge);
}

function stayClose(rival: MutableCompetitor, item: MutableItem, chance: Chance): void {
  const other = lowestOfOthers(item, rival) ?? rival.usual;
  setPrice(rival, Math.min(other * chance.between(0.99, 1.03), rival.usual * 1.2));
}

function setPrice(rival: MutableCompetitor, price: number): void {
  rival.price = wholeCents(Math.max(price, rival.lowest));
}

/** The nearest price in whole cents, at least one. */
export function wholeCents(price: number): Cents {
  return cents(Math.max(1, Math.round(price)));
}

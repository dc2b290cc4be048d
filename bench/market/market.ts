import type { Seeded } from '#bench/seeded.ts';
import { arrivals, between, streamOf } from './random.ts';
import type { CompetitorKind, Competitors, Range, World } from './world.ts';

export const DAYS = 60;
export const HOURS = DAYS * 24;

/** The minimum margin of every rule, in hundredths of a percent of revenue. */
export const MINIMUM_MARGIN = 1_000;

/** What the marketplace charges, in hundredths of a percent of revenue. */
const FEE = 1_500;

/** Our own price where a world does not say, as a share of the usual one. */
const ABOUT_USUAL: Range = [0.95, 1.1];

/** When a competitor acts in an hour; 0 is not at all. */
export const BEFORE_US = 1;
export const AFTER_US = 2;

/** One competitor, with all that chance decides for it. Prices are what the buyer pays, in cents. */
export interface Competitor {
  readonly name: string;
  readonly kind: CompetitorKind;
  readonly isWarehouse: boolean;
  readonly lowest: number;
  readonly list: number;
  readonly under: number;
  /** Hour by hour: none, before or after us. */
  readonly turns: Uint8Array;
  /** Hour by hour: 1 in stock. */
  readonly inStock: Uint8Array;
  /** Hour by hour: what a person's mood is, from 0 to below 1. */
  readonly moods: Float64Array;
}

/** One listing in one world, drawn from a seed: the same for every policy. Prices are in cents. */
export interface Market {
  readonly world: World;
  readonly seed: number;
  /** Of one unit, without fees. */
  readonly cost: number;
  /** What the item usually costs: shoppers compare with it. */
  readonly usual: number;
  readonly startPrice: number;
  readonly feeCharged: number;
  /** What the fee schedule says. */
  readonly feeExpected: number;
  readonly warehousePremium: number;
  readonly competitors: readonly Competitor[];
  /** Whether offers have the names of their sellers. */
  readonly isNamed: boolean;
  /** Visits of hour h are `visitDraws[visitsFrom[h]]` to before `visitDraws[visitsFrom[h + 1]]`. */
  readonly visitsFrom: Uint32Array;
  /** What decides for each visit, from 0 to below 1. */
  readonly visitDraws: Float64Array;
  /** 1 for shoppers who buy from the buy box or not at all. */
  readonly visitIsForBox: Uint8Array;
  /** Hour by hour: what decides who gets the buy box, from 0 to below 1. */
  readonly boxDraws: Float64Array;
  /** Hour by hour: 1 where a reading arrives. */
  readonly readings: Uint8Array;
  /** Hours until buyers see a price that was sent. */
  readonly publishing: number;
  /** Hour by hour: units delivered to us; null: never out of stock. */
  readonly deliveries: Uint16Array | null;
}

/** @param seed a whole number; the same world and seed give the same market */
export function drawMarket(world: World, seed: number): Market {
  const random = streamOf(world.name, seed, 'listing');
  const cost = random.whole(800, 4_000);
  const usual = Math.round(cost * between(random, [1.6, 2.1]));
  const stream = (purpose: string): Seeded => streamOf(world.name, seed, purpose);
  return {
    world,
    seed,
    cost,
    usual,
    startPrice: Math.round(usual * between(random, world.ownPrice ?? ABOUT_USUAL)),
    feeCharged: FEE,
    feeExpected: FEE + random.pick(world.feeError as [number, ...number[]]),
    warehousePremium: between(random, world.warehousePremium),
    isNamed: random.chance(world.readings.named),
    publishing: random.whole(...world.readings.publishing),
    competitors: drawCompetitors(world, seed, cost, usual),
    ...drawVisits(world, stream('visits')),
    boxDraws: drawEach(stream('box')),
    readings: drawReadings(world, stream('readings')),
    deliveries: drawDeliveries(world, stream('deliveries')),
  };
}

function drawCompetitors(world: World, seed: number, cost: number, usual: number): Competitor[] {
  const all: Competitor[] = [];
  for (const [group, competitors] of world.competitors.entries()) {
    const count = streamOf(world.name, seed, `count ${group}`).whole(...competitors.count);
    for (let index = 0; index < count; index += 1) {
      const random = streamOf(world.name, seed, `competitor ${group}/${index}`);
      all.push(drawCompetitor(competitors, `Competitor ${all.length + 1}`, cost, usual, random));
    }
  }
  return all;
}

function drawCompetitor(
  { kind, fromWarehouse, everyHours, under, stock }: Competitors,
  name: string,
  cost: number,
  usual: number,
  random: Seeded,
): Competitor {
  const ownCost = cost * between(random, [0.85, 1.1]);
  // A dumper's price is below what the item costs us with fees; the others leave themselves something.
  const lowest = Math.round(kind === 'dumper' ? ownCost : ownCost * between(random, [1.2, 1.4]));
  return {
    name,
    kind,
    isWarehouse: fromWarehouse === 'all' || (fromWarehouse === 'some' && random.chance(0.5)),
    lowest,
    list: Math.max(lowest + 1, Math.round(usual * between(random, [0.95, 1.2]))),
    under: between(random, under),
    turns: drawTurns(everyHours, random),
    inStock: drawStock(stock, random),
    moods: drawEach(random),
  };
}

function drawTurns(everyHours: Range, random: Seeded): Uint8Array {
  const turns = new Uint8Array(HOURS);
  const first = random.whole(0, Math.round(everyHours[1]));
  for (let hour = first; hour < HOURS; hour += Math.max(1, Math.round(between(random, everyHours)))) {
    turns[hour] = random.chance(0.5) ? BEFORE_US : AFTER_US;
  }
  return turns;
}

function drawStock(stock: Competitors['stock'], random: Seeded): Uint8Array {
  const inStock = new Uint8Array(HOURS);
  if (stock === null) return inStock.fill(1);
  let isIn = random.chance(0.5);
  for (let hour = 0; hour < HOURS; ) {
    const end = hour + Math.round(24 * between(random, isIn ? stock.daysIn : stock.daysOut));
    if (isIn) inStock.fill(1, hour, end);
    hour = end;
    isIn = !isIn;
  }
  return inStock;
}

/** Visits follow the day: fewest at 4 in the morning, most at 4 in the afternoon. The shares of a day add up to 1. */
function drawVisits(
  world: World,
  random: Seeded,
): Pick<Market, 'visitsFrom' | 'visitDraws' | 'visitIsForBox'> {
  const perDay = between(random, world.shoppersPerDay);
  const from = new Uint32Array(HOURS + 1);
  for (let hour = 0; hour < HOURS; hour += 1) {
    const share = (1 - 0.8 * Math.cos((2 * Math.PI * (hour - 4)) / 24)) / 24;
    from[hour + 1] = (from[hour] as number) + arrivals(random, perDay * share);
  }
  const count = from[HOURS] as number;
  return {
    visitsFrom: from,
    visitDraws: Float64Array.from({ length: count }, () => random.fraction()),
    visitIsForBox: Uint8Array.from({ length: count }, () => (random.chance(world.boxShoppers) ? 1 : 0)),
  };
}

function drawReadings({ readings }: World, random: Seeded): Uint8Array {
  const { everyHours, failing, outages } = readings;
  const arriving = new Uint8Array(HOURS);
  for (let hour = 0; hour < HOURS; hour += everyHours) arriving[hour] = random.chance(failing) ? 0 : 1;
  const count = arrivals(random, (outages * DAYS) / 30);
  for (let outage = 0; outage < count; outage += 1) {
    const start = random.whole(0, HOURS - 1);
    arriving.fill(0, start, start + random.whole(24, 72));
  }
  return arriving;
}

function drawDeliveries({ ourStock }: World, random: Seeded): Uint16Array | null {
  if (ourStock === null) return null;
  const deliveries = new Uint16Array(HOURS);
  for (let hour = 0; hour < HOURS; hour += 24 * random.whole(...ourStock.everyDays)) {
    deliveries[hour] = random.whole(...ourStock.units);
  }
  return deliveries;
}

function drawEach(random: Seeded): Float64Array {
  return Float64Array.from({ length: HOURS }, () => random.fraction());
}

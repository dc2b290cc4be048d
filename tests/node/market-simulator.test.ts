import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextPrice } from '#bench/market/competitors.ts';
import { constant, priceGrid, trueFloor } from '#bench/market/constants.ts';
import { cycle } from '#bench/market/cycles.ts';
import { boxWeight, buyingFirst, type ShownOffer } from '#bench/market/demand.ts';
import { engine } from '#bench/market/engine-policy.ts';
import { followsOf } from '#bench/market/follows.ts';
import { endHour, startHour } from '#bench/market/hour.ts';
import { drawMarket, HOURS, type Market } from '#bench/market/market.ts';
import type { Observation, Policy, Reading } from '#bench/market/observation.ts';
import { STRATEGY_POLICIES } from '#bench/market/policies.ts';
import { runPolicy } from '#bench/market/run.ts';
import { runAll } from '#bench/market/shares.ts';
import { copyOf, firstState } from '#bench/market/state.ts';
import { estimate } from '#bench/market/statistics.ts';
import { ruleOfLines, TEMPLATE_POLICIES } from '#bench/market/templates.ts';
import type { CompetitorKind, World } from '#bench/market/world.ts';
import { WORLDS } from '#bench/market/worlds.ts';
import { hours, instant } from '#domain/units.ts';

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

function worldNamed(name: string): World {
  const found = WORLDS.find((world) => world.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

const aMarket = (name: string, seed = 1): Market => drawMarket(worldNamed(name), seed);
/** A policy that keeps what it sees. */
function watching(price: number, seen: Observation[]): Policy {
  return {
    name: 'watching',
    start: () => ({
      next(observation) {
        seen.push(observation);
        return price;
      },
    }),
  };
}

const aWorld = fc.constantFrom(...WORLDS);
const aSeed = fc.integer({ min: 1, max: 1_000 });

describe('the worlds', () => {
  test('are those that were written before any result', () => {
    expect(digest(WORLDS.slice(0, -1))).toBe('a73526fc8914ed70');
  });

  test('and one with an own price below the market, for prices that go back to it', () => {
    expect(digest(WORLDS.at(-1))).toBe('d6038ed878a818d7');
    for (const seed of [1, 2, 3, 4, 5]) {
      const { startPrice, competitors } = drawMarket(WORLDS.at(-1) as World, seed);
      expect(startPrice).toBeLessThan(Math.min(...competitors.map(({ list }) => list)));
    }
  });

  test('behave as they did then, with a price that stays', () => {
    const outcomes = WORLDS.slice(0, -1).map((world) => {
      const market = drawMarket(world, 1);
      const { units, visits, revenue } = runPolicy(market, constant(market.usual), 0);
      return [world.name, units, visits, revenue];
    });
    expect(digest(outcomes)).toBe('30d8e6ca56f51a42');
  });
});

describe('a run', () => {
  test('is the same with the same seed, and another with another', () => {
    const run = (seed: number) => runPolicy(aMarket('mixed', seed), STRATEGY_POLICIES[0] as Policy, 0);
    expect(run(3)).toEqual(run(3));
    expect(run(3)).not.toEqual(run(4));
  });

  test('neither makes nor loses money or units', () => {
    fc.assert(
      fc.property(aWorld, aSeed, fc.integer({ min: 100, max: 200 }), (world, seed, percent) => {
        const market = drawMarket(world, seed);
        const price = Math.round((market.cost * percent) / 50);
        const outcome = runPolicy(market, cycle(price - 100, 5, price, 7), 0);
        const delivered = market.deliveries?.reduce((sum, units) => sum + units, 0);
        expect(outcome.revenue).toBe(outcome.fees + outcome.costs + outcome.profit);
        expect(outcome.costs).toBe(outcome.units * market.cost);
        expect(outcome.fees).toBeGreaterThanOrEqual((outcome.revenue * market.feeCharged) / 10_000);
        expect(outcome.fees).toBeLessThan((outcome.revenue * market.feeCharged) / 10_000 + outcome.units + 1);
        expect(outcome.visits).toBe(market.visitDraws.length);
        expect(outcome.units).toBeLessThanOrEqual(
          Math.min(outcome.visits, delivered ?? Number.POSITIVE_INFINITY),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('of a copy leaves the state alone that was copied', () => {
    const market = aMarket('stock-outs');
    const state = firstState(market, market.startPrice);
    for (let hour = 0; hour < 50; hour += 1) {
      startHour(market, state);
      endHour(market, state);
    }
    const before = structuredClone(state);
    const copy = copyOf(state);
    for (let hour = 0; hour < 100; hour += 1) {
      startHour(market, copy);
      endHour(market, copy);
    }
    expect(state).toEqual(before);
    expect(copy.tally.visits).toBeGreaterThan(state.tally.visits);
  });
});

describe('shoppers', () => {
  const taste = { usual: 2_000, warehousePremium: 0.06 };
  const anOffer = fc.record({ price: fc.integer({ min: 500, max: 5_000 }), isWarehouse: fc.boolean() });
  const others = fc.array(anOffer, { maxLength: 5 });

  test('buy more from us at a lower price and with better delivery, all else the same', () => {
    fc.assert(
      fc.property(anOffer, others, fc.integer({ min: 1, max: 400 }), (ours, rest, less) => {
        const cheaper: ShownOffer = { ...ours, price: ours.price - less };
        expect(buyingFirst([cheaper, ...rest], taste)).toBeGreaterThan(buyingFirst([ours, ...rest], taste));
        expect(boxWeight(cheaper, false, taste)).toBeGreaterThan(boxWeight(ours, false, taste));
        const shipped = buyingFirst([{ ...ours, isWarehouse: false }, ...rest], taste);
        expect(buyingFirst([{ ...ours, isWarehouse: true }, ...rest], taste)).toBeGreaterThan(shipped);
      }),
    );
  });

  test('buy at most once: the shares of all sellers stay below 1', () => {
    fc.assert(
      fc.property(fc.array(anOffer, { minLength: 1, maxLength: 6 }), (offers) => {
        const shares = offers.map((offer, index) =>
          buyingFirst([offer, ...offers.filter((_, other) => other !== index)], taste),
        );
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThan(1);
      }),
    );
  });

  test('pay the only seller most at the price that the logit says', () => {
    const market = { ...aMarket('alone'), ...manyVisits(200) };
    const { cost, usual, feeCharged } = market;
    const profits = priceGrid(market).map((price) => ({
      price,
      profit: runPolicy(market, constant(price), 0).profit,
    }));
    const best = profits.reduce((one, other) => (other.profit > one.profit ? other : one));
    // The optimum of (p (1 - f) - c) / (1 + exp(-(a - b p))): p = c / (1 - f) + (1 + W(exp(a - b c / (1 - f) - 1))) / b.
    const slope = 4 / usual;
    const breakEven = cost / (1 - feeCharged / 10_000);
    const optimum =
      breakEven + (1 + lambertW(Math.exp(Math.log(0.35 / 0.65) + 4 - slope * breakEven - 1))) / slope;
    expect(Math.abs(best.price / optimum - 1)).toBeLessThan(0.03);
  });
});

/** The visits of a market with many of them in every hour, evenly drawn: chance has next to no part in its sales. */
function manyVisits(perHour: number): Pick<Market, 'visitsFrom' | 'visitDraws' | 'visitIsForBox'> {
  return {
    visitsFrom: Uint32Array.from({ length: HOURS + 1 }, (_, hour) => hour * perHour),
    visitDraws: Float64Array.from(
      { length: HOURS * perHour },
      (_, visit) => ((visit % perHour) + 0.5) / perHour,
    ),
    visitIsForBox: new Uint8Array(HOURS * perHour),
  };
}

/** The w for which w exp(w) is the argument, by Newton's method. */
function lambertW(argument: number): number {
  let w = Math.log(1 + argument);
  for (let step = 0; step < 50; step += 1) w -= (w * Math.exp(w) - argument) / (Math.exp(w) * (w + 1));
  return w;
}

describe('readings', () => {
  const newReadings = (seen: readonly Observation[]): Reading[] => [
    ...new Set(seen.map(({ reading }) => reading).filter((reading) => reading !== null)),
  ];

  test('show old prices where they are late', () => {
    const late = aMarket('late readings', 2);
    const readings = { ...late.world.readings, hoursBehind: 0 };
    const prompt: Market = {
      ...late,
      world: { ...late.world, readings },
      readings: new Uint8Array(HOURS).fill(1),
    };
    const seenLate: Observation[] = [];
    const seenPrompt: Observation[] = [];
    runPolicy(late, watching(late.usual, seenLate), 0);
    runPolicy(prompt, watching(late.usual, seenPrompt), 0);

    const shown = newReadings(seenLate);
    expect(shown.length).toBeGreaterThan(300);
    for (const { arrivedAt, offers } of shown) {
      expect(offers).toEqual(seenPrompt[arrivedAt - 6]?.reading?.offers);
    }
    const differ = shown.filter(({ arrivedAt, offers }) => {
      const now = seenPrompt[arrivedAt]?.reading?.offers;
      return JSON.stringify(now) !== JSON.stringify(offers);
    });
    expect(differ.length).toBeGreaterThan(100);
  });

  test('show the buy box alone where the channel does, and no names in some cases', () => {
    const named = new Set<boolean>();
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const seen: Observation[] = [];
      const market = aMarket('box only', seed);
      runPolicy(market, watching(market.usual, seen), 0);
      for (const { offers } of newReadings(seen)) {
        expect(offers.length).toBeLessThanOrEqual(1);
        for (const { seller, isFeatured } of offers) {
          expect(isFeatured).toBe(true);
          named.add(seller !== null);
        }
      }
    }
    expect(named.size).toBe(2);
  });

  test('a price is seen by buyers after the hours that publishing takes', () => {
    const market: Market = { ...aMarket('late readings'), publishing: 3 };
    const seen: Observation[] = [];
    runPolicy(market, watching(market.usual + 7, seen), 0);
    expect(seen.slice(0, 4).map(({ price }) => price)).toEqual([
      ...Array<number>(3).fill(market.startPrice),
      market.usual + 7,
    ]);
  });
});

describe('competitors', () => {
  const base = {
    name: 'Competitor 1',
    isWarehouse: false,
    lowest: 1_000,
    list: 2_000,
    under: 0.02,
    turns: new Uint8Array(),
    inStock: new Uint8Array(),
    moods: new Float64Array(),
  };
  test.each<[CompetitorKind, number, number, number]>([
    ['resetter', 1_500, 1_800, 1_764],
    ['resetter', 1_500, 1_010, 2_000],
    ['stayer', 1_500, 1_800, 1_500],
    ['stayer', 1_500, 1_010, 1_000],
    ['follower', 1_500, 1_800, 1_800],
    ['follower', 1_500, 900, 1_000],
    ['undercutter', 1_500, 1_800, 1_764],
    ['undercutter', 1_500, 1_010, 1_000],
    ['person', 1_500, 1_800, 1_764],
    ['dumper', 900, 1_800, 900],
    ['fixed', 2_000, 1_800, 2_000],
    ['undercutter', 1_500, Number.POSITIVE_INFINITY, 2_000],
    ['stayer', 1_500, Number.POSITIVE_INFINITY, 1_500],
  ])('%s at %i, the others from %s, goes to %i', (kind, before, others, expected) => {
    expect(nextPrice({ ...base, kind }, before, others, 0.1)).toBe(expected);
  });

  test('a person in another mood goes half of the way back to the list price', () => {
    expect(nextPrice({ ...base, kind: 'person' }, 1_500, 1_400, 0.9)).toBe(1_750);
  });
});

describe('policies', () => {
  test('of the product go to the floor that a second calculation finds', () => {
    fc.assert(
      fc.property(aSeed, (seed) => {
        const market = drawMarket(worldNamed('alone'), seed);
        const pricing = engine('Fixed Margin', { strategy: 'Fixed Margin' }).start({
          ...market,
          marketplace: 'shopify',
          weShip: true,
          coverage: 'none',
        });
        let price = market.startPrice;
        for (let hour = 0; hour < 100; hour += 1) {
          price = pricing.next({ hour, price, sent: null, reading: null, stock: null, sold: 0 }) ?? price;
        }
        // The product counts fractions of a cent, a marketplace whole ones.
        expect(Math.abs(price - trueFloor(market))).toBeLessThanOrEqual(1);
      }),
      { numRuns: 20 },
    );
  });

  test('with lines remember turns, and see what was sold', () => {
    const market = aMarket('alone', 2);
    const inTurn = 'own price, for 24 h then not for 24 h; otherwise: 1% under own price';
    const afterSale = 'sold 1 or more in 7 days: 1% under own price; hold';
    const changes = (lines: string): number => runPolicy(market, ruleOfLines('', lines), 0).changes;
    expect(changes(inTurn)).toBe(59);
    expect(changes(afterSale)).toBe(1);
  });

  test('of the templates all run, and keep the floor', () => {
    const market = aMarket('reset robots', 3);
    const floor = trueFloor(market);
    for (const policy of TEMPLATE_POLICIES) {
      const { hoursLow } = runPolicy(market, policy, floor - 2);
      expect([policy.name, hoursLow]).toEqual([policy.name, 0]);
    }
  });

  test('none passes the bound, and the bound is one that was run', () => {
    const result = runAll(aMarket('followers', 5), STRATEGY_POLICIES.slice(0, 3));
    if (result === null) throw new Error('Nothing was earned.');
    const { reached, bound, bestConstant } = result;
    expect(Math.max(...reached.map(({ ofBound }) => ofBound))).toBe(1);
    expect(reached.find(({ policy }) => policy === bound.policy)?.profit).toBe(bound.profit);
    expect(bound.profit).toBeGreaterThanOrEqual(bestConstant.profit);
    expect(new Set(reached.map(({ policy }) => policy)).size).toBe(reached.length);
  });
});

test('a market in which no policy earns anything has no shares', () => {
  expect(runAll(aMarket('mixed', 13), STRATEGY_POLICIES.slice(0, 1))).toBeNull();
});

describe('whether competitors follow', () => {
  /** Our price and that of the only competitor, hour by hour. @returns the share that is known in the end */
  function followShare(hourly: readonly (readonly [ours: number, theirs: number])[]): number | null {
    const follows = followsOf();
    for (const [hour, [price, theirs]] of hourly.entries()) {
      const offers = [{ seller: 'Competitor 1', price: theirs, isWarehouse: false, isFeatured: false }];
      const observation = { hour, price, sent: null, reading: null, stock: null, sold: 0 };
      // Read every other hour.
      follows.observe(observation, hour % 2 === 0 ? { arrivedAt: hour, offers } : null, instant(hours(hour)));
    }
    return follows.share(instant(hours(hourly.length)));
  }
  const days = (count: number, ours: number, theirs: number) =>
    Array.from({ length: 24 * count }, () => [ours, theirs] as const);
  const followed = [...days(1, 1_000, 1_010), ...days(1, 1_100, 1_010), ...days(2, 1_100, 1_060)];
  const alone = [...days(1, 1_000, 1_010), ...days(1, 1_100, 1_010), ...days(2, 1_100, 1_050)];

  test('is what the product would see: from three rises on, by at least half of each', () => {
    expect(followShare([...followed, ...followed])).toBeNull();
    expect(followShare([...followed, ...followed, ...followed])).toBe(10_000);
    expect(followShare([...followed, ...alone, ...alone, ...followed])).toBe(5_000);
  });

  test('is not asked of a rise below 2%', () => {
    const small = [...days(1, 1_000, 1_010), ...days(3, 1_019, 1_030)];
    expect(followShare([...small, ...small, ...small])).toBeNull();
  });
});

describe('an interval', () => {
  test('holds the mean, is the same every time, and narrows with more figures', () => {
    const few = [1, 2, 3, 4, 5];
    const many = Array.from({ length: 20 }, () => few).flat();
    const [wide, narrow] = [estimate(few), estimate(many)];
    expect(estimate(few)).toEqual(wide);
    expect(wide.mean).toBe(3);
    expect(wide.low).toBeLessThan(2.2);
    expect(wide.high).toBeGreaterThan(3.8);
    // The standard error of 100 figures with variance 2 is 0.141: about 0.28 to each side.
    expect(narrow.high - narrow.low).toBeGreaterThan(0.45);
    expect(narrow.high - narrow.low).toBeLessThan(0.65);
  });
});

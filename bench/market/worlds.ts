import type { CompetitorKind, Competitors, Range, Readings, World } from './world.ts';

/** These were written before any result was seen. */
const FIRST_WORLDS: readonly World[] = [
  world('reset robots', 'robots undercut and go back up when it gets too low', {
    competitors: [robots('resetter', [2, 4]), quiet('fixed', [0, 1])],
  }),
  world('staying robots', 'robots undercut and never go up again', {
    competitors: [robots('stayer', [1, 3]), quiet('fixed', [1, 2])],
  }),
  world('followers', 'robots match the lowest price, down and up', {
    competitors: [robots('follower', [1, 3]), robots('undercutter', [0, 1])],
  }),
  world('people', 'people check their price every third day; no buy box', {
    marketplace: 'ebay',
    boxShoppers: 0,
    competitors: [people([3, 5])],
  }),
  world('dumpers', 'a seller below cost comes and leaves', {
    competitors: [dumpers([1, 2]), robots('undercutter', [1, 2]), quiet('fixed', [1, 1])],
  }),
  world('against the warehouse', 'we ship, most competitors sell from the warehouse', {
    competitors: [
      robots('undercutter', [1, 2], 'all'),
      robots('follower', [1, 1], 'all'),
      robots('resetter', [1, 2], 'none'),
    ],
  }),
  world('from the warehouse', 'we sell from the warehouse, most competitors ship', {
    weShip: false,
    competitors: [robots('undercutter', [1, 3], 'none'), robots('follower', [1, 1], 'all'), people([1, 2])],
  }),
  world('alone', 'a shop of our own without competitors', {
    marketplace: 'shopify',
    boxShoppers: 0,
    competitors: [],
    readings: { ...promptReadings(), coverage: 'none' },
    shoppersPerDay: [15, 60],
  }),
  world('comparers', 'no buy box: shoppers compare prices and delivery', {
    marketplace: 'ebay',
    boxShoppers: 0,
    competitors: [robots('undercutter', [1, 2], 'some'), robots('resetter', [1, 1], 'some'), people([1, 2])],
  }),
  world(
    'late readings',
    'readings are six hours behind, fail, and stop for days; prices are published late',
    {
      competitors: [robots('resetter', [1, 2]), robots('undercutter', [1, 1]), people([1, 2])],
      readings: {
        ...promptReadings(),
        everyHours: 2,
        hoursBehind: 6,
        failing: 0.15,
        outages: 2,
        publishing: [1, 3],
      },
    },
  ),
  world('box only', 'only the buy box is shown, in half of the cases without a name', {
    marketplace: 'walmart',
    competitors: [robots('undercutter', [1, 2], 'some'), robots('resetter', [0, 1]), people([1, 2])],
    readings: { ...promptReadings(), coverage: 'box', named: 0.5 },
  }),
  world('fees off', 'the fee schedule is two points too low or too high', {
    competitors: [robots('undercutter', [1, 2]), robots('resetter', [0, 1]), people([1, 1])],
    feeError: [-200, 200],
  }),
  world('stock-outs', 'competitors run out of stock, and so do we', {
    competitors: [
      { ...robots('undercutter', [1, 3]), stock: { daysIn: [2, 8], daysOut: [1, 5] } },
      { ...robots('stayer', [1, 1]), stock: { daysIn: [4, 10], daysOut: [3, 9] } },
    ],
    ourStock: { units: [40, 90], everyDays: [10, 15] },
  }),
  world('mixed', 'some of everything', {
    competitors: [
      robots('undercutter', [0, 1], 'some'),
      robots('resetter', [0, 1], 'some'),
      robots('stayer', [0, 1], 'some'),
      robots('follower', [0, 1], 'some'),
      people([0, 2]),
      dumpers([0, 1]),
    ],
    readings: { ...promptReadings(), hoursBehind: 2, failing: 0.05 },
    feeError: [-100, 0, 100],
  }),
];

/**
 * The markets in which policies are compared. A test holds their fingerprints: changing one makes earlier results
 * incomparable. The last one was added when it was found that none of the others has an own price below the market.
 */
export const WORLDS: readonly World[] = [
  ...FIRST_WORLDS,
  world('after a price war', 'competitors are back up and follow, our own price is still low', {
    competitors: [robots('follower', [1, 2]), quiet('fixed', [1, 1])],
    ownPrice: [0.8, 0.9],
  }),
];

/** Every offer is read every hour, and prices are published at once. */
function promptReadings(): Readings {
  return {
    everyHours: 1,
    hoursBehind: 0,
    failing: 0,
    outages: 0,
    coverage: 'all',
    named: 1,
    publishing: [0, 0],
  };
}

/** A world like Amazon with a listing that we ship, apart from what is given. */
function world(name: string, about: string, rest: Partial<World> & Pick<World, 'competitors'>): World {
  return {
    name,
    about,
    marketplace: 'amazon',
    weShip: true,
    readings: promptReadings(),
    boxShoppers: 0.8,
    warehousePremium: [0.04, 0.1],
    shoppersPerDay: [40, 120],
    feeError: [0],
    ourStock: null,
    ...rest,
  };
}

function robots(
  kind: CompetitorKind,
  count: Range,
  fromWarehouse: Competitors['fromWarehouse'] = 'none',
): Competitors {
  return { kind, count, fromWarehouse, everyHours: [1, 4], under: [0.002, 0.03], stock: null };
}

function people(count: Range): Competitors {
  return {
    kind: 'person',
    count,
    fromWarehouse: 'none',
    everyHours: [48, 96],
    under: [0, 0.04],
    stock: null,
  };
}

function dumpers(count: Range): Competitors {
  return {
    kind: 'dumper',
    count,
    fromWarehouse: 'none',
    everyHours: [24, 24],
    under: [0, 0],
    stock: { daysIn: [3, 15], daysOut: [5, 25] },
  };
}

/** Competitors that never act. */
function quiet(kind: CompetitorKind, count: Range): Competitors {
  return { kind, count, fromWarehouse: 'none', everyHours: [24, 24], under: [0, 0], stock: null };
}

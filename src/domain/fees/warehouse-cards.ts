import type { Bps, Cents, Instant, Ounces } from '#domain/units.ts';

/**
 * The published fees of the marketplaces' warehouses, as data: a tier and a weight give the fee of one unit. Facts change
 * with a release; a seller who knows better enters the fee on the listing, which always wins. Amounts are whole cents.
 */

/** Fees for weights up to a limit: at prices below $10.00, up to $50.00, and above. */
type FeeRow = readonly [upToOunces: number, below10: number, to50: number, above50: number];

/** How a weight becomes the weight that counts. `unit`: as it is; `greater`: of unit and dimensional weight. */
export type CountedWeight = 'unit' | 'greater';

export interface FbaTier {
  readonly name: string;
  /** Inches, of the sorted sides; null is no limit. `girth` is the longest side plus twice the other two. */
  readonly limits: { longest: number; median: number; shortest: number; girth: number | null } | null;
  /** Of the weight that counts; null is no limit. */
  readonly maxOunces: number | null;
  readonly counts: CountedWeight;
  /** The least width and height, in inches, that a dimensional weight is calculated with. */
  readonly leastSide: number;
  /** Ascending by weight. */
  readonly rows: readonly FeeRow[];
  /** Above the last row: its fee and `cents` more for each started `ounces`. Null: there is nothing above. */
  readonly beyond: { readonly ounces: number; readonly cents: number } | null;
}

/** Where figures were read, and how sure they are. */
interface Source {
  readonly title: string;
  readonly date: string;
  readonly confidence: 'high' | 'medium' | 'low';
}

/** Amazon's fulfillment fees from a day on, without apparel and dangerous goods, which have other cards. */
export interface FbaCard {
  readonly effectiveFrom: Instant;
  /** Amazon publishes new fees for every year: after it the fees are unknown, not those of the year before. */
  readonly effectiveUntil: Instant;
  readonly source: Source;
  readonly tiers: readonly FbaTier[];
  /** A share of the fee on top of it, from a day on; the last one that has begun applies. */
  readonly surcharges: readonly { readonly from: Instant; readonly share: Bps; readonly source: Source }[];
  /** Times in which other amounts apply that no source has. */
  readonly unknownSeasons: readonly { readonly from: Instant; readonly until: Instant }[];
  /** Packages with a larger side or girth, in inches, pay a further fee that no source has. */
  readonly overmax: { readonly longest: number; readonly girth: number };
}

/** Midnight UTC of days in 2026 and 2027. */
const JANUARY_15 = 1_768_435_200_000 as Instant;
const APRIL_17 = 1_776_384_000_000 as Instant;
const OCTOBER_15 = 1_792_022_400_000 as Instant;
const JANUARY_15_2027 = 1_799_971_200_000 as Instant;

const POUND = 16;

/** Above standard size: one fee for the first pound, or the first above the lower limit, and one for each further. */
const bulky = (firstPound: number, below10: number, other: number, cents: number) => ({
  rows: [[firstPound, below10, other, other]] as const,
  beyond: { ounces: POUND, cents },
});

export const FBA_CARDS: readonly FbaCard[] = [
  {
    effectiveFrom: JANUARY_15,
    effectiveUntil: JANUARY_15_2027,
    source: {
      title:
        'FBA fulfillment fees and size tiers for 2026 without the holiday season, public fee calculators',
      date: '2026',
      confidence: 'medium',
    },
    tiers: [
      {
        name: 'small standard',
        limits: { longest: 15, median: 12, shortest: 0.75, girth: null },
        maxOunces: 16,
        counts: 'unit',
        leastSide: 0,
        rows: [
          [2, 243, 332, 358],
          [4, 249, 342, 368],
          [6, 256, 345, 371],
          [8, 266, 354, 380],
          [10, 277, 368, 394],
          [12, 282, 378, 404],
          [14, 292, 391, 417],
          [16, 295, 396, 422],
        ],
        beyond: null,
      },
      {
        name: 'large standard',
        limits: { longest: 18, median: 14, shortest: 8, girth: null },
        maxOunces: 20 * POUND,
        counts: 'greater',
        leastSide: 0,
        rows: [
          [4, 291, 373, 399],
          [8, 313, 395, 421],
          [12, 338, 420, 446],
          [16, 378, 460, 486],
          [20, 422, 504, 530],
          [24, 460, 542, 568],
          [28, 475, 557, 583],
          [32, 500, 582, 608],
          [36, 510, 592, 618],
          [40, 528, 610, 636],
          [44, 544, 626, 652],
          [48, 585, 667, 693],
          // Three pounds exactly are in the row above: this one is the start of what lies beyond.
          [48, 615, 697, 723],
        ],
        beyond: { ounces: 4, cents: 8 },
      },
      {
        name: 'small bulky',
        limits: { longest: 37, median: 28, shortest: 20, girth: 130 },
        maxOunces: 50 * POUND,
        counts: 'greater',
        leastSide: 2,
        ...bulky(POUND, 678, 755, 38),
      },
      {
        name: 'large bulky',
        limits: { longest: 59, median: 33, shortest: 33, girth: 130 },
        maxOunces: 50 * POUND,
        counts: 'greater',
        leastSide: 2,
        ...bulky(POUND, 858, 935, 38),
      },
      {
        name: 'extra-large up to 50 lb',
        limits: null,
        maxOunces: 50 * POUND,
        counts: 'greater',
        leastSide: 0,
        ...bulky(POUND, 2_556, 2_633, 38),
      },
      {
        name: 'extra-large 50 to 70 lb',
        limits: null,
        maxOunces: 70 * POUND,
        counts: 'greater',
        leastSide: 0,
        ...bulky(51 * POUND, 3_655, 3_732, 75),
      },
      {
        name: 'extra-large 70 to 150 lb',
        limits: null,
        maxOunces: 150 * POUND,
        counts: 'greater',
        leastSide: 0,
        ...bulky(71 * POUND, 5_055, 5_132, 75),
      },
      {
        name: 'extra-large over 150 lb',
        limits: null,
        maxOunces: null,
        counts: 'unit',
        leastSide: 0,
        ...bulky(151 * POUND, 19_418, 19_495, 19),
      },
    ],
    surcharges: [
      {
        from: APRIL_17,
        share: 350 as Bps,
        source: {
          title: 'FBA fuel and logistics surcharge, public fee guides',
          date: '2026',
          confidence: 'medium',
        },
      },
    ],
    unknownSeasons: [{ from: OCTOBER_15, until: JANUARY_15_2027 }],
    overmax: { longest: 96, girth: 130 },
  },
];

/** Walmart's fulfillment fees. A pound that has begun counts in full. */
export const WFS_CARD = {
  source: {
    title: 'marketplace.walmart.com, Walmart Fulfillment Services pricing',
    date: 'undated copy',
    confidence: 'medium',
  } satisfies Source,
  /** Of weights up to a number of pounds: the fee of the first pound of the row, and of each further one. */
  rows: [
    { upToPounds: 1, fee: 345, perPound: 0, firstPound: 1 },
    { upToPounds: 2, fee: 495, perPound: 0, firstPound: 2 },
    { upToPounds: 3, fee: 545, perPound: 0, firstPound: 3 },
    { upToPounds: 20, fee: 575, perPound: 40, firstPound: 4 },
    { upToPounds: 30, fee: 1_555, perPound: 40, firstPound: 21 },
    { upToPounds: 50, fee: 1_455, perPound: 40, firstPound: 31 },
    { upToPounds: 150, fee: 1_755, perPound: 40, firstPound: 51 },
  ],
  /** Ounces of packaging that are added to every weight. */
  packaging: 4 as Ounces,
  /** Below this weight the dimensional weight does not count. */
  dimensionalFrom: POUND as Ounces,
  /** Added for each unit of apparel, and of hazardous goods ("hazmat"): for both where it is both, which no source rules out. */
  apparel: 50 as Cents,
  hazardous: 50 as Cents,
  /** Larger sides or girth, in inches, cost `fee` more; beyond `unknown` no source has the amount. */
  oversize: {
    from: { longest: 48, median: 30, girth: 105 },
    fee: 300 as Cents,
    unknown: { longest: 96, girth: 130 },
  },
  /** Further fees may apply below this price; no source has them. */
  leastKnownPrice: 1_000 as Cents,
} as const;

import type { Marketplace } from '#domain/marketplaces.ts';
import type { Chance } from '#sandbox/world/chance.ts';
import { rounded } from './category.ts';

/** The packed unit as the warehouse measured it: sides in hundredths of an inch, longest first. */
export interface Measures {
  readonly sides: readonly [longest: number, median: number, shortest: number];
  readonly ounces: number;
}

export interface SizeFee {
  /** The marketplace's name of the size. */
  readonly size: string;
  /** Whole cents for one unit. */
  readonly fee: number;
}

/** Weight steps up to and including an upper end in ounces, each with the fee in cents by price band. */
type WeightTable = readonly (readonly [upTo: number, under10: number, to50: number, above: number])[];

/** Fulfillment by Amazon from 2026-01-15, from Amazon's rate card. */
const SMALL_STANDARD: WeightTable = [
  [2, 243, 332, 358],
  [4, 249, 342, 368],
  [6, 256, 345, 371],
  [8, 266, 354, 380],
  [10, 277, 368, 394],
  [12, 282, 378, 404],
  [14, 292, 391, 417],
  [16, 295, 396, 422],
];
const LARGE_STANDARD: WeightTable = [
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
];
/** Above three pounds: 8 cents for each started 4 ounces. */
const LARGE_STANDARD_BASE = [615, 697, 723] as const;
const BULKY = {
  small: { name: 'Small Bulky', base: [678, 755, 755] },
  large: { name: 'Large Bulky', base: [858, 935, 935] },
} as const;
/** Walmart's Fulfillment Services: from a number of pounds, the fee and what each pound above it adds, in cents. */
const WALMART_STEPS = [
  [1, 345, 0],
  [2, 495, 0],
  [3, 545, 0],
  [4, 575, 40],
  [21, 1_555, 40],
  [31, 1_455, 40],
  [51, 1_755, 40],
] as const;
/** Cubic inches per pound. */
const DIVISOR = 139;
const INCH = 100;
/** The fuel and logistics surcharge: since 2026-04-17, in basis points of the unit fee. */
const SURCHARGE_SINCE = Date.UTC(2026, 3, 17);
const SURCHARGE = 350;

/** Drawn around the weight that the catalog names; one in ten was measured much heavier. */
export function drawMeasures(catalogOunces: number, chance: Chance): Measures {
  const factor = chance.happens(0.1) ? chance.between(1.4, 2.2) : chance.between(0.95, 1.2);
  const side = (low: number, high: number): number => chance.whole(low * INCH, high * INCH);
  const sides = [side(5, 15), side(3, 12), chance.happens(0.3) ? side(0.2, 0.7) : side(1, 7)];
  const [longest = 0, median = 0, shortest = 0] = sides.sort((a, b) => b - a);
  return { sides: [longest, median, shortest], ounces: Math.round(catalogOunces * factor * 10) / 10 };
}

/** What the marketplace's warehouse takes for one unit at a price without shipping, in cents. */
export function warehouseFee(
  marketplace: Marketplace,
  measures: Measures,
  price: number,
  at: number,
): SizeFee {
  if (marketplace === 'walmart') return { size: 'Standard', fee: walmartFee(measures, price) };
  const { size, fee } = amazonFee(measures, price < 1_000 ? 0 : price <= 5_000 ? 1 : 2);
  return { size, fee: fee + (at >= SURCHARGE_SINCE ? rounded(fee * SURCHARGE) : 0) };
}

function amazonFee({ sides: [longest, median, shortest], ounces }: Measures, band: 0 | 1 | 2): SizeFee {
  const isStandard = longest <= 18 * INCH && median <= 14 * INCH && shortest <= 8 * INCH;
  const isSmall = longest <= 15 * INCH && median <= 12 * INCH && shortest <= 0.75 * INCH && ounces <= 16;
  if (isSmall) return { size: 'Small Standard-Size', fee: feeIn(SMALL_STANDARD, ounces, band) };
  const weight = Math.max(ounces, dimensionalOunces(longest, median, shortest));
  if (isStandard && weight <= 320) {
    const above = Math.ceil((weight - 48) / 4);
    const fee = above > 0 ? LARGE_STANDARD_BASE[band] + 8 * above : feeIn(LARGE_STANDARD, weight, band);
    return { size: 'Large Standard-Size', fee };
  }
  const girth = longest + 2 * (median + shortest);
  const fits = longest <= 37 * INCH && median <= 28 * INCH && shortest <= 20 * INCH && girth <= 130 * INCH;
  const { name, base } = fits ? BULKY.small : BULKY.large;
  const bulky = Math.max(
    ounces,
    dimensionalOunces(longest, Math.max(median, 2 * INCH), Math.max(shortest, 2 * INCH)),
  );
  return { size: name, fee: base[band] + 38 * Math.max(0, Math.ceil((bulky - 16) / 16)) };
}

function feeIn(table: WeightTable, ounces: number, band: 0 | 1 | 2): number {
  const row = table.find(([upTo]) => ounces <= upTo);
  if (row === undefined) throw new RangeError(`no fee for ${ounces} ounces`);
  return row[band + 1] ?? 0;
}

function dimensionalOunces(length: number, width: number, height: number): number {
  return ((length * width * height) / INCH ** 3 / DIVISOR) * 16;
}

/** Walmart's Fulfillment Services by shipping weight, and a dollar more below ten dollars. */
function walmartFee({ sides, ounces }: Measures, price: number): number {
  const weight = ounces < 16 ? ounces : Math.max(ounces, dimensionalOunces(...sides));
  const pounds = Math.ceil((weight + 4) / 16);
  const step = WALMART_STEPS.findLast(([from]) => pounds >= from);
  const [from, fee, perPound] = step ?? [0, 0, 0];
  return fee + perPound * (pounds - from) + (price < 1_000 ? 100 : 0);
}

/** In cubic feet. */
export function volumeOf({ sides: [longest, median, shortest] }: Measures): number {
  return (longest * median * shortest) / (12 * INCH) ** 3;
}

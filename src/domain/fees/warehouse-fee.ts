import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, type Instant, type Ounces, WHOLE } from '#domain/units.ts';
import type { FulfillmentStep } from './fee-basis.ts';
import { FBA_CARDS, type FbaCard, type FbaTier, WFS_CARD } from './warehouse-cards.ts';

/** The sides of one packed unit in inches, in any order, each above zero. */
export interface PackageSize {
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/** The longest possible side of a package, in inches. */
export const MAX_INCHES = 10_000;

/** @returns null unless all three sides are known; 0 counts as unknown, since forms and other systems write it for that */
export function packageSize(
  length: number | null,
  width: number | null,
  height: number | null,
): PackageSize | null {
  return isSide(length) && isSide(width) && isSide(height) ? { length, width, height } : null;
}

function isSide(inches: number | null): inches is number {
  return inches !== null && inches > 0 && inches <= MAX_INCHES;
}

/** A fulfillment fee from the published tables. */
export interface FulfillmentEstimate {
  /** `weight`: the size is not known, and a package of usual size for its weight is assumed. */
  readonly basis: 'size' | 'weight';
  /** "large standard", "9 lb". */
  readonly tier: string;
  /** The weight that the fee is for. */
  readonly weight: Ounces;
  /** Ascending by `upTo`; the last one has no limit. */
  readonly steps: readonly FulfillmentStep[];
  /** What hazardous goods cost more is in it. */
  readonly isHazardous?: true;
  /** A higher fee that was charged before counts at the current price. Absent where none does. */
  readonly isChargedHigher?: true;
}

/** Why there is no estimate: what the published tables do not have, or what is not known of the package. */
export type NoEstimate = 'no_table' | 'no_weight' | 'season' | 'apparel' | 'hazardous' | 'oversize';

export interface WarehouseQuestion {
  readonly marketplace: Marketplace;
  /** Of one packed unit. Null is unknown. */
  readonly weight: Ounces | null;
  readonly size: PackageSize | null;
  /** Apparel has fees of its own. */
  readonly feeCategory: string | null;
  /** Hazardous goods have fees of their own as well: Amazon's are not published here, Walmart's are a surcharge. */
  readonly isHazardous: boolean;
  readonly now: Instant;
}

/** The fulfillment fee of a unit by the published tables of the marketplace's warehouse. */
export function estimateFulfillment(question: WarehouseQuestion): FulfillmentEstimate | NoEstimate {
  const { marketplace, weight } = question;
  if (marketplace !== 'amazon' && marketplace !== 'walmart') return 'no_table';
  // Before the weight: to enter that would not help.
  if (marketplace === 'amazon' && question.isHazardous) return 'hazardous';
  if (weight === null) return 'no_weight';
  return marketplace === 'amazon' ? fbaEstimate(question, weight) : wfsEstimate(question, weight);
}

/** The step of a price without shipping; null above the last one. */
export function stepAtPrice(steps: readonly FulfillmentStep[], price: Cents): FulfillmentStep | null {
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] as FulfillmentStep;
    if (step.upTo === null || price <= step.upTo) return step;
  }
  return null;
}

/** The fee at a price without shipping; null where no source has it. */
export function feeAtPrice(steps: readonly FulfillmentStep[], price: Cents): Cents | null {
  return stepAtPrice(steps, price)?.fee ?? null;
}

/** The prices without shipping, ends included, at which a warehouse's fee for a package is the same; the last one has no end. */
export interface PriceBand {
  readonly from: Cents;
  readonly to: Cents | null;
}

export function isInBand({ from, to }: PriceBand, price: Cents): boolean {
  return from <= price && (to === null || price <= to);
}

const FBA_BANDS: readonly PriceBand[] = [
  { from: 1 as Cents, to: 999 as Cents },
  { from: 1_000 as Cents, to: 5_000 as Cents },
  { from: 5_001 as Cents, to: null },
];
/** Below the price from which the published fees are known, further ones may apply. */
const WFS_BANDS: readonly PriceBand[] = [
  { from: 1 as Cents, to: (WFS_CARD.leastKnownPrice - 1) as Cents },
  { from: WFS_CARD.leastKnownPrice, to: null },
];
const ONE_BAND: readonly PriceBand[] = [{ from: 1 as Cents, to: null }];

/** The price bands of a marketplace's fulfillment fees, ascending. */
export function priceBandsOf(marketplace: Marketplace): readonly PriceBand[] {
  if (marketplace === 'amazon') return FBA_BANDS;
  return marketplace === 'walmart' ? WFS_BANDS : ONE_BAND;
}

/** Whether the fee of a lower price band is never above that of a higher one: not so where low prices have further fees. */
export function doFeesRise(marketplace: Marketplace): boolean {
  return marketplace !== 'walmart';
}

/** When the fees of a marketplace's warehouse last changed on a known date; null where none is known. */
export function feesChangedAt(marketplace: Marketplace, now: Instant): Instant | null {
  if (marketplace !== 'amazon') return null;
  const begun = CHANGE_DATES.filter((date) => date <= now);
  return begun.length === 0 ? null : (Math.max(...begun) as Instant);
}

/** A table, a surcharge or a season begins or ends. */
const CHANGE_DATES: readonly Instant[] = FBA_CARDS.flatMap(
  ({ effectiveFrom, effectiveUntil, surcharges, unknownSeasons }) => [
    effectiveFrom,
    effectiveUntil,
    ...surcharges.map(({ from }) => from),
    ...unknownSeasons.flatMap(({ from, until }) => [from, until]),
  ],
);

/** The published fee of a package in each of the price bands. */
export type PublishedRow = readonly Cents[];

/**
 * Every row of the published fees at a moment, in the same order for one table; empty without a table for the category, or for
 * hazardous goods.
 */
export function publishedRows({
  marketplace,
  feeCategory,
  isHazardous,
  now,
}: Pick<WarehouseQuestion, 'marketplace' | 'feeCategory' | 'isHazardous' | 'now'>): readonly PublishedRow[] {
  if (marketplace !== 'amazon' || isHazardous || isApparel({ feeCategory })) return [];
  const card = cardAt(now);
  return typeof card === 'string' ? [] : rowsWith(card, surchargeAt(card, now));
}

/** Calculated once: every listing is compared with all of them. */
const KNOWN_ROWS = new Map<string, readonly PublishedRow[]>();

function rowsWith(card: FbaCard, surcharge: Bps): readonly PublishedRow[] {
  const key = `${card.effectiveFrom} ${surcharge}`;
  const known = KNOWN_ROWS.get(key);
  if (known !== undefined) return known;
  const fees = card.tiers.flatMap((tier) => [...tier.rows.map((row) => row.slice(1)), ...rowsBeyond(tier)]);
  const rows = fees.map((row) => row.map((fee) => withShare(fee, surcharge)));
  KNOWN_ROWS.set(key, rows);
  return rows;
}

/** Of a tier without a largest weight. */
const MAX_ROWS_BEYOND = 500;

function rowsBeyond({ rows, beyond, maxOunces }: FbaTier): number[][] {
  const last = rows.at(-1);
  if (last === undefined || beyond === null) return [];
  const count =
    maxOunces === null ? MAX_ROWS_BEYOND : Math.ceil(withoutDrift((maxOunces - last[0]) / beyond.ounces));
  return Array.from({ length: count }, (_, index) =>
    last.slice(1).map((fee) => fee + (index + 1) * beyond.cents),
  );
}

const APPAREL = /apparel|cloth|footwear|shoe/i;

function isApparel({ feeCategory }: Pick<WarehouseQuestion, 'feeCategory'>): boolean {
  return feeCategory !== null && APPAREL.test(feeCategory);
}

/** Sorted sides, and the longest one plus twice the other two. */
interface Sides {
  readonly longest: number;
  readonly median: number;
  readonly shortest: number;
  readonly girth: number;
}

function sidesOf({ length, width, height }: PackageSize): Sides {
  const [longest, median, shortest] = [length, width, height].sort((a, b) => b - a) as [
    number,
    number,
    number,
  ];
  return { longest, median, shortest, girth: longest + 2 * (median + shortest) };
}

/** Cubic inches that count as a pound. */
const CUBIC_INCHES = 139;
const POUND = 16;

/** @param leastSide the least that the two shorter sides count as */
function dimensionalOunces({ longest, median, shortest }: Sides, leastSide = 0): number {
  const volume = longest * Math.max(median, leastSide) * Math.max(shortest, leastSide);
  return withoutDrift((volume * POUND) / CUBIC_INCHES);
}

/** Rounds, because a weight that is exactly at a limit must not exceed it by a binary fraction. */
function withoutDrift(value: number): number {
  return Number(value.toFixed(6));
}

function fbaEstimate(question: WarehouseQuestion, weight: Ounces): FulfillmentEstimate | NoEstimate {
  const { now, size } = question;
  const card = cardAt(now);
  if (card === 'no_table') return card;
  if (isApparel(question)) return 'apparel';
  if (card === 'season') return card;
  const fit = size === null ? tierByWeight(card, weight) : tierBySize(card, weight, sidesOf(size));
  if (fit === null) return 'oversize';
  const surcharge = surchargeAt(card, now);
  const fees = fbaFees(fit.tier, fit.weight).map((fee) => withShare(fee, surcharge));
  return {
    basis: size === null ? 'weight' : 'size',
    tier: fit.tier.name,
    weight: fit.weight,
    steps: mergedSteps(FBA_BANDS.map(({ to }, band) => ({ upTo: to, fee: fees[band] as Cents }))),
  };
}

/** The table of a moment, or why there is none. */
function cardAt(at: Instant): FbaCard | 'no_table' | 'season' {
  const card = FBA_CARDS.find(
    ({ effectiveFrom, effectiveUntil }) => effectiveFrom <= at && at < effectiveUntil,
  );
  if (card === undefined) return 'no_table';
  return card.unknownSeasons.some(({ from, until }) => from <= at && at < until) ? 'season' : card;
}

function surchargeAt({ surcharges }: FbaCard, at: Instant): Bps {
  return surcharges.findLast(({ from }) => from <= at)?.share ?? (0 as Bps);
}

interface Fit {
  readonly tier: FbaTier;
  readonly weight: Ounces;
}

/** The first tier that the package fits into; null for one whose fee is not published. */
function tierBySize(card: FbaCard, weight: Ounces, sides: Sides): Fit | null {
  if (sides.longest > card.overmax.longest || sides.girth > card.overmax.girth) return null;
  for (const tier of card.tiers) {
    const { limits, maxOunces, counts, leastSide } = tier;
    const isTooLarge =
      limits !== null &&
      (sides.longest > limits.longest ||
        sides.median > limits.median ||
        sides.shortest > limits.shortest ||
        (limits.girth !== null && sides.girth > limits.girth));
    if (isTooLarge) continue;
    const counted = counts === 'unit' ? weight : Math.max(weight, dimensionalOunces(sides, leastSide));
    if (maxOunces === null || counted <= maxOunces) return { tier, weight: counted as Ounces };
  }
  return null;
}

/** Without a size: large standard, or the larger tier that a heavier package is in at least. */
function tierByWeight({ tiers }: FbaCard, weight: Ounces): Fit | null {
  const [, ...usual] = tiers;
  const tier = usual.find(({ maxOunces }) => maxOunces === null || weight <= maxOunces);
  return tier === undefined ? null : { tier, weight };
}

function fbaFees({ rows, beyond }: FbaTier, weight: Ounces): readonly number[] {
  const row = rows.find(([upTo]) => weight <= upTo);
  if (row !== undefined) return row.slice(1);
  const last = rows.at(-1);
  if (last === undefined || beyond === null)
    throw new Error(`No fee for ${weight} oz in a tier that holds it.`);
  const steps = Math.ceil(withoutDrift((weight - last[0]) / beyond.ounces));
  return last.slice(1).map((fee) => fee + steps * beyond.cents);
}

/** Half a cent goes up. */
function withShare(fee: number, share: Bps): Cents {
  return Math.floor((fee * (WHOLE + share) + WHOLE / 2) / WHOLE) as Cents;
}

/** Neighboring price bands of one fee are one step. */
export function mergedSteps(steps: readonly FulfillmentStep[]): FulfillmentStep[] {
  return steps.filter(({ fee, isAssumed, isDoubted }, at) => {
    const next = steps[at + 1];
    return (
      next === undefined || fee !== next.fee || isAssumed !== next.isAssumed || isDoubted !== next.isDoubted
    );
  });
}

function wfsEstimate(question: WarehouseQuestion, weight: Ounces): FulfillmentEstimate | NoEstimate {
  const { rows, packaging, dimensionalFrom, apparel, hazardous, oversize, leastKnownPrice } = WFS_CARD;
  const sides = question.size === null ? null : sidesOf(question.size);
  if (sides !== null && (sides.longest > oversize.unknown.longest || sides.girth > oversize.unknown.girth)) {
    return 'oversize';
  }
  const isDimensional = sides !== null && weight >= dimensionalFrom;
  const counted = isDimensional ? Math.max(weight, dimensionalOunces(sides)) : weight;
  const pounds = Math.ceil(withoutDrift((counted + packaging) / POUND));
  const row = rows.find(({ upToPounds }) => pounds <= upToPounds);
  if (row === undefined) return 'oversize';
  const { longest, median, girth } = oversize.from;
  const isOversize =
    sides !== null && (sides.longest > longest || sides.median > median || sides.girth > girth);
  const fee =
    row.fee +
    (pounds - row.firstPound) * row.perPound +
    (isApparel(question) ? apparel : 0) +
    (question.isHazardous ? hazardous : 0) +
    (isOversize ? oversize.fee : 0);
  return {
    basis: sides === null ? 'weight' : 'size',
    tier: `${pounds} lb`,
    weight: (pounds * POUND) as Ounces,
    steps: [
      { upTo: (leastKnownPrice - 1) as Cents, fee: null },
      { upTo: null, fee: fee as Cents },
    ],
    ...(question.isHazardous ? { isHazardous: true } : {}),
  };
}

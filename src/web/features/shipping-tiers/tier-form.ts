import { isWeightStep, type NewTierForm, type Tier, type Tiers } from '#contract/tiers.ts';
import type { TierRange } from '#domain/costs/cost.ts';
import { tiersOverlap } from '#domain/costs/listing-cost.ts';
import { tierGaps } from '#domain/costs/tier-gaps.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { ounces } from '#domain/units.ts';
import { MAX_OUNCES } from '#domain/written/weight-units.ts';
import { typedMoney, typedNumber } from '#web/lib/typed-numbers.ts';
import { rangeText, tierText } from './tier-texts.ts';

/** The dialog's values, as typed. */
export interface TierFields {
  marketplace: NewTierForm['marketplace'];
  fulfillmentType: NewTierForm['fulfillmentType'];
  minWeightOz: string;
  maxWeightOz: string;
  cost: string;
}

/** A tier without its cost; "all" means one on each marketplace. */
export type TierPlace = Omit<NewTierForm, 'cost'>;

/** The parsed fields: a tier to save, or errors by field. */
export interface TierReading {
  readonly tier: NewTierForm | null;
  /** The covered weights, once they are valid and overlap no other tier. */
  readonly range: TierPlace | null;
  readonly errors: Partial<Record<keyof TierFields, string>>;
}

/** The fields of a stored tier, to edit it. */
export function fieldsOf({ marketplace, fulfillmentType, minWeightOz, maxWeightOz, cost }: Tier): TierFields {
  return {
    marketplace,
    fulfillmentType,
    minWeightOz: String(minWeightOz),
    maxWeightOz: String(maxWeightOz),
    cost,
  };
}

/** @param stored the other tiers */
export function readTier(fields: TierFields, stored: readonly Tier[]): TierReading {
  const errors: TierReading['errors'] = {};
  const minWeightOz = readWeight('minWeightOz', fields, errors);
  const maxWeightOz = readWeight('maxWeightOz', fields, errors);
  const cost = typedMoney(fields.cost);
  if (cost === null) errors.cost = 'Enter dollars and cents, such as 4.99';
  else if (cost.startsWith('-')) errors.cost = 'Enter 0.00 or more; 0.00 means shipping is free';
  if (minWeightOz !== null && maxWeightOz !== null && Math.fround(maxWeightOz) <= Math.fround(minWeightOz)) {
    errors.maxWeightOz = 'Maximum weight must be greater than minimum weight';
  }
  if (minWeightOz === null || maxWeightOz === null || errors.maxWeightOz !== undefined) {
    return { tier: null, range: null, errors };
  }
  const { marketplace, fulfillmentType } = fields;
  const range = { marketplace, fulfillmentType, minWeightOz, maxWeightOz };
  const other = overlapping(range, stored);
  if (other !== null) {
    errors.minWeightOz = `${rangeText(range)} overlaps the tier ${tierText(other)}. End one where the other starts.`;
    return { tier: null, range: null, errors };
  }
  const isPriced = cost !== null && errors.cost === undefined;
  return { tier: isPriced ? { ...range, cost } : null, range, errors };
}

/** New gaps that the tier would cause. */
export function newGaps(tier: TierPlace, stored: readonly Tier[]): Tiers['gaps'] {
  const known = new Set(tierGaps(stored.map(asRange)).map((gap) => JSON.stringify(gap)));
  return tierGaps([...stored, ...tiersOf(tier)].map(asRange))
    .filter((gap) => !known.has(JSON.stringify(gap)))
    .map(({ minWeight, maxWeight, ...rest }) => ({
      ...rest,
      minWeightOz: minWeight,
      maxWeightOz: maxWeight,
    }));
}

function readWeight(
  name: 'minWeightOz' | 'maxWeightOz',
  fields: TierFields,
  errors: TierReading['errors'],
): number | null {
  const weight = typedNumber(fields[name]);
  if (weight === null) errors[name] = 'Enter ounces, such as 16 or 16.5';
  else if (weight > MAX_OUNCES) errors[name] = 'Enter at most 1,000,000 oz';
  else if (!isWeightStep(weight)) errors[name] = 'Enter at most four decimals, such as 16.5';
  else return weight;
  return null;
}

function overlapping(tier: TierPlace, stored: readonly Tier[]): Tier | null {
  const mine = tiersOf(tier).map(asRange);
  return stored.find((row) => mine.some((each) => tiersOverlap(asRange(row), each))) ?? null;
}

type PlacedTier = Omit<Tier, 'id' | 'cost'>;

function tiersOf({ marketplace, ...rest }: TierPlace): PlacedTier[] {
  return (marketplace === 'all' ? MARKETPLACES : [marketplace]).map((each) => ({
    ...rest,
    marketplace: each,
  }));
}

// Single precision, as in the database.
function asRange({ marketplace, fulfillmentType, minWeightOz, maxWeightOz }: PlacedTier): TierRange {
  const minWeight = ounces(Math.fround(minWeightOz));
  return { marketplace, fulfillmentType, minWeight, maxWeight: ounces(Math.fround(maxWeightOz)) };
}

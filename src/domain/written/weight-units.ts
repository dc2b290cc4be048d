import type { Ounces } from '#domain/units.ts';

/** The units of weight in sellers' files. */
export const WEIGHT_UNITS = ['oz', 'lb', 'kg', 'g'] as const;
export type WeightUnit = (typeof WEIGHT_UNITS)[number];

/** How people write them, in lower case. */
export const WEIGHT_UNIT_WORDS: Readonly<Record<WeightUnit, readonly string[]>> = {
  oz: ['oz', 'ozs', 'ounce', 'ounces'],
  lb: ['lb', 'lbs', 'pound', 'pounds'],
  kg: ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  g: ['g', 'gr', 'gram', 'grams'],
};

/** The heaviest possible parcel, in ounces: 28 tonnes. */
export const MAX_OUNCES = 1_000_000;

/** By definition: a pound is 453.59237 g, and an ounce is a sixteenth of it. */
const GRAMS_PER_OUNCE = 28.349523125;

const OUNCES_IN: Readonly<Record<WeightUnit, (amount: number) => number>> = {
  oz: (amount) => amount,
  lb: (amount) => amount * 16,
  kg: (amount) => (amount * 1_000) / GRAMS_PER_OUNCE,
  g: (amount) => amount / GRAMS_PER_OUNCE,
};

/**
 * A weight in ounces, to the four decimals used in files: 0.55 lb is 8.8 oz.
 * @param amount in `unit`, zero or more
 */
export function ouncesOf(amount: number, unit: WeightUnit): Ounces {
  return (unit === 'oz' ? amount : Number(OUNCES_IN[unit](amount).toFixed(4))) as Ounces;
}

import { WEIGHT_UNIT_WORDS, WEIGHT_UNITS, type WeightUnit } from '#domain/written/weight-units.ts';

export const UNIT_NAMES: Readonly<Record<WeightUnit, string>> = {
  oz: 'ounces',
  lb: 'pounds',
  kg: 'kilograms',
  g: 'grams',
};

/**
 * The unit in the heading of a column of weights; null when it has none, or several: a weight that is read as too light
 * makes the shipping cost, and with it the price, too low.
 * @param heading as the file has it: "Weight (lb)", "weight_kg", "itemWeightGrams"
 */
export function unitInHeading(heading: string): WeightUnit | null {
  const words = heading
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const named = WEIGHT_UNITS.filter((unit) => WEIGHT_UNIT_WORDS[unit].some((word) => words.includes(word)));
  return named.length === 1 ? (named[0] ?? null) : null;
}

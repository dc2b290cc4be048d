import { WEIGHT_UNITS, type WeightUnit } from '#domain/weight-units.ts';

/** Words for units of weight in the headings of files. */
const WORDS: Readonly<Record<WeightUnit, readonly string[]>> = {
  oz: ['oz', 'ounce', 'ounces'],
  lb: ['lb', 'lbs', 'pound', 'pounds'],
  kg: ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  g: ['g', 'gr', 'gram', 'grams'],
};

export const UNIT_NAMES: Readonly<Record<WeightUnit, string>> = {
  oz: 'ounces',
  lb: 'pounds',
  kg: 'kilograms',
  g: 'grams',
};

/**
 * The unit that the heading of a column of weights names; null when it names none, or several: a weight that is taken
 * for too light makes shipping too cheap, and a price with it.
 * @param heading as the file has it: "Weight (lb)", "weight_kg", "itemWeightGrams"
 */
export function unitInHeading(heading: string): WeightUnit | null {
  const words = heading
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const named = WEIGHT_UNITS.filter((unit) => WORDS[unit].some((word) => words.includes(word)));
  return named.length === 1 ? (named[0] ?? null) : null;
}

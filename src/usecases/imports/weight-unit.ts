/** Units of weight that files have beside ounces, as their headings name them, and how to come to ounces. */
const UNITS = [
  { names: ['lb', 'lbs', 'pound', 'pounds'], called: 'pounds', ounces: '16' },
  { names: ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms'], called: 'kilograms', ounces: '35.274' },
  { names: ['g', 'gr', 'gram', 'grams'], called: 'grams', ounces: '0.035274' },
] as const;
const OUNCES = ['oz', 'ounce', 'ounces'];

/**
 * What to say of a column of weights whose heading names another unit than ounces; null when it names none. A weight
 * that is taken for too light makes shipping too cheap, and a price with it.
 * @param heading as the file has it: "Weight (lb)", "weight_kg", "itemWeightGrams"
 */
export function otherUnitNote(heading: string): string | null {
  const words = heading
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const unit = UNITS.find(({ names }) => names.some((name) => words.includes(name)));
  if (unit === undefined || OUNCES.some((name) => words.includes(name))) return null;
  return `The numbers of "${heading}" are taken for ounces. If they are ${unit.called}, multiply them by ${unit.ounces} in your file before you import it; otherwise shipping costs come out wrong.`;
}

/**
 * A reading in which a large share of the prices differ: rather the source is behind than that someone changed them all.
 * `checking` some of them are read singly · `behind` those have the price in force, so the reading was set aside ·
 * `changed` those have other prices too, so all of them are read singly
 */
export const READING_CHECK_OUTCOMES = ['checking', 'behind', 'changed'] as const;
export type ReadingCheckOutcome = (typeof READING_CHECK_OUTCOMES)[number];

/** Listings that are read singly first. */
const SAMPLE_SIZE = 20;
/** A reading with fewer suspect prices is not checked as a whole. */
const MIN_SUSPECTS = 20;
/** Nor one with a smaller share of them. */
const MAX_SHARE = 0.05;
/** Of a sample this share has to have the price in force to set the reading aside: 18 of 20. */
const BEHIND_SHARE = 0.9;

/** Whether a reading has so many suspect prices that it is checked as a whole before each of them is read. */
export function isMassSuspect(compared: number, suspects: number): boolean {
  return suspects >= MIN_SUSPECTS && suspects > compared * MAX_SHARE;
}

/**
 * The items that are read first, by chance.
 * @param seed makes the draw repeatable
 */
export function drawSample(items: readonly number[], seed: number): number[] {
  const left = [...items];
  const sample: number[] = [];
  let state = seed >>> 0;
  while (sample.length < SAMPLE_SIZE && left.length > 0) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const [drawn] = left.splice(Math.floor((state / 2 ** 32) * left.length), 1);
    if (drawn !== undefined) sample.push(drawn);
  }
  return sample;
}

/**
 * What the sample says so far.
 * @param inForce of the sample with the price in force
 * @param differing of the sample with another price
 */
export function readingCheckOutcome(
  sampled: number,
  inForce: number,
  differing: number,
): ReadingCheckOutcome {
  const needed = Math.ceil(sampled * BEHIND_SHARE);
  if (inForce >= needed) return 'behind';
  return differing > sampled - needed ? 'changed' : 'checking';
}

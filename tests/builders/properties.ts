import fc from 'fast-check';
import { it } from 'vitest';
import { asMany } from '#tests/support/breadth.ts';

/**
 * The same scenarios on every machine. `PROPERTY_SEED` and `PROPERTY_RUNS` set others for a long run;
 * a failure prints the seed and the smallest scenario that breaks the property.
 */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);
const RUNS = Number(process.env.PROPERTY_RUNS ?? asMany(400, 1_000));

/**
 * A law: a sentence that holds for every story. Throw or expect inside to break it.
 * @param part of the runs; stories that take long to make have fewer, and all of them with `--all`
 */
export function law<Story>(
  name: string,
  stories: fc.Arbitrary<Story>,
  holds: (story: Story) => void,
  part = 1,
): void {
  const runs = Math.ceil(RUNS * asMany(part, 1));
  it(name, { timeout: 300_000 + RUNS * 60 }, () => {
    fc.assert(fc.property(stories, holds), { seed: SEED, numRuns: runs });
  });
}

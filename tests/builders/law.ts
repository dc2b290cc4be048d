import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asMany } from '#tests/support/breadth.ts';

/**
 * The same scenarios on every machine. `PROPERTY_SEED` and `PROPERTY_RUNS` set others for a long run;
 * a failure prints the seed and the smallest scenario that breaks the property.
 */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);
const RUNS = Number(process.env.PROPERTY_RUNS ?? asMany(400, 1_000));

/**
 * A law: a sentence that holds for every story. Throw or expect inside to break it.
 * @param holds returns true for a story that the law is about; anything else is not counted
 * @param part of the runs; stories that take long to make have fewer, and all of them with `--all`
 * @param atLeast the share of the stories that the law has to be about, so that it cannot become empty unnoticed
 */
export function law<Story>(
  name: string,
  stories: fc.Arbitrary<Story>,
  holds: (story: Story) => unknown,
  part = 1,
  atLeast = 0,
): void {
  const runs = Math.ceil(RUNS * asMany(part, 1));
  it(name, { timeout: 300_000 + RUNS * 60 }, () => {
    let about = 0;
    const counted = fc.property(stories, (story) => {
      if (holds(story) === true) about += 1;
    });
    fc.assert(counted, { seed: SEED, numRuns: runs });
    expect(about, 'stories that the law is about').toBeGreaterThanOrEqual(Math.floor(runs * atLeast));
  });
}

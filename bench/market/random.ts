import { type Seeded, seeded } from '#bench/seeded.ts';
import type { Range } from './world.ts';

/**
 * Random numbers for one purpose in one market: what one part draws never shifts what another part draws, so that every
 * policy meets the same shoppers and competitors.
 */
export function streamOf(world: string, seed: number, purpose: string): Seeded {
  return seeded(fingerprint(`${world}/${seed}/${purpose}`));
}

/** A number of the range, fractions included. */
export function between(random: Seeded, [from, to]: Range): number {
  return from + random.fraction() * (to - from);
}

/** How many arrive where `mean` are expected (Poisson, by Knuth's product of uniforms; for means below about 500). */
export function arrivals(random: Seeded, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let left = random.fraction(); left > limit; left *= random.fraction()) count += 1;
  return count;
}

/** FNV-1a, 32 bits. */
function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

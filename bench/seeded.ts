/** Numbers that look random and are the same on every machine. */
export interface Seeded {
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** True with a chance from 0 to 1. */
  chance(probability: number): boolean;
  /** From 0 to below 1. */
  fraction(): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** @param seed any whole number; the same seed gives the same sequence */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  // Mulberry32: one 32-bit word of state, good enough to spread test data, and short enough to check by eye.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    fraction: next,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  };
}

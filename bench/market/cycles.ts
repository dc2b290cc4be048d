import type { Policy } from './observation.ts';

/** Low and high prices of a cycle, as shares of the best constant price. */
const LOWS = [0.85, 0.93];
const HIGHS = [1.08, 1.2];
/** Hours at the low and at the high price. */
const TURNS = [
  [24, 24],
  [24, 72],
  [6, 18],
] as const;

/**
 * Policies that go back and forth between two prices and look at nothing.
 * @param best the best constant price, in cents
 * @param floor the lowest price they may have, in cents
 */
export function cyclesAround(best: number, floor: number): Policy[] {
  return LOWS.flatMap((low) =>
    HIGHS.flatMap((high) =>
      TURNS.map(([hoursLow, hoursHigh]) =>
        cycle(Math.max(floor, Math.round(best * low)), hoursLow, Math.round(best * high), hoursHigh),
      ),
    ),
  );
}

/** Prices in cents. */
export function cycle(low: number, hoursLow: number, high: number, hoursHigh: number): Policy {
  return {
    name: `cycle ${low} for ${hoursLow} h, ${high} for ${hoursHigh} h`,
    start: () => ({ next: ({ hour }) => (hour % (hoursLow + hoursHigh) < hoursLow ? low : high) }),
  };
}

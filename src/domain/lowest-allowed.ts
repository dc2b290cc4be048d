import { type Bps, type Cents, isPrice, WHOLE } from './units.ts';

/** A lowest allowed price that falls by more than this share of itself is a drop that somebody has to stand behind. */
const MOST_UNPROVED_DROP = 2_000 as Bps;

/**
 * The lowest price that may be asked: the margin floor, or the seller's own minimum where that is higher.
 * @param floor as a decision has it
 * @returns null while the floor is unknown
 */
export function lowestAllowed(floor: Cents | null, minPrice: Cents | null): Cents | null {
  if (!isPrice(floor)) return null;
  return minPrice !== null && minPrice > floor ? minPrice : floor;
}

/** Whether a lowest allowed price falls by more than 20%. */
export function isDrop(before: Cents, after: Cents): boolean {
  return after * WHOLE < before * (WHOLE - MOST_UNPROVED_DROP);
}

/** What a price loses, as a share of what it was. */
export function dropOf(before: Cents, after: Cents): Bps {
  return Math.round(((before - after) * WHOLE) / before) as Bps;
}

import { type Bps, type Cents, isPrice, WHOLE } from '#domain/units.ts';

/** Lowering a lowest allowed price by more than this share requires step-up authentication. */
const MAX_DROP_WITHOUT_STEP_UP = 2_000 as Bps;

/**
 * The lowest allowed price: the margin floor, or the minimum price if that is higher.
 * @param floor the margin floor of a decision
 * @returns null while the floor is unknown
 */
export function lowestAllowed(floor: Cents | null, minPrice: Cents | null): Cents | null {
  if (!isPrice(floor)) return null;
  return minPrice !== null && minPrice > floor ? minPrice : floor;
}

/** Whether a lowest allowed price falls by more than 20%. */
export function isDrop(before: Cents, after: Cents): boolean {
  return after * WHOLE < before * (WHOLE - MAX_DROP_WITHOUT_STEP_UP);
}

/** The drop as a share of the former price. */
export function dropOf(before: Cents, after: Cents): Bps {
  return Math.round(((before - after) * WHOLE) / before) as Bps;
}

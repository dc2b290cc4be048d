import type { Bps } from '#domain/units.ts';

/** `numeric(5,2)`. */
const MOST_IMPACT = 99_999;

/** How a price move changes the margin, in percentage points; null when unknown or outside +-999.99. */
export function marginImpact(before: Bps | null, after: Bps | null): Bps | null {
  if (before === null || after === null) return null;
  const impact = after - before;
  return Math.abs(impact) > MOST_IMPACT ? null : (impact as Bps);
}

import type { Bps } from '#domain/units.ts';

/** Largest value of the column, `numeric(5,2)`. */
const MAX_IMPACT = 99_999;

/** Change of the margin by a price change, in percentage points; null when unknown or outside +-999.99. */
export function marginImpact(before: Bps | null, after: Bps | null): Bps | null {
  if (before === null || after === null) return null;
  const impact = after - before;
  return Math.abs(impact) > MAX_IMPACT ? null : (impact as Bps);
}

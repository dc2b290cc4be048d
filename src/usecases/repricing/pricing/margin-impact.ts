import type { Bps } from '#domain/units.ts';

/** Change of the margin by a price change, in percentage points; null when unknown. A loss may be many times the price. */
export function marginImpact(before: Bps | null, after: Bps | null): Bps | null {
  return before === null || after === null ? null : ((after - before) as Bps);
}

import type { Bps } from '#domain/units.ts';

/** A range of margins: `from <= margin < below`, in basis points; null is unbounded. */
export interface MarginBand {
  readonly name: string;
  readonly from: Bps | null;
  readonly below: Bps | null;
}

/** The ranges in which margins are counted: divided at zero and where the color of a margin changes. */
export const MARGIN_BANDS = [
  { name: 'loss', from: null, below: 0 as Bps },
  { name: 'below_5', from: 0 as Bps, below: 500 as Bps },
  { name: 'below_10', from: 500 as Bps, below: 1_000 as Bps },
  { name: 'below_15', from: 1_000 as Bps, below: 1_500 as Bps },
  { name: 'from_15', from: 1_500 as Bps, below: null },
] as const satisfies readonly MarginBand[];

/** The margin filter of a list: a range, or listings with an unknown margin. */
export const MARGIN_FILTERS = ['loss', 'below_5', 'below_10', 'below_15', 'from_15', 'unknown'] as const;
export type MarginFilter = (typeof MARGIN_FILTERS)[number];

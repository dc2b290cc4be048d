import type { Marketplace } from './marketplaces.ts';
import type { Bps, Cents, Instant } from './units.ts';

/** One row of a fee schedule: the share up to a revenue, and what is taken besides. */
export interface FeeBand {
  /** The band holds revenues up to and including this; null is the last band. */
  readonly upTo: Cents | null;
  readonly percent: Bps;
  /** Taken once per order, on top. */
  readonly fixed: Cents;
  /** The percentage part is never below this. */
  readonly minimum: Cents;
}

/**
 * `whole`: the band that holds the revenue applies to all of it.
 * `marginal`: each band applies to the part of the revenue inside it.
 */
export const BAND_KINDS = ['whole', 'marginal'] as const;
export type BandKind = (typeof BAND_KINDS)[number];

/** The fees of a marketplace, optionally of one category, from a date on. */
export interface FeeSchedule {
  readonly marketplace: Marketplace;
  /** Null is the marketplace's default. */
  readonly category: string | null;
  /** From when it holds; null is "always has". */
  readonly effectiveFrom: Instant | null;
  readonly bandKind: BandKind;
  /** Rising `upTo`, the last one null. */
  readonly bands: readonly FeeBand[];
}

import type { Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';

/** One row of a fee schedule: percentage, fixed fee and minimum for revenues up to a limit. */
export interface FeeBand {
  /** The upper end of the band, inclusive; null for the last band. */
  readonly upTo: Cents | null;
  readonly percent: Bps;
  /** Charged once per order, in addition. */
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
  /** When it takes effect; null for always. */
  readonly effectiveFrom: Instant | null;
  readonly bandKind: BandKind;
  /** Ascending by `upTo`, the last one null. */
  readonly bands: readonly FeeBand[];
}

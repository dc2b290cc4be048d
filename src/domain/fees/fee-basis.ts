import type { Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { FeeFactSource } from './fee-fact.ts';
import type { FeeSchedule } from './fee-schedule.ts';

/**
 * Where a listing's fee category comes from: a user or a file, the marketplace, listings of the same product type, or
 * the shipped map; `none` is no category, and the marketplace's default applies.
 */
export const FEE_CATEGORY_SOURCES = ['person', 'told', 'inferred', 'mapped', 'none'] as const;
export type FeeCategorySource = (typeof FEE_CATEGORY_SOURCES)[number];

/** The schedule of the listing's category, or the marketplace's default. */
interface ScheduleSource {
  readonly kind: 'schedule';
  readonly schedule: FeeSchedule;
  readonly category: FeeCategorySource;
  /**
   * What counts where its fee is higher: the marketplace's default, until a user accepts a category that is only mapped; what
   * was taken of listings of the same product type.
   */
  readonly atLeast?: FeeSchedule;
  /** `atLeast` has what was taken of listings of the same product type. */
  readonly isRaisedByType?: true;
}

/** A user's own rate for the listing; everything but the commission's percentage stays as in the schedule. */
interface PersonSource {
  readonly kind: 'person';
  readonly rate: Bps;
  /** Who entered it; null where that is not known. */
  readonly by: string | null;
  readonly schedule: FeeSchedule;
}

/** What the marketplace reported of this listing. */
export interface ReportedSource {
  readonly kind: 'told';
  readonly marketplace: Marketplace;
  readonly by: FeeFactSource;
  /** The newest answer: when, and for which price. */
  readonly toldAt: Instant;
  readonly askedPrice: Cents;
  /** The schedules that agree with all that was reported: of several, the highest fee counts. Empty: `rates` count. */
  readonly schedules: readonly FeeSchedule[];
  /** Ascending ranges of revenue with the rate reported there; outside of them the fee is unknown. */
  readonly rates: readonly ReportedRate[];
  /** A rise is in it that no administrator has accepted: it was reported for many listings at once. Prices are only recommended. */
  readonly isDoubted?: true;
}

/** The rate that the marketplace reported for a range of revenue. */
export interface ReportedRate {
  /** Inclusive; a range of one cent is a revenue that was asked. */
  readonly from: Cents;
  readonly to: Cents;
  readonly percent: Bps;
  readonly perUnit: Cents;
  /** Between two revenues with different rates: the higher one is assumed, and was not reported. */
  readonly isAssumed: boolean;
}

/** Where the marketplace's percentages and fixed amounts come from. */
export type FeeSource = ScheduleSource | PersonSource | ReportedSource;

/** The fulfillment fee of a unit at prices up to a limit. */
export interface FulfillmentStep {
  /** The upper end, inclusive, of the price without shipping; null for all higher prices. */
  readonly upTo: Cents | null;
  /** Null: unknown at these prices, of which none is allowed. */
  readonly fee: Cents | null;
  /** Calculated from what was reported of other prices, and not reported: such prices are only recommended. */
  readonly isAssumed?: true;
  /** A rise that no administrator has accepted: it was reported for many listings at once. Prices are only recommended. */
  readonly isDoubted?: true;
}

/**
 * Everything a fee table is composed of: enough to say where the fee comes from, and to calculate it once more without
 * the table.
 */
export interface FeeBasis {
  readonly source: FeeSource;
  /** Sales tax as a share of revenue, for what is taken on the total with tax. */
  readonly salesTax: Bps;
  /** Ascending by `upTo`; above the last one the fee is unknown. Empty: fulfillment is a cost, not a fee. */
  readonly fulfillment: readonly FulfillmentStep[];
  /** The listing's shipping charge, by which a price becomes a revenue. Matters with `fulfillment` only. */
  readonly shippingCharge: Cents;
  /** Shares of revenue that the seller counts for advertising and returns; 0 when none was entered. */
  readonly adShare: Bps;
  readonly returnShare: Bps;
}

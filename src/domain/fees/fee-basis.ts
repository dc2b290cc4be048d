import type { Bps, Cents } from '#domain/units.ts';
import type { FeeSchedule } from './fee-schedule.ts';

/**
 * Where a listing's fee category comes from: a user or a file, the marketplace, listings of the same product type, or
 * the shipped map; `none` is no category, and the marketplace's default applies.
 */
export const FEE_CATEGORY_SOURCES = ['person', 'told', 'inferred', 'mapped', 'none'] as const;
export type FeeCategorySource = (typeof FEE_CATEGORY_SOURCES)[number];

/** Where the marketplace's percentages and fixed amounts come from. */
export interface FeeSource {
  readonly kind: 'schedule';
  readonly schedule: FeeSchedule;
  readonly category: FeeCategorySource;
}

/** The fulfillment fee of a unit at prices up to a limit. */
export interface FulfillmentStep {
  /** The upper end, inclusive, of the price without shipping; null for all higher prices. */
  readonly upTo: Cents | null;
  readonly fee: Cents;
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

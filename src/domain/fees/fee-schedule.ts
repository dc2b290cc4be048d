import type { Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';

/** One row of a fee schedule: what is charged on revenues up to a limit. */
export interface FeeBand {
  /** The upper end of the band, inclusive; null for the last band. On revenue or on the total with tax: `edgeBase`. */
  readonly upTo: Cents | null;
  /** Taken on revenue. */
  readonly percent: Bps;
  /** Taken on the total with sales tax, in addition: eBay's commission, payment fees of Etsy and Shopify. */
  readonly percentTaxed: Bps;
  /** Charged once per order, in addition. */
  readonly fixed: Cents;
  /** Charged for each unit, in addition: Amazon's closing fee, Etsy's renewal. */
  readonly perUnit: Cents;
  /** What `percent` comes to is never below this. */
  readonly minimum: Cents;
}

/** The parts that a band of plain percentages and fixed amounts lacks. */
export const PLAIN_BAND = { percentTaxed: 0 as Bps, perUnit: 0 as Cents } as const satisfies Partial<FeeBand>;

/**
 * `whole`: the band that holds the revenue applies to all of it.
 * `marginal`: each band applies to the part of the revenue inside it.
 */
export const BAND_KINDS = ['whole', 'marginal'] as const;
export type BandKind = (typeof BAND_KINDS)[number];

/** What the upper ends of bands are measured on: revenue, or what the buyer pays with sales tax. */
export const EDGE_BASES = ['revenue', 'with_tax'] as const;
export type EdgeBase = (typeof EDGE_BASES)[number];

/** The fees of a marketplace, optionally of one category, from a date on. */
export interface FeeSchedule {
  readonly marketplace: Marketplace;
  /** Null is the marketplace's default. */
  readonly category: string | null;
  /** When it takes effect; null for always. */
  readonly effectiveFrom: Instant | null;
  readonly bandKind: BandKind;
  readonly edgeBase: EdgeBase;
  /** Ascending by `upTo`, the last one null. */
  readonly bands: readonly FeeBand[];
}

/** Whether a schedule takes its commission on the total with tax, as eBay does: it takes no percentage of revenue. */
export function takesCommissionWithTax({ bands }: FeeSchedule): boolean {
  return bands.every(({ percent }) => percent === 0) && bands.some(({ percentTaxed }) => percentTaxed > 0);
}

/** Marketplaces that charge for the payment apart from their commission, as a share of the total with sales tax. */
const CHARGES_PAYMENT_APART: ReadonlySet<Marketplace> = new Set<Marketplace>(['etsy']);

/** Whether one percentage is the commission with a payment fee that the marketplace charges apart from it. */
export function hasPaymentInCommission({ marketplace, bands }: FeeSchedule): boolean {
  return CHARGES_PAYMENT_APART.has(marketplace) && bands.every(({ percentTaxed }) => percentTaxed === 0);
}

import type { FulfillmentStep } from '#domain/fees/fee-basis.ts';
import type { FeeFactSource } from '#domain/fees/fee-fact.ts';
import type { CountingAnswers } from '#domain/fees/settled-fulfillment.ts';
import type { FulfillmentEstimate, NoEstimate, PackageSize } from '#domain/fees/warehouse-fee.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant, Ounces } from '#domain/units.ts';

/** The costs of a SKU. Null is unknown, and unknown is never zero. */
export interface SkuCosts {
  readonly sku: string;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  /** Of one packed unit. Null unless all three sides are known. */
  readonly size: PackageSize | null;
  /** Hazardous goods, for which warehouses charge other fees. */
  readonly isHazardous: boolean;
  readonly packagingCost: Cents;
  readonly miscCost: Cents;
}

/** The parcels of a shipping tier: `minWeight <= weight < maxWeight`. */
export interface TierRange {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  readonly minWeight: Ounces;
  readonly maxWeight: Ounces;
}

/** The shipping cost for a weight range. */
export interface ShippingTier extends TierRange {
  readonly cost: Cents;
}

/** One SKU of a bundle; `costs` is null if the SKU does not exist. */
export interface BundleComponent {
  readonly sku: string;
  readonly quantity: number;
  readonly costs: SkuCosts | null;
  /** A listing with this SKU is or was a bundle itself: then the SKU's costs are those of its box only. */
  readonly isBundle: boolean;
}

/**
 * Why a fulfillment fee could not be estimated; `price`: the published tables have none at the current price;
 * `not_told`: the marketplace reported it for other prices only.
 */
export type UnknownEstimate = NoEstimate | 'price' | 'not_told';

/** A missing fact that leaves the cost of a listing unknown. */
export type CostGap =
  | { readonly kind: 'no_sku'; readonly sku: string }
  | { readonly kind: 'no_product_cost'; readonly sku: string }
  | { readonly kind: 'no_component'; readonly sku: string }
  | { readonly kind: 'bundle_in_bundle'; readonly sku: string }
  | { readonly kind: 'no_weight'; readonly sku: string }
  | { readonly kind: 'no_tier'; readonly weight: Ounces }
  | { readonly kind: 'no_fulfillment_cost'; readonly sku: string; readonly noEstimate?: UnknownEstimate }
  | { readonly kind: 'bundle_unconfirmed'; readonly sku: string }
  | { readonly kind: 'unreadable'; readonly what: string };

/** The five cost parts of one unit of a listing. A null part is unknown; then `total` is null and `gaps` has the reason. */
export interface ListingCost {
  readonly product: Cents | null;
  readonly shipping: Cents | null;
  readonly fulfillment: Cents | null;
  readonly packaging: Cents | null;
  readonly misc: Cents | null;
  readonly weight: Ounces | null;
  readonly total: Cents | null;
  readonly gaps: readonly CostGap[];
  /** Where `fulfillment` comes from the published tables; null where it was entered, read or is not needed. */
  readonly estimate: FulfillmentEstimate | null;
  /** By price, where the marketplace reported `fulfillment`; empty otherwise. Rows of earlier releases do not have it. */
  readonly toldSteps?: readonly FulfillmentStep[];
  /** How `toldSteps` were reported; absent without them, and in rows of earlier releases. */
  readonly reportedBy?: FeeFactSource;
  /** By price, what the published table has for the package, where charges of sales are compared with it. */
  readonly publishedSteps?: readonly FulfillmentStep[];
  /** A hazardous SKU is in it. Absent where none is. */
  readonly isHazardous?: true;
}

/** The inputs of a listing's cost. */
export interface CostInputs {
  readonly sku: string;
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  /** The shipping cost set on the listing itself; it overrides the tier. */
  readonly shippingCost: Cents | null;
  /** The price that the fulfillment fee is estimated at; null or not a price: it is not estimated. */
  readonly price: Cents | null;
  /** Entered, or found by what the marketplace reports of the listing. */
  readonly feeCategory: string | null;
  readonly now: Instant;
  /** The entered FBA/WFS fee; a blank one is reported, or estimated from size and weight. Ignored for FBM, which has none. */
  readonly fulfillmentCost: Cents | null;
  /** What the marketplace reported of it; it counts while none was entered. */
  readonly reportedFulfillment: CountingAnswers;
  /** What was reported of it since is doubted; null or absent: nothing is. */
  readonly fulfillmentDoubtedSince?: Instant | null;
  /** The SKU with the listing's own code. */
  readonly own: SkuCosts | null;
  /** Empty unless the listing is a bundle. */
  readonly components: readonly BundleComponent[];
  /** The bundle was deleted, and no user has confirmed yet that the listing is not a bundle. */
  readonly bundleUnconfirmed: boolean;
  /** Shipping tiers of all marketplaces; others than the listing's are ignored. */
  readonly tiers: readonly ShippingTier[];
}

import type { FulfillmentType, Marketplace } from './marketplaces.ts';
import type { Cents, Ounces } from './units.ts';

/** What a SKU costs us. Null is unknown, and unknown is never zero. */
export interface SkuCosts {
  readonly sku: string;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  readonly packagingCost: Cents;
  readonly miscCost: Cents;
}

/** Which parcels a shipping tier is for: `minWeight <= weight < maxWeight`. */
export interface TierRange {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  readonly minWeight: Ounces;
  readonly maxWeight: Ounces;
}

/** What a parcel of a weight costs us to ship. */
export interface ShippingTier extends TierRange {
  readonly cost: Cents;
}

/** One SKU of a bundle with its costs; `costs` is null when no SKU of that code exists. */
export interface BundleComponent {
  readonly sku: string;
  readonly quantity: number;
  readonly costs: SkuCosts | null;
  /** A listing of that code is packed from other SKUs, or was: then the SKU is a box, and its costs are not those of the goods. */
  readonly isBundle: boolean;
}

/** Something that is missing before the cost of a listing is known. */
export type CostGap =
  | { readonly kind: 'no_sku'; readonly sku: string }
  | { readonly kind: 'no_product_cost'; readonly sku: string }
  | { readonly kind: 'no_component'; readonly sku: string }
  | { readonly kind: 'bundle_in_bundle'; readonly sku: string }
  | { readonly kind: 'no_weight'; readonly sku: string }
  | { readonly kind: 'no_tier'; readonly weight: Ounces }
  | { readonly kind: 'no_fulfillment_cost'; readonly sku: string }
  | { readonly kind: 'bundle_unconfirmed'; readonly sku: string }
  | { readonly kind: 'unreadable'; readonly what: string };

/** The five cost parts of one unit of a listing. A null part is unknown; then `total` is null and `gaps` says why. */
export interface ListingCost {
  readonly product: Cents | null;
  readonly shipping: Cents | null;
  readonly fulfillment: Cents | null;
  readonly packaging: Cents | null;
  readonly misc: Cents | null;
  readonly weight: Ounces | null;
  readonly total: Cents | null;
  readonly gaps: readonly CostGap[];
}

/** Everything the cost of one listing is made of. */
export interface CostInputs {
  readonly sku: string;
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  /** What the parcel costs us when set on the listing itself; it wins over the tier. */
  readonly shippingCost: Cents | null;
  /** The FBA/WFS fee; blank is unknown. Ignored for FBM, which has none. */
  readonly fulfillmentCost: Cents | null;
  /** The SKU with the listing's own code. */
  readonly own: SkuCosts | null;
  /** Empty unless the listing is a bundle. */
  readonly components: readonly BundleComponent[];
  /** The bundle was deleted and nobody has said yet that this is no bundle. */
  readonly bundleUnconfirmed: boolean;
  /** The shipping tiers of any marketplace; those of others are passed over. */
  readonly tiers: readonly ShippingTier[];
}

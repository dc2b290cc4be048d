import { z } from 'zod';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { instant } from '#domain/units.ts';
import { AmountInput, Id, Moment, Money, percentInput } from './fields.ts';

export const COST_PARTS = ['product', 'shipping', 'fulfillment', 'packaging', 'misc'] as const;
export type CostPartName = (typeof COST_PARTS)[number];

/** Source of a part. `estimate` was reported by the marketplace, `table` comes from size and weight. `none` for what a listing does not have: the fulfillment fee of FBM, shipping of FBA/WFS. */
const COST_SOURCES = ['sku', 'bundle', 'listing', 'tier', 'estimate', 'table', 'none'] as const;

/** GET /api/listings/:id/costs: the five parts of one listing, for the editor. */
export const ListingCosts = z.object({
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  title: z.string(),
  fulfillmentType: z.enum(FULFILLMENT_TYPES),
  currentPrice: Money,
  isBundle: z.boolean(),
  /** The versions the user sees; both are sent back with a save. `skuVersion` is null when no such SKU exists. */
  version: z.int(),
  skuVersion: z.int().nullable(),
  parts: z.array(
    z.object({
      part: z.enum(COST_PARTS),
      amount: Money.nullable(),
      source: z.enum(COST_SOURCES),
      /** "SKU A-1", "Shipping tier for 12 oz". */
      sourceText: z.string(),
      /** Why it cannot be edited here, and where it can; null when it can. */
      readOnly: z.string().nullable(),
    }),
  ),
  totalCost: Money.nullable(),
  /** What is missing, each with what to enter and where. */
  missing: z.array(z.string()),
  /** The same as the domain's CostGap kinds. */
  gaps: z.array(z.string()),
  /** Listings whose cost changes too when product, packaging or misc do; at most 1,000. */
  others: z.array(z.object({ listingId: Id, marketplace: z.enum(MARKETPLACES), sku: z.string() })),
});
export type ListingCosts = z.output<typeof ListingCosts>;

/** From when edited costs apply, up to now: sales since then are calculated with them. Omitted: from now. */
export const CostSince = Moment.transform((text) => instant(Date.parse(text))).optional();

/** Sales so far whose profit would change, and by how much in total; with `isMore` only the newest of them are counted. */
export const SalesImpact = z.object({ changed: z.int(), profitChange: Money, isMore: z.boolean() });
export type SalesImpact = z.output<typeof SalesImpact>;

/**
 * PUT /api/listings/:id/costs: edited fields only; omitted fields do not change. Product, packaging and misc go
 * to the SKU, shipping and fulfillment to the listing. Shipping null returns to the tier, or to 0.00 for FBA/WFS without one. 409 when either
 * version has changed.
 */
export const EditListingCosts = z.strictObject({
  version: z.int(),
  skuVersion: z.int().nullable(),
  product: AmountInput.nullable().optional(),
  packaging: AmountInput.optional(),
  misc: AmountInput.optional(),
  shipping: AmountInput.nullable().optional(),
  fulfillment: AmountInput.nullable().optional(),
  costSince: CostSince,
});
export type EditListingCosts = z.output<typeof EditListingCosts>;

/**
 * POST /api/listings/:id/costs/impact: what saving these fields would change on sales so far. Writes nothing. Answers with
 * a `SalesImpact`.
 */
export const ListingCostImpactRequest = EditListingCosts.omit({ version: true, skuVersion: true }).extend({
  feeRate: percentInput(0, 9_999).nullable().optional(),
  feeCategory: z.string().trim().min(1).max(200).nullable().optional(),
});
export type ListingCostImpactRequest = z.output<typeof ListingCostImpactRequest>;

/** A listing whose price is now below its margin floor. */
export const BelowMarginFloor = z.object({
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  title: z.string(),
  currentPrice: Money,
  marginFloor: Money,
});
export type BelowMarginFloor = z.output<typeof BelowMarginFloor>;

export const SavedCosts = z.object({
  costs: ListingCosts,
  belowMarginFloorCount: z.int(),
  /** At most 50 of them. */
  belowMarginFloor: z.array(BelowMarginFloor),
});
export type SavedCosts = z.output<typeof SavedCosts>;

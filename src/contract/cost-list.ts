import { z } from 'zod';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Money, PageParam, sizeParam } from './fields.ts';

export const COST_PAGE_SIZES = [25, 50, 100, 200] as const;
export const COST_PAGE_SIZE = 50;

/**
 * GET /api/costs: the five cost parts of each listing as of its last decision. `q` matches part of the SKU or
 * title.
 */
export const CostsQuery = z.strictObject({
  q: z.string().trim().max(200).optional(),
  page: PageParam,
  size: sizeParam(COST_PAGE_SIZES, COST_PAGE_SIZE),
});

/** A null part is unknown, and then so is the total. */
export const CostRow = z.object({
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  fulfillmentType: z.enum(FULFILLMENT_TYPES),
  sku: z.string(),
  title: z.string(),
  productCost: Money.nullable(),
  shippingCost: Money.nullable(),
  fulfillmentCost: Money.nullable(),
  packagingCost: Money.nullable(),
  miscCost: Money.nullable(),
  totalCost: Money.nullable(),
  /**
   * The values that an edit in the list starts from: product, packaging and misc cost of the SKU, shipping and
   * fulfillment of the listing itself.
   */
  stored: z.object({
    product: Money.nullable(),
    packaging: Money.nullable(),
    misc: Money.nullable(),
    /** Null: the shipping tier applies; for FBA/WFS without one 0.00. */
    shipping: Money.nullable(),
    fulfillment: Money.nullable(),
  }),
  /** Both are sent back with a save. `skuVersion` is null when no such SKU exists. */
  version: z.int(),
  skuVersion: z.int().nullable(),
  /** Why product, packaging and misc cannot be edited here, and why fulfillment cannot; null when they can. */
  goodsReadOnly: z.string().nullable(),
  fulfillmentReadOnly: z.string().nullable(),
  /** The fulfillment fee was not entered: the marketplace reported it, or it comes from size and weight. */
  isFulfillmentEstimated: z.boolean(),
  /** What is missing, as the domain's CostGap kinds. */
  gaps: z.array(z.string()),
  /** False until the first decision: the parts are not added up yet. */
  isDecided: z.boolean(),
});
export type CostRow = z.output<typeof CostRow>;

/**
 * Listings with a fulfillment fee estimated from size and weight, as last decided. Unless an administrator accepts
 * estimates, their prices are only recommended.
 */
export const FeeEstimates = z.object({ listings: z.int(), areAccepted: z.boolean() });
export type FeeEstimates = z.output<typeof FeeEstimates>;

/** PUT /api/costs/estimates */
export const AcceptFeeEstimates = z.strictObject({ areAccepted: z.boolean() });

export const CostsPage = z.object({ rows: z.array(CostRow), total: z.int(), estimates: FeeEstimates });
export type CostsPage = z.output<typeof CostsPage>;

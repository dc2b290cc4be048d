import { z } from 'zod';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { MAX_OUNCES } from '#domain/written/weight-units.ts';
import { CostSince } from './costs.ts';
import { AmountInput, Id, Money } from './fields.ts';

/** Whether a weight has at most four decimals, as in the files; -0 is not a weight. */
export function isWeightStep(ounces: number): boolean {
  return Number(ounces.toFixed(4)) === ounces && !Object.is(ounces, -0);
}

/** Ounces of a request: 0 or more, with at most four decimals, as in a file. */
export const WeightInput = z
  .number()
  .min(0, 'Not negative')
  .max(MAX_OUNCES, 'At most 1,000,000 oz')
  .refine(isWeightStep, 'Enter ounces with at most four decimals, such as 12.5');

/** Ounces, fractions allowed. */
const Weight = z.number().min(0).max(MAX_OUNCES);

/** Shipping cost for a weight range: `minWeightOz <= weight < maxWeightOz`. */
export const Tier = z.object({
  id: Id,
  marketplace: z.enum(MARKETPLACES),
  fulfillmentType: z.enum(FULFILLMENT_TYPES),
  minWeightOz: Weight,
  maxWeightOz: Weight,
  cost: Money,
});
export type Tier = z.output<typeof Tier>;

/** FBM listings without a shipping cost of their own whose weight no tier covers; their prices are blocked. */
const UntieredListings = z.object({
  marketplace: z.enum(MARKETPLACES),
  fulfillmentType: z.enum(FULFILLMENT_TYPES),
  listings: z.int(),
  lightestOz: Weight,
  heaviestOz: Weight,
});

/** GET /api/shipping-tiers: all of them, by marketplace, fulfillment type and weight. */
export const Tiers = z.object({
  tiers: z.array(Tier),
  /** Weight ranges between the FBM tiers of a marketplace that none covers. FBA/WFS needs no tiers. */
  gaps: z.array(Tier.omit({ id: true, cost: true })),
  untiered: z.array(UntieredListings),
});
export type Tiers = z.output<typeof Tiers>;

const TierFields = z.strictObject({
  marketplace: z.enum(MARKETPLACES),
  fulfillmentType: z.enum(FULFILLMENT_TYPES),
  minWeightOz: WeightInput,
  maxWeightOz: WeightInput,
  cost: AmountInput,
  /** The first tier for a weight applies since ever. */
  costSince: CostSince,
});

// The database compares in single precision: weights that are equal there are the same weight.
const isRange = ({ minWeightOz, maxWeightOz }: { minWeightOz: number; maxWeightOz: number }): boolean =>
  Math.fround(minWeightOz) < Math.fround(maxWeightOz);
const RANGE_PROBLEM = {
  path: ['maxWeightOz'],
  message: 'Maximum weight must be greater than minimum weight',
};

/** PUT /api/shipping-tiers/:id */
export const EditTier = TierFields.refine(isRange, RANGE_PROBLEM);
export type EditTier = z.output<typeof EditTier>;

/** POST /api/shipping-tiers: "all" makes one tier for each of the six. */
export const NewTier = TierFields.extend({ marketplace: z.enum([...MARKETPLACES, 'all']) }).refine(
  isRange,
  RANGE_PROBLEM,
);
export type NewTier = z.output<typeof NewTier>;
export type NewTierForm = z.input<typeof NewTier>;

/**
 * POST /api/shipping-tiers/impact: what saving a tier would change on sales so far; `id` is that of an edited one. Writes
 * nothing. Answers with a `SalesImpact`.
 */
export const TierImpactRequest = TierFields.extend({
  marketplace: z.enum([...MARKETPLACES, 'all']),
  id: Id.nullable(),
}).refine(isRange, RANGE_PROBLEM);
export type TierImpactRequest = z.output<typeof TierImpactRequest>;

export const CreatedTiers = z.object({ tiers: z.array(Tier) });

/** POST /api/shipping-tiers/delete. IDs that are deleted already are ignored. */
export const DeleteTiers = z.strictObject({ ids: z.array(Id).min(1).max(1_000) });
export const DeletedTiers = z.object({ deleted: z.int() });

import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { BelowMarginFloor, SalesImpact } from './costs.ts';
import { Id, Money } from './fields.ts';
import { ListingFields, ListingSelection } from './listings.ts';

/** Fields of an edit that change what a listing costs, what is charged for it, or its minimum margin. */
const CostFields = ListingFields.pick({
  shippingCost: true,
  shippingCharge: true,
  fulfillmentCost: true,
  feeCategory: true,
  feeRate: true,
  adShare: true,
  returnShare: true,
  ruleId: true,
  costSince: true,
});
export type CostFields = z.output<typeof CostFields>;
export type CostFieldsForm = z.input<typeof CostFields>;

/** POST /api/listings/edit-impact: what POST /api/listings/edit would change with these fields. Writes nothing. */
export const EditImpactRequest = z.strictObject({ selection: ListingSelection, fields: CostFields });

export const EditImpact = z.object({
  /** Of the selection; deleted ones are not counted. */
  listings: z.int(),
  floors: z.object({
    raised: z.int(),
    lowered: z.int(),
    /** Have none now. */
    gained: z.int(),
    /** Would have none: a cost or fee becomes unknown, or no price keeps the minimum margin. They are no longer repriced. */
    lost: z.int(),
    /** The largest changes first, at most 10; null for none. */
    largest: z.array(
      z.object({
        listingId: Id,
        marketplace: z.enum(MARKETPLACES),
        sku: z.string(),
        from: Money.nullable(),
        to: Money.nullable(),
      }),
    ),
  }),
  /** Listings whose price would be below their margin floor; those already below it are not counted. */
  fallingCount: z.int(),
  /** At most 50 of them, the worst first, with their new margin floor. */
  falling: z.array(BelowMarginFloor),
  sales: SalesImpact,
});
export type EditImpact = z.output<typeof EditImpact>;

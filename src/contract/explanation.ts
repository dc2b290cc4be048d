import { z } from 'zod';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Margin, Moment, Money, Percent } from './wire.ts';

/** A gap of the cost with its fix in words. */
const CostPart = z.object({
  part: z.enum(['product', 'shipping', 'fulfillment', 'packaging', 'misc']),
  amount: Money.nullable(),
});

export const ExplainedOffer = z.object({
  seller: z.string().nullable(),
  channel: z.enum(MARKETPLACES),
  price: Money,
  shipping: Money,
  landed: Money,
  fulfillmentType: z.enum(FULFILLMENT_TYPES).nullable(),
  isFeatured: z.boolean(),
  seenAt: Moment.nullable(),
  /** The offer's status: "counted", or why it does not count. */
  status: z.string(),
  /** The status in words. */
  statusText: z.string(),
});

/**
 * Why a price is what it is. GET /api/listings/:id/explanation decides now from the facts in force;
 * GET /api/listings/:id/recommendation and /api/history/:listingId/:id/explanation replay stored facts.
 */
export const PriceExplanation = z.object({
  listing: z.object({
    id: Id,
    marketplace: z.enum(MARKETPLACES),
    sku: z.string(),
    title: z.string(),
    fulfillmentType: z.enum(FULFILLMENT_TYPES),
    currentPrice: Money,
  }),
  /** What is explained. */
  of: z.enum(['now', 'recommendation', 'history']),
  /** The moment it was decided. */
  at: Moment,
  outcome: z.enum(['change', 'keep', 'recommend', 'blocked']),
  price: Money.nullable(),
  reasonCode: z.string(),
  reviewReason: z.string().nullable(),
  /** The limit that moved the price away from the strategy price, and in words. */
  bindingLimit: z.string(),
  bindingLimitText: z.string().nullable(),
  sentence: z.string(),
  fix: z.string().nullable(),
  /** When a price that waits may move again, at the latest; null where no clock ends the wait. */
  restEndsAt: Moment.nullable(),
  /** Who did it when it was no rule: a person's name. */
  actor: z.string().nullable(),
  rule: z
    .object({
      id: Id,
      name: z.string(),
      strategy: z.string(),
      minimumMargin: Percent.nullable(),
      /** Why this rule and no other, in words. */
      why: z.string(),
    })
    .nullable(),
  facts: z.object({
    currentPrice: Money.nullable(),
    anchorPrice: Money.nullable(),
    minPrice: Money.nullable(),
    maxPrice: Money.nullable(),
    shippingCharge: Money.nullable(),
    priceDayAgo: Money.nullable(),
    cost: z.array(CostPart),
    totalCost: Money.nullable(),
    weightOz: z.number().nullable(),
    /** What we ask for the same SKU on other marketplaces. */
    elsewhere: z.array(z.object({ marketplace: z.enum(MARKETPLACES), price: Money, shippingCharge: Money })),
    /** What is missing from the cost: kinds of the domain's CostGap. */
    gaps: z.array(z.string()),
  }),
  fees: z.object({ version: z.string(), text: z.string() }).nullable(),
  allowed: z
    .object({
      marginFloor: Money.nullable(),
      priceCeiling: Money.nullable(),
      ranges: z.array(z.object({ from: Money, to: Money })),
    })
    .nullable(),
  moveRange: z.object({ low: Money, high: Money }).nullable(),
  /** Where the price leaves the SKU dearer on Walmart or Amazon than on another channel, in words; null where not. */
  channelGap: z.string().nullable(),
  offers: z.array(ExplainedOffer),
  /** Each step old to new, in words. */
  steps: z.array(
    z.object({ step: z.string(), from: Money, to: Money, because: z.string(), text: z.string() }),
  ),
  margin: z.object({ before: Margin.nullable(), after: Margin.nullable() }),
});
export type PriceExplanation = z.output<typeof PriceExplanation>;

import { z } from 'zod';
import { COMPETITION_STATUSES } from '#domain/competition/competition.ts';
import { TRACE_STEPS } from '#domain/decision/explain.ts';
import { SITUATIONS } from '#domain/lines/line.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Margin, Moment, Money, Percent } from './fields.ts';
import { TracedLine } from './traced-line.ts';

/** A missing part of the cost, with a text that says how to fix it. */
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
  /** The status as text. */
  statusText: z.string(),
  /** The price that the deciding line asks for against this offer; null where it asks for none, or asks by no offer. */
  want: Money.nullable(),
});

/**
 * Why a price is what it is. GET /api/listings/:id/explanation decides now from the current facts; GET
 * /api/listings/:id/recommendation and /api/history/:listingId/:id/explanation replay stored facts.
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
  /** What the explanation is about. */
  of: z.enum(['now', 'recommendation', 'history', 'run']),
  /** The time of the decision. */
  at: Moment,
  outcome: z.enum(['change', 'keep', 'recommend', 'blocked']),
  price: Money.nullable(),
  reasonCode: z.string(),
  reviewReason: z.string().nullable(),
  /** The limit that moved the price away from the strategy price, and its text. */
  bindingLimit: z.string(),
  bindingLimitText: z.string().nullable(),
  sentence: z.string(),
  fix: z.string().nullable(),
  /** The latest time at which a waiting price may change; null where the wait has no end time. */
  restEndsAt: Moment.nullable(),
  /** The name of the user, when it was not a rule. */
  actor: z.string().nullable(),
  rule: z
    .object({
      id: Id,
      name: z.string(),
      /** Null where the lines of the rule decide. */
      strategy: z.string().nullable(),
      minimumMargin: Percent.nullable(),
      /** Why this rule applies and no other, as text. */
      why: z.string(),
    })
    .nullable(),
  /** What the lines of the rule did; null where its strategy decides, and where none of them was reached. */
  lines: z
    .object({
      /** What the rule saw of the competition, and since when; null where no line looks at it. */
      situation: z.enum(SITUATIONS).nullable(),
      since: Moment.nullable(),
      each: z.array(TracedLine),
    })
    .nullable(),
  facts: z.object({
    currentPrice: Money.nullable(),
    anchorPrice: Money.nullable(),
    minPrice: Money.nullable(),
    maxPrice: Money.nullable(),
    /** The seller's own limits on the marketplace; null for none, and where they do not count. */
    marketplaceLimits: z
      .object({ min: Money.nullable(), max: Money.nullable(), map: Money.nullable() })
      .nullable(),
    /** Percent that the seller takes off at most on the marketplace; null for none. */
    greatestDiscount: Percent.nullable(),
    shippingCharge: Money.nullable(),
    priceDayAgo: Money.nullable(),
    cost: z.array(CostPart),
    totalCost: Money.nullable(),
    weightOz: z.number().nullable(),
    /** Our prices for the same SKU on other marketplaces. */
    elsewhere: z.array(z.object({ marketplace: z.enum(MARKETPLACES), price: Money, shippingCharge: Money })),
    /** What is missing from the cost, as the domain's CostGap kinds. */
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
  /** Where the price is higher on Walmart or Amazon than on another channel, as text; otherwise null. */
  channelGap: z.string().nullable(),
  /** What is known about the competitors, and its text; null for a price that no rule decided. */
  competition: z
    .object({
      status: z.enum(COMPETITION_STATUSES),
      /** When they were last read; null if never, or where the marketplace shows none. */
      readAt: Moment.nullable(),
      text: z.string(),
    })
    .nullable(),
  offers: z.array(ExplainedOffer),
  /** Each step, old to new, as text. */
  steps: z.array(
    z.object({ step: z.enum(TRACE_STEPS), from: Money, to: Money, because: z.string(), text: z.string() }),
  ),
  margin: z.object({ before: Margin.nullable(), after: Margin.nullable() }),
  /**
   * Profit of one sale at the old and the new price, after fees and the total cost; null when one of them is unknown. What is
   * left of price and shipping charge are the fees, with the shares for advertising and returns where a rule counts them.
   */
  profit: z.object({ before: Money.nullable(), after: Money.nullable() }),
});
export type PriceExplanation = z.output<typeof PriceExplanation>;

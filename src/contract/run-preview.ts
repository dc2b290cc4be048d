import { z } from 'zod';
import { REVIEW_REASONS } from '#domain/decision/decision.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Margin, Money, Percent } from './fields.ts';
import { LISTING_PROBLEMS } from './listings.ts';

// Separate from the other engine messages: only needed where an administrator is about to go live or resume.

/**
 * GET /api/engine/plan?marketplaces=walmart,amazon (admin): what the next run would do if these were live in
 * addition to those that are, and repricing were not halted. Without any it is the plan of the live ones; its
 * forecasts help to choose.
 */
export const PlanQuery = z.strictObject({
  marketplaces: z
    .string()
    .max(200)
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',').map((word) => word.trim())))
    .pipe(z.array(z.enum(MARKETPLACES)).max(MARKETPLACES.length)),
});

/** The result of a plan on one marketplace; where that is not live, as if this one were live too. */
export const MarketplaceForecast = z.object({
  marketplace: z.enum(MARKETPLACES),
  raised: z.int(),
  lowered: z.int(),
  /** If each of these listings sold once: what buyers would pay more, negative for less. Null when too large. */
  priceChange: Money.nullable(),
  /** And the change in profit, after fees and costs. */
  profitChange: Money.nullable(),
  /** New prices that need review even there, the most frequent reason first. */
  waiting: z.array(z.object({ reviewReason: z.enum(REVIEW_REASONS), count: z.int() })),
  /** Why listings have no price, the most frequent first; a listing counts under each of its problems. */
  problems: z.array(z.object({ problem: z.enum(LISTING_PROBLEMS), count: z.int() })),
});
export type MarketplaceForecast = z.output<typeof MarketplaceForecast>;
export const RunPreview = z.object({
  /**
   * Identifies this exact plan for exactly these marketplaces; going live on others with it is refused (409),
   * and so is a plan that has changed.
   */
  token: z.string(),
  evaluated: z.int(),
  changes: z.int(),
  raised: z.int(),
  lowered: z.int(),
  /** Lowered by `dropDepth` or more. */
  dropped: z.int(),
  /** Raised by `dropDepth` or more. */
  rose: z.int(),
  /** The change from which the circuit breaker counts a price as dropped or risen. */
  dropDepth: Percent,
  atMarginFloor: z.int(),
  blocked: z.int(),
  recommended: z.int(),
  /** Why the circuit breaker would halt it; null when it would not. */
  breaker: z.string().nullable(),
  /** Each marketplace that has listings, live or not. */
  forecasts: z.array(MarketplaceForecast),
  /**
   * Listings whose lowest allowed price fell by more than 20% since their marketplace last went live; only of
   * the requested marketplaces. At most 20 are named, the largest falls first.
   */
  fallen: z.object({
    count: z.int(),
    worst: z.array(
      z.object({
        listingId: Id,
        marketplace: z.enum(MARKETPLACES),
        sku: z.string(),
        from: Money,
        to: Money,
      }),
    ),
  }),
  /** The largest changes first, at most 20. */
  rows: z.array(
    z.object({
      listingId: Id,
      marketplace: z.enum(MARKETPLACES),
      sku: z.string(),
      title: z.string(),
      oldPrice: Money,
      newPrice: Money,
      marginBefore: Margin.nullable(),
      marginAfter: Margin.nullable(),
    }),
  ),
});
export type RunPreview = z.output<typeof RunPreview>;

/**
 * One line of GET /api/engine/plan, which returns JSON lines while the plan is made: its progress, any number
 * of times, then the plan. Without a plan at its end the response was cut off.
 */
export const RunPreviewLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), evaluated: z.int(), of: z.int() }),
  z.object({ kind: z.literal('plan'), plan: RunPreview }),
]);
export type RunPreviewLine = z.output<typeof RunPreviewLine>;

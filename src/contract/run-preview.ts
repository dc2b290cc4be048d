import { z } from 'zod';
import { REVIEW_REASONS } from '#domain/decision.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { LISTING_PROBLEMS } from './listings.ts';
import { Id, Margin, Money, Percent } from './wire.ts';

// Apart from the engine's other words: these are only needed where somebody is about to arm or resume.

/**
 * GET /api/engine/plan?marketplaces=walmart,amazon (admin): what the next run would do if these were armed beside
 * those that are, and nothing were halted. Without any it is the plan of what is armed; its forecasts help to choose.
 */
export const PlanQuery = z.strictObject({
  marketplaces: z
    .string()
    .max(200)
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',').map((word) => word.trim())))
    .pipe(z.array(z.enum(MARKETPLACES)).max(MARKETPLACES.length)),
});

/** What a plan comes to on one marketplace; where that only observes, what it would come to if this one were armed too. */
export const MarketplaceForecast = z.object({
  marketplace: z.enum(MARKETPLACES),
  raised: z.int(),
  lowered: z.int(),
  /** If each of these listings sold once: what buyers would pay more, negative for less. Null beyond all amounts. */
  priceChange: Money.nullable(),
  /** And what that would leave more after fees and costs. */
  profitChange: Money.nullable(),
  /** New prices that wait for a person even there, the most frequent reason first. */
  waiting: z.array(z.object({ reviewReason: z.enum(REVIEW_REASONS), count: z.int() })),
  /** Why listings have no price of the engine's, the most frequent first; a listing counts under each of its problems. */
  problems: z.array(z.object({ problem: z.enum(LISTING_PROBLEMS), count: z.int() })),
});
export type MarketplaceForecast = z.output<typeof MarketplaceForecast>;
export const RunPreview = z.object({
  /**
   * Names exactly this plan for exactly these marketplaces; arming others with it is refused (409), and so is arming
   * when the plan has changed.
   */
  token: z.string(),
  evaluated: z.int(),
  changes: z.int(),
  raised: z.int(),
  lowered: z.int(),
  /** Lowered by `dropDepth` or more. */
  dropped: z.int(),
  /** From what fall on the circuit breaker counts a price as dropped. */
  dropDepth: Percent,
  atMarginFloor: z.int(),
  blocked: z.int(),
  recommended: z.int(),
  /** What the circuit breaker would say to it; null when it would let it pass. */
  breaker: z.string().nullable(),
  /** Each marketplace that has listings, armed or not. */
  forecasts: z.array(MarketplaceForecast),
  /**
   * Listings whose lowest allowed price fell by more than 20% since their marketplace was armed last; of the marketplaces
   * that are asked for alone. Those that fall farthest are named, at most 20.
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
  /** The largest moves first, at most 20. */
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
 * One line of GET /api/engine/plan, which answers with JSON lines while the plan is made: how far it is, any number of
 * times, then the plan. Without a plan at its end the answer was cut off.
 */
export const RunPreviewLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), evaluated: z.int(), of: z.int() }),
  z.object({ kind: z.literal('plan'), plan: RunPreview }),
]);
export type RunPreviewLine = z.output<typeof RunPreviewLine>;

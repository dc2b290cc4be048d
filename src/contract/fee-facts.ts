import { z } from 'zod';
import { FEE_CATEGORY_SOURCES } from '#domain/fees/fee-basis.ts';
import { FEE_DECISIONS, FEE_FACT_KINDS, FEE_FACT_SOURCES, FEE_REFUSALS } from '#domain/fees/fee-fact.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Moment, Money, Percent, percentInput } from './fields.ts';

/** Answers per response. */
export const FEE_ANSWER_LIMIT = 20;

/** GET /api/fee-facts?listing=42 */
export const FeeFactsQuery = z.strictObject({ listing: Id });

/**
 * One answer of a marketplace about the fees of a listing. What was charged for fulfilling units of a sale is one of its own, one for
 * each amount.
 */
const FeeAnswer = z.object({
  /** For `POST /api/fee-facts/decide`. */
  id: Id,
  toldAt: Moment,
  source: z.enum(FEE_FACT_SOURCES),
  fulfillmentType: z.enum(FULFILLMENT_TYPES),
  /** The price and the shipping charge that the fees are for, of one unit. */
  askedPrice: Money,
  askedShipping: Money,
  /** Why nothing of it is used; null when it is. */
  refusedBecause: z.enum(FEE_REFUSALS).nullable(),
  /** It has a lower fee, or a charge far higher than others, that does not count yet: it waits until it is reported again, or until an administrator decides. */
  isHeld: z.boolean(),
  /** A charge that is the fulfillment fee at the current price; it can be rejected. */
  isInForce: z.boolean(),
  /** Prices are only recommended with it, until another sale a day later shows it or an administrator accepts it. */
  isAssumed: z.boolean(),
  /** Empty for an answer without usable amounts. */
  fees: z.array(
    z.object({
      kind: z.enum(FEE_FACT_KINDS),
      /** The marketplace's name of a fee of kind `other`. */
      name: z.string().nullable(),
      /** The regular amount. */
      amount: Money,
      /** What a promotion took off it. */
      promotion: Money,
    }),
  ),
});
export type FeeAnswer = z.output<typeof FeeAnswer>;

/** What the marketplace reported of the fees of a listing, the newest answer first; at most 20. */
export const FeeFacts = z.object({
  answers: z.array(FeeAnswer),
  /** The fee category, which counts where no fee was reported. */
  category: z.object({
    /** Null: the marketplace's default applies. */
    name: z.string().nullable(),
    source: z.enum(FEE_CATEGORY_SOURCES),
    /** False: where the default is higher, it counts until an administrator accepts the category. */
    isAccepted: z.boolean(),
    /** What the marketplace calls the product; null where it reports nothing. */
    productType: z.string().nullable(),
  }),
});
export type FeeFacts = z.output<typeof FeeFacts>;

/** As in `GET /api/fee-drift`. */
const RatePair = z.strictObject({
  marketplace: z.enum(MARKETPLACES),
  told: percentInput(0, 10_000),
  scheduled: percentInput(0, 10_000),
});

/**
 * POST /api/fee-facts/decide: what an administrator decides about what was reported. `adopt` it counts now, also where it was
 * rejected before; `keep` the fee in force stays, and neither the answer nor one as low is used until one is accepted.
 */
export const DecideFees = z.union([
  /** Answers that are held, or out of range; charges of fulfillment that are used too. */
  z.strictObject({ ids: z.array(Id).min(1).max(1_000), decision: z.enum(FEE_DECISIONS) }),
  /** All lower fees that wait of the listings with a pair of rates of `GET /api/fee-drift`. */
  z.strictObject({
    pair: RatePair,
    /** The number of listings that the user saw waiting: more than that are not decided about. Omitted: any number. */
    waiting: z.int().min(1).optional(),
    decision: z.enum(FEE_DECISIONS),
  }),
  /**
   * Users' own commissions of the listings with a pair of rates, and their number that the user saw: more than that are not
   * changed. `adopt` clears them, so that what is reported counts; `keep` leaves them, and the pair is no longer listed.
   */
  z.strictObject({ pair: RatePair, ownRates: z.int().min(1), decision: z.enum(FEE_DECISIONS) }),
  /** A reading of `GET /api/fee-drift`, with the number of listings that the user saw; `keep` rejects all that was reported in it. */
  z.strictObject({ reading: Id, listings: z.int().min(0), decision: z.enum(FEE_DECISIONS) }),
]);
export type DecideFees = z.output<typeof DecideFees>;
export type DecideFeesForm = z.input<typeof DecideFees>;

export const FeesDecided = z.object({ listings: z.int() });
export type FeesDecided = z.output<typeof FeesDecided>;

/** Drifts per response. */
export const FEE_DRIFT_LIMIT = 100;

/** Pairs of rates, and listings, of one reading per response. */
export const JUMP_LIMIT = 200;

/** Shares of the revenue: price and shipping charge. */
const Jump = { before: Percent, told: Percent };

/**
 * A reading that waits for an administrator: within a day the marketplace reported fees more than 2 points from what it had reported
 * before for many listings. Until it is accepted or rejected its lower fees do not count, and its higher ones move no price.
 */
const DoubtedReading = z.object({
  /** For `POST /api/fee-facts/decide`. */
  id: Id,
  marketplace: z.enum(MARKETPLACES),
  /** When the first of these fees was reported. */
  since: Moment,
  listings: z.int(),
  /** Of them, those repriced with a higher fee before so many were reported. */
  repriced: z.int(),
  /** The pairs of the most listings first; at most 200. */
  pairs: z.array(z.object({ ...Jump, listings: z.int() })),
  /** The largest differences first; at most 200. */
  shown: z.array(
    z.object({ ...Jump, listingId: Id, sku: z.string(), title: z.string(), currentPrice: Money }),
  ),
});
export type DoubtedReading = z.output<typeof DoubtedReading>;

/**
 * GET /api/fee-drift: where a marketplace reported another commission than the fee schedule of its listings has, as of their
 * last decision; one entry per marketplace and pair of rates, the most listings first; and the readings that wait for an administrator.
 */
export const FeeDrifts = z.object({
  drifts: z.array(
    z.object({
      marketplace: z.enum(MARKETPLACES),
      /** Shares of the revenue, price and shipping charge. */
      told: Percent,
      /** Of the fee schedule, or a user's own commission. */
      scheduled: Percent,
      listings: z.int(),
      /** Of them, priced below their margin floor. */
      belowMarginFloor: z.int(),
      /** Of them, those with a lower commission that waits to be reported again. */
      waiting: z.int(),
      /** Of them, those with a user's own commission, which counts before what is reported. */
      ownRates: z.int(),
      /** The difference on the sales of the last 30 days; below zero where less is charged. */
      cost30Days: Money,
    }),
  ),
  readings: z.array(DoubtedReading),
});
export type FeeDrifts = z.output<typeof FeeDrifts>;

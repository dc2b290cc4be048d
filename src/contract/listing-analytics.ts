import { z } from 'zod';
import { BOX_HOLDERS } from '#domain/competition/box-holding.ts';
import { COMPETITION_STATUSES } from '#domain/competition/competition.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { READING_SOURCES } from '#domain/readings/assess-reading.ts';
import { Id, Margin, Moment, Money, Percent } from './fields.ts';
import { HISTORY_SOURCES } from './history.ts';

/** Days up to now. */
export const ANALYTICS_RANGES = ['7', '30', '90'] as const;
export type AnalyticsRange = (typeof ANALYTICS_RANGES)[number];
export const ANALYTICS_RANGE: AnalyticsRange = '30';
/** Competitor records per response, unless the request sets another number. */
export const COMPETITOR_LIMIT = 10;

export const RangeQuery = z.strictObject({ dateRange: z.enum(ANALYTICS_RANGES).prefault(ANALYTICS_RANGE) });

/** Time of the last sync, and when the next one was due. */
const Freshness = { lastUpdated: Moment, staleAt: Moment };

/**
 * GET /api/sales-history/metrics/:listingId?dateRange=30: sales of a listing in the last days. Without sales
 * the counts are 0 and there are no averages.
 */
export const SalesMetrics = z.object({
  /** Order lines. */
  salesCount: z.int(),
  totalQuantity: z.int(),
  /** With shipping; the average price is without. */
  totalRevenue: Money,
  avgUnitPrice: Money.nullable(),
  /** Of the units whose margin is known; null when it is known for none. */
  totalMargin: Money.nullable(),
  avgMarginPerUnit: Money.nullable(),
  /** Of the revenue of those units; null when unknown. */
  margin: Margin.nullable(),
  /** Units whose margin is known. */
  quantityWithMargin: z.int(),
  /** Order lines whose margin is known, and those of them with an estimate in it. */
  salesWithMargin: z.int(),
  salesAbout: z.int(),
  from: Moment,
  to: Moment,
  /** When sales of the marketplace were last recorded, as far as known; null when never. */
  lastUpdated: Moment.nullable(),
  staleAt: Moment.nullable(),
});
export type SalesMetrics = z.output<typeof SalesMetrics>;

/** GET /api/listing-analytics/:listingId: the newest figures the marketplace reported; null when it never did. */
export const ListingAnalytics = z
  .object({
    id: Id,
    listingId: Id,
    reviewCount: z.int(),
    /** Stars, "4.37". */
    averageRating: z
      .string()
      .regex(/^[0-5]\.\d{2}$/)
      .nullable(),
    salesRank: z.int().nullable(),
    salesRankCategory: z.string().nullable(),
    buyBoxPercentage: Percent.nullable(),
    /** The days that the share covers; null where the marketplace does not say. */
    buyBoxWindow: z.object({ days: z.int(), endsDaysAgo: z.int() }).nullable(),
    ...Freshness,
    /**
     * The last 30 days with data, the oldest first: how often it was checked, and how often the featured offer
     * was ours.
     */
    days: z.array(z.object({ day: z.iso.date(), checks: z.int(), wins: z.int() })),
  })
  .nullable();
export type ListingAnalytics = z.output<typeof ListingAnalytics>;

/**
 * GET /api/listings/{id}/on-marketplace: the last state of a listing on its marketplace; null when there is
 * none, because it is not connected or has no such listing.
 */
export const OnMarketplace = z
  .object({
    isForSale: z.boolean(),
    /** Units; null where the marketplace does not say. */
    quantity: z.int().nullable(),
    /** When the listing was last in the marketplace's catalog. */
    seenAt: Moment,
    /** Since when it is missing from the marketplace's catalog; null while it is not. */
    missingSince: Moment.nullable(),
    /** Another price than the current one that the marketplace showed and that is being checked; null when none is. */
    checkedPrice: z.object({ price: Money, source: z.enum(READING_SOURCES), since: Moment }).nullable(),
    /** From which price on offers of buyers are accepted automatically, set on the marketplace; null where none are. */
    bestOffer: z
      .object({
        autoAcceptPrice: Money,
        /** Null while it is unknown. */
        lowestAllowedPrice: Money.nullable(),
        /** Offers below the lowest allowed price are accepted; null while that is unknown. */
        isTooLow: z.boolean().nullable(),
        /** Why the marketplace refused to raise it; null where it did not, and where it is not to be raised. */
        raiseRefusal: z.string().nullable(),
      })
      .nullable(),
    /** The prices for business buyers, set on the marketplace; null where there are none. */
    businessPrices: z
      .object({
        readAt: Moment,
        /** By rising quantity. */
        prices: z.array(
          z.object({
            /** From this quantity on; 1 is the business price. */
            from: z.int(),
            /** Of one unit. */
            price: Money,
            margin: Margin.nullable(),
            /** Below the lowest allowed price; null while that is unknown. */
            isTooLow: z.boolean().nullable(),
          }),
        ),
        minimumMargin: Margin,
        /** Null while it is unknown. */
        lowestAllowedPrice: Money.nullable(),
        /** The current price is below the business price, which is then not shown to buyers. */
        isHidden: z.boolean(),
        /** They follow the current price from its next change on; false: repricing leaves them as they are. */
        isFollowing: z.boolean(),
        /** Why they follow no price for now, although that is chosen; null where they do, or where it is not chosen. */
        stopped: z
          .object({
            /** With which listing it was found. */
            sku: z.string(),
            /** The marketplace's words of its refusal; null where it removed something else with them. */
            refused: z.string().nullable(),
            /** When it is tried again; null: not at all. */
            until: Moment.nullable(),
          })
          .nullable(),
        /** Quantities that were not sent with the last price, since they cost as much as the ones before. */
        skipped: z.array(z.int()),
      })
      .nullable(),
  })
  .nullable();
export type OnMarketplace = z.output<typeof OnMarketplace>;

export const CompetitorQuery = z.strictObject({
  /** Omitted: records of every marketplace. */
  marketplace: z.enum(MARKETPLACES).optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'Expected a number from 1 to 100')
    .transform(Number)
    .prefault(String(COMPETITOR_LIMIT)),
});

/** Competitors' landed prices for the item of a listing in one period. Our own offers do not count. */
export const CompetitorPrice = z.object({
  id: Id,
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  /** The marketplace itself; for the other one as seen for the same SKU there. */
  amazonDirectPrice: Money.nullable(),
  walmartDirectPrice: Money.nullable(),
  thirdPartyMinPrice: Money.nullable(),
  thirdPartyMaxPrice: Money.nullable(),
  thirdPartyAvgPrice: Money.nullable(),
  thirdPartySellerCount: z.int(),
  buyBoxPrice: Money.nullable(),
  buyBoxSeller: z.string().nullable(),
  /** The featured offer is ours. */
  isBuyBoxOurs: z.boolean(),
  /** Start of the period. */
  timestamp: Moment,
  /** When it was last read, unchanged. */
  lastSeenAt: Moment,
  staleAt: Moment,
});
export type CompetitorPrice = z.output<typeof CompetitorPrice>;

const BoxHolder = z.enum(BOX_HOLDERS);

/** Who holds the buy box of a listing by the last reading that shows it, and since when. */
const BuyBox = z.object({
  /** `unnamed`: the marketplace names no seller; it can be ours. */
  holder: BoxHolder,
  /** As the marketplace names it. */
  seller: z.string().nullable(),
  /** Landed. */
  price: Money,
  /**
   * The first reading of this holder after the last one of another; null for `unnamed`. The change was between that one
   * (`before.seenAt`) and this.
   */
  since: Moment.nullable(),
  /** No other holder is on record: it may have held it for longer. */
  isAtLeast: z.boolean(),
  seenAt: Moment,
  /** Who holds it now is not known: the last reading shows no buy box, or was longer ago than offers count. */
  isOutdated: z.boolean(),
  /** The marketplace reported that no one holds it now. */
  isSuppressed: z.boolean(),
  /** The holder before, when it was last seen; null where none is on record. */
  before: z.object({ holder: BoxHolder, seller: z.string().nullable(), seenAt: Moment }).nullable(),
});
export type BuyBox = z.output<typeof BuyBox>;

/** GET /api/listings/:id/competition: what is known about the competitors of a listing now. */
export const ListingCompetition = z.object({
  status: z.enum(COMPETITION_STATUSES),
  /** When they were last read; null if never, or where the marketplace shows none. */
  readAt: Moment.nullable(),
  text: z.string(),
  /** The last time since then that the marketplace was asked without a usable result; null: none. */
  unread: z.object({ at: Moment, reason: z.string() }).nullable(),
  /** Null where no reading on record shows one. */
  buyBox: BuyBox.nullable(),
  /** What it takes to become the featured offer; null where the marketplace does not say. */
  featuredPrice: z
    .object({
      /** At or below it the offer is expected to be featured; null where there is none. */
      price: Money.nullable(),
      /** As the marketplace names it, such as VALID_FOEP. */
      status: z.string(),
      readAt: Moment,
      text: z.string(),
    })
    .nullable(),
});
export type ListingCompetition = z.output<typeof ListingCompetition>;

/** GET /api/competitor-prices/listing/:listingId?marketplace=walmart&limit=10: the newest first. */
export const CompetitorPrices = z.array(CompetitorPrice);

/**
 * GET /api/listings/:id/price-chart?dateRange=30: our price, the margin floor and competitors' prices. Every
 * value applies from its timestamp until the next one; null where it is unknown.
 */
export const PriceChart = z.object({
  from: Moment,
  to: Moment,
  /** What the buyer pays us for shipping on top of `own` and `floor`; competitors' prices include theirs. */
  shippingCharge: Money,
  /** In rising order. The first one may be the current price at `from`, and then has no source. */
  own: z.array(
    z.object({
      at: Moment,
      price: Money,
      source: z.enum(HISTORY_SOURCES).nullable(),
      /** As text; null for the current price at `from`. */
      reason: z.string().nullable(),
      /** Name of the user or rule. */
      by: z.string().nullable(),
    }),
  ),
  /** There are more changes than are listed: `own` starts with the oldest of the newest, later than `from`. */
  isCut: z.boolean(),
  /** The margin floor of each decision. */
  floor: z.array(z.object({ at: Moment, price: Money.nullable() })),
  /** One value per period of several hours: the last one seen in it. */
  readingHours: z.int(),
  offers: z.array(
    z.object({
      at: Moment,
      lowest: Money.nullable(),
      highest: Money.nullable(),
      buyBox: Money.nullable(),
      isBuyBoxOurs: z.boolean(),
    }),
  ),
});
export type PriceChart = z.output<typeof PriceChart>;

import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { HISTORY_SOURCES } from './history.ts';
import { Id, Margin, Moment, Money, Percent } from './wire.ts';

/** Days counted back from now. */
export const ANALYTICS_RANGES = ['7', '30', '90'] as const;
export type AnalyticsRange = (typeof ANALYTICS_RANGES)[number];
export const ANALYTICS_RANGE: AnalyticsRange = '30';
/** Competitor records that one call answers at most, unless it asks for fewer or more. */
export const COMPETITOR_LIMIT = 10;

export const RangeQuery = z.strictObject({ dateRange: z.enum(ANALYTICS_RANGES).prefault(ANALYTICS_RANGE) });

/** When something was fetched, and from when on it should have been renewed. */
const Freshness = { lastUpdated: Moment, staleAt: Moment };

/**
 * GET /api/sales-history/metrics/:listingId?dateRange=30: what a listing sold in the last days.
 * A range without sales has the counts 0 and no averages.
 */
export const SalesMetrics = z.object({
  /** Order lines. */
  salesCount: z.int(),
  totalQuantity: z.int(),
  totalRevenue: Money,
  avgUnitPrice: Money.nullable(),
  /** Over the units whose margin is known; null when it is known for none. */
  totalMargin: Money.nullable(),
  avgMarginPerUnit: Money.nullable(),
  /** Of the revenue of those units; null when unknown. */
  margin: Margin.nullable(),
  /** Units whose margin is known. */
  quantityWithMargin: z.int(),
  from: Moment,
  to: Moment,
  /** When sales of the marketplace were last recorded, as far as can be told; null when there was never one. */
  lastUpdated: Moment.nullable(),
  staleAt: Moment.nullable(),
});
export type SalesMetrics = z.output<typeof SalesMetrics>;

/** GET /api/listing-analytics/:listingId: the newest figures as the marketplace reports them; null when it never did. */
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
    /** The days that the share is about; null where the marketplace does not say. */
    buyBoxWindow: z.object({ days: z.int(), endsDaysAgo: z.int() }).nullable(),
    ...Freshness,
    /** The last 30 days on which somebody looked, the oldest first: how often, and how often the featured offer was ours. */
    days: z.array(z.object({ day: z.iso.date(), checks: z.int(), wins: z.int() })),
  })
  .nullable();
export type ListingAnalytics = z.output<typeof ListingAnalytics>;

/**
 * GET /api/listings/{id}/on-marketplace: what the marketplace itself last said of a listing; null when it never did,
 * because it is not connected or has no such listing.
 */
export const OnMarketplace = z
  .object({
    isForSale: z.boolean(),
    /** Pieces; null where it does not say. */
    quantity: z.int().nullable(),
    /** When its catalogue last had the listing. */
    seenAt: Moment,
    /** Since when its catalogue does not have it any more; null while it does. */
    missingSince: Moment.nullable(),
  })
  .nullable();
export type OnMarketplace = z.output<typeof OnMarketplace>;

export const CompetitorQuery = z.strictObject({
  /** Left out: records of every marketplace. */
  marketplace: z.enum(MARKETPLACES).optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'Expected a number from 1 to 100')
    .transform(Number)
    .prefault(String(COMPETITOR_LIMIT)),
});

/** What others asked for a listing's item, landed, from one moment to another. Our own offers do not count. */
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
  /** From when on it was so. */
  timestamp: Moment,
  /** When it was last read, unchanged. */
  lastSeenAt: Moment,
  staleAt: Moment,
});
export type CompetitorPrice = z.output<typeof CompetitorPrice>;

/** GET /api/competitor-prices/listing/:listingId?marketplace=walmart&limit=10: the newest first. */
export const CompetitorPrices = z.array(CompetitorPrice);

/**
 * GET /api/listings/:id/price-chart?dateRange=30: our price, the floor and what others asked. Every value holds from
 * its moment on until the next one; null from where it is not known.
 */
export const PriceChart = z.object({
  from: Moment,
  to: Moment,
  /** What the buyer pays us for shipping on top of `own` and `floor`; what others ask has theirs in it. */
  shippingCharge: Money,
  /** Rising. The first one may be the price in force at `from`, and then has no source. */
  own: z.array(
    z.object({
      at: Moment,
      price: Money,
      source: z.enum(HISTORY_SOURCES).nullable(),
      /** In words; null for the price in force at `from`. */
      reason: z.string().nullable(),
      /** Name of the person or of the rule. */
      by: z.string().nullable(),
    }),
  ),
  /** More changes than can be shown: `own` begins with the oldest of the newest, later than `from`. */
  isCut: z.boolean(),
  /** The margin floor, as each decision found it. */
  floor: z.array(z.object({ at: Moment, price: Money.nullable() })),
  /** One value in so many hours: what was seen last in each stretch. */
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
